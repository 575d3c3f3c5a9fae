// Motion: what happened becomes beats, which are played, hurried or skipped, and always end at the table as it is.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Entry, Scene } from "../src/lib/wire";
import { LENGTHS, LONGEST_ENTRY, beatsOf, type Sight } from "../src/table/beats";
import { Director } from "../src/table/director.svelte";

const city = (coins: number, cards: Record<string, number> = {}) => ({
  coins,
  cards: Object.entries(cards).map(([id, copies]) => ({ id, copies, closed: 0 })),
  landmarks: [{ id: "harbor", built: false, price: 2 }],
  standing: [],
  landmarks_needed: 4,
  invested: 0,
  invested_on: null,
});
const scene = (moves: number, coins: number[], cards: Record<string, number>[] = []): Scene => ({
  moves,
  round: 1,
  turn: 0,
  to_move: 0,
  phase: "roll",
  winner: null,
  cities: coins.map((purse, seat) => city(purse, cards[seat])),
  market: [{ id: "cafe", copies: 2, prices: [2, 2], missing: [0, 0] }],
  shared_landmarks: false,
  deck: 0,
  dice: null,
});
const entry = (events: Record<string, unknown>[], after: Scene | null): Entry => ({
  type: "entry",
  number: 1,
  kind: "moved",
  at: 0,
  seat: 0,
  by_bot: false,
  moves: [],
  events,
  lines: [],
  said: null,
  phrase: null,
  name: null,
  scene: after,
  asked: null,
  table: null,
  undoable: null,
  deadline: null,
});
const dice = (...faces: number[]) => ({ event: "dice_rolled", seat: 0, dice: faces });
const paid = (payer: number | null, receiver: number | null, coins: number, cause: string) => ({
  event: "paid",
  payer,
  receiver,
  coins,
  owed: coins,
  cause,
  copies: 1,
});
const play = (start: Scene, events: Record<string, unknown>[], after: Scene | null = null): Scene =>
  beatsOf({ events, scene: after }, start).reduce((now, beat) => {
    const begun = beat.begin ? beat.begin(now) : now;
    return beat.end ? beat.end(begun) : begun;
  }, start);
const length = (events: Record<string, unknown>[], start: Scene) =>
  beatsOf({ events, scene: null }, start).reduce((sum, beat) => sum + beat.length, 0);

