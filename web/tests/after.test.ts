import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import AfterGame from "../src/after/AfterGame.svelte";
import LineChart from "../src/after/LineChart.svelte";
import ReviewView from "../src/after/ReviewView.svelte";
import { dashes, nearest, path, roof, scale, ticks } from "../src/after/chart";
import { lengthOf } from "../src/after/length";
import { chiSquaredTail, ordinariness } from "../src/after/luck";
import { ReviewWatch } from "../src/after/reviews.svelte";
import { changes, fired } from "../src/after/scenes";
import { chancesAt, curveOf, dearestOf, mistakesOf, movedMost, turningPoints } from "../src/after/story";
import { api, RefusalError } from "../src/lib/api";
import { router } from "../src/lib/router.svelte";
import { voice } from "../src/shell/announce.svelte";
import { settings } from "../src/lib/settings.svelte";
import type { GameEvent, Review, ReviewTold } from "../src/lib/wire";
import { fakeLive, result, review, scene, table } from "./after_fixture";

beforeEach(() => {
  settings.language = "en";
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("A chart", () => {
  test("has round numbers on its axes", () => {
    expect(ticks([0, 100])).toEqual([0, 50, 100]);
    expect(ticks([0, 90])).toEqual([0, 50]);
    expect(ticks([1, 22], 5)).toEqual([5, 10, 15, 20]);
    expect(ticks([0, 1], 4, false)).toEqual([0, 0.5, 1]);
    expect(ticks([0, 3])).toEqual([0, 1, 2, 3]);
    expect(ticks([4, 4])).toEqual([4]);
  });

  test("ends at a round number above everything in it", () => {
    expect(roof([3, 134, 80])).toBe(150);
    expect(roof([0, 0])).toBe(1);
    expect(roof([4])).toBe(4);
    expect(roof([])).toBe(1);
  });

  test("maps numbers to places, a single one to the middle", () => {
    expect(scale([0, 10], [100, 0])(2.5)).toBe(75);
    expect(scale([3, 3], [0, 10])(3)).toBe(5);
    expect(path([[0, 0.04], [1, 2.26]])).toBe("M0 0L1 2.3"); // prettier-ignore
    expect(nearest([0, 4, 9], 6)).toBe(1);
  });

  test("tells all seats apart without colour", () => {
    expect(new Set([0, 1, 2, 3, 4].map(dashes)).size).toBe(5);
  });

  const props = {
    title: "Coins",
    desc: "In hand.",
    xs: [0, 1, 2],
    series: [
      { seat: 0, name: "Ana", values: [3, 4, 5] },
      { seat: 1, name: "Ben", values: [3, 2, 9] },
    ],
    where: (turn: number) => `Turn ${turn}`,
    axis: "Turn",
    stops: () => [],
  };

  test("is walked along with the arrow keys, and says where one is", async () => {
    render(LineChart, props);
    const chart = screen.getByRole("slider", { name: "Coins" });
    expect(chart.getAttribute("aria-valuetext")).toBe("Turn 2: Ana 5, Ben 9");
    await fireEvent.keyDown(chart, { key: "ArrowLeft" });
    expect(chart.getAttribute("aria-valuetext")).toBe("Turn 1: Ana 4, Ben 2");
    await fireEvent.keyDown(chart, { key: "Home" });
    await fireEvent.keyDown(chart, { key: "ArrowLeft" });
    expect(chart.getAttribute("aria-valuetext")).toBe("Turn 0: Ana 3, Ben 3");
  });

  test("is a table for who wants one", async () => {
    render(LineChart, props);
    await fireEvent.click(screen.getByRole("button", { name: "As a table" }));
    const rows = screen.getAllByRole("row").map((row) => row.textContent!.trim().split(/\s+/).join(" "));
    expect(rows.at(-1)).toContain("Turn 2");
    expect(screen.getByRole("columnheader", { name: "Ben" })).toBeTruthy();
  });

  test("lets somebody pick a place with Enter", async () => {
    const onpick = vi.fn();
    render(LineChart, { ...props, onpick });
    const chart = screen.getByRole("slider");
    await fireEvent.keyDown(chart, { key: "Home" });
    await fireEvent.keyDown(chart, { key: "Enter" });
    expect(onpick).toHaveBeenCalledWith(0);
  });
});

describe("Whether dice were unusual", () => {
  test("is told by the chi-squared distribution", () => {
    expect(chiSquaredTail(3.841, 1)).toBeCloseTo(0.05, 3);
    expect(chiSquaredTail(18.307, 10)).toBeCloseTo(0.05, 3);
    expect(chiSquaredTail(5.348, 6)).toBeCloseTo(0.5, 3);
    expect(chiSquaredTail(0, 4)).toBe(1);
    expect(chiSquaredTail(200, 5)).toBeLessThan(1e-6);
  });

  test("is not judged by a handful of rolls", () => {
    expect(ordinariness([{ total: 1, fell: 3, expected: 0.5 }])).toBeNull();
    expect(ordinariness([])).toBeNull();
  });

  test("shows in figures: as expected is ordinary, always the same is not", () => {
    const expected = [10, 10, 10, 10, 10, 10];
    const dice = (fell: number[]) => fell.map((n, k) => ({ total: k + 1, fell: n, expected: expected[k]! }));
    expect(ordinariness(dice([10, 9, 11, 10, 10, 10]))).toBeGreaterThan(0.9);
    expect(ordinariness(dice([60, 0, 0, 0, 0, 0]))).toBeLessThan(0.001);
  });
});

describe("A moment of the past", () => {
  const events: GameEvent[] = [
    { event: "dice_rolled", seat: 0, dice: [3] },
    { event: "paid", payer: 0, receiver: 1, coins: 2, owed: 2, cause: "cafe", copies: 2 },
    { event: "paid", payer: null, receiver: 0, coins: 1, owed: 1, cause: "ranch", copies: 1 },
    { event: "built", seat: 0, thing: "harbor", price: 2 },
    { event: "paid", payer: 0, receiver: null, coins: 2, owed: 2, cause: "price", copies: 1 },
  ];

  test("shows what changed in every purse", () => {
    expect(changes(events, 2)).toEqual([-3, 2]);
  });

  test("shows which cards acted, in whose city", () => {
    expect([...fired(events, scene())].sort()).toEqual(["0:harbor", "0:ranch", "1:cafe"]);
  });
});

describe("A review as a story", () => {
  const curve = curveOf(review.moments);

  test("begins with the chances before anything happened", () => {
    expect(curve.xs).toEqual([0, 3, 5, 12]);
    expect(curve.chances[0]).toEqual([0.5, 0.6, 0.4, 0]);
    expect(curveOf([])).toEqual({ xs: [], chances: [], rounds: [] });
  });

  test("tells its turning points in the order in which they came", () => {
    expect(turningPoints(review).map(({ moment, point }) => [moment.moves, point])).toEqual([
      [5, 2],
      [12, 3],
    ]);
  });

  test("names whose chance changed most, and who had the turn where two changed alike", () => {
    const base = review.moments[0]!;
    expect(movedMost({ ...base, seat: 1, before: [0.5, 0.5], after: [0.7, 0.3] })).toBe(1);
    expect(movedMost({ ...base, seat: 0, before: [0.2, 0.3, 0.5], after: [0.3, 0.6, 0.1] })).toBe(2);
  });

  test("knows the chances at every moment", () => {
    expect(chancesAt(curve, 0)).toEqual([0.5, 0.5]);
    expect(chancesAt(curve, 4)[0]).toBe(0.6);
    expect(chancesAt(curve, 99)[0]).toBe(0);
  });

  test("lists mistakes only, of whom one wants to see", () => {
    expect(mistakesOf(review.moments).map((one) => one.better)).toEqual(["Build the Forest"]);
    expect(mistakesOf(review.moments, [0])).toHaveLength(1);
    expect(mistakesOf(review.moments, [1])).toEqual([]);
  });

  test("knows which decisions at a seat cost most, and tells them in the order in which they came", () => {
    const base = review.moments[1]!;
    const moments = [0.1, 0.3, 0.2, 0.4].map((loss, k) => ({
      ...base,
      moves: k,
      loss,
      seat: k === 3 ? 1 : 0,
    }));
    expect(dearestOf(moments, [0], 2).map(({ point, seat }) => [point, seat])).toEqual([
      [2, 0],
      [3, 0],
    ]);
  });
});

describe("A review under way", () => {
  const far = (done: number) => ({ ...review, ready: false, exact: false, done, total: 3 });
  const told = (state: ReviewTold["state"], done = 0, ahead = 0): ReviewTold => ({
    type: "review",
    state,
    first: false,
    ahead,
    done,
    total: 3,
  });

  test("is asked for now and then until it is ready, as long as somebody looks and nothing is told", async () => {
    vi.useFakeTimers();
    let done = 0;
    const fetchReview = vi.fn(() => Promise.resolve(done++ < 3 ? far(done - 1) : review));
    const watch = new ReviewWatch(fetchReview);
    const lookAway = watch.watch();
    expect(fetchReview).not.toHaveBeenCalled(); // only who asks for it begins it
    watch.ask();
    await vi.advanceTimersByTimeAsync(5000);
    expect(watch.progress).toBeCloseTo(1 / 3);
    lookAway();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(fetchReview).toHaveBeenCalledTimes(2);
    watch.watch();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(watch.ready).toBe(true);
    expect(fetchReview).toHaveBeenCalledTimes(4);
  });

  test("is not asked for while the service tells how far it is, and fetched once when it is ready", async () => {
    vi.useFakeTimers();
    const fetchReview = vi.fn().mockResolvedValueOnce(far(0)).mockResolvedValueOnce(review);
    const watch = new ReviewWatch(fetchReview);
    watch.watch();
    watch.ask();
    for (let done = 0; done < 3; done++) {
      await vi.advanceTimersByTimeAsync(4000);
      watch.hear(told("under_way", done));
      expect(watch.progress).toBeCloseTo(done / 3);
    }
    expect(fetchReview).toHaveBeenCalledTimes(1);
    watch.hear(told("ready"));
    await vi.advanceTimersByTimeAsync(0);
    expect(watch.ready).toBe(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fetchReview).toHaveBeenCalledTimes(2);
  });

  test("shows a first picture as soon as there is one, and the exact one in its place", async () => {
    vi.useFakeTimers();
    const first = { ...review, exact: false, done: 0 };
    const fetchReview = vi
      .fn()
      .mockResolvedValueOnce(far(0))
      .mockResolvedValueOnce(first)
      .mockResolvedValue({ ...review, turning_points: [1] });
    const watch = new ReviewWatch(fetchReview);
    watch.watch();
    watch.ask();
    await vi.advanceTimersByTimeAsync(0);
    watch.hear({ ...told("under_way"), first: true });
    await vi.advanceTimersByTimeAsync(0);
    expect([watch.ready, watch.exact]).toEqual([true, false]);
    watch.hear({ ...told("under_way", 2), first: true });
    expect(fetchReview).toHaveBeenCalledTimes(2);
    expect([watch.review?.done, watch.review?.moments.length]).toEqual([2, 3]); // it is still there
    watch.hear(told("ready"));
    await vi.advanceTimersByTimeAsync(0);
    expect([watch.exact, watch.review?.turning_points]).toEqual([true, [1]]);
  });

  test("goes on though the service was too busy to say how far it is", async () => {
    vi.useFakeTimers();
    const fetchReview = vi
      .fn()
      .mockRejectedValueOnce(new RefusalError("Too many requests.", "too_many", 429))
      .mockResolvedValue(review);
    const watch = new ReviewWatch(fetchReview);
    watch.watch();
    watch.ask();
    await vi.advanceTimersByTimeAsync(9000);
    expect(watch.asked).toBe(true);
    expect(watch.problem).toBeInstanceOf(RefusalError);
    expect(fetchReview).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(watch.ready).toBe(true);
    expect(watch.problem).toBeNull();
  });

  test("is read in the language that is set, though it was set while nobody looked", async () => {
    const fetchReview = vi.fn(() => Promise.resolve(review));
    const watch = new ReviewWatch(fetchReview);
    const lookAway = watch.watch();
    watch.ask();
    await waitFor(() => expect(watch.exact).toBe(true));
    lookAway();
    watch.watch()();
    expect(fetchReview).toHaveBeenCalledTimes(1); // it is there, in that language
    settings.language = "de";
    watch.watch();
    expect(fetchReview).toHaveBeenCalledTimes(2);
  });

  test("is not shown in the language that was set before", async () => {
    let answer = (_: Review) => {};
    const late = new Promise<Review>((resolve) => (answer = resolve));
    const german = { ...review, turning_points: [1] };
    const watch = new ReviewWatch(vi.fn().mockReturnValueOnce(late).mockResolvedValue(german));
    watch.watch()();
    watch.ask();
    settings.language = "de";
    watch.watch();
    await waitFor(() => expect(watch.exact).toBe(true));
    answer(review);
    await late;
    expect(watch.review?.turning_points).toEqual([1]);
  });

  test("can be asked for again after a refusal", async () => {
    const fetchReview = vi
      .fn()
      .mockRejectedValueOnce(new RefusalError("Later.", "no_thinker"))
      .mockResolvedValue(review);
    const watch = new ReviewWatch(fetchReview);
    watch.ask();
    await waitFor(() => expect(watch.problem).toBeInstanceOf(RefusalError));
    expect(watch.asked).toBe(false);
    watch.ask();
    await waitFor(() => expect(watch.ready).toBe(true));
  });
});

describe("After a game", () => {
  const over = () =>
    fakeLive({ table: table({ stage: "over", winner: 1 }), scene: scene({ winner: 1, to_move: null }) });

  beforeEach(() => {
    vi.spyOn(api, "result").mockResolvedValue(result);
    vi.spyOn(api, "review").mockResolvedValue(review);
  });

  test("the winner and everybody's place are told", async () => {
    render(AfterGame, { live: over() });
    expect(screen.getByRole("heading", { name: "Ben wins!" })).toBeTruthy();
    await waitFor(() => expect(screen.getByText("12 rounds · 15 minutes")).toBeTruthy());
    const places = screen.getAllByRole("listitem").map((item) => item.textContent);
    expect(places[0]).toContain("Ben");
    expect(places[1]).toContain("Ana");
    expect(screen.getByText("4 landmarks")).toBeTruthy();
  });

  test("who has won is told so", () => {
    render(AfterGame, { live: fakeLive({ ...over(), you: { seats: [1], host: false } }) });
    expect(screen.getByRole("heading", { name: "You win!" })).toBeTruthy();
  });

  test("confetti is thrown for who has won, never because a bot beats them", () => {
    const bot = table().seats.map((seat) => ({ ...seat, kind: seat.seat === 1 ? "bot" : "person" }) as const);
    const thrown = (seats: number[], more = {}) => {
      const live = fakeLive({
        ...over(),
        table: table({ stage: "over", winner: 1, ...more }),
        you: { seats, host: false },
      });
      const { container, unmount } = render(AfterGame, { live });
      const found = container.querySelector(".confetti") !== null;
      unmount();
      return found;
    };
    expect([thrown([1]), thrown([0, 1]), thrown([0])]).toEqual([true, true, false]);
    expect(thrown([0], { seats: bot })).toBe(false);
    expect([thrown([]), thrown([], { seats: bot })]).toEqual([true, false]); // who only watches
    expect(thrown([0], { winner: null })).toBe(false);
  });

  test("a landmark that won the game by itself is named", async () => {
    vi.spyOn(api, "result").mockResolvedValue({ ...result, won_with: "harbor" });
    render(AfterGame, { live: over() });
    await waitFor(() => expect(screen.getByText(/^With the .*wins at once\.$/)).toBeTruthy());
  });

  test("a rematch leads to the new table, and says what was put away for it", async () => {
    vi.spyOn(api, "rematch").mockResolvedValue({ ...table({ code: "NEWTABLE" }), put_away: ["OLDTABLE"] });
    const go = vi.spyOn(router, "go").mockImplementation(() => {});
    render(AfterGame, { live: over() });
    await fireEvent.click(screen.getByRole("button", { name: "Rematch" }));
    await waitFor(() => expect(go).toHaveBeenCalledWith("/t/NEWTABLE"));
    expect(voice.toasts.map(({ text }) => text)).toEqual([expect.stringContaining("was put away")]);
  });

  test("there is a link where somebody has begun a rematch already, and none for who only watched", () => {
    const { unmount } = render(AfterGame, {
      live: fakeLive({ ...over(), table: table({ stage: "over", winner: 1, rematch: "NEWTABLE" }) }),
    });
    expect(screen.getByRole("link", { name: "To the rematch" }).getAttribute("href")).toBe("/t/NEWTABLE");
    unmount();
    render(AfterGame, { live: fakeLive({ ...over(), you: { seats: [], host: false } }) });
    expect(screen.queryByRole("button", { name: "Rematch" })).toBeNull();
  });

  test("income by card and the dice are a tab away, by keyboard, too", async () => {
    render(AfterGame, { live: over() });
    const first = await screen.findByRole("tab", { name: "Over time" });
    await fireEvent.keyDown(first, { key: "ArrowRight" });
    expect(screen.getByRole("tabpanel", { name: "Income" }).textContent).toContain("fired 6 times");
    await fireEvent.click(screen.getByRole("tab", { name: "Dice" }));
    expect(screen.getByRole("tabpanel").textContent).toContain("3 rolls");
  });

  test("a review under way is asked for once, and says what it waits for", async () => {
    const waiting = { ...review, ready: false, exact: false, ahead: 2, done: 0, total: 90 };
    vi.mocked(api.review).mockResolvedValue(waiting);
    const { rerender } = render(ReviewView, { code: "WAITINGX", names: ["Ana", "Ben"] });
    await fireEvent.click(screen.getByRole("button", { name: "Review the game" }));
    await screen.findByText("2 other reviews come first");
    await rerender({
      told: { type: "review", state: "under_way", first: false, ahead: 0, done: 45, total: 90 },
    });
    await screen.findByText("45 of 90 positions");
    for (let n = 0; n < 20; n++) await tick(); // an effect that feeds itself asks each time
    expect(api.review).toHaveBeenCalledTimes(1);
  });

  test("a review is asked for once more in another language, whether it is in sight or not", async () => {
    const props = { code: "TWICETW2", names: ["Ana", "Ben"] };
    const { unmount } = render(ReviewView, props);
    await fireEvent.click(screen.getByRole("button", { name: "Review the game" }));
    await screen.findByText("Luck aside, Ben would be ahead.");
    settings.language = "es";
    await waitFor(() => expect(api.review).toHaveBeenCalledTimes(2));
    await vi.mocked(api.review).mock.results[1]!.value;
    await tick(); // it is there, in Spanish
    unmount();
    settings.language = "en";
    render(ReviewView, props);
    await waitFor(() => expect(api.review).toHaveBeenCalledTimes(3));
  });

  test("the review shows the turning points and leads into the replay", async () => {
    render(AfterGame, { live: fakeLive({ ...over(), code: "REVIEW22" }) });
    await fireEvent.click(await screen.findByRole("tab", { name: "Review" }));
    expect(api.review).not.toHaveBeenCalled();
    await fireEvent.click(screen.getByRole("button", { name: "Review the game" }));
    const link = (await screen.findAllByRole("link", { name: "See it in the replay" }))[0]!;
    expect(link.getAttribute("href")).toBe("/t/REVIEW22/replay?at=5");
    expect(screen.getByRole("heading", { name: "The biggest turning points" })).toBeTruthy();
    expect(screen.getAllByText("Better: Build the Forest")).toHaveLength(2); // there, and among the mistakes
    expect(screen.getByText("Luck aside, Ben would be ahead.")).toBeTruthy();
    for (const grade of ["strong", "solid"]) expect(screen.getByText(grade)).toBeTruthy();
    for (const told of [/no mistake in 24 decisions/, /1 mistake in 24 decisions/])
      expect(screen.getByText(told)).toBeTruthy();
  });

  test("who wants to sees their own decisions only", async () => {
    const moments = review.moments.map((moment) => ({ ...moment, seat: 1 }));
    vi.mocked(api.review).mockResolvedValue({ ...review, moments });
    const { rerender } = render(ReviewView, { code: "OWNONLY2", names: ["Ana", "Ben"], own: [0] });
    await fireEvent.click(screen.getByRole("button", { name: "Review the game" }));
    await fireEvent.click(await screen.findByRole("switch", { name: "My decisions only" }));
    expect(screen.getByText("None of your decisions was clearly a mistake.")).toBeTruthy();
    expect(screen.queryByText("solid")).toBeNull();
    await rerender({ own: [1] });
    expect(screen.getByRole("heading", { name: "Your decision that cost most" })).toBeTruthy();
    expect(screen.getByText("Better: Build the Forest")).toBeTruthy();
  });

  test("a game's length is told in minutes, or in hours", () => {
    expect(lengthOf(20)).toBe("1 minute");
    expect(lengthOf(1534)).toBe("26 minutes");
    expect(lengthOf(7260)).toBe("2 h 1 min");
  });
});
