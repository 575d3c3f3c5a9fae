/**
 * Where things lie on the screen, so that others can fly there. Whatever is drawn says which spot it is
 * (data-spot="card:2:cafe"); who looks for it names several, the best first, as not all are in sight on a phone.
 */

export const spot = {
  bank: "bank",
  dice: "dice",
  coins: (seat: number) => `coins:${seat}`,
  player: (seat: number) => `player:${seat}`,
  card: (seat: number, thing: string) => `card:${seat}:${thing}`,
  market: (thing: string) => `market:${thing}`,
};

const inSight = ({ left, right, top, bottom, width, height }: DOMRect): boolean =>
  width > 0 && height > 0 && left < innerWidth && right > 0 && top < innerHeight && bottom > 0;

/** The place of the first of these spots that can be seen now. */
export function find(...spots: string[]): DOMRect | null {
  for (const name of spots) {
    for (const element of document.querySelectorAll(`[data-spot="${CSS.escape(name)}"]`)) {
      const place = element.getBoundingClientRect();
      if (inSight(place)) return place;
    }
  }
  return null;
}
