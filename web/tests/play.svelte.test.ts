// Playing at a table: the speed that is set, and whether there is something to ask a hint for.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { api } from "../src/lib/api";
import type { Worth, You } from "../src/lib/wire";
import { Play } from "../src/table/play.svelte";
import { fakeLive, scene, table } from "./after_fixture";

beforeEach(() => {
  vi.spyOn(api, "changePace").mockResolvedValue(table());
});
afterEach(() => {
  vi.restoreAllMocks();
});

const people = (...kinds: ("person" | "bot")[]) =>
  table({ stage: "playing", pace: "normal" }).seats.map((seat, n) => ({ ...seat, kind: kinds[n] ?? "bot" }));
const playing = (you: You, ...kinds: ("person" | "bot")[]) =>
  new Play(
    fakeLive({
      you,
      scene: scene(),
      table: table({ stage: "playing", pace: "normal", seats: people(...kinds) }),
    }),
  );

test("Who plays alone, and the host, set the bots' pace with the speed.", () => {
  playing({ seats: [0], host: true }, "person", "person").changeSpeed("fast");
  playing({ seats: [1], host: false }, "bot", "person").changeSpeed("instant");
  expect(vi.mocked(api.changePace).mock.calls.map(([, pace]) => pace)).toEqual(["fast", "instant"]);
});

test("Who is a guest in company, or only watches, sets what moves on the own page.", () => {
  playing({ seats: [1], host: false }, "person", "person").changeSpeed("fast");
  playing({ seats: [], host: false }, "bot", "bot").changeSpeed("fast");
  playing({ seats: [0], host: true }, "person", "bot").changeSpeed("normal"); // as it is
  expect(api.changePace).not.toHaveBeenCalled();
});

test("Where there is one thing to do, no hint is asked for.", async () => {
  const first = { options: [], line: [], thought: false, meanwhile: null };
  const hint = vi.fn().mockResolvedValue({ type: "hint", key: "", hint: first, last: true });
  const choice = { action: "roll 1", text: "", note: "", thing: null, seat: null, gains: null, more: false };
  const asked = (count: number) => ({
    seat: 0,
    control: "roll",
    question: "",
    because: null,
    start_round: false,
    choices: Array.from({ length: count }, () => choice),
    refusals: {},
  });
  for (const count of [1, 2]) {
    const live = fakeLive({ asked: asked(count), hint, table: table({ stage: "playing" }) });
    const play = new Play(live);
    play.decision.open(live.asked);
    await play.askHint();
  }
  expect(hint).toHaveBeenCalledTimes(1);
});

test("Instant ends what is still moving.", () => {
  const play = playing({ seats: [0], host: true }, "person", "bot");
  const skip = vi.spyOn(play.director, "skip");
  play.changeSpeed("instant");
  expect(skip).toHaveBeenCalled();
});

test("What cards are worth is asked for one after the other, and only while the game stands there.", async () => {
  const answers: (() => void)[] = [];
  const worth = vi.fn(
    (seat: number, thing: string) =>
      new Promise<Worth>((resolve) => answers.push(() => resolve({ thing, one_die: seat, two_dice: 0 }))),
  );
  const live = fakeLive({ worth, scene: scene({ moves: 4 }) });
  const play = new Play(live);
  const [cafe, mine] = [play.worthOf(0, "cafe"), play.worthOf(0, "mine")];
  expect(play.worthOf(0, "cafe")).toBe(cafe);
  await Promise.resolve();
  expect(worth.mock.calls).toEqual([[0, "cafe"]]);
  answers[0]!();
  expect(await cafe).toMatchObject({ thing: "cafe" });
  await vi.waitFor(() => expect(worth).toHaveBeenCalledTimes(2));
  const late = play.worthOf(0, "ranch");
  Object.assign(live, { scene: scene({ moves: 5 }) });
  void play.worthOf(0, "forest");
  answers[1]!();
  expect(await mine).toMatchObject({ thing: "mine" });
  await expect(late).rejects.toThrow("gone on");
  await vi.waitFor(() => expect(worth.mock.calls.at(-1)).toEqual([0, "forest"]));
  expect(worth).toHaveBeenCalledTimes(3);
});
