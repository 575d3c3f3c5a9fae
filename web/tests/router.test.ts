import { afterEach, beforeEach, expect, test } from "vitest";
import { placeOf, router } from "../src/lib/router.svelte";

let stop: () => void;
beforeEach(() => {
  stop = router.listen();
  router.go("/");
});
afterEach(() => {
  stop();
  document.body.innerHTML = "";
});

/** Clicks on a link, and says whether it was taken over. Nobody else follows it, either. */
function click(html: string, how: MouseEventInit = {}): boolean {
  document.body.innerHTML = html;
  let taken = false;
  const look = (event: Event) => {
    taken = event.defaultPrevented;
    event.preventDefault();
  };
  window.addEventListener("click", look, { once: true });
  document
    .querySelector("a > b, a")!
    .dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, button: 0, ...how }));
  return taken;
}

test.each([
  ["/", { page: "start" }],
  ["/new", { page: "new" }],
  ["/new/", { page: "new" }],
  ["/t/abcd2345", { page: "table", code: "ABCD2345" }],
  ["/t/ABCD2345/replay", { page: "replay", code: "ABCD2345" }],
  ["/t/ABCD2345/other", { page: "nowhere" }],
  ["/t", { page: "nowhere" }],
  ["/new/x", { page: "nowhere" }],
  ["/elsewhere", { page: "nowhere" }],
])("The path %s shows %j.", (path, place) => expect(placeOf(path)).toEqual(place));

test("Links to our pages are taken over.", () => {
  expect(click('<a href="/new"><b>New</b></a>')).toBe(true);
  expect(router.path).toBe("/new");
  expect(location.pathname).toBe("/new");
});

test.each([
  ["to another origin", '<a href="https://example.org/x">x</a>', {}],
  ["of the service", '<a href="/api/tables/ABCD2345/record">x</a>', {}],
  ["to download", '<a href="/x" download>x</a>', {}],
  ["for a new window", '<a href="/new" target="_blank">x</a>', {}],
  ["with the control key", '<a href="/new">x</a>', { ctrlKey: true }],
  ["within the page", '<a href="#main">x</a>', {}],
])("Links %s are the browser's.", (_, html, how) => {
  expect(click(html, how)).toBe(false);
  expect(router.path).toBe("/");
});

test("Going to the same page again is a visit, too.", () => {
  const visit = router.visit;
  router.go("/");
  expect(router.visit).toBe(visit + 1);
});
