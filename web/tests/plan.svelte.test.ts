import { beforeEach, expect, test } from "vitest";
import type { EditionInfo, HouseRule } from "../src/lib/wire";
import { Plan } from "../src/start/plan.svelte";

const coins: HouseRule = {
  id: "start_coins",
  name: "Coins",
  sentence: "",
  kind: "number",
  usual: 3,
  least: 0,
  most: 9,
  options: [],
};

function aBox(id: string, most: number[]): EditionInfo {
  return {
    id,
    name: id,
    sentence: "",
    language: "en",
    min_players: 2,
    max_players: Math.max(...most),
    sets: most.map((max_players, n) => ({
      id: `set${n}`,
      name: `Set ${n}`,
      sentence: "",
      needed: n === 0,
      max_players,
    })),
    house: [coins],
  };
}

let plan: Plan;
beforeEach(() => {
  plan = new Plan();
  plan.editions = [aBox("deluxe", [4, 5]), aBox("other", [5])];
});

const kinds = () => plan.seats.map((seat) => seat.kind);

test("A plan begins with you, a friend and a bot at the usual box with all its sets.", () => {
  expect(plan.asked()).toMatchObject({
    edition: "deluxe",
    sets: ["set0", "set1"],
    house: {},
    seats: [{ kind: "me" }, { kind: "friend" }, { kind: "bot", bot: "normal" }],
    start: false,
  });
});

test("Without friends to wait for the game begins at once.", () => {
  plan.preset("bots");
  expect(kinds()).toEqual(["me", "bot", "bot", "bot"]);
  expect(plan.asked().start).toBe(true);
  plan.preset("friends");
  expect(plan.asked().start).toBe(false);
});

test("How many can play follows from the sets.", () => {
  expect(plan.most).toBe(5);
  plan.chooseSet(plan.box!.sets[1]!, false);
  expect([plan.most, plan.roomier?.id]).toEqual([4, "set1"]);
  plan.preset("bots");
  plan.addSeat("bot");
  expect(plan.tooMany).toBe(1);
  plan.chooseSet(plan.box!.sets[1]!, true);
  expect([plan.tooMany, plan.roomier]).toEqual([0, null]);
});

test("The base set stays.", () => {
  plan.chooseSet(plan.box!.sets[0]!, false);
  expect(plan.asked().sets).toEqual(["set0", "set1"]);
});

test("There is only one of you: who sat on your new seat gets the old one.", () => {
  plan.give(plan.seats[2]!, "me");
  expect(kinds()).toEqual(["bot", "friend", "me"]);
});

test("Seats move up, and go.", () => {
  plan.moveUp(plan.seats[1]!);
  expect(kinds()).toEqual(["friend", "me", "bot"]);
  plan.moveUp(plan.seats[0]!);
  plan.removeSeat(plan.seats[2]!);
  expect(kinds()).toEqual(["friend", "me"]);
});

test("Only house rules that differ from the usual are sent, and another box has its own.", () => {
  plan.rule(coins, 5);
  expect(plan.asked().house).toEqual({ start_coins: 5 });
  plan.rule(coins, 3);
  expect(plan.asked().house).toEqual({});
  plan.rule(coins, 5);
  plan.chooseBox("other");
  expect(plan.asked()).toMatchObject({ edition: "other", house: {} });
});

test("People at this screen may stay without a name; names are trimmed.", () => {
  plan.preset("here");
  plan.seats[1]!.name = "  Ben ";
  expect(plan.asked().seats.slice(1)).toEqual([
    { kind: "here", name: "Ben" },
    { kind: "here", name: null },
    { kind: "here", name: null },
  ]);
});
