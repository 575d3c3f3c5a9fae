import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Said } from "../src/lib/live.svelte";
import { RefusalError, api } from "../src/lib/api";
import { commitmentOf } from "../src/lib/dice";
import { hotkey } from "../src/lib/keys";
import { Past } from "../src/lib/past.svelte";
import { settings } from "../src/lib/settings.svelte";
import { LANGUAGES, type Line } from "../src/lib/wire";
import Chat from "../src/panel/Chat.svelte";
import FairnessDialog from "../src/panel/FairnessDialog.svelte";
import Help from "../src/panel/Help.svelte";
import HintView from "../src/panel/HintView.svelte";
import Log from "../src/panel/Log.svelte";
import { heard, isMuted, LONGEST, PHRASES, toggleBlock, toggleMute } from "../src/panel/chat";
import { isByExperience, isCloseCall } from "../src/panel/hints";
import { keyNames } from "../src/panel/keynames";
import { byTurn } from "../src/panel/turns";
import { readAll, unread } from "../src/panel/unread.svelte";
import { panelWords } from "../src/words/panel";
import { fakeLive, line, moment, result, table } from "./after_fixture";

const said = (number: number, name: string, seat: number | null, more: Partial<Said> = {}): Said => ({
  number,
  name,
  seat,
  text: `Message ${number}`,
  phrase: null,
  at: 0,
  ...more,
});

