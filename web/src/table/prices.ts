/** What a card or landmark costs somebody, and how many coins they lack for it. */
import type { CardInfo, Scene } from "../lib/wire";

export interface Price {
  price: number;
  missing: number;
}

/** To those who only watch (null), nothing is missing. */
export function priceFor(scene: Scene | null, card: CardInfo, seat: number | null): Price {
  const city = seat === null ? undefined : scene?.cities[seat];
  const landmark = city?.landmarks.find((mark) => mark.id === card.id && !mark.built);
  if (city && landmark) return { price: landmark.price, missing: Math.max(0, landmark.price - city.coins) };
  const offer = scene?.market.find((one) => one.id === card.id);
  return {
    price: offer?.prices[seat ?? 0] ?? card.cost,
    missing: seat === null ? 0 : (offer?.missing[seat] ?? 0),
  };
}
