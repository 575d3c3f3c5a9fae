/**
 * Hotkeys: each part of the page says which keys it understands while it is shown, and the help lists them.
 *
 *     $effect(() => hotkey({ keys: ["u"], says: () => tableWords.t("undo"), does: () => live.undo(seat) }));
 */

export type Hotkey = {
  /** As in KeyboardEvent.key ("u", "?", "Enter", "ArrowLeft"); any of them does it. Letters in either case. */
  keys: string[];
  /** What it does, for the help, in the language that is set. */
  says: () => string;
  does: (event: KeyboardEvent) => void;
};

const known: Hotkey[] = [];

/** Understands a key from now on; the latest that knows a key gets it. Returns how to forget it. */
export function hotkey(key: Hotkey): () => void {
  if (known.length === 0) document.addEventListener("keydown", press);
  known.push(key);
  return () => {
    known.splice(known.indexOf(key), 1);
    if (known.length === 0) document.removeEventListener("keydown", press);
  };
}

/** The hotkeys that are understood now, oldest first. */
export const hotkeys = (): readonly Hotkey[] => [...known];

function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
  const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const meant = known.findLast((hotkey) => hotkey.keys.includes(pressed));
  if (!meant) return;
  if (pressed === "Enter" || pressed === " ") {
    // These belong to whatever has the focus.
    if ((event.target as Element | null)?.closest?.("a, button, summary, [role=button], [role=option]"))
      return;
  }
  event.preventDefault();
  meant.does(event);
}

/** Whether keys pressed there write text or move something. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input, textarea, select");
}
