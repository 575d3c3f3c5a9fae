// A moment of the past, read for showing: what changed in it, and what acted.
import type { Scene } from "../lib/wire";

type Event = Record<string, unknown>;

/** Coins that each seat gained (or lost) by events, prices included. */
export function changes(events: readonly Event[], seats: number): number[] {
  const gains = new Array<number>(seats).fill(0);
  for (const event of events) {
    if (event.event !== "paid") continue;
    const { payer, receiver, coins } = event as {
      payer: number | null;
      receiver: number | null;
      coins: number;
    };
    if (payer !== null) gains[payer] = (gains[payer] ?? 0) - coins;
    if (receiver !== null) gains[receiver] = (gains[receiver] ?? 0) + coins;
  }
  return gains;
}

/** The things that acted or were built, by the seat in whose city they stand: "2:cafe". */
export function fired(events: readonly Event[], scene: Scene): Set<string> {
  const things = new Set<string>();
  const stands = (seat: unknown, thing: string) => {
    const city = typeof seat === "number" ? scene.cities[seat] : undefined;
    return !!city && [...city.cards, ...city.landmarks].some((one) => one.id === thing);
  };
  for (const event of events) {
    if (event.event === "paid") {
      const thing = event.cause as string;
      const owner = stands(event.receiver, thing) ? event.receiver : event.payer;
      if (stands(owner, thing)) things.add(`${String(owner)}:${thing}`);
    } else if (event.event === "built") {
      things.add(`${String(event.seat)}:${String(event.thing)}`);
    }
  }
  return things;
}
