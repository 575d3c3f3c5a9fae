/** What makes of one moment the next. The service tells a whole scene once, and then what is different. */
import type { City, CityChange, Offer, Scene, SceneChange } from "./wire";

/** The scene after a change. What did not change stays the same object. */
export function changed(scene: Scene, { cities, offers, market, ...rest }: SceneChange): Scene {
  const after = scene.cities.map((city, seat) => changedCity(city, cities[seat] ?? null));
  return { ...scene, ...rest, cities: after, market: changedMarket(scene.market, offers, market, after) };
}

function changedCity(city: City, change: CityChange | null): City {
  if (change === null) return city;
  const { cards, landmarks, ...purse } = change;
  return { ...city, ...purse, cards: cards ?? city.cards, landmarks: landmarks ?? city.landmarks };
}

/** What lies out, with what each player lacks for it now. */
function changedMarket(before: Offer[], offers: Offer[], market: string[] | null, cities: City[]): Offer[] {
  const known = new Map([...before, ...offers].map((offer) => [offer.id, offer]));
  return (market ?? before.map(({ id }) => id)).map((id) => {
    const offer = known.get(id)!;
    const missing = offer.prices.map((price, seat) => Math.max(0, price - (cities[seat]?.coins ?? 0)));
    return missing.every((coins, seat) => coins === offer.missing[seat]) ? offer : { ...offer, missing };
  });
}
