// One clock: what is asked, said, decided and handed over belongs to the moment that is shown.
import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { EntryListener, LiveTable } from "../src/lib/live.svelte";
import { settings } from "../src/lib/settings.svelte";
import type { Asked, Entry, GameEvent, Scene } from "../src/lib/wire";
import * as sounds from "../src/look/sound";
import { voice } from "../src/shell/announce.svelte";
import { LENGTHS } from "../src/table/beats";
import { hotkeysOf } from "../src/table/hotkeys";
import { Play } from "../src/table/play.svelte";
import { Effects } from "../src/table/effects.svelte";
import { asked, choice, fakeLive, line, scene, table } from "./after_fixture";

const ROLLED: GameEvent = { event: "dice_rolled", seat: 0, dice: [3] };
const builds = (seat: number) =>
  asked("build", { seat, choices: [choice("build bakery", { thing: "bakery" }), choice("pass")] });

/** A table that goes on as it is told to. */
function tableOf(more: Partial<LiveTable> = {}) {
  let hear: EntryListener = () => {};
  let welcome = () => {};
  const act = vi.fn().mockResolvedValue(undefined);
  const live = fakeLive({
    odds: [],
    oddsMoves: -1,
    thinking: null,
    look: () => {},
    act,
    onEntry: (listener) => ((hear = listener), () => {}),
    onWelcome: (listener) => ((welcome = listener), () => {}),
    ...more,
  });
  const play = new Play(live);
  const stop = play.follow();
  flushSync();
  const happen = (events: Entry["events"], next: Asked | null, then: Partial<Scene> = {}, text = "") => {
    const before = live.scene;
    live.scene = scene({ moves: (before?.moves ?? 0) + 1, ...then });
    live.asked = next;
    const lines = text ? [line(text, "built")] : [];
    live.log.add(lines);
    hear({ kind: "moved", events, lines, scene: live.scene, asked: next } as Entry, before);
  };
  return { live, play, act, happen, stop, welcome: () => welcome() };
}

let ends: (() => void)[] = [];
const sit = (more: Partial<LiveTable> = {}) => {
  const made = tableOf(more);
  ends.push(made.stop);
  return made;
};

beforeEach(() => {
  vi.useFakeTimers();
  settings.speed = "normal";
  voice.spoken = "";
});
afterEach(() => {
  for (const end of ends) end();
  ends = [];
  settings.speed = "normal";
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("A question comes when all that leads to it has been seen, and is said then.", () => {
  const { play, happen } = sit();
  happen([ROLLED], builds(0), {}, "Ana rolls 3.");
  expect([play.mine, play.decision.asked, voice.spoken]).toEqual([null, null, ""]);
  vi.advanceTimersByTime(LENGTHS.dice);
  expect(play.mine?.control).toBe("build");
  expect(voice.spoken).toBe("Ana rolls 3. What now?");
});

test("At instant nothing lags.", () => {
  settings.speed = "instant";
  const { play, happen } = sit();
  happen([ROLLED], builds(0), {}, "Ana rolls 3.");
  expect(play.mine?.control).toBe("build");
  expect(play.shown.told).toBe(1);
});

test("While something moves nothing is decided: the question has been answered.", () => {
  const { play, act, happen } = sit({ asked: builds(0) });
  const [bakery] = play.mine!.choices;
  void play.decision.pick(bakery!);
  happen([ROLLED], builds(1));
  void play.decision.confirm();
  expect(play.tryActions(/pass/)).toBe(false);
  expect(act).not.toHaveBeenCalled();
});

test("A key that is pressed while the dice still roll answers what they lead to.", () => {
  const { play, act, happen } = sit();
  const pass = hotkeysOf(play).find(({ keys }) => keys.includes("p"))!;
  happen([ROLLED], builds(0));
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "p", bubbles: true }));
  pass.does(new KeyboardEvent("keydown", { key: "p" })); // the page hears it after that
  expect(act).toHaveBeenCalledWith(0, ["pass"]);
});

test("A click on a card while something moves shows it with what can be done.", () => {
  const { play, happen } = sit();
  happen([ROLLED], builds(0));
  document.body.dispatchEvent(new MouseEvent("click", { detail: 1, bubbles: true }));
  expect(play.director.playing).toBe(false);
  expect(play.choiceAt("bakery", null)?.action).toBe("build bakery");
});

