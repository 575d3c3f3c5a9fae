/**
 * What happened, as something to look at: the events of an entry become beats, one after the other. A beat says what
 * is to be seen and for how long, and how the table looks while and after it. Nothing here knows a rule; it only
 * moves what the events say has moved.
 */
import type { City, Entry, EventOf, GameEvent, Line, Scene } from "../lib/wire";

export type Purse = number | null; // null: the bank
export interface Flight {
  from: Purse;
  to: Purse;
  coins: number;
}

/** What is to be seen. */
export type Sight =
  | { kind: "turn"; seat: number }
  | { kind: "dice"; seat: number; faces: number[]; catch: boolean }
  | { kind: "total"; seat: number; total: number; by: number }
  | { kind: "glow"; cards: { seat: number; thing: string }[] }
  | { kind: "coins"; flights: Flight[] }
  | { kind: "build"; seat: number; thing: string }
  | { kind: "hand_over"; giver: number; receiver: number; thing: string }
  | { kind: "put_back"; seat: number; thing: string }
  | { kind: "mark"; seat: number; thing: string; mark: "closed" | "reopened" | "demolished" }
  | { kind: "deal"; thing: string }
  | { kind: "win"; seat: number };

type Change = (scene: Scene) => Scene;

export interface Beat {
  sight: Sight;
  /** Milliseconds at normal speed. */
  length: number;
  /** The first of the entry's events that it shows. */
  from: number;
  /** How the table looks as soon as it begins, and when it is over. */
  begin?: Change;
  end?: Change;
}

type Seen = Omit<Beat, "from">;

export const LENGTHS = { dice: 600, glow: 150, flight: 350, build: 400, mark: 250, short: 120 } as const;
/** No entry takes longer: what is more is played faster. Dice and building together stay below a turn's 2.5 s. */
export const LONGEST_ENTRY = 1900;

type Payment = EventOf<"paid">;

/** The beats of an entry, dice first; together never longer than LONGEST_ENTRY. */
export function beatsOf(entry: Pick<Entry, "events" | "scene">, before: Scene): Beat[] {
  const after = entry.scene ?? before;
  const beats: Beat[] = [];
  let payments: Payment[] = [];
  let from = 0; // the first of the payments that are still to be seen
  const add = (first: number, ...seen: Seen[]) => {
    beats.push(...seen.map((one) => ({ ...one, from: first })));
  };
  const settle = () => {
    add(from, ...payBeats(payments, before));
    payments = [];
  };
  entry.events.forEach((event, place) => {
    if (event.event === "paid") {
      if (payments.length > 0 && payments[0]!.cause !== event.cause) settle();
      if (payments.length === 0) from = place;
      payments.push(event);
      return;
    }
    if (event.event === "built" && payments[0]?.cause === "price") {
      add(from, buildBeat(event, after, payments[0]));
      payments = [];
      return;
    }
    settle();
    const seen = beatOf(event, after);
    if (seen) add(place, seen);
  });
  settle();
  return withinTime(beats);
}

/** How many lines of an entry tell of what happened before a beat. */
export function linesTold({ lines, events }: Pick<Entry, "lines" | "events">, next: Beat): number {
  let place = -1;
  const untold = lines.findIndex((line) => {
    const at = events.findIndex((event, n) => n > place && tellsOf(line, event));
    if (at >= 0) place = at;
    return at >= next.from;
  });
  return untold < 0 ? lines.length : untold;
}

/** A line names the kind of its event, and the card that pays; coins that are helped out with have none. */
function tellsOf(line: Line, event: GameEvent): boolean {
  return line.icon === event.event && (event.event !== "paid" || event.cause === (line.thing ?? "help"));
}

function withinTime(beats: Beat[]): Beat[] {
  const isDice = (beat: Beat) => beat.sight.kind === "dice";
  const lengthOf = (some: Beat[]) => some.reduce((sum, beat) => sum + beat.length, 0);
  const dice = lengthOf(beats.filter(isDice));
  const rest = lengthOf(beats) - dice;
  const left = Math.max(LENGTHS.dice, LONGEST_ENTRY - dice);
  if (rest <= left) return beats;
  return beats.map((beat) => (isDice(beat) ? beat : { ...beat, length: (beat.length * left) / rest }));
}

