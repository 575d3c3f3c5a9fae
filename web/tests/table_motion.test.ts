// Motion: what happened becomes beats, which are played, hurried or skipped, and always end at the table as it is.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Asked, Entry, GameEvent, Line, Scene } from "../src/lib/wire";
import { LENGTHS, LONGEST_ENTRY, beatsOf, type Sight } from "../src/table/beats";
import { Director, LONGEST_WAIT } from "../src/table/director.svelte";
import type { Shown } from "../src/table/shown";

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
  market: [{ id: "cafe", copies: 2, prices: [2, 2], missing: [0, 0], row: 0 }],
  shared_landmarks: false,
  deck: 0,
  dice: null,
});
const entry = (events: GameEvent[], after: Scene | null): Entry => ({
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
  change: null,
  asked: null,
  table: null,
  undoable: null,
  deadline: null,
  meanwhile: null,
});
const dice = (...faces: number[]): GameEvent => ({ event: "dice_rolled", seat: 0, dice: faces });
const paid = (payer: number | null, receiver: number | null, coins: number, cause: string): GameEvent => ({
  event: "paid",
  payer,
  receiver,
  coins,
  owed: coins,
  cause,
  copies: 1,
});
const play = (start: Scene, events: GameEvent[], after: Scene | null = null): Scene =>
  beatsOf({ events, scene: after }, start).reduce((now, beat) => {
    const begun = beat.begin ? beat.begin(now) : now;
    return beat.end ? beat.end(begun) : begun;
  }, start);
const length = (events: GameEvent[], start: Scene) =>
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
      { event: "handed_over", giver: 0, receiver: 1, card: "wheat", closed: false, cause: "x" },
    ]);
    expect(given.cities[0]?.cards).toEqual([]);
    expect(given.cities[1]?.cards.map(({ id }) => id)).toEqual(["cafe", "wheat"]);
    const closed = play(start, [{ event: "closed", owner: 1, card: "cafe", copies: 2, cause: "x" }]);
    expect(closed.cities[1]?.cards[0]).toMatchObject({ copies: 2, closed: 2 });
    const reopened = play(closed, [{ event: "reopened", owner: 1, card: "cafe", copies: 2 }]);
    expect(reopened.cities[1]?.cards[0]).toMatchObject({ copies: 2, closed: 0 });
  });

  it("put a new card where it will stand, not at the end from where it would jump", () => {
    const street = scene(0, [3, 5], [{ wheat: 1, cafe: 1, mine: 1 }, {}]);
    const built: GameEvent = { event: "built", seat: 0, thing: "bakery", price: 1 };
    const after = scene(1, [3, 5], [{ wheat: 1, bakery: 1, cafe: 1, mine: 1 }, {}]);
    const ids = (shown: Scene) => shown.cities[0]?.cards.map(({ id }) => id);
    expect(ids(play(street, [built], after))).toEqual(["wheat", "bakery", "cafe", "mine"]);
    const given: GameEvent = {
      event: "handed_over",
      giver: 1,
      receiver: 0,
      card: "bakery",
      closed: false,
      cause: "x",
    };
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
    const fromNewerService = { event: "something_new" } as unknown as GameEvent;
    expect(beatsOf({ events: [fromNewerService], scene: null }, start)).toEqual([]);
  });
});

