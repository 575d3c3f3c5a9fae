import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import Guide from "../src/guide/Guide.svelte";
import { coach } from "../src/guide/coach.svelte";
import { holds, tipsOnAsked, tipsOnEvents, type Situation, type Tip, type TipName } from "../src/guide/tips";
import type { EntryListener, LiveTable } from "../src/lib/live.svelte";
import { settings } from "../src/lib/settings.svelte";
import { LANGUAGES, type Entry, type GameEvent, type Scene } from "../src/lib/wire";
import { Play } from "../src/table/play.svelte";
import { guideWords } from "../src/words/guide";
import { asked, CARDS, choice, city, fakeLive, NAMES, scene } from "./after_fixture";

const situation = (more: Partial<Situation> = {}): Situation => ({
  mine: [0],
  names: NAMES,
  cards: CARDS,
  scene: scene(),
  asked: asked("roll"),
  undoable: null,
  rolling: false,
  ...more,
});
const lying = (seat: number, ...faces: number[]): Scene =>
  scene({ dice: { seat, faces, total: faces.reduce((sum, face) => sum + face) } });
const names = (tips: { name: TipName }[]) => tips.map((tip) => tip.name);
const rolled = (seat: number, ...dice: number[]): GameEvent => ({ event: "dice_rolled", seat, dice });
const paid = (payer: number | null, receiver: number | null, coins: number, cause: string): GameEvent => ({
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
    expect(tips[1]!.at[0]).toBe("landmarks:0");
    expect(tips[1]!.values).toEqual({}); // none is put before the others
  });

  test("comes with the text of the card that asks", () => {
    const [, tip] = tipsOnAsked(situation({ asked: asked("player", { because: "stadium" }) }));
    expect(tip).toMatchObject({ name: "player", card: CARDS.stadium });
  });
});

describe("What happens", () => {
  const build = (at: Scene) => situation({ scene: at, asked: asked("build") });

  test("is income, where one's own roll pays, with the total that lies there", () => {
    const [tip] = tipsOnEvents([rolled(0, 2), paid(null, 0, 1, "ranch")], build(lying(0, 2)));
    expect(tip).toMatchObject({ name: "income", values: { total: 2, n: 1, card: "Ranch" } });
    expect(tip!.at[0]).toBe("card:0:ranch");
  });

  test("is income, too, where the roll was kept or raised before it counted", () => {
    const raised = scene({ dice: { seat: 0, faces: [5, 6], total: 13 } });
    const events: GameEvent[] = [
      { event: "total_raised", seat: 0, total: 13, by: 2 },
      paid(null, 0, 1, "ranch"),
    ];
    expect(tipsOnEvents(events, build(raised))[0]).toMatchObject({ name: "income", values: { total: 13 } });
    const [kept] = tipsOnEvents([paid(null, 0, 1, "ranch")], build(lying(0, 2)));
    expect(kept).toMatchObject({ name: "income", values: { total: 2 } });
  });

  test("is no income of a roll where building pays", () => {
    const events: GameEvent[] = [
      { event: "built", seat: 0, thing: "ranch", price: 1 },
      paid(null, 0, 5, "ranch"),
    ];
    expect(tipsOnEvents(events, build(lying(0, 2)))).toEqual([]);
  });

  test("is nothing, where it does not", () => {
    const [tip] = tipsOnEvents([rolled(0, 5)], build(lying(0, 5)));
    expect(tip).toMatchObject({ name: "nothing", values: { total: 5 }, at: ["dice", "question"] });
  });

  test("is a blue card on somebody else's roll", () => {
    const [tip] = tipsOnEvents([rolled(1, 2), paid(null, 0, 1, "ranch")], build(lying(1, 2)));
    expect(tip).toMatchObject({ name: "blue", values: { name: "Ben" } });
  });

  test("is a red card, on either side of it, in the city where it stands", () => {
    const [lost] = tipsOnEvents([rolled(0, 3), paid(0, 1, 2, "cafe")], situation());
    expect(lost).toMatchObject({ name: "red_lost", values: { n: 2, name: "Ben" } });
    expect(lost!.at[0]).toBe("card:1:cafe");
    const [got] = tipsOnEvents([rolled(1, 3), paid(1, 0, 2, "cafe")], situation());
    expect(got).toMatchObject({ name: "red_got", values: { n: 2, name: "Ben" } });
    expect(got!.at[0]).toBe("card:0:cafe");
    expect(names(tipsOnEvents([rolled(0, 3), paid(0, 1, 0, "cafe")], situation()))).not.toContain("red_lost");
  });

  test("is a landmark, and the one that is missing", () => {
    const almost = { id: "harbor", built: true, price: 2 };
    const now = situation({
      scene: scene({ cities: [city({ landmarks: [almost, almost, almost] }), city()] }),
    });
    const events: GameEvent[] = [{ event: "built", seat: 0, thing: "harbor", price: 2 }];
    expect(names(tipsOnEvents(events, now))).toEqual(["landmark_built", "near_you"]);
  });

  test("is the end", () => {
    const now = situation({ scene: scene({ winner: 1 }), asked: null });
    expect(names(tipsOnEvents([{ event: "won", seat: 1 }], now))).toEqual(["won_other"]);
  });
});

