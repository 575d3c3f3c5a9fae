// A moment of the past, read for showing: what changed in it, and what acted.
import type { GameEvent, Scene } from "../lib/wire";

/** Coins that each seat gained (or lost) by events, prices included. */
export function changes(events: readonly GameEvent[], seats: number): number[] {
  const gains = new Array<number>(seats).fill(0);
  for (const event of events) {
    if (event.event !== "paid") continue;
    const { payer, receiver, coins } = event;
    if (payer !== null) gains[payer] = (gains[payer] ?? 0) - coins;
    if (receiver !== null) gains[receiver] = (gains[receiver] ?? 0) + coins;
  }
  return gains;
}

/** The things that acted or were built, by the seat in whose city they stand: "2:cafe". */
export function fired(events: readonly GameEvent[], scene: Scene): Set<string> {
  const things = new Set<string>();
  const stands = (seat: number | null, thing: string) => {
    const city = seat === null ? undefined : scene.cities[seat];
    return !!city && [...city.cards, ...city.landmarks].some((one) => one.id === thing);
  };
  for (const event of events) {
    if (event.event === "paid") {
      const { payer, receiver, cause: thing } = event;
      const owner = stands(receiver, thing) ? receiver : payer;
      if (stands(owner, thing)) things.add(`${owner}:${thing}`);
    } else if (event.event === "built") {
      things.add(`${event.seat}:${event.thing}`);
    }
  }
  return things;
}