describe("beats", () => {
  const start = scene(0, [3, 5], [{ wheat: 1 }, { cafe: 2 }]);

  it("let the dice fall, then a card light up, then its coins fly", () => {
    const beats = beatsOf({ events: [dice(3), paid(0, 1, 2, "cafe")], scene: null }, start);
    expect(beats.map((beat) => beat.sight.kind)).toEqual(["dice", "glow", "coins"]);
    expect(beats[1]?.sight).toEqual({ kind: "glow", cards: [{ seat: 1, thing: "cafe" }] });
    expect(beats.map((beat) => beat.length)).toEqual([LENGTHS.dice, LENGTHS.glow, LENGTHS.flight]);
  });

  it("let what one card brings everybody happen at once", () => {
    const events = [paid(null, 0, 1, "wheat"), paid(null, 1, 1, "wheat"), paid(null, 0, 2, "bakery")];
    const kinds = beatsOf({ events, scene: null }, start).map((beat) => beat.sight.kind);
    expect(kinds).toEqual(["glow", "coins", "coins"]); // nobody here has a bakery that could light up
  });

  it("move coins from payer to payee, and nothing when nothing was paid", () => {
    const after = play(start, [paid(0, 1, 2, "cafe"), paid(0, 1, 0, "cafe"), paid(null, 0, 4, "wheat")]);
    expect(after.cities.map(({ coins }) => coins)).toEqual([5, 7]);
  });

  it("take what is built out of the market, and pay for it", () => {
    const after = play(start, [
      paid(0, null, 2, "price"),
      { event: "built", seat: 0, thing: "cafe", price: 2 },
    ]);
    expect(after.cities[0]).toMatchObject({ coins: 1 });
    expect(after.cities[0]?.cards.at(-1)).toEqual({ id: "cafe", copies: 1, closed: 0 });
    expect(after.market[0]?.copies).toBe(1);
  });

  it("build and pull down landmarks, hand cards over, close and open them", () => {
    const built = play(start, [{ event: "built", seat: 1, thing: "harbor", price: 2 }]);
    expect(built.cities[1]?.landmarks[0]?.built).toBe(true);
    const fallen = play(built, [{ event: "demolished", seat: 1, landmark: "harbor", cause: "x" }]);
    expect(fallen.cities[1]?.landmarks[0]?.built).toBe(false);
    const given = play(start, [
      { event: "handed_over", giver: 0, receiver: 1, card: "wheat", closed: false },
    ]);
    expect(given.cities[0]?.cards).toEqual([]);
    expect(given.cities[1]?.cards.map(({ id }) => id)).toEqual(["cafe", "wheat"]);
    const closed = play(start, [{ event: "closed", owner: 1, card: "cafe", copies: 2 }]);
    expect(closed.cities[1]?.cards[0]).toMatchObject({ copies: 2, closed: 2 });
    const reopened = play(closed, [{ event: "reopened", owner: 1, card: "cafe", copies: 2 }]);
    expect(reopened.cities[1]?.cards[0]).toMatchObject({ copies: 2, closed: 0 });
  });

  it("put a new card where it will stand, not at the end from where it would jump", () => {
    const street = scene(0, [3, 5], [{ wheat: 1, cafe: 1, mine: 1 }, {}]);
    const built = { event: "built", seat: 0, thing: "bakery", price: 1 };
    const after = scene(1, [3, 5], [{ wheat: 1, bakery: 1, cafe: 1, mine: 1 }, {}]);
    const ids = (shown: Scene) => shown.cities[0]?.cards.map(({ id }) => id);
    expect(ids(play(street, [built], after))).toEqual(["wheat", "bakery", "cafe", "mine"]);
    const given = { event: "handed_over", giver: 1, receiver: 0, card: "bakery", closed: false };
    expect(ids(play(street, [given], after))).toEqual(["wheat", "bakery", "cafe", "mine"]);
  });

  it("put a landmark that was everybody's among one's landmarks", () => {
    const before = scene(0, [9], [{ wheat: 1 }]);
    const after = scene(1, [9], [{ wheat: 1 }]);
    before.cities[0]!.landmarks = [];
    after.cities[0]!.landmarks = [{ id: "harbor", built: true, price: 2 }];
    const shown = play(before, [{ event: "built", seat: 0, thing: "harbor", price: 2 }], after);
    expect(shown.cities[0]?.landmarks).toEqual(after.cities[0]?.landmarks);
    expect(shown.cities[0]?.cards.map(({ id }) => id)).toEqual(["wheat"]);
  });

  it("never take longer than a turn of somebody else may, however much happens", () => {
    const many = Array.from({ length: 20 }, (_, n) => paid(null, 0, 1, `card${n}`));
    expect(length([dice(3, 4), ...many], start)).toBeCloseTo(LONGEST_ENTRY);
    expect(length([dice(3, 4)], start)).toBe(LENGTHS.dice);
    expect(LONGEST_ENTRY + LENGTHS.build).toBeLessThan(2500);
  });

  it("say nothing about what they do not know", () => {
    expect(beatsOf({ events: [{ event: "something_new" }], scene: null }, start)).toEqual([]);
  });
});

