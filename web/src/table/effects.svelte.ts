/** What moves over the table: coins and cards in flight, cards that light up, dice that roll. */
import { play } from "../look/sound";
import type { Purse, Sight } from "./beats";
import { find, spot } from "./spots";

export interface InFlight {
  id: number;
  from: DOMRect;
  to: DOMRect;
  length: number;
  coins?: number;
  thing?: string;
}

/** Coins that fly together are never more than these; a larger amount stands on the last. */
const MOST_COINS = 5;
const STAGGER_MS = 40;

export const calm = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Effects {
  flights: InFlight[] = $state.raw([]);
  /** What lights up, as spots. */
  lit: ReadonlySet<string> = $state.raw(new Set<string>());
  rolling: { seat: number; faces: number[] } | null = $state.raw(null);

  #next = 0;
  #timers = new Set<ReturnType<typeof setTimeout>>();
  /** The seats at this device: only what concerns them is heard. */
  #mine: () => number[];

  constructor(mine: () => number[]) {
    this.#mine = mine;
  }

  see(sight: Sight, length: number): void {
    this.sound(sight);
    switch (sight.kind) {
      case "dice":
        this.rolling = { seat: sight.seat, faces: sight.faces };
        return this.#after(length, () => (this.rolling = null));
      case "glow":
        return this.#light(
          sight.cards.map((card) => spot.card(card.seat, card.thing)),
          length * 4,
        );
      case "coins":
        for (const flight of sight.flights) this.#flyCoins(flight.from, flight.to, flight.coins, length);
        return;
      case "build":
        return this.#flyCard(
          sight.thing,
          [spot.market(sight.thing)],
          this.#home(sight.seat, sight.thing),
          length,
        );
      case "hand_over": {
        const from = this.#home(sight.giver, sight.thing);
        return this.#flyCard(sight.thing, from, this.#home(sight.receiver, sight.thing), length);
      }
      case "put_back":
        return this.#flyCard(
          sight.thing,
          this.#home(sight.seat, sight.thing),
          [spot.market(sight.thing)],
          length,
        );
      case "mark":
        return this.#light([spot.card(sight.seat, sight.thing)], length * 2);
      case "deal":
        return this.#light([spot.market(sight.thing)], length * 4);
    }
  }

  clear(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.flights = [];
    this.lit = new Set();
    this.rolling = null;
  }

  #home(seat: number, thing: string): string[] {
    return [spot.card(seat, thing), spot.player(seat)];
  }

  #flyCoins(from: Purse, to: Purse, coins: number, length: number): void {
    const purse = (seat: Purse) => (seat === null ? [spot.bank] : [spot.coins(seat), spot.player(seat)]);
    const start = find(...purse(from));
    const end = find(...purse(to));
    if (calm() || !start || !end) return;
    const count = Math.min(coins, MOST_COINS);
    const stagger = Math.min(STAGGER_MS, length / 3 / count);
    for (let n = 0; n < count; n++) {
      const amount = n === count - 1 ? coins : undefined;
      this.#after(n * stagger, () =>
        this.#fly({ from: start, to: end, length: length - n * stagger, coins: amount ?? 0 }),
      );
    }
  }

  #flyCard(thing: string, from: string[], to: string[], length: number): void {
    const start = find(...from);
    const end = find(...to);
    if (start && end && !calm()) this.#fly({ from: start, to: end, length, thing });
    else this.#after(length, () => this.#light(to, 400));
  }

  #fly(flight: Omit<InFlight, "id">): void {
    const id = this.#next++;
    this.flights = [...this.flights, { id, ...flight }];
    this.#after(flight.length, () => (this.flights = this.flights.filter((other) => other.id !== id)));
  }

  #light(spots: string[], length: number): void {
    this.lit = new Set([...this.lit, ...spots]);
    this.#after(length, () => (this.lit = new Set([...this.lit].filter((lit) => !spots.includes(lit)))));
  }

  #after(length: number, then: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      then();
    }, length);
    this.#timers.add(timer);
  }

  /** What a sight sounds like, if it concerns somebody here. */
  sound(sight: Sight): void {
    const mine = this.#mine();
    const concerns = (seat: Purse) => seat !== null && mine.includes(seat);
    if (sight.kind === "dice") play("dice");
    else if (sight.kind === "build") play("build");
    else if (sight.kind === "win" && (mine.length === 0 || concerns(sight.seat))) play("win");
    else if (sight.kind === "turn" && concerns(sight.seat)) play("turn");
    else if (sight.kind === "coins" && sight.flights.some(({ from, to }) => concerns(from) || concerns(to)))
      play("coin");
  }
}