test("The second click of two on a card that was opened too early counts, too.", () => {
  const { play, happen } = sit();
  play.point("bakery", null);
  happen([ROLLED], builds(0));
  document.body.dispatchEvent(new MouseEvent("click", { detail: 2, bubbles: true }));
  expect(play.choiceAt("bakery", null)?.action).toBe("build bakery");
});

test("The second click of two skips nothing, nor does a click while others play.", () => {
  const { play, happen } = sit();
  happen([ROLLED], builds(0));
  document.body.dispatchEvent(new MouseEvent("click", { detail: 2, bubbles: true }));
  expect(play.director.playing).toBe(true);
  vi.runAllTimers();
  happen([ROLLED], builds(1));
  document.body.dispatchEvent(new MouseEvent("click", { detail: 1, bubbles: true }));
  expect(play.director.playing).toBe(true);
});

test("After a broken connection all of it jumps to where the table stands.", () => {
  const { live, play, happen, welcome } = sit();
  happen([ROLLED], builds(1), {}, "Ana rolls 3.");
  live.scene = scene({ moves: 99 });
  live.asked = builds(0);
  live.log.begin({ items: [line("One.", "built"), line("Two.", "built")], before: null });
  welcome();
  expect(play.shown).toMatchObject({ scene: { moves: 99 }, asked: live.asked, told: 2 });
  expect(play.mine?.control).toBe("build");
});

test("The result is not told before the last thing has been seen.", () => {
  const { live, play, happen } = sit();
  live.table = table({ stage: "over" });
  happen([ROLLED, { event: "won", seat: 0 }], null, { phase: "over", winner: 0, to_move: null });
  expect([play.over, play.playing]).toEqual([false, true]);
  vi.runAllTimers();
  expect([play.over, play.playing]).toEqual([true, false]);
});

test("In a window that nobody sees any more, nothing moves.", () => {
  const { play, happen } = sit();
  happen([ROLLED], builds(0));
  vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  document.dispatchEvent(new Event("visibilitychange"));
  expect(play.mine?.control).toBe("build");
});

test("Odds are for those who see them.", () => {
  const look = vi.fn();
  const seen = (): unknown => (flushSync(), look.mock.lastCall?.[0]);
  sit({ look, odds: [{}] as LiveTable["odds"] });
  expect(seen()).toBe(true);
  settings.odds = false;
  expect(seen()).toBe(false);
  settings.odds = true;
  expect(seen()).toBe(true);
  vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  document.dispatchEvent(new Event("visibilitychange"));
  expect(seen()).toBe(false);
});

test("What is half chosen stays so when somebody goes away meanwhile.", () => {
  const { live, play } = sit({ asked: builds(0) });
  void play.decision.pick(play.mine!.choices[0]!);
  live.asked = builds(0); // the same question, told once more
  play.director.settle();
  expect(play.decision.picked?.action).toBe("build bakery");
  live.scene = scene({ moves: 50 }); // asked once more, a round later
  play.director.settle();
  expect(play.decision.picked).toBeNull();
});

test("Who takes a seat is asked what its player was asked.", () => {
  const { live, play } = sit({ you: { seats: [], host: false }, asked: builds(0) });
  expect(play.mine).toBeNull();
  live.you = { seats: [0], host: false };
  play.director.settle();
  expect(play.mine?.control).toBe("build");
});

test("At a shared device, the next one is called when all has been seen.", () => {
  const { play, happen } = sit({ you: { seats: [0, 1], host: true }, asked: builds(0) });
  play.setPassing(true);
  play.takeDevice(0);
  happen([ROLLED], builds(1));
  expect(play.passTo).toBeNull();
  vi.runAllTimers();
  expect(play.passTo).toBe(1);
});

test("Handed over without a word, a shared device is the next one's as soon as they are asked.", () => {
  const { play, act, happen } = sit({ you: { seats: [0, 1], host: true }, asked: builds(0) });
  play.setPassing(false);
  happen([ROLLED], builds(1));
  expect(play.seat).toBe(0);
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "p", bubbles: true }));
  play.tryActions(/pass/);
  expect(act).toHaveBeenCalledWith(1, ["pass"]);
});

test("A fanfare is for who has won and for those who watch, not for who is beaten.", () => {
  const play = vi.spyOn(sounds, "play").mockImplementation(() => {});
  const heard = (mine: number[]) => {
    play.mockClear();
    new Effects(() => mine).sound({ kind: "win", seat: 1 });
    return play.mock.calls.length;
  };
  expect([heard([1]), heard([0, 1]), heard([]), heard([0])]).toEqual([1, 1, 1, 0]);
});
