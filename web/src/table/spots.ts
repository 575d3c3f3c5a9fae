/**
 * Where things lie on the screen, so that others can fly there. Whatever is drawn says which spot it is
 * (data-spot="card:2:cafe"); who looks for it names several, the best first, as not all are in sight on a phone.
 */

export const spot = {
  bank: "bank",
  dice: "dice",
  question: "question",
  undo: "undo",
  offers: "offers",
  coins: (seat: number) => `coins:${seat}`,
  player: (seat: number) => `player:${seat}`,
  landmarks: (seat: number) => `landmarks:${seat}`,
  card: (seat: number, thing: string) => `card:${seat}:${thing}`,
  market: (thing: string) => `market:${thing}`,
};

const inSight = ({ left, right, top, bottom, width, height }: DOMRect): boolean =>
  width > 0 && height > 0 && left < innerWidth && right > 0 && top < innerHeight && bottom > 0;

const all = (name: string) => document.querySelectorAll<HTMLElement>(`[data-spot="${CSS.escape(name)}"]`);

/** The place of the first of these spots that can be seen now. */
export function find(...spots: string[]): DOMRect | null {
  for (const name of spots) {
    for (const element of all(name)) {
      const place = element.getBoundingClientRect();
      if (inSight(place)) return place;
    }
  }
  return null;
}

/** What lies at the first of these spots that is in sight, not scrolled away and not below anything else. */
export function seek(...spots: string[]): HTMLElement | null {
  for (const name of spots) {
    for (const element of all(name)) if (isOpen(element)) return element;
  }
  return null;
}

/** Whether the middle of what the window shows of it can be pointed at. */
function isOpen(element: HTMLElement): boolean {
  const place = element.getBoundingClientRect();
  if (!inSight(place)) return false;
  const x = (Math.max(place.left, 0) + Math.min(place.right, innerWidth)) / 2;
  const y = (Math.max(place.top, 0) + Math.min(place.bottom, innerHeight)) / 2;
  return element.contains(document.elementFromPoint(x, y));
}
