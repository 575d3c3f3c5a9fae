import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { hotkey, hotkeys } from "../src/lib/keys";

const does = vi.fn();
let forget: () => void;

beforeEach(() => {
  does.mockClear();
  forget = hotkey({ keys: ["u", "Enter"], says: () => "Undo", does });
});
afterEach(() => {
  forget();
  document.body.innerHTML = "";
});

function press(key: string, target: EventTarget = document.body, how: KeyboardEventInit = {}) {
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...how }));
}

function place(html: string): Element {
  document.body.innerHTML = html;
  return document.body.firstElementChild!;
}

test("A hotkey does what it says, in either case.", () => {
  press("u");
  press("U");
  expect(does).toHaveBeenCalledTimes(2);
  expect(hotkeys().map((key) => key.says())).toEqual(["Undo"]);
});

test("Who writes something presses no hotkeys.", () => {
  press("u", place("<input>"));
  press("u", place("<textarea></textarea>"));
  press("u", document.body, { ctrlKey: true });
  expect(does).not.toHaveBeenCalled();
});

test("While a dialog is open there are no hotkeys behind it.", () => {
  place("<dialog open></dialog>");
  press("u");
  expect(does).not.toHaveBeenCalled();
});

test("Enter belongs to the button that has the focus.", () => {
  press("Enter", place("<button>x</button>"));
  expect(does).not.toHaveBeenCalled();
  press("Enter");
  expect(does).toHaveBeenCalledTimes(1);
});

test("The latest that knows a key gets it, and a forgotten one is gone.", () => {
  const other = vi.fn();
  const forgetOther = hotkey({ keys: ["u"], says: () => "Other", does: other });
  press("u");
  forgetOther();
  press("u");
  expect([other.mock.calls.length, does.mock.calls.length]).toEqual([1, 1]);
});
