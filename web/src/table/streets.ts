/** A city as a street: its cards by number, then colour, as the service sends them. */
import type { CardInfo, City, CityCard, Scene } from "../lib/wire";

export interface House {
  card: CardInfo;
  copies: number;
  closed: number;
}

/** The houses of one number: neighbours that light up together. */
export interface Block {
  number: string;
  houses: House[];
}

/** A city's cards, those that are known. */
export function houses(cards: CityCard[], known: Record<string, CardInfo>): House[] {
  return cards.flatMap(({ id, copies, closed }) => {
    const card = known[id];
    return card && copies > 0 ? [{ card, copies, closed }] : [];
  });
}

/** A city's cards in blocks of the same number: one for each, wherever its cards are in the list. */
export function blocks(cards: CityCard[], known: Record<string, CardInfo>): Block[] {
  const street = new Map<string, Block>();
  for (const house of houses(cards, known)) {
    const { number } = house.card;
    const block = street.get(number) ?? { number, houses: [] };
    street.set(number, { number, houses: [...block.houses, house] });
  }
  return [...street.values()];
}

export const landmarksBuilt = (city: City): number => city.landmarks.filter((mark) => mark.built).length;

/** Who owns how many copies of a card or has built a landmark, by seat; nobody is left out. */
export function owners(scene: Scene, thing: string): number[] {
  return scene.cities.map((city) => {
    const copies = city.cards.find((card) => card.id === thing)?.copies ?? 0;
    return copies + city.landmarks.filter((mark) => mark.id === thing && mark.built).length;
  });
}

/** The seats as one sees them from a seat: clockwise from the left neighbour. */
export function seatsFrom(seat: number | null, players: number): number[] {
  const all = Array.from({ length: players }, (_, n) => n);
  return seat === null ? all : all.map((n) => (seat + 1 + n) % players).filter((other) => other !== seat);
}