/** What one card brings everybody happens at once: it lights up where it stands, then the coins fly. */
function payBeats(payments: Payment[], scene: Scene): Seen[] {
  const moved = payments.filter((payment) => payment.coins > 0);
  if (moved.length === 0) return [];
  const glowing = moved
    .map((payment) => ({ seat: ownerOf(payment, scene), thing: payment.cause }))
    .filter((card, place, all): card is { seat: number; thing: string } => {
      return card.seat !== null && all.findIndex((other) => other.seat === card.seat) === place;
    });
  const flights = moved.map(({ payer, receiver, coins }) => ({ from: payer, to: receiver, coins }));
  const beats: Seen[] = [];
  if (glowing.length > 0) beats.push({ sight: { kind: "glow", cards: glowing }, length: LENGTHS.glow });
  beats.push({
    sight: { kind: "coins", flights },
    length: LENGTHS.flight,
    begin: (before) => flights.reduce((now, { from, coins }) => addCoins(now, from, -coins), before),
    end: (before) => flights.reduce((now, { to, coins }) => addCoins(now, to, coins), before),
  });
  return beats;
}

/** In whose city the card stands that caused a payment: the receiver's, if they have it, else the payer's. */
function ownerOf({ payer, receiver, cause }: Payment, scene: Scene): number | null {
  const has = (seat: Purse) => {
    const city = seat === null ? undefined : scene.cities[seat];
    return !!city && [...city.cards, ...city.landmarks].some((thing) => thing.id === cause);
  };
  return has(receiver) ? receiver : has(payer) ? payer : null;
}

function buildBeat({ seat, thing }: EventOf<"built">, after: Scene, price?: Payment): Seen {
  return {
    sight: { kind: "build", seat, thing },
    length: LENGTHS.build,
    begin: (scene) => addToMarket(price ? addCoins(scene, price.payer, -price.coins) : scene, thing, -1),
    end: (scene) => addThing(scene, after, seat, thing, 1),
  };
}

/** `after` is the table that all of it leads to: there one sees where new things will stand. */
function beatOf(event: Exclude<GameEvent, Payment>, after: Scene): Seen | null {
  switch (event.event) {
    case "turn_began": {
      const { seat } = event;
      // The round may be a new one, if no other turn follows.
      const end: Change = (scene) => ({
        ...scene,
        to_move: seat,
        round: seat === after.to_move ? after.round : scene.round,
      });
      return { sight: { kind: "turn", seat }, length: LENGTHS.short, end };
    }
    case "dice_rolled":
    case "tuna_rolled": {
      const { seat, dice: faces } = event;
      const total = faces.reduce((sum, face) => sum + face, 0);
      const isCatch = event.event === "tuna_rolled"; // rolled aside: the dice that lie stay the roller's
      const end: Change = (scene) => (isCatch ? scene : { ...scene, dice: { seat, faces, total } });
      return { sight: { kind: "dice", seat, faces, catch: isCatch }, length: LENGTHS.dice, end };
    }
    case "total_raised": {
      const { seat, total, by } = event;
      const begin: Change = (scene) => ({ ...scene, dice: scene.dice && { ...scene.dice, total } });
      return { sight: { kind: "total", seat, total, by }, length: LENGTHS.mark, begin };
    }
    case "built":
      return buildBeat(event, after);
    case "handed_over": {
      const { giver, receiver, card: thing, closed } = event;
      const shut = closed ? 1 : 0;
      return {
        sight: { kind: "hand_over", giver, receiver, thing },
        length: LENGTHS.build,
        begin: (scene) => addThing(scene, after, giver, thing, -1, -shut),
        end: (scene) => addThing(scene, after, receiver, thing, 1, shut),
      };
    }
    case "returned": {
      const { seat, card: thing } = event;
      return {
        sight: { kind: "put_back", seat, thing },
        length: LENGTHS.build,
        begin: (scene) => addThing(scene, after, seat, thing, -1),
        end: (scene) => addToMarket(scene, thing, 1),
      };
    }
    case "closed":
    case "reopened": {
      const { owner: seat, card: thing, copies } = event;
      const more = event.event === "closed" ? copies : -copies;
      return {
        sight: { kind: "mark", seat, thing, mark: event.event },
        length: LENGTHS.mark,
        begin: (scene) => addThing(scene, after, seat, thing, 0, more),
      };
    }
    case "demolished": {
      const { seat, landmark: thing } = event;
      return {
        sight: { kind: "mark", seat, thing, mark: "demolished" },
        length: LENGTHS.build,
        end: (scene) => addThing(scene, after, seat, thing, -1),
      };
    }
    case "drawn":
      return { sight: { kind: "deal", thing: event.thing }, length: LENGTHS.short };
    case "invested": {
      const { seat, coins } = event;
      const end: Change = (scene) => changeCity(scene, seat, (city) => ({ ...city, invested: coins }));
      return { sight: { kind: "coins", flights: [] }, length: LENGTHS.short, end };
    }
    case "won":
      return { sight: { kind: "win", seat: event.seat }, length: LENGTHS.build };
    case "passed": // nothing moves, and the next turn is seen to begin
    case "discarded": // nobody could have built from that stack: it is gone from the table that this leads to
    case "extra_turn_earned": // that turn is seen to begin
    case "forced": // what it caused is seen
    case "game_drawn": // the page of the result follows
      return null;
    default:
      event satisfies never; // each of the engine's events has its case; a newer service may tell of more
      return null;
  }
}