beforeEach(() => {
  settings.language = "en";
  settings.muted = [];
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

describe("The log", () => {
  const lines = [
    line("The game begins.", "started"),
    line("Ana's turn.", "turn_began", { seat: 0, moves: 1 }),
    line("Ana rolls a 3.", "dice_rolled", { seat: 0, moves: 3 }),
    line("Ben: hello", "said", { seat: 1 }),
    line("Ben's turn.", "turn_began", { seat: 1, moves: 4 }),
    line("Ben rolls a 1.", "dice_rolled", { seat: 1, moves: 6 }),
  ];

  test("has a headline for each turn, and leaves what people say to the chat", () => {
    const turns = byTurn(lines);
    expect(turns.map((turn) => turn.head?.line.text)).toEqual([undefined, "Ana's turn.", "Ben's turn."]);
    expect(turns.map((turn) => turn.lines.length)).toEqual([1, 1, 1]);
    expect(turns.map((turn) => turn.seat)).toEqual([null, 0, 1]);
  });

  test("strikes out what was taken back, and goes on under whoever took it back", () => {
    const turns = byTurn([
      line("Ana's turn.", "turn_began", { seat: 0, moves: 1 }),
      line("Ana builds the Ranch.", "built", { seat: 0, moves: 4 }),
      line("Ben's turn.", "turn_began", { seat: 1, moves: 4 }),
      line("Ana takes the last choice back.", "undone", { seat: 0, moves: 3 }),
      line("Ana builds nothing.", "passed", { seat: 0, moves: 4 }),
    ]);
    expect(turns[0]!.lines[0]!.undone).toBe(true);
    expect(turns[1]!.head!.undone).toBe(true);
    expect(turns[2]).toMatchObject({ seat: 0, head: null });
    expect(turns[2]!.lines.map((told) => told.undone)).toEqual([false, false]);
  });

  test("strikes out what the service has marked as taken back", () => {
    const turns = byTurn([
      line("Ana's turn.", "turn_began", { seat: 0, moves: 1 }),
      line("Ana builds the Ranch.", "built", { seat: 0 }),
      line("Ana takes the last choice back.", "undone", { seat: 0, moves: 3 }),
    ]);
    expect(turns[0]!.head!.undone).toBe(false);
    expect(turns[0]!.lines.map((told) => told.undone)).toEqual([true, false]);
  });

  test("leads from a line to its moment and back to now", async () => {
    const asked = vi.spyOn(api, "moment").mockImplementation((_, moves) => Promise.resolve(moment(moves)));
    render(Log, { live: fakeLive({ lines }), told: lines.length });
    await fireEvent.click(screen.getByRole("button", { name: /Ana rolls a 3/ }));
    expect(asked).toHaveBeenCalledWith("ABCD2345", 3);
    await waitFor(() => expect(screen.getByText("Moment 3.")).toBeTruthy());
    expect(screen.getByRole("region", { name: "City of Ben" })).toBeTruthy();
    await fireEvent.click(screen.getByRole("button", { name: "Back to now" }));
    expect(screen.queryByText("Moment 3.")).toBeNull();
  });

  test("shows what came before when that is asked for, and says why if it cannot", async () => {
    const pages = [
      { items: [line("The table is set.", "made")], before: null },
      { items: [line("Ana sits down.", "joined")], before: 2 },
    ];
    const log = new Past<Line>(() => {
      const page = pages.pop();
      return page ? Promise.resolve(page) : Promise.reject(new RefusalError("Not now.", "too_quick"));
    });
    log.begin({ items: lines, before: 3 });
    const live = fakeLive({ log });
    render(Log, { live, told: live.log.end });
    const told = () => screen.getByRole("log").textContent!;
    expect(told()).not.toContain("Ana sits down.");
    await fireEvent.click(screen.getByRole("button", { name: "Show what came before" }));
    await waitFor(() => expect(told()).toContain("Ana sits down."));
    await fireEvent.click(screen.getByRole("button", { name: "Show what came before" }));
    await waitFor(() => expect(told()).toMatch(/The table is set.*Ana sits down.*The game begins/s));
    expect(screen.queryByRole("button", { name: "Show what came before" })).toBeNull();
    log.begin({ items: lines, before: 3 });
    await fireEvent.click(await screen.findByRole("button", { name: "Show what came before" }));
    await waitFor(() => expect(live.refusal).toBe("Not now."));
  });

  test("keeps every line's place when older ones come", () => {
    const [, , turn] = byTurn(lines);
    const longer = byTurn([line("Ana sits down.", "joined"), ...lines], -1);
    expect(longer.map((one) => one.key)).toContain(turn!.key);
  });

  test("says that nothing has happened yet", () => {
    render(Log, { live: fakeLive(), told: 0 });
    expect(screen.getByRole("log").textContent).toContain("Nothing has happened yet");
  });
});

describe("The chat", () => {
  test("leaves out whom one has blocked, by name and seat", () => {
    const all = [said(1, "Ben", 1), said(2, "Ben", null), said(3, "Caro", 2)];
    const muted = toggleBlock({ name: "Ben", seat: 1 }, []);
    expect(heard(all, muted).map((one) => one.number)).toEqual([2, 3]);
    expect(heard(all, toggleBlock({ name: "Ben", seat: 1 }, muted))).toEqual(all);
  });

  test("can be muted as a whole without forgetting who is blocked", () => {
    const blocked = toggleBlock({ name: "Ben", seat: 1 }, []);
    const muted = toggleMute(blocked);
    expect(isMuted(muted)).toBe(true);
    expect(heard([said(1, "Caro", 2)], muted)).toEqual([]);
    expect(toggleMute(muted)).toEqual(blocked);
  });

  test("counts what others said as unread until it has been seen", () => {
    const live = fakeLive({
      code: "UNREAD22",
      said: [said(1, "Ben", 1), said(2, "Ana", 0), said(3, "Eve", null)],
    });
    expect(unread(live)).toBe(2);
    settings.muted = toggleBlock({ name: "Eve", seat: null }, []);
    expect(unread(live)).toBe(1);
    readAll(live);
    settings.muted = [];
    expect(unread(live)).toBe(0);
  });

  test("shows phrases in the reader's language and text as it was said", () => {
    settings.language = "de";
    const live = fakeLive({
      said: [said(1, "Ben", 1, { phrase: "nice_roll", text: "Nice roll!" }), said(2, "Ana", 0)],
    });
    render(Chat, { live });
    const told = screen.getByRole("log").textContent;
    expect(told).toContain("Schöner Wurf!");
    expect(told).toContain("Message 2");
  });

  test("fetches what was said before as soon as its upper end is in sight", async () => {
    let look = () => {};
    vi.stubGlobal(
      "IntersectionObserver",
      class {
        constructor(private readonly tell: (entries: { isIntersecting: boolean }[]) => void) {}
        observe(seen: HTMLElement) {
          if (seen.matches("button")) look = () => this.tell([{ isIntersecting: true }]);
        }
        disconnect() {}
      },
    );
    const chat = new Past<Said>((before) =>
      Promise.resolve({ items: [said(before - 1, "Ben", 1)], before: null }),
    );
    chat.begin({ items: [said(7, "Ben", 1)], before: 7 });
    render(Chat, { live: fakeLive({ chat }) });
    look();
    await waitFor(() => expect(screen.getByText("Message 6")).toBeTruthy());
    expect(screen.queryByRole("button", { name: "Show what came before" })).toBeNull();
    vi.unstubAllGlobals();
  });

  test("says phrases by name, and text without the space around it", async () => {
    const live = fakeLive();
    const phrase = vi.spyOn(live, "sayPhrase");
    const text = vi.spyOn(live, "say");
    render(Chat, { live });
    await fireEvent.click(screen.getByRole("button", { name: "Good luck!" }));
    expect(phrase).toHaveBeenCalledWith("good_luck");
    const field = screen.getByRole("textbox") as HTMLInputElement;
    expect(field.maxLength).toBe(LONGEST);
    await fireEvent.input(field, { target: { value: "  hi there " } });
    await fireEvent.submit(field.form!);
    expect(text).toHaveBeenCalledWith("hi there");
    expect(field.value).toBe("");
  });

  test("gives the keys back to the table with Escape", async () => {
    render(Chat, { live: fakeLive() });
    const field = screen.getByRole("textbox");
    field.focus();
    await fireEvent.keyDown(field, { key: "Escape" });
    expect(document.activeElement).not.toBe(field);
  });

  test("gives the words back that were not taken", async () => {
    const live = fakeLive({ say: () => Promise.reject(new Error("too quick")) });
    render(Chat, { live });
    const field = screen.getByRole("textbox") as HTMLInputElement;
    await fireEvent.input(field, { target: { value: "hello" } });
    await fireEvent.submit(field.form!);
    await waitFor(() => expect(field.value).toBe("hello"));
  });

  test("hides somebody at a click, and says that something is hidden", async () => {
    render(Chat, { live: fakeLive({ said: [said(1, "Ben", 1)] }) });
    await fireEvent.click(screen.getByRole("button", { name: "Don't hear Ben" }));
    expect(screen.queryByText("Message 1")).toBeNull();
    expect(screen.getByText("1 message is hidden.")).toBeTruthy();
    await fireEvent.click(screen.getByRole("button", { name: "Hear Ben again" }));
    expect(screen.getByText("Message 1")).toBeTruthy();
  });

  test("has every phrase in every language", () => {
    for (const language of LANGUAGES) {
      settings.language = language;
      for (const phrase of PHRASES) expect(panelWords.t(phrase)).not.toBe("");
    }
  });
});

describe("The help", () => {
  test("lists the keys that are understood now, and none twice", () => {
    const forget = hotkey({ keys: ["Enter"], says: () => "Confirm it", does: () => {} });
    render(Help, { onclose: () => {} });
    forget();
    expect(screen.getByText("Confirm it")).toBeTruthy();
    expect(screen.getAllByText("Enter")).toHaveLength(1);
    expect(screen.getByText("Esc")).toBeTruthy();
  });

  test("writes keys as they are printed, and a row of digits short", () => {
    expect(keyNames(["u"])).toEqual(["U"]);
    expect(keyNames(["ArrowLeft", " "])).toEqual(["←", "␣"]);
    expect(keyNames(["1", "2"])).toEqual(["1", "2"]);
    expect(keyNames(["1", "2", "3", "4"])).toEqual(["1–4"]);
  });
});

describe("A hint", () => {
  const option = (text: string, chance: number, by: number) => ({
    action: text,
    text,
    chance,
    low: chance - by,
    high: chance + by,
  });

  test("is a close call only where the measure cannot tell the two best apart", () => {
    expect(isCloseCall([option("a", 0.5, 0.05), option("b", 0.48, 0.05)])).toBe(true);
    expect(isCloseCall([option("a", 0.5, 0.01), option("b", 0.4, 0.01)])).toBe(false);
    expect(isCloseCall([option("a", 0.5, 0.1)])).toBe(false);
  });

  test("says so where what is recommended has not the highest figure", () => {
    const shown = (chance: number): string => `${Math.round(chance * 100)} %`;
    expect(isByExperience([option("a", 0.31, 0.02), option("b", 0.32, 0.02)], shown)).toBe(true);
    expect(isByExperience([option("a", 0.311, 0.02), option("b", 0.314, 0.02)], shown)).toBe(false);
    expect(isByExperience([option("a", 0.4, 0.02), option("b", 0.32, 0.02)], shown)).toBe(false);
    expect(isByExperience([], shown)).toBe(false);
  });

  test("says who gives it, and no chances, where nobody knows them", () => {
    const meanwhile = { bot: "Planner", action: "build cafe", text: "Build the Café" };
    render(HintView, { hint: { options: [], line: [], thought: false, meanwhile }, live: fakeLive() });
    expect(screen.getByText("Build the Café")).toBeTruthy();
    const why = screen.getByText(/Planner/).textContent;
    expect(why).toContain("Nobody has learned");
    expect(why).not.toContain("%");
  });

  test("says what its figures are, and whether better ones will follow", async () => {
    const hint = { options: [option("a", 0.5, 0.05)], line: [], thought: false, meanwhile: null };
    const { rerender } = render(HintView, { hint, live: fakeLive(), improves: true });
    expect(screen.getByText("Chance to win")).toBeTruthy();
    expect(screen.getByRole("status").textContent).toContain("better figures will follow");
    await rerender({ hint: { ...hint, thought: true }, improves: false });
    expect(screen.getByRole("status").textContent).toContain("Thought about");
  });

  test("shows the best first, and the rest when asked", async () => {
    const options = [0.5, 0.4, 0.3, 0.2, 0.1, 0.05].map((chance, n) => option(`Choice ${n}`, chance, 0.01));
    render(HintView, {
      hint: { options, line: ["Choice 0", "Roll one die"], thought: true, meanwhile: null },
      live: fakeLive(),
    });
    expect(screen.getByText("recommended").closest("li")!.textContent).toContain("Choice 0");
    expect(screen.queryByText("Choice 5")).toBeNull();
    await fireEvent.click(screen.getByRole("button", { name: "1 more choice" }));
    expect(screen.getByText("Choice 5")).toBeTruthy();
    expect(screen.getByText("Roll one die")).toBeTruthy();
  });
});

describe("The dialog about fair dice", () => {
  test("keeps the secret until the game is over", () => {
    render(FairnessDialog, { live: fakeLive(), onclose: () => {} });
    expect(screen.getByText("c0ffee")).toBeTruthy();
    expect(screen.getByText("banana")).toBeTruthy();
    expect(screen.getByText("no word of their own")).toBeTruthy();
    expect(screen.getByText("Shown when the game is over.")).toBeTruthy();
  });

  test("says while the game goes on that the own word is not in it any more", async () => {
    const word = "9f".repeat(32);
    const commitments = [commitmentOf(0, word), null];
    const kept = { ABCDEFGH: { service: "c0ffee", words: { 0: word }, commitments } };
    localStorage.setItem("dicetown.dice", JSON.stringify(kept));
    const told = { ...result.fairness, secret: null, commitments, words: ["another", ""] };
    const live = fakeLive({ table: table({ code: "ABCDEFGH", fairness: told }) });
    render(FairnessDialog, { live, onclose: () => {} });
    await waitFor(() => expect(screen.getByText("Your own word is not in it!")).toBeTruthy());
    expect(screen.getByText(/^The fingerprint of the secret is the one that was shown/)).toBeTruthy();
    localStorage.clear();
  });

  test("shows in the end the secret, how to check it, and how the dice fell", async () => {
    vi.spyOn(api, "result").mockResolvedValue(result);
    vi.spyOn(api, "record").mockResolvedValue({ fair: { ...result.fairness, words: ["banana", ""] } });
    const live = fakeLive({ table: table({ stage: "over", fairness: result.fairness }) });
    render(FairnessDialog, { live, onclose: () => {} });
    expect(screen.getByText("5ec2e7")).toBeTruthy();
    await waitFor(() => expect(screen.getByText("The secret does not fit its fingerprint!")).toBeTruthy());
    expect(screen.getByText(/^This page was not there when the words were shown/)).toBeTruthy();
    expect(screen.getByText(/^dicetown verify/)).toBeTruthy();
    await waitFor(() => expect(screen.getByText("3 rolls")).toBeTruthy());
  });
});
