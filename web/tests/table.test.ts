// The table's logic: decisions of several steps, streets, tiles that fit, and the strip of totals.
import { describe, expect, it, vi } from "vitest";
import type { Asked, CardInfo, Choice, Odds, Scene } from "../src/lib/wire";
import { Decision } from "../src/table/decision.svelte";
import { bars, diceOffered, diceShown, expected, signed } from "../src/table/odds";
import { blocks, houses, owners, seatsFrom } from "../src/table/streets";

const choice = (action: string, more = false): Choice => ({
  action,
  text: action,
  note: "",
  thing: null,
  seat: null,
  gains: null,
  more,
});
const asked = (control: string, choices: Choice[], seat = 0): Asked => ({
  seat,
  control,
  question: `${control}?`,
  because: null,
  start_round: false,
  choices,
  refusals: {},
});
const card = (id: string, number: string): CardInfo => ({
  id,
  name: id,
  text: "",
  kind: "establishment",
  colour: "blue",
  rolls: [],
  number,
  symbol: "",
  cost: 1,
  set: "base",
  gist: null,
});

const GIVE = asked("give", [choice("give bakery", true), choice("give ranch", true)]);
const WHOM = asked("player", [choice("player 1", true), choice("player 2", true)]);
const TAKE = asked("take", [choice("take mine"), choice("take cafe")]);

function trade() {
  const peek = vi.fn(async (_seat: number, actions: string[]) => [WHOM, TAKE][actions.length - 1] ?? null);
  const act = vi.fn(async () => {});
  const decision = new Decision({ peek, act });
  decision.open(GIVE);
  return { decision, peek, act };
}

describe("a decision of several steps", () => {
  it("asks the service what comes next, and sends all steps together at the end", async () => {
    const { decision, peek, act } = trade();
    await decision.pick(GIVE.choices[0]!);
    expect(peek).toHaveBeenLastCalledWith(0, ["give bakery"]);
    await decision.pick(WHOM.choices[1]!);
    expect(peek).toHaveBeenLastCalledWith(0, ["give bakery", "player 2"]);
    await decision.pick(TAKE.choices[0]!);
    expect(act).not.toHaveBeenCalled();
    await decision.confirm();
    expect(act).toHaveBeenCalledExactlyOnceWith(0, ["give bakery", "player 2", "take mine"]);
  });

  it("is confirmed by picking the same again, and changed by picking another", async () => {
    const { decision, act } = trade();
    decision.open(TAKE);
    await decision.pick(TAKE.choices[0]!);
    await decision.pick(TAKE.choices[1]!);
    expect(decision.picked?.action).toBe("take cafe");
    await decision.pick(TAKE.choices[1]!);
    expect(act).toHaveBeenCalledExactlyOnceWith(0, ["take cafe"]);
  });

  it("goes back step by step, and to the beginning when cancelled", async () => {
    const { decision, act } = trade();
    await decision.pick(GIVE.choices[0]!);
    await decision.pick(WHOM.choices[0]!);
    await decision.pick(TAKE.choices[0]!);
    decision.back();
    expect([decision.picked, decision.asked]).toEqual([null, TAKE]);
    decision.back();
    expect(decision.asked).toBe(WHOM);
    await decision.pick(WHOM.choices[1]!);
    decision.cancel();
    expect([decision.asked, decision.steps, decision.begun]).toEqual([GIVE, [], false]);
    expect(act).not.toHaveBeenCalled();
  });

  it("does not care for an answer to what was given up meanwhile", async () => {
    let answer: (asked: Asked) => void = () => {};
    const decision = new Decision({
      peek: () => new Promise((resolve) => (answer = resolve)),
      act: async () => {},
    });
    decision.open(GIVE);
    const picking = decision.pick(GIVE.choices[0]!);
    expect(decision.busy).toBe(true);
    decision.open(TAKE);
    answer(WHOM);
    await picking;
    expect([decision.asked, decision.steps, decision.busy]).toEqual([TAKE, [], false]);
  });

  it("stays open when the service refuses it", async () => {
    const act = vi.fn().mockRejectedValue(new Error("no"));
    const peek = vi.fn().mockRejectedValue(new Error("no"));
    const decision = new Decision({ peek, act });
    decision.open(GIVE);
    await decision.pick(GIVE.choices[0]!);
    expect([decision.asked, decision.busy]).toEqual([GIVE, false]);
    decision.open(TAKE);
    await decision.decide(TAKE.choices[0]!);
    expect([decision.asked, decision.busy]).toEqual([TAKE, false]);
  });

  it("waits to be confirmed if nothing more is asked after all", async () => {
    const act = vi.fn(async () => {});
    const decision = new Decision({ peek: async () => null, act });
    decision.open(GIVE);
    await decision.pick(GIVE.choices[0]!);
    expect(decision.picked?.action).toBe("give bakery");
    await decision.confirm();
    expect(act).toHaveBeenCalledExactlyOnceWith(0, ["give bakery"]);
  });
});

