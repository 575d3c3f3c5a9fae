import { expect, test } from "vitest";
import { Play } from "../src/table/play.svelte";
import { fakeLive } from "./after_fixture";

test("Who sits alone at a device reads that it is their turn.", () => {
  const play = new Play(fakeLive({ you: { seats: [0], host: true } }));
  expect([play.turnOf(0), play.turnOf(1)]).toEqual(["Your turn", "Ben's turn"]);
});

test("At a device that several share, everybody is named.", () => {
  const play = new Play(fakeLive({ you: { seats: [0, 1], host: true } }));
  expect([play.turnOf(0), play.turnOf(1)]).toEqual(["Ana's turn", "Ben's turn"]);
});
