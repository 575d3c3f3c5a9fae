/** Where in the page we are. Links within the own origin are taken over; the browser's back and forward work. */

class Router {
  path = $state(location.pathname);
  /** Counts the visits, so that going to the same path again is noticed, too. */
  visit = $state(0);

  go(path: string, { replace = false } = {}): void {
    if (replace) history.replaceState(null, "", path);
    else history.pushState(null, "", path);
    this.#arrive();
    scrollTo(0, 0);
  }

  /** Takes over from the browser. Returns how to stop that. */
  listen(): () => void {
    const arrive = () => this.#arrive();
    const follow = (event: MouseEvent) => {
      const path = pathOf(event);
      if (path === null) return;
      event.preventDefault();
      this.go(path);
    };
    addEventListener("popstate", arrive);
    document.addEventListener("click", follow);
    return () => {
      removeEventListener("popstate", arrive);
      document.removeEventListener("click", follow);
    };
  }

  #arrive(): void {
    this.path = location.pathname;
    this.visit += 1;
  }
}

/** The path that a click leads to, if it is a plain click on a link to another of our pages. */
function pathOf(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = (event.target as Element | null)?.closest?.("a");
  if (!link?.href || link.target || link.hasAttribute("download")) return null;
  const url = new URL(link.href);
  if (url.origin !== location.origin || url.pathname.startsWith("/api/")) return null;
  if (url.hash && url.pathname === location.pathname) return null; // within the page: the browser's own
  return url.pathname + url.search;
}

export const router = new Router();

/** What a path shows. */
export type Place =
  | { page: "start" }
  | { page: "new" }
  | { page: "table"; code: string }
  | { page: "replay"; code: string }
  | { page: "nowhere" };

export function placeOf(path: string): Place {
  const parts = path.split("/").filter(Boolean);
  const [first, code, last, ...rest] = parts;
  if (!first) return { page: "start" };
  if (first === "new" && parts.length === 1) return { page: "new" };
  if (first === "t" && code && rest.length === 0) {
    if (!last) return { page: "table", code: code.toUpperCase() };
    if (last === "replay") return { page: "replay", code: code.toUpperCase() };
  }
  return { page: "nowhere" };
}