describe("the director", () => {
  const before = scene(0, [3, 5], [{ wheat: 1 }, { cafe: 2 }]);
  const after = scene(1, [1, 7], [{ wheat: 1 }, { cafe: 2 }]);
  const events = [dice(3), paid(0, 1, 2, "cafe")];
  let now: Scene | null;
  let pace: number;
  let seen: Sight[];
  let cleared: number;

  const direct = () => {
    const director = new Director({
      now: () => now,
      pace: () => pace,
      see: (sight) => void seen.push(sight),
      clear: () => void cleared++,
    });
    /** As a live table tells it: first it has changed, then it says so. */
    const hear = (what: Record<string, unknown>[], then: Scene) => {
      const was = now;
      now = then;
      director.hear(entry(what, then), was);
      director.settle();
    };
    return { director, hear };
  };

  beforeEach(() => {
    vi.useFakeTimers();
    now = before;
    pace = 1;
    seen = [];
    cleared = 0;
  });
  afterEach(() => vi.useRealTimers());

  it("shows the table as it was until the coins have flown, then as it is", () => {
    const { director, hear } = direct();
    hear(events, after);
    expect([director.playing, director.diceInAir]).toEqual([true, true]);
    expect(director.shown?.cities[0]?.coins).toBe(3);
    vi.advanceTimersByTime(LENGTHS.dice);
    expect(director.diceInAir).toBe(false);
    expect(director.shown?.dice?.faces).toEqual([3]);
    vi.advanceTimersByTime(LENGTHS.glow);
    expect(director.shown?.cities.map(({ coins }) => coins)).toEqual([1, 5]); // in the air
    vi.advanceTimersByTime(LENGTHS.flight);
    expect(director.shown).toBe(after);
    expect(director.playing).toBe(false);
    expect(seen.map(({ kind }) => kind)).toEqual(["dice", "glow", "coins"]);
  });

  it("is skipped at once", () => {
    const { director, hear } = direct();
    hear(events, after);
    vi.advanceTimersByTime(100);
    director.skip();
    expect(director.shown).toBe(after);
    expect([director.playing, director.diceInAir, cleared]).toEqual([false, false, 1]);
    vi.runAllTimers();
    expect(seen).toHaveLength(1); // nothing plays on
  });

  it("plays nothing when nothing shall move", () => {
    const { director, hear } = direct();
    pace = 0;
    hear(events, after);
    expect(director.shown).toBe(after);
    expect(seen).toEqual([]);
  });

  it("takes longer when things shall move slowly", () => {
    const { director, hear } = direct();
    pace = 2;
    hear([dice(3)], after);
    vi.advanceTimersByTime(2 * LENGTHS.dice - 1);
    expect(director.playing).toBe(true);
    vi.advanceTimersByTime(1);
    expect(director.playing).toBe(false);
  });

  it("plays entries in order, and hurries when several wait", () => {
    const { director, hear } = direct();
    for (let n = 1; n <= 5; n++) hear(events, scene(n, [3 - n, 5 + n], [{}, { cafe: 1 }]));
    const alone = 5 * (LENGTHS.dice + LENGTHS.glow + LENGTHS.flight);
    vi.advanceTimersByTime(alone * 0.8);
    expect(director.playing).toBe(false);
    expect(director.shown?.moves).toBe(5);
    expect(seen.filter(({ kind }) => kind === "dice")).toHaveLength(5);
  });

  it("leaves out what lies long back when very much waits", () => {
    const { director, hear } = direct();
    for (let n = 1; n <= 30; n++) hear(events, scene(n, [3, 5], [{}, { cafe: 1 }]));
    vi.runAllTimers();
    expect(director.shown?.moves).toBe(30);
    expect(seen.filter(({ kind }) => kind === "dice").length).toBeLessThan(15);
  });

  it("shows a table that changed by itself, but not in the middle of a play", () => {
    const { director, hear } = direct();
    now = after;
    director.settle();
    expect(director.shown).toBe(after);
    hear(events, scene(2, [0, 8]));
    now = scene(3, [9, 9]);
    director.settle();
    expect(director.shown?.moves).not.toBe(3);
    vi.runAllTimers();
    expect(director.shown?.moves).toBe(3); // whatever happened meanwhile, it ends where the table stands
  });

  it("shows at once what was taken back", () => {
    const { director, hear } = direct();
    hear(events, after);
    hear([], before);
    expect(director.shown).toBe(before);
    expect(director.playing).toBe(false);
  });
});