describe("the director", () => {
  const before = scene(0, [3, 5], [{ wheat: 1 }, { cafe: 2 }]);
  const after = scene(1, [1, 7], [{ wheat: 1 }, { cafe: 2 }]);
  const events = [dice(3), paid(0, 1, 2, "cafe")];
  let now: Shown;
  let pace: number;
  let seen: Sight[];
  let cleared: number;

  const at = (then: Scene | null, more: Partial<Shown> = {}): Shown => ({
    table: null,
    scene: then,
    asked: null,
    odds: [],
    oddsMoves: -1,
    thinking: null,
    told: 0,
    ...more,
  });
  const direct = () => {
    /** What was shown when the entries with these numbers had been told. */
    const told: [number[], Shown][] = [];
    const director = new Director({
      now: () => now,
      pace: () => pace,
      awaits: (asked) => asked?.seat === 0,
      see: (sight) => void seen.push(sight),
      clear: () => void cleared++,
      show: (shown, entries) => entries.length && told.push([entries.map(({ number }) => number), shown]),
    });
    /** As a live table tells it: first it has changed, then it says so. */
    const hear = (
      what: GameEvent[],
      then: Scene | null,
      { asked = null as Asked | null, ...more }: Partial<Entry> = {},
    ) => {
      const was = now.scene;
      const one = { ...entry(what, then), asked, ...more };
      now = {
        ...now,
        scene: then ?? was,
        asked: then ? asked : now.asked,
        told: now.told + one.lines.length,
      };
      director.hear(one, was);
      director.settle();
    };
    return { director, hear, told };
  };
  const asked = (seat: number): Asked => ({
    seat,
    control: "build",
    question: "",
    because: null,
    start_round: false,
    choices: [],
    refusals: {},
  });
  const line = (icon: string, thing: string | null = null): Line => ({
    text: icon,
    icon,
    seat: 0,
    thing,
    moves: 1,
  });
  const coins = (director: Director) => director.shown.scene?.cities.map((one) => one.coins);

  beforeEach(() => {
    vi.useFakeTimers();
    now = at(before);
    pace = 1;
    seen = [];
    cleared = 0;
  });
  afterEach(() => vi.useRealTimers());

  it("shows the table as it was until the coins have flown, then as it is", () => {
    const { director, hear } = direct();
    hear(events, after);
    expect(director.playing).toBe(true);
    expect(coins(director)).toEqual([3, 5]);
    vi.advanceTimersByTime(LENGTHS.dice);
    expect(director.shown.scene?.dice?.faces).toEqual([3]);
    vi.advanceTimersByTime(LENGTHS.glow);
    expect(coins(director)).toEqual([1, 5]); // in the air
    vi.advanceTimersByTime(LENGTHS.flight);
    expect(director.shown).toBe(now);
    expect(director.playing).toBe(false);
    expect(seen.map(({ kind }) => kind)).toEqual(["dice", "glow", "coins"]);
  });

  it("asks nothing while something moves, and tells of nobody who thinks", () => {
    now = at(before, { asked: asked(1), thinking: { seat: 1, warming: false } });
    const { director, hear } = direct();
    const question = asked(0);
    hear(events, after, { asked: question });
    for (let n = 0; n < 3; n++) {
      expect([director.shown.asked, director.shown.thinking]).toEqual([null, null]);
      expect(director.shown.scene?.moves).toBe(0);
      vi.advanceTimersToNextTimer();
    }
    expect(director.shown.asked).toBe(question);
    expect(director.shown.scene?.moves).toBe(1);
  });

  it("lets the log tell of what has been seen, and of nothing that is still to come", () => {
    const { director, hear } = direct();
    const next: GameEvent = { event: "turn_began", seat: 1, extra: false };
    const lines = [line("dice_rolled"), line("paid", "cafe"), line("passed"), line("turn_began")];
    hear([...events, { event: "passed", seat: 0 }, next], { ...after, to_move: 1 }, { lines });
    const told: [string, number, number | null | undefined][] = [];
    while (director.playing) {
      told.push([seen.at(-1)!.kind, director.shown.told, director.shown.scene?.to_move]);
      vi.advanceTimersToNextTimer();
    }
    expect(told).toEqual([["dice", 0, 0], ["glow", 1, 0], ["coins", 1, 0], ["turn", 3, 0]]); // prettier-ignore
    expect([director.shown.told, director.shown.scene?.to_move]).toEqual([4, 1]);
  });

  it("tells one thing after the other where one sentence tells of several events, or of none", () => {
    const { director, hear } = direct();
    const lines = [line("replaced"), line("paid", "wheat"), line("built", "cafe"), line("paid")];
    hear(
      [
        paid(null, 0, 1, "wheat"),
        paid(null, 1, 1, "wheat"),
        paid(0, null, 2, "price"),
        { event: "built", seat: 0, thing: "cafe", price: 2 },
        paid(null, 1, 1, "help"),
      ],
      after,
      { lines },
    );
    const told: [string, number][] = [];
    while (director.playing) {
      told.push([seen.at(-1)!.kind, director.shown.told]);
      vi.advanceTimersToNextTimer();
    }
    expect(told).toEqual([["glow", 0], ["coins", 1], ["build", 2], ["coins", 3]]); // prettier-ignore
    expect(director.shown.told).toBe(4);
  });

  it("says who misses how much as coins come and go", () => {
    const { director, hear } = direct();
    hear([paid(0, 1, 2, "cafe"), dice(1)], after);
    const missing = () => director.shown.scene?.market[0]?.missing;
    vi.advanceTimersByTime(LENGTHS.glow);
    expect([coins(director), missing()]).toEqual([[1, 5], [1, 0]]); // prettier-ignore
  });

  it("tells of what is no motion in its turn, too", () => {
    const { director, hear, told } = direct();
    hear(events, after, { number: 1, lines: [line("dice_rolled")] });
    hear([], null, { number: 2, kind: "away", lines: [line("away")] });
    expect(director.shown.told).toBe(0);
    vi.runAllTimers();
    expect(told.map(([numbers]) => numbers)).toEqual([[1, 2]]);
    expect(director.shown).toBe(now);
    hear([], null, { number: 3, kind: "back", lines: [line("back")] });
    expect(director.shown.told).toBe(3);
  });

  it("shows odds and thoughts of the moment that is shown", () => {
    const { director, hear } = direct();
    const odds = [{ total: 3, one_die: 1, two_dice: 0, gains: [0, 0], choice: false, average: false }];
    hear(events, after);
    now = { ...now, odds, oddsMoves: 1 };
    director.settle();
    expect(director.shown.odds).toEqual([]);
    hear([dice(4)], scene(2, [1, 7]), { number: 2 });
    now = { ...now, thinking: { seat: 1, warming: false } };
    director.settle();
    vi.advanceTimersByTime(LENGTHS.dice + LENGTHS.glow + LENGTHS.flight);
    expect([director.shown.odds, director.shown.thinking]).toEqual([odds, null]);
    vi.runAllTimers();
    expect(director.shown).toBe(now);
  });

  it("shows odds that come late, for the moment that is still shown", () => {
    const { director, hear } = direct();
    const odds = [{ total: 3, one_die: 1, two_dice: 0, gains: [0, 0], choice: false, average: false }];
    hear(events, after);
    now = { ...now, odds, oddsMoves: 0 };
    director.settle();
    expect([director.playing, director.shown.odds]).toEqual([true, odds]);
  });

  it("is skipped at once, and all that it passes over is told", () => {
    const { director, hear, told } = direct();
    hear(events, after, { number: 1 });
    hear(events, scene(2, [1, 7]), { number: 2 });
    vi.advanceTimersByTime(100);
    director.skip();
    expect(director.shown).toBe(now);
    expect([director.playing, cleared]).toEqual([false, 1]);
    expect(told).toEqual([[[1, 2], now]]);
    vi.runAllTimers();
    expect(seen).toHaveLength(1); // nothing plays on
  });

  it("plays nothing when nothing shall move", () => {
    const { director, hear } = direct();
    pace = 0;
    hear(events, after, { lines: [line("dice_rolled")], asked: asked(0) });
    expect(director.shown).toBe(now);
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
    const { director, hear, told } = direct();
    for (let n = 1; n <= 5; n++) hear(events, scene(n, [3 - n, 5 + n], [{}, { cafe: 1 }]), { number: n });
    const alone = 5 * (LENGTHS.dice + LENGTHS.glow + LENGTHS.flight);
    vi.advanceTimersByTime(alone * 0.8);
    expect(director.playing).toBe(false);
    expect(director.shown.scene?.moves).toBe(5);
    expect(seen.filter(({ kind }) => kind === "dice")).toHaveLength(5);
    expect(told.map(([numbers, shown]) => [...numbers, shown.scene?.moves])).toEqual(
      [1, 2, 3, 4, 5].map((n) => [n, n]),
    );
  });

  it("hurries for who is asked at the end of it, not for anybody else", () => {
    const many = [1, 2, 3].map((n) => scene(n, [3, 5], [{}, { cafe: 1 }]));
    const timeFor = (seat: number) => {
      now = at(before);
      const { director, hear } = direct();
      const begun = Date.now();
      for (const then of many) hear(events, then, { asked: asked(then.moves === 3 ? seat : 1) });
      while (director.playing) vi.advanceTimersToNextTimer();
      return Date.now() - begun;
    };
    const alone = 3 * (LENGTHS.dice + LENGTHS.glow + LENGTHS.flight);
    expect(timeFor(1)).toBe(alone);
    expect(timeFor(0)).toBeLessThanOrEqual(LONGEST_WAIT);
  });

  it("leaves out what lies long back when very much waits, and tells of it nevertheless", () => {
    const { director, hear, told } = direct();
    for (let n = 1; n <= 30; n++) hear(events, scene(n, [3, 5], [{}, { cafe: 1 }]), { number: n });
    vi.runAllTimers();
    expect(director.shown.scene?.moves).toBe(30);
    expect(seen.filter(({ kind }) => kind === "dice").length).toBeLessThan(15);
    expect(told.flatMap(([numbers]) => numbers)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
  });

  it("does not hurry because of what people say meanwhile", () => {
    const { director, hear } = direct();
    hear(events, after);
    for (let n = 2; n < 20; n++) hear([], null, { number: n, kind: "said", lines: [line("said")] });
    vi.advanceTimersByTime(LENGTHS.dice + LENGTHS.glow + LENGTHS.flight - 1);
    expect(director.playing).toBe(true);
    vi.advanceTimersByTime(1);
    expect(director.shown).toBe(now);
  });

  it("shows a table that changed by itself, but not in the middle of a play", () => {
    const { director, hear } = direct();
    now = at(after);
    director.settle();
    expect(director.shown).toBe(now);
    hear(events, scene(2, [0, 8]));
    now = at(scene(3, [9, 9]));
    director.settle();
    expect(director.shown.scene?.moves).not.toBe(3);
    vi.runAllTimers();
    expect(director.shown).toBe(now); // whatever happened meanwhile, it ends where the table stands
  });

  it("shows at once what was taken back", () => {
    const { director, hear } = direct();
    hear(events, after);
    hear([], before, { kind: "undone" });
    expect(director.shown).toBe(now);
    expect(director.playing).toBe(false);
  });
});