describe("a street", () => {
  const known = { wheat: card("wheat", "1"), ranch: card("ranch", "2"), cafe: card("cafe", "2") };
  const cards = [
    { id: "wheat", copies: 2, closed: 0 },
    { id: "ranch", copies: 1, closed: 1 },
    { id: "cafe", copies: 3, closed: 0 },
    { id: "unheard_of", copies: 1, closed: 0 },
  ];

  it("leaves out what is not known", () => {
    expect(houses(cards, known).map((house) => house.card.id)).toEqual(["wheat", "ranch", "cafe"]);
  });

  it("has blocks of the same number, in the order in which they came", () => {
    const street = blocks(cards, known);
    expect(street.map((block) => [block.number, block.houses.length])).toEqual([
      ["1", 1],
      ["2", 2],
    ]);
    expect(street[1]?.houses[0]).toMatchObject({ copies: 1, closed: 1 });
  });

  it("has one block for a number, though a card that is just moving stands apart from its neighbours", () => {
    const apart = [cards[1]!, cards[0]!, cards[2]!];
    expect(blocks(apart, known).map((block) => block.number)).toEqual(["2", "1"]);
  });

  it("tells who owns how many", () => {
    const city = {
      coins: 0,
      landmarks: [],
      standing: [],
      landmarks_needed: 4,
      invested: 0,
      invested_on: null,
    };
    const mark = { id: "harbor", built: true, price: 2 };
    const scene = {
      cities: [
        { ...city, cards },
        { ...city, cards: [], landmarks: [mark] },
      ],
    } as unknown as Scene;
    expect(owners(scene, "cafe")).toEqual([3, 0]);
    expect(owners(scene, "harbor")).toEqual([0, 1]);
  });

  it("goes round the table from the left neighbour on", () => {
    expect(seatsFrom(2, 4)).toEqual([3, 0, 1]);
    expect(seatsFrom(null, 3)).toEqual([0, 1, 2]);
  });
});

describe("the strip of totals", () => {
  const total = (n: number, one: number, two: number, gains: number[]): Odds => ({
    total: n,
    one_die: one,
    two_dice: two,
    gains,
    choice: false,
    average: false,
  });
  const odds = [total(1, 1 / 6, 0, [3, 0]), total(2, 1 / 6, 1 / 36, [6, -6]), total(7, 0, 1 / 6, [0, 1])];
  const rolling = asked("roll", [choice("roll 1"), choice("roll 2")]);
  const lying = { dice: { seat: 0, faces: [3], total: 3 } } as Scene;

  it("shows the totals that so many dice can show", () => {
    expect(bars(odds, 1).map((bar) => bar.total)).toEqual([1, 2]);
    expect(bars(odds, 2).map((bar) => bar.total)).toEqual([2, 7]);
  });

  it("tells what a player may expect", () => {
    expect(expected(bars(odds, 1), 0)).toBeCloseTo(1.5);
    expect(expected(bars(odds, 2), 1)).toBeCloseTo(0);
  });

  it("follows what can be rolled", () => {
    expect(diceOffered(rolling)).toEqual([1, 2]);
    expect(diceShown(rolling, lying, null)).toBe(2);
    expect(diceShown(asked("roll", [choice("roll 1")]), lying, 2)).toBe(1);
    expect(diceShown(asked("reroll", [choice("keep"), choice("reroll 2")]), lying, null)).toBe(2);
  });

  it("follows a wish as long as it can come true, and else the dice that lie", () => {
    expect(diceShown(rolling, lying, 1)).toBe(1);
    expect(diceShown(asked("build", [choice("pass")]), lying, null)).toBe(1);
    expect(diceShown(asked("build", [choice("pass")]), lying, 2)).toBe(2);
  });

  it("writes a loss with a real minus", () => {
    expect([signed(2), signed(-3), signed(0)]).toEqual(["+2", "−3", "0"]);
  });
});
