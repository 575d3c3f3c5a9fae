// Through the log by keyboard: the arrows lead from line to line, whatever stands between them.
import { afterEach, expect, test } from "vitest";
import { lineByLine } from "../src/panel/lines";

let leave: (() => void) | void;
afterEach(() => {
  leave?.();
  document.body.replaceChildren();
});

/** A log of two turns, with a line that leads nowhere. */
function log(): HTMLElement {
  document.body.innerHTML = `<div tabindex="0">
    <h4>Ana</h4><button class="line">a</button><div class="line">taken back</div><button class="line">b</button>
    <h4>Ben</h4><button class="line">c</button>
  </div>`;
  const list = document.body.firstElementChild as HTMLElement;
  leave = lineByLine(list);
  list.focus();
  return list;
}

/** Presses a key; tells whether it was understood. */
function press(key: string, more: KeyboardEventInit = {}): boolean {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  document.activeElement?.dispatchEvent(event);
  return event.defaultPrevented;
}
const focused = () => document.activeElement?.textContent;

test("From the log an arrow leads to the newest line, and from there on.", () => {
  log();
  press("ArrowUp");
  expect(focused()).toBe("c");
  press("ArrowUp");
  expect(focused()).toBe("b");
  press("ArrowUp");
  expect(focused()).toBe("a");
  press("ArrowDown");
  expect(focused()).toBe("b");
});

test("Home and End lead to the first and the last.", () => {
  log();
  press("Home");
  expect(focused()).toBe("a");
  press("End");
  expect(focused()).toBe("c");
});

test("At its end an arrow scrolls, and leads nowhere else.", () => {
  const list = log();
  const scrolled: unknown[] = [];
  list.scrollBy = ((by: unknown) => scrolled.push(by)) as never;
  press("Home");
  expect(press("ArrowUp")).toBe(true);
  expect(focused()).toBe("a");
  expect(scrolled).toEqual([{ top: -40 }]);
});

test("Other keys are left alone.", () => {
  log();
  expect(press("Tab")).toBe(false);
  expect(press("ArrowRight")).toBe(false);
  expect(press("ArrowUp", { altKey: true })).toBe(false);
});