// ---------------------------------------------------------------------- changes of a scene

function changeCity(scene: Scene, seat: Purse, change: (city: City) => City): Scene {
  if (seat === null || !scene.cities[seat]) return scene;
  return { ...scene, cities: scene.cities.map((city, place) => (place === seat ? change(city) : city)) };
}

/** Coins more or less in a purse, and with them what the market says is missing. */
function addCoins(scene: Scene, seat: Purse, coins: number): Scene {
  const paid = changeCity(scene, seat, (city) => ({ ...city, coins: city.coins + coins }));
  const purse = seat === null ? undefined : paid.cities[seat]?.coins;
  if (purse === undefined) return paid;
  const market = paid.market.map((offer) => ({
    ...offer,
    missing: offer.missing.map((missing, owner) =>
      owner === seat ? Math.max(0, (offer.prices[owner] ?? 0) - purse) : missing,
    ),
  }));
  return { ...paid, market };
}

/** One more or less of something in a city. What is new there takes the place at once that it has `after`. */
function addThing(
  scene: Scene,
  after: Scene,
  seat: number,
  thing: string,
  copies: number,
  closed = 0,
): Scene {
  const then = after.cities[seat];
  return changeCity(scene, seat, (city) => {
    const mark = city.landmarks.find(isThe(thing)) ?? then?.landmarks.find(isThe(thing));
    if (mark) {
      const built = copies ? copies > 0 : mark.built;
      return { ...city, landmarks: put(city.landmarks, { ...mark, built }, then?.landmarks) };
    }
    const card = city.cards.find(isThe(thing)) ?? { id: thing, copies: 0, closed: 0 };
    const more = { ...card, copies: card.copies + copies, closed: card.closed + closed };
    return { ...city, cards: put(city.cards, more, then?.cards).filter((one) => one.copies > 0) };
  });
}

const isThe = (thing: string) => (one: { id: string }) => one.id === thing;

/** A row with something in it: where it was, else before what will follow it, else at the end. */
function put<Thing extends { id: string }>(row: Thing[], one: Thing, then: Thing[] = []): Thing[] {
  if (row.some(isThe(one.id))) return row.map((other) => (other.id === one.id ? one : other));
  const place = then.findIndex(isThe(one.id));
  const following = place < 0 ? [] : then.slice(place + 1);
  const at = row.findIndex((other) => following.some(isThe(other.id)));
  return at < 0 ? [...row, one] : [...row.slice(0, at), one, ...row.slice(at)];
}

function addToMarket(scene: Scene, thing: string, copies: number): Scene {
  const market = scene.market.map((offer) =>
    offer.id === thing ? { ...offer, copies: Math.max(0, offer.copies + copies) } : offer,
  );
  return { ...scene, market };
}