describe("Every tip", () => {
  const CONTROLS = ["roll", "build", "reroll", "add_two", "order", "player", "give", "take", "card"];
  const almost = { id: "harbor", built: true, price: 2 };
  const close = city({ landmarks: [almost, almost, almost] });

  /** All tips there are, each with the situation in which it is said. */
  function allTips(): { tip: Tip; then: Situation }[] {
    const both = [choice("roll 1"), choice("roll 2"), choice("build harbor", { thing: "harbor" })];
    const questions = [...CONTROLS, "landmark", "invest"].map((control) =>
      situation({ asked: asked(control, { start_round: control === "build", choices: both }) }),
    );
    const asking = [
      ...questions,
      situation({ asked: asked("roll", { seat: 1 }) }),
      situation({ undoable: 0, asked: null }),
      situation({ scene: scene({ cities: [city({ landmarks_needed: 0 }), city()] }) }),
    ].flatMap((then) => tipsOnAsked(then).map((tip) => ({ tip, then })));

    const mine = situation({ scene: lying(0, 3), asked: asked("build") });
    const theirs = situation({ scene: scene({ to_move: 1, dice: { seat: 1, faces: [3], total: 3 } }) });
    const near = situation({ scene: scene({ cities: [close, close] }), asked: asked("build") });
    const over = situation({ scene: scene({ winner: 1 }), asked: null });
    const happened: [Situation, GameEvent[]][] = [
      [mine, [rolled(0, 3), paid(0, 1, 2, "cafe"), paid(null, 0, 1, "bakery"), paid(1, 0, 2, "stadium")]],
      [mine, [rolled(0, 3)]],
      [{ ...theirs, asked: null }, [rolled(1, 3), paid(1, 0, 2, "cafe"), paid(null, 0, 1, "ranch")]],
    ];
    const telling = [
      ...happened.map(([then, events]) => ({ then, tips: tipsOnEvents(events, then) })),
      { then: near, tips: tipsOnEvents([{ event: "built", seat: 0, thing: "harbor", price: 2 }], near) },
      ...[0, 1].map((seat) => ({ then: over, tips: tipsOnEvents([{ event: "won", seat }], over) })),
    ].flatMap(({ then, tips }) => tips.map((tip) => ({ tip, then })));
    return [...asking, ...telling];
  }

  test("is among those that are tried here", () => {
    const said = new Set(allTips().map(({ tip }) => tip.name));
    const more = ["guide", "offer", "offer_yes", "offer_no", "got_it", "enough"];
    expect([...said, ...more].sort()).toEqual(Object.keys(guideWords.all.en).sort());
  });

  test("is worded in every language, with the values of its moment", () => {
    for (const { tip } of allTips()) {
      for (const language of LANGUAGES) {
        settings.language = language;
        expect(guideWords.t(tip.name, tip.values), tip.name).not.toMatch(/[{}]/);
      }
    }
  });

  test("points at something", () => {
    const spots = /^(dice|question|undo|offers|(coins|player|landmarks):\d|card:\d:\w+)$/;
    for (const { tip } of allTips()) {
      expect(tip.at.length, tip.name).toBeGreaterThan(0);
      for (const at of tip.at) expect(at, tip.name).toMatch(spots);
    }
  });

  test("holds at its moment, and not at the next question, roll or turn", () => {
    for (const { tip, then } of allTips()) {
      expect(holds(tip, then), tip.name).toBe(true);
      const later = { ...then.scene, moves: then.scene.moves + 1, winner: null };
      const nextQuestion = { ...then, scene: later, asked: asked("invest"), undoable: null };
      expect(holds(tip, nextQuestion), `${tip.name}, at the next question`).toBe(false);
      if (["others", "won_you", "won_other"].includes(tip.name)) continue;
      expect(holds(tip, { ...then, asked: null, rolling: true }), `${tip.name}, when dice roll`).toBe(false);
      const turned = { ...later, turn: later.turn + 1, to_move: 1 };
      const nextTurn = { ...then, scene: turned, asked: null, undoable: null };
      expect(holds(tip, nextTurn), `${tip.name}, in the next turn`).toBe(false);
    }
  });

  test("of somebody else's turn holds until it is over", () => {
    const theirs = situation({
      scene: scene({ to_move: 1, dice: { seat: 1, faces: [3], total: 3 } }),
      asked: null,
    });
    const [tip] = tipsOnEvents([rolled(1, 3), paid(1, 0, 2, "cafe")], theirs);
    expect(holds(tip!, { ...theirs, scene: { ...theirs.scene, moves: 11 } })).toBe(true);
    expect(holds(tip!, { ...theirs, scene: { ...theirs.scene, moves: 12, turn: 6, to_move: 0 } })).toBe(
      false,
    );
  });

  test("about a trade follows the step that is asked for", () => {
    const give = situation({ asked: asked("give") });
    const take = situation({ asked: asked("take") });
    const tip = tipsOnAsked(give).find(({ name }) => name === "give")!;
    expect(holds(tip, give)).toBe(true);
    expect(holds(tip, take)).toBe(false);
  });
});

