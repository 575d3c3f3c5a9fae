import { expect, test } from "vitest";
import { changed } from "../src/lib/scene_change";
import type { City, Offer, Scene, SceneChange } from "../src/lib/wire";
import { aScene } from "./fake_socket";

const bakery = { id: "bakery", copies: 1, closed: 0 };
const harbor = { id: "harbor", built: false, price: 2 };

function aCity(coins: number): City {
  const rest = { standing: [], landmarks_needed: 4, invested: 0, invested_on: null };
  return { coins, cards: [bakery], landmarks: [harbor], ...rest };
}

const anOffer = (id: string, copies: number, price: number, missing: number[]): Offer => {
  return { id, copies, prices: [price, price], missing, row: 0 };
};

const before: Scene = {
  ...aScene(4),
  cities: [aCity(3), aCity(1)],
  market: [anOffer("cafe", 6, 2, [0, 1]), anOffer("mine", 1, 6, [3, 5])],
};

function aChange(changes: Partial<SceneChange>): SceneChange {
  const { round, turn, to_move, phase, winner, deck, dice } = before;
  const nothing = { cities: [null, null], offers: [], market: null };
  return { moves: 5, round, turn, to_move, phase, winner, deck, dice, ...nothing, ...changes };
}

test("What did not change stays as it was.", () => {
  const after = changed(before, aChange({ phase: "build" }));
  expect(after).toEqual({ ...before, moves: 5, phase: "build" });
  expect(after.cities[0]).toBe(before.cities[0]);
  expect(after.market[0]).toBe(before.market[0]);
});

test("Coins change what everybody lacks for what lies out.", () => {
  const purse = { coins: 7, cards: null, landmarks: null, invested: 0, invested_on: null };
  const after = changed(before, aChange({ cities: [null, purse] }));
  expect(after.cities[1]).toEqual(aCity(7));
  expect(after.market.map(({ missing }) => missing)).toEqual([
    [0, 0],
    [3, 0],
  ]);
});

test("Cards, landmarks and investments of a city are told anew.", () => {
  const cards = [bakery, { id: "cafe", copies: 1, closed: 0 }];
  const landmarks = [{ ...harbor, built: true }];
  const told = { coins: 0, cards, landmarks, invested: 2, invested_on: "tech_startup" };
  const after = changed(before, aChange({ cities: [told, null] }));
  expect(after.cities[0]).toEqual({ ...aCity(0), ...told });
});

test("What was sold out goes, what was drawn comes, in the order that is told.", () => {
  const offers = [anOffer("cafe", 5, 2, [0, 1]), anOffer("forest", 1, 3, [0, 2])];
  const after = changed(before, aChange({ offers, market: ["forest", "cafe"] }));
  expect(after.market).toEqual([offers[1], offers[0]]);
});
