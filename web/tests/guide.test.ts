import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import Guide from "../src/guide/Guide.svelte";
import { coach } from "../src/guide/coach.svelte";
import { tipsOnAsked, tipsOnEvents, type Situation, type TipName } from "../src/guide/tips";
import type { EntryListener } from "../src/lib/live.svelte";
import { settings } from "../src/lib/settings.svelte";
import type { Entry } from "../src/lib/wire";
import { guideWords } from "../src/words/guide";
import { asked, CARDS, choice, city, fakeLive, NAMES, scene } from "./after_fixture";

const situation = (more: Partial<Situation> = {}): Situation => ({
  mine: [0],
  names: NAMES,
  cards: CARDS,
  scene: scene(),
  asked: asked("roll"),
  undoable: null,
  ...more,
});
const names = (tips: { name: TipName }[]) => tips.map((tip) => tip.name);
const rolled = (seat: number, ...dice: number[]) => ({ event: "dice_rolled", seat, dice });
const paid = (payer: number | null, receiver: number | null, coins: number, cause: string) => ({
  event: "paid",
  payer,
  receiver,
  coins,
  owed: coins,
  cause,
  copies: 1,
});

beforeEach(() => {
  settings.language = "en";
  settings.speed = "instant";
  localStorage.clear();
  coach.recall();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe("What is asked", () => {
  test("is explained to whom it is asked of", () => {
    expect(names(tipsOnAsked(situation()))).toEqual(["goal", "roll"]);
    expect(names(tipsOnAsked(situation({ asked: asked("roll", { seat: 1 }) })))).toEqual(["others"]);
    expect(tipsOnAsked(situation({ mine: [], asked: asked("roll") }))).toEqual([]);
    expect(tipsOnAsked(situation({ asked: null }))).toEqual([]);
  });

  test("includes two dice only when there is a choice", () => {
    const both = asked("roll", { choices: [choice("roll 1"), choice("roll 2")] });
    expect(names(tipsOnAsked(situation({ asked: both })))).toContain("two_dice");
  });

  test("includes a landmark as soon as one can be built", () => {
    const build = asked("build", { choices: [choice("build harbor", { thing: "harbor" }), choice("pass")] });
    const tips = tipsOnAsked(situation({ asked: build }));
    expect(names(tips)).toEqual(["goal", "landmark", "build"]);
    expect(tips[1]!.card).toBe(CARDS.harbor);
  });

  test("comes with the text of the card that asks", () => {
    const [, tip] = tipsOnAsked(situation({ asked: asked("player", { because: "stadium" }) }));
    expect(tip).toMatchObject({ name: "player", card: CARDS.stadium });
  });

  test("is worded in every language for every control", () => {
    const controls = [
      "roll",
      "build",
      "reroll",
      "add_two",
      "order",
      "player",
      "give",
      "take",
      "card",
      "landmark",
      "invest",
    ];
    for (const control of controls) {
      for (const tip of tipsOnAsked(situation({ asked: asked(control) }))) {
        for (const language of ["en", "es", "de"] as const) {
          settings.language = language;
          expect(guideWords.t(tip.name, tip.values)).not.toMatch(/[{}]/);
        }
      }
    }
  });
});

describe("What happens", () => {
  const build = situation({ asked: asked("build") });

  test("is income, where one's own roll pays", () => {
    const [tip] = tipsOnEvents([rolled(0, 2), paid(null, 0, 1, "ranch")], build);
    expect(tip).toMatchObject({ name: "income", values: { total: 2, n: 1, card: "Ranch" } });
  });

  test("is the total that counts, where it was raised", () => {
    const events = [
      rolled(0, 5, 6),
      { event: "total_raised", seat: 0, total: 13, by: 2 },
      paid(null, 0, 1, "ranch"),
    ];
    expect(tipsOnEvents(events, build)[0]!.values.total).toBe(13);
  });

  test("is nothing, where it does not", () => {
    expect(names(tipsOnEvents([rolled(0, 5)], build))).toEqual(["nothing"]);
  });

  test("is a blue card on somebody else's roll", () => {
    const [tip] = tipsOnEvents([rolled(1, 2), paid(null, 0, 1, "ranch")], build);
    expect(tip).toMatchObject({ name: "blue", values: { name: "Ben" } });
  });

  test("is a red card, on either side of it", () => {
    expect(names(tipsOnEvents([rolled(0, 3), paid(0, 1, 2, "cafe")], situation()))).toContain("red_lost");
    expect(names(tipsOnEvents([rolled(1, 3), paid(1, 0, 2, "cafe")], situation()))).toContain("red_got");
    expect(tipsOnEvents([rolled(0, 3), paid(0, 1, 0, "cafe")], situation())).toEqual([]);
  });

  test("is a landmark, and the one that is missing", () => {
    const almost = { id: "harbor", built: true, price: 2 };
    const now = situation({
      scene: scene({ cities: [city({ landmarks: [almost, almost, almost] }), city()] }),
    });
    const events = [{ event: "built", seat: 0, thing: "harbor", price: 2 }];
    expect(names(tipsOnEvents(events, now))).toEqual(["landmark_built", "near_you"]);
  });

  test("is the end", () => {
    const now = situation({ scene: scene({ winner: 1 }), asked: null });
    expect(names(tipsOnEvents([{ event: "won", seat: 1 }], now))).toEqual(["won_other"]);
  });
});

describe("The guide", () => {
  function sitDown(more: Parameters<typeof fakeLive>[0] = {}) {
    let hear: EntryListener = () => {};
    const live = fakeLive({
      asked: asked("roll"),
      onEntry: (listener) => ((hear = listener), () => {}),
      ...more,
    });
    render(Guide, { live });
    const happen = async (entry: Partial<Entry>) => {
      hear({ kind: "moved", seat: 0, by_bot: false, events: [], ...entry } as Entry, live.scene);
      await vi.advanceTimersByTimeAsync(1);
      await tick();
    };
    return { live, happen };
  }
  beforeEach(() => {
    vi.useFakeTimers();
  });

  test("offers itself once, and keeps quiet if it is not wanted", async () => {
    sitDown();
    await fireEvent.click(screen.getByRole("button", { name: "No, thanks" }));
    expect(screen.queryByRole("complementary")).toBeNull();
    coach.recall(); // as after a reload
    expect(coach.wanted).toBe("no");
  });

  test("explains one thing after the other, and each only once", async () => {
    sitDown();
    await fireEvent.click(screen.getByRole("button", { name: "Yes, please" }));
    expect(screen.getByText(/This town is yours.*4 landmarks/)).toBeTruthy();
    await fireEvent.click(screen.getByRole("button", { name: "Got it" }));
    expect(screen.getByText(/Your turn: roll!/)).toBeTruthy();
    await fireEvent.click(screen.getByRole("button", { name: "Got it" }));
    expect(screen.queryByRole("complementary")).toBeNull();
    coach.recall();
    coach.look(situation());
    expect(coach.tip).toBeNull();
  });

  test("does not keep anybody from playing, and tells again what could not be read", async () => {
    coach.begin();
    const { happen } = sitDown({ asked: asked("build") });
    await tick();
    expect(coach.tip?.name).toBe("goal");
    await happen({ events: [rolled(0, 2), paid(null, 0, 1, "ranch")] });
    expect(coach.tip?.name).toBe("income");
    expect(screen.getByText("What the ranch does.")).toBeTruthy();
    await vi.advanceTimersByTimeAsync(5000); // time enough to read
    await happen({});
    expect(coach.tip?.name).toBe("goal");
  });

  test("says nothing before it can be seen", async () => {
    settings.speed = "normal";
    coach.begin();
    const { happen } = sitDown({ asked: asked("build") });
    await tick();
    await happen({ events: [rolled(0, 2), paid(null, 0, 1, "ranch")] });
    expect(coach.tip).toBeNull();
    await vi.advanceTimersByTimeAsync(2000);
    await tick();
    expect(coach.tip?.name).toBe("income");
  });

  test("can be sent away at any time, and called again", async () => {
    coach.begin();
    sitDown();
    await tick();
    await fireEvent.click(screen.getByRole("button", { name: "I know enough" }));
    expect(screen.queryByRole("complementary")).toBeNull();
    coach.begin();
    await tick();
    expect(screen.getByText(/This town is yours/)).toBeTruthy();
  });

  test("is not offered to who only watches", () => {
    sitDown({ you: { seats: [], host: false } });
    expect(screen.queryByRole("complementary")).toBeNull();
  });
});
