// Going through a finished game, by itself and on its page.
import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import ReplayPage from "../src/after/ReplayPage.svelte";
import { Replay } from "../src/after/replay.svelte";
import { api, RefusalError } from "../src/lib/api";
import { settings } from "../src/lib/settings.svelte";
import type { Moment } from "../src/lib/wire";
import { CARDS, line, moment, result, table } from "./after_fixture";

beforeEach(() => {
  settings.language = "en";
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("A replay", () => {
  const TURNS = [2, 5, 9, 12];
  let fetched: number[];
  const fetchMoment = (moves: number): Promise<Moment> => {
    fetched.push(moves);
    return Promise.resolve(moment(moves, moves === 3 ? [] : undefined));
  };
  const settle = () => vi.advanceTimersByTimeAsync(0);

  beforeEach(() => {
    vi.useFakeTimers();
    fetched = [];
  });

  test("stays within the game", async () => {
    const replay = new Replay(fetchMoment, TURNS, 99, 2);
    expect(replay.at).toBe(12);
    replay.step(1);
    expect(replay.at).toBe(12);
    replay.go(-5);
    expect(replay.at).toBe(2);
    await settle();
    expect(replay.moment?.scene.moves).toBe(2);
    replay.close();
  });

  test("goes by turns in both directions", () => {
    const replay = new Replay(fetchMoment, TURNS, 6, 2);
    replay.stepTurn(1);
    expect(replay.at).toBe(9);
    replay.stepTurn(-1);
    replay.stepTurn(-1);
    expect(replay.at).toBe(2);
    replay.stepTurn(-1);
    expect(replay.at).toBe(2);
    replay.close();
  });

  test("fetches ahead, each moment once", async () => {
    const replay = new Replay(fetchMoment, TURNS, 2);
    await settle();
    expect(fetched).toEqual([2, 3, 4, 5, 6, 7, 8]);
    replay.step(1);
    await settle();
    expect(fetched.filter((moves) => moves === 3)).toHaveLength(1);
    replay.close();
  });

  test("asks only for the last of the moments that one scrubs over", async () => {
    const replay = new Replay(fetchMoment, [0, 500], 0);
    for (let moves = 100; moves < 200; moves++) replay.go(moves);
    await settle();
    expect(replay.moment?.scene.moves).toBe(199);
    expect(fetched.filter((moves) => moves >= 100 && moves < 199)).toEqual([]);
    replay.close();
  });

  test("plays to the end, passing quickly over moments in which nothing is told, and stops", async () => {
    const replay = new Replay(fetchMoment, TURNS, 2);
    await settle();
    replay.play();
    await vi.advanceTimersByTimeAsync(1300);
    expect(replay.at).toBe(3);
    await vi.advanceTimersByTimeAsync(200);
    expect(replay.at).toBe(4);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(replay.at).toBe(12);
    expect(replay.playing).toBe(false);
    replay.play(); // from the beginning again
    expect(replay.at).toBe(0);
    replay.close();
  });

  test("pauses when one steps by hand", async () => {
    const replay = new Replay(fetchMoment, TURNS, 4);
    replay.play();
    replay.step(-1);
    expect(replay.playing).toBe(false);
    await vi.advanceTimersByTimeAsync(5000);
    expect(replay.at).toBe(3);
    replay.close();
  });

  test("tells a moment in the other language that was on its way when the language changed", async () => {
    let language = "en";
    const spoken = (moves: number) => {
      const told = moment(moves, [line(`Moment ${moves}, ${language}.`, "built")]);
      return new Promise<Moment>((resolve) => setTimeout(() => resolve(told), 100));
    };
    const replay = new Replay(spoken, TURNS, 4);
    language = "de";
    replay.refresh();
    await vi.advanceTimersByTimeAsync(1000);
    expect(replay.moment?.lines[0]?.text).toBe("Moment 4, de.");
    replay.close();
  });

  test("says what could not be fetched, and tries again", async () => {
    let broken = true;
    const replay = new Replay(
      (moves) => (broken ? Promise.reject(new RefusalError("No line.", "unreachable")) : fetchMoment(moves)),
      TURNS,
      4,
    );
    await settle();
    expect(replay.problem).toBeInstanceOf(RefusalError);
    broken = false;
    replay.retry();
    await settle();
    expect(replay.problem).toBeNull();
    expect(replay.moment?.scene.moves).toBe(4);
    replay.close();
  });
});

describe("The replay's page", () => {
  beforeEach(() => {
    vi.spyOn(api, "table").mockResolvedValue(table({ stage: "over", winner: 1 }));
    vi.spyOn(api, "cards").mockResolvedValue(Object.values(CARDS));
    vi.spyOn(api, "moment").mockImplementation((_, moves) =>
      Promise.resolve(moment(moves, [line(`Moment ${moves}.`, "built", { thing: "cafe" })])),
    );
  });

  test("shows the game step by step, by keyboard", async () => {
    vi.spyOn(api, "result").mockResolvedValue(result);
    render(ReplayPage, { code: "ABCD2345" });
    await screen.findByText("Moment 2.");
    await fireEvent.keyDown(document.body, { key: "ArrowRight" });
    await screen.findByText("Moment 3.");
    await fireEvent.keyDown(document.body, { key: "ArrowRight", shiftKey: true });
    await screen.findByText("Moment 5.");
    await fireEvent.keyDown(document.body, { key: "End" });
    await screen.findByText("Moment 12.");
    const scrubber = screen.getByRole("slider", { name: "Place in the game" });
    expect(scrubber.getAttribute("aria-valuetext")).toContain("Step 10 of 10");
    await fireEvent.keyDown(document.body, { key: " " });
    expect(screen.getByRole("button", { name: "Pause" })).toBeTruthy();
  });

  test("says so where a game is still being played", async () => {
    vi.spyOn(api, "result").mockRejectedValue(new RefusalError("The game is not over yet.", "not_over", 409));
    render(ReplayPage, { code: "ABCD2345" });
    expect(await screen.findByText(/still going on/)).toBeTruthy();
    expect(screen.getByRole("button", { name: "To the table" })).toBeTruthy();
  });
});