describe("The guide", () => {
  function sitDown(more: Partial<LiveTable> = {}) {
    const hear: EntryListener[] = [];
    const live = fakeLive({
      asked: asked("roll"),
      onEntry: (listener) => (hear.push(listener), () => {}),
      ...more,
    });
    const play = new Play(live);
    play.director.skip();
    render(Guide, { play });
    /** Something happens, and leads to this; at "instant" it is shown at once. */
    const happen = async (then: Partial<LiveTable>, entry: Partial<Entry> = {}) => {
      const before = live.scene;
      Object.assign(live, then);
      const whole = {
        kind: "moved",
        seat: 0,
        by_bot: false,
        events: [],
        lines: [],
        scene: live.scene,
        ...entry,
      };
      for (const listener of hear) listener(whole as unknown as Entry, before);
      play.hear(whole as unknown as Entry, before);
      await tick();
    };
    return { live, play, happen };
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
    expect(screen.getByText(/Your turn to roll/)).toBeTruthy();
    await fireEvent.click(screen.getByRole("button", { name: "Got it" }));
    expect(screen.queryByRole("complementary")).toBeNull();
    coach.recall();
    coach.look(situation());
    expect(coach.tip).toBeNull();
  });

  test("tells what has happened at its moment, and tells again what could not be read", async () => {
    coach.begin();
    const { happen } = sitDown();
    await tick();
    expect(coach.tip?.name).toBe("goal");
    const two = { scene: { ...lying(0, 2), moves: 11 }, asked: asked("build") };
    await happen(two, { events: [rolled(0, 2), paid(null, 0, 1, "ranch")] });
    expect(screen.getByText("A 2: your Ranch pays you 1.")).toBeTruthy();
    await vi.advanceTimersByTimeAsync(5000); // time enough to read
    await happen({ scene: { ...lying(0, 2), moves: 12, to_move: 1 }, asked: asked("roll", { seat: 1 }) });
    expect(coach.tip?.name).toBe("others");
    await happen({ scene: { ...lying(0, 2), moves: 13 }, asked: asked("roll") });
    expect(coach.tip?.name).toBe("goal");
    const three = { scene: { ...lying(0, 2), moves: 14 }, asked: asked("build") };
    await happen(three, { events: [rolled(0, 2), paid(null, 0, 1, "ranch")] });
    expect(coach.tip?.name).not.toBe("income");
  });

  test("says nothing before it can be seen, and nothing of what was taken back", async () => {
    settings.speed = "normal";
    coach.begin();
    const { happen } = sitDown({ asked: asked("build") });
    await tick();
    const two = { scene: { ...lying(0, 2), moves: 11 }, asked: asked("build") };
    await happen(two, { events: [rolled(0, 2), paid(null, 0, 1, "ranch")] });
    expect(coach.tip).toBeNull();
    await vi.advanceTimersByTimeAsync(2500);
    await tick();
    expect(coach.tip?.name).toBe("income");

    await happen({ scene: scene({ moves: 10 }), asked: asked("build") }, { kind: "undone" });
    await vi.advanceTimersByTimeAsync(2500);
    await tick();
    expect(coach.tip?.name).not.toBe("income");
  });

  test("speaks of the step of a decision that is asked for", async () => {
    coach.begin();
    const trade = asked("give", { choices: [choice("give ranch", { more: true })] });
    const { play } = sitDown({ asked: trade, peek: async () => asked("take") });
    await tick();
    await fireEvent.click(screen.getByRole("button", { name: "Got it" })); // the goal
    expect(coach.tip?.name).toBe("give");
    await play.decision.pick(trade.choices[0]!);
    await tick();
    expect(coach.tip?.name).toBe("take");
  });

  test("marks what it speaks of, and describes it by what it says", async () => {
    const bar = document.createElement("section");
    bar.dataset.spot = "question";
    bar.getBoundingClientRect = () => new DOMRect(10, 10, 100, 50);
    document.elementFromPoint = () => bar;
    document.body.append(bar);
    coach.begin();
    sitDown();
    await tick();
    await tick();
    expect(bar.dataset.guided).toBe("");
    const says = document.getElementById(bar.getAttribute("aria-describedby")!);
    expect(says?.textContent).toMatch(/This town is yours/);
    coach.end();
    await tick();
    expect(bar.dataset.guided).toBeUndefined();
    expect(bar.hasAttribute("aria-describedby")).toBe(false);
    bar.remove();
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
