// What is in sight, as a page hears of it.
import { afterEach, expect, test, vi } from "vitest";
import { watchSight } from "../src/panel/sight";

afterEach(() => vi.unstubAllGlobals());

test("Of several changes that are told at once, the last one counts.", () => {
  const told: boolean[] = [];
  let tellChanges: (changes: { isIntersecting: boolean }[]) => void = () => {};
  class Observer {
    constructor(tell: typeof tellChanges) {
      tellChanges = tell;
    }
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal("IntersectionObserver", Observer);
  watchSight(document.createElement("button"), (inSight) => told.push(inSight));
  tellChanges([{ isIntersecting: false }, { isIntersecting: true }]);
  tellChanges([{ isIntersecting: true }, { isIntersecting: false }]);
  expect(told).toEqual([true, false]);
});
