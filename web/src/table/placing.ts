/** Where something that appears beside a card may lie: inside the window, off the card, off what must stay in sight. */

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}
export interface Size {
  width: number;
  height: number;
}
type Place = { left: number; top: number };

/** How far it stays from the edge of the window, and from all that it must not cover. */
export const GAP = 8;

export const overlap = (one: Box, other: Box): boolean =>
  one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;

/** The place nearest to the card, or null where there is no room without covering the card or one of `clear`. */
export function placeBeside(size: Size, card: Box, clear: readonly Box[], window: Size): Place | null {
  const taken = [card, ...clear].map((box) => grow(box, GAP));
  const wished = {
    left: (card.left + card.right - size.width) / 2,
    top: (card.top + card.bottom - size.height) / 2,
  };
  let best: Place | null = null;
  let least = Infinity;
  for (const room of freeRooms(taken, window, size)) {
    const left = clamp(wished.left, room.left, room.right - size.width);
    const top = clamp(wished.top, room.top, room.bottom - size.height);
    const far = Math.hypot(left - wished.left, top - wished.top);
    if (far >= least) continue;
    least = far;
    best = { left, top };
  }
  return best;
}

/** All rooms with edges in common with what is taken or with the window, that are free and large enough. */
function* freeRooms(taken: readonly Box[], window: Size, { width, height }: Size): Generator<Box> {
  const across = edges(window.width, (box) => [box.left, box.right], taken);
  const down = edges(window.height, (box) => [box.top, box.bottom], taken);
  for (const left of across) {
    for (const right of across.filter((edge) => edge - left >= width)) {
      for (const top of down) {
        for (const bottom of down.filter((edge) => edge - top >= height)) {
          const room = { left, top, right, bottom };
          if (!taken.some((box) => overlap(box, room))) yield room;
        }
      }
    }
  }
}

function edges(length: number, of: (box: Box) => [number, number], taken: readonly Box[]): number[] {
  const [first, last] = [GAP, length - GAP];
  return [first, last, ...taken.flatMap(of)].filter((edge) => edge >= first && edge <= last);
}

const grow = ({ left, top, right, bottom }: Box, by: number): Box => ({
  left: left - by,
  top: top - by,
  right: right + by,
  bottom: bottom + by,
});

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);
