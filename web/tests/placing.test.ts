// Where a glance lies: over many windows and cards, never over the card or the question, and never outside.
import { describe, expect, it } from "vitest";
import { GAP, overlap, placeBeside, type Box, type Size } from "../src/table/placing";

const WINDOWS: Size[] = [
  [360, 740],
  [740, 360],
  [820, 1180],
  [1024, 768],
  [1280, 640],
  [1366, 657],
  [1440, 900],
  [2560, 1440],
].map(([width, height]) => ({ width: width!, height: height! }));
const SIZES: Size[] = [
  { width: 248, height: 420 },
  { width: 248, height: 130 },
];
const box = (left: number, top: number, width: number, height: number): Box => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});
/** Questions of several heights, at the bottom and in the middle column, as the layouts have them. */
const questionsIn = ({ width, height }: Size): Box[][] => [
  [],
  ...[60, 100, 0.4 * height].flatMap((high) => [
    [box(0, height - high, width, high)],
    [box(0.21 * width, height - high - 12, 0.57 * width, high)],
  ]),
];
/** Cards all over a window, some cut off at its edge; small houses and large tiles. */
function* cardsIn({ width, height }: Size): Generator<Box> {
  for (const side of [34, 92, 190]) {
    for (let left = -20; left < width; left += width / 9) {
      for (let top = -20; top < height; top += height / 9) yield box(left, top, side, 1.4 * side);
    }
  }
}
function* cases() {
  for (const window of WINDOWS)
    for (const size of SIZES)
      for (const question of questionsIn(window))
        for (const card of cardsIn(window)) yield { window, size, question, card };
}

describe("a glance", () => {
  it("lies inside the window, beside its card and off the question, in every window", () => {
    for (const { window, size, question, card } of cases()) {
      const place = placeBeside(size, card, question, window);
      if (!place) continue;
      const lies = box(place.left, place.top, size.width, size.height);
      const what = JSON.stringify({ window, size, question, card, lies });
      expect(lies.left >= GAP && lies.right <= window.width - GAP, what).toBe(true);
      expect(lies.top >= GAP && lies.bottom <= window.height - GAP, what).toBe(true);
      for (const taken of [card, ...question]) expect(overlap(lies, taken), what).toBe(false);
    }
  });

  it("is only left out where no place is free", () => {
    for (const { window, size, question, card } of cases()) {
      if (placeBeside(size, card, question, window)) continue;
      const taken = [card, ...question];
      let free = false;
      for (let left = GAP; left + size.width <= window.width - GAP; left += 9) {
        for (let top = GAP; top + size.height <= window.height - GAP; top += 9) {
          const there = box(left - GAP, top - GAP, size.width + 2 * GAP, size.height + 2 * GAP);
          free ||= !taken.some((one) => overlap(there, one));
        }
      }
      expect(free, JSON.stringify({ window, size, question, card })).toBe(false);
    }
  });

  it("has room for its words at least beside every tile, where the question takes a line or two", () => {
    for (const { window, size, question, card } of cases()) {
      if (size.height > 200 || card.right - card.left > 100) continue;
      if (question.some(({ top }) => top < window.height - 115)) continue;
      expect(placeBeside(size, card, question, window), JSON.stringify({ window, card })).not.toBeNull();
    }
  });

  it("lies as near to its card as it can", () => {
    const card = box(600, 300, 100, 140);
    expect(placeBeside({ width: 248, height: 400 }, card, [], { width: 1440, height: 900 })).toEqual({
      left: 600 - GAP - 248,
      top: 170,
    });
    const atTheEdge = box(10, 300, 100, 140);
    expect(placeBeside({ width: 248, height: 400 }, atTheEdge, [], { width: 1440, height: 900 })?.left).toBe(
      110 + GAP,
    );
  });
});
