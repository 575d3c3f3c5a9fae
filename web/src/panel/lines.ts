/**
 * Arrow keys through the lines of the log: Tab leads to the log and on from there, the arrows from line to line. A long
 * game has hundreds of lines; if each were a stop of Tab, who has no mouse would not get past them.
 */
import type { Attachment } from "svelte/attachments";

/** What leads to its moment. */
const LINE = "button.line";
/** How far a key leads when there is no further line: headlines, or older lines, are still to be read there. */
const SCROLLED = 40; // pixels
const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, Home: -Infinity, End: Infinity };

/** Makes an element that scrolls a list of lines. */
export const lineByLine: Attachment<HTMLElement> = (list) => {
  const key = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault(); // or the table would take the arrows for its cards
    const lines = [...list.querySelectorAll<HTMLElement>(LINE)];
    const next = nextLine(lines, lines.indexOf(event.target as HTMLElement), step, list);
    if (next) next.focus();
    else list.scrollBy({ top: Math.sign(step) * SCROLLED });
  };
  list.addEventListener("keydown", key);
  return () => list.removeEventListener("keydown", key);
};

/** From the list itself, the arrows lead to the lowest line in sight: the newest, for who reads along. */
function nextLine(
  lines: HTMLElement[],
  at: number,
  step: number,
  list: HTMLElement,
): HTMLElement | undefined {
  if (!Number.isFinite(step)) return lines.at(step < 0 ? 0 : -1);
  if (at >= 0) return lines[at + step];
  const end = list.getBoundingClientRect().bottom;
  return lines.findLast((line) => line.getBoundingClientRect().bottom <= end) ?? lines.at(-1);
}
