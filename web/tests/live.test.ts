import { cleanup, render, screen } from "@testing-library/svelte";
import { flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { RefusalError, api } from "../src/lib/api";
import { retryDelay } from "../src/lib/connection";
import { LiveTable } from "../src/lib/live.svelte";
import { settings } from "../src/lib/settings.svelte";
import ConnectionBanner from "../src/shell/ConnectionBanner.svelte";
import type { Remark } from "../src/lib/wire";
import { FakeSocket, aTable, aWelcome, anEntry } from "./fake_socket";

let live: LiveTable;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(aTable())));
  FakeSocket.all = [];
  settings.language = "en";
  live = new LiveTable("ABCDEFGH");
});

afterEach(() => {
  live.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** The newest connection is accepted, and told where the table stands. */
function welcomed(number: number, changes: Parameters<typeof aWelcome>[1] = {}): FakeSocket {
  FakeSocket.latest.accept();
  FakeSocket.latest.tell(aWelcome(number, changes));
  return FakeSocket.latest;
}

/** The connection breaks, and the next attempt is made. */
function droppedAndBack(): FakeSocket {
  const count = FakeSocket.all.length;
  FakeSocket.latest.drop();
  vi.advanceTimersByTime(200);
  expect(FakeSocket.all.length).toBe(count + 1);
  return FakeSocket.latest;
}

const numbers = (heard: { number: number }[]) => heard.map((entry) => entry.number);

test("The welcome says where the table stands.", () => {
  expect(live.status).toBe("connecting");
  expect(FakeSocket.latest.query.get("since")).toBeNull();
  const socket = welcomed(4, { deadline: 1_700_000_030 });
  expect(new URL(socket.url).pathname).toBe("/api/tables/ABCDEFGH/live");
  expect(live.status).toBe("live");
  expect(live.scene?.moves).toBe(4);
  expect(live.presence).toEqual([true, true]);
  expect(live.timeLeft()).toBe(30_000);
});

test("A deadline holds though the service's clock was set meanwhile.", () => {
  const socket = welcomed(4, { deadline: 1_700_000_030 });
  socket.tell(anEntry(5, { at: 1_600_000_000, deadline: 1_600_000_020, table: aTable() }));
  expect(live.timeLeft()).toBe(20_000);
});

test("Entries are told in order, with the scene before them.", () => {
  welcomed(4);
  const heard: [number, number | undefined][] = [];
  live.onEntry((entry, before) => heard.push([entry.number, before?.moves]));
  FakeSocket.latest.tell(anEntry(5));
  FakeSocket.latest.tell(anEntry(6));
  expect(heard).toEqual([
    [5, 4],
    [6, 5],
  ]);
  expect(live.scene?.moves).toBe(6);
});

test("Who listens gets the whole scene, though only what is different was told.", () => {
  welcomed(4);
  const heard: (number | undefined)[] = [];
  live.onEntry((entry, before) => heard.push(before?.moves, entry.scene?.moves));
  const { cities, market, shared_landmarks: _, ...rest } = live.scene!;
  const change = { ...rest, moves: 5, cities: cities.map(() => null), offers: [], market: null };
  FakeSocket.latest.tell(anEntry(5, { scene: null, change }));
  expect(heard).toEqual([4, 5]);
  expect(live.scene).toEqual({ ...rest, moves: 5, cities, market, shared_landmarks: _ });
});

test("Odds that nobody sees are not asked for, also after a broken connection.", () => {
  const socket = welcomed(4);
  live.look(true);
  live.look(false);
  live.look(false);
  const looks = (of: FakeSocket) => of.sent.filter(({ type }) => type === "look");
  expect(looks(socket)).toEqual([{ type: "look", odds: false }]);
  droppedAndBack();
  expect(looks(welcomed(4))).toEqual([{ type: "look", odds: false }]);
  live.look(true);
  expect(looks(FakeSocket.latest)).toHaveLength(2);
});

test("An entry that comes twice happens once.", () => {
  welcomed(4);
  const listener = vi.fn();
  live.onEntry(listener);
  const line = { text: "Ana rolls", icon: "dice_rolled", seat: 0, thing: null, moves: 5 };
  FakeSocket.latest.tell(anEntry(5, { lines: [line] }));
  FakeSocket.latest.tell(anEntry(5, { lines: [line] }));
  expect(listener).toHaveBeenCalledTimes(1);
  expect(live.lines).toHaveLength(1);
});

test("An entry that comes too early waits for its predecessor.", () => {
  welcomed(4);
  const heard: { number: number }[] = [];
  live.onEntry((entry) => heard.push(entry));
  FakeSocket.latest.tell(anEntry(6));
  FakeSocket.latest.tell(anEntry(7));
  expect(live.scene?.moves).toBe(4);
  FakeSocket.latest.tell(anEntry(5));
  expect(numbers(heard)).toEqual([5, 6, 7]);
});

test("A gap that stays open is closed by asking again from the last entry.", () => {
  welcomed(4);
  FakeSocket.latest.tell(anEntry(6));
  vi.advanceTimersByTime(1000);
  expect(FakeSocket.all).toHaveLength(2);
  expect(FakeSocket.latest.query.get("since")).toBe("4");
  welcomed(6);
  expect(live.scene?.moves).toBe(6);
});

test("After a broken connection the table goes on from the last entry.", () => {
  welcomed(4);
  FakeSocket.latest.tell(anEntry(5));
  FakeSocket.latest.drop();
  expect(live.status).toBe("lost");
  vi.advanceTimersByTime(200);
  expect(FakeSocket.latest.query.get("since")).toBe("5");
  const heard: { number: number }[] = [];
  live.onEntry((entry) => heard.push(entry));
  welcomed(7);
  FakeSocket.latest.tell(anEntry(6));
  FakeSocket.latest.tell(anEntry(7)); // both part of the welcome
  FakeSocket.latest.tell(anEntry(8));
  expect(live.status).toBe("live");
  expect(numbers(heard)).toEqual([8]);
});

const remark = (number: number): Remark => ({
  number,
  at: 1_700_000_000,
  seat: null,
  name: "Ben",
  text: `line ${number}`,
  phrase: null,
});

test("Chat that was missed comes with the welcome, after what was heard before.", () => {
  welcomed(4, { chat: { said: [remark(2), remark(3)], before: 2 } });
  droppedAndBack();
  welcomed(6, { chat: { said: [remark(3), remark(5), remark(6)], before: 3 } });
  FakeSocket.latest.tell(anEntry(6, { kind: "said", said: "line 6", name: "Ben", scene: null }));
  expect(numbers(live.said)).toEqual([2, 3, 5, 6]);
  expect(live.scene?.moves).toBe(6);
});

test("Where more was said meanwhile than comes at once, nothing is left out in between.", async () => {
  welcomed(4, { chat: { said: [remark(3), remark(4)], before: null } });
  droppedAndBack();
  welcomed(90, { chat: { said: [remark(89), remark(90)], before: 89 } });
  expect(numbers(live.said)).toEqual([89, 90]);
  const asked = vi.spyOn(api, "chat").mockResolvedValue({ said: [remark(87), remark(88)], before: 87 });
  await live.chat.fetchEarlier();
  expect(asked).toHaveBeenCalledWith("ABCDEFGH", 89);
  expect(numbers(live.said)).toEqual([87, 88, 89, 90]);
  expect(live.chat.goesFurtherBack).toBe(true);
});

test("The log begins with its newest page; older ones come before it, each asked for once.", async () => {
  const told = (text: string) => ({ text, icon: "built", seat: 0, thing: null, moves: null });
  const texts = () => live.lines.map((line) => line.text);
  welcomed(4, { log: { lines: [told("c")], before: 4 } });
  FakeSocket.latest.tell(anEntry(5, { lines: [told("d")] }));
  const asked = vi.spyOn(api, "log").mockResolvedValueOnce({ lines: [told("a"), told("b")], before: null });
  await Promise.all([live.log.fetchEarlier(), live.log.fetchEarlier()]);
  expect(texts()).toEqual(["a", "b", "c", "d"]);
  expect(live.log.first).toBe(-2);
  expect(live.log.goesFurtherBack).toBe(false);
  await live.log.fetchEarlier();
  expect(asked).toHaveBeenCalledTimes(1);
});

test("A page of the log that was asked for in another language is not mixed in.", async () => {
  const told = (text: string) => ({ text, icon: "built", seat: 0, thing: null, moves: null });
  welcomed(4, { log: { lines: [told("Ana baut")], before: 4 } });
  vi.spyOn(api, "log").mockImplementation(() => {
    FakeSocket.latest.tell(aWelcome(4, { log: { lines: [told("Ana builds")], before: 4 } }));
    return Promise.resolve({ lines: [told("Ana würfelt")], before: null });
  });
  await live.log.fetchEarlier();
  expect(live.lines.map((line) => line.text)).toEqual(["Ana builds"]);
  expect(live.log.goesFurtherBack).toBe(true);
});

test("An act is fulfilled when it is stored and its entry is here.", async () => {
  welcomed(4);
  const done = vi.fn();
  void live.act(0, ["roll 2"]).then(done);
  const [request] = FakeSocket.latest.requests;
  expect(request).toMatchObject({ type: "act", seat: 0, actions: ["roll 2"], moves: 4 });
  FakeSocket.latest.tell({ type: "done", key: keyOf(request), number: 5 });
  await vi.advanceTimersByTimeAsync(0);
  expect(done).not.toHaveBeenCalled();
  FakeSocket.latest.tell(anEntry(5));
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toHaveBeenCalledTimes(1);
});

test("What was not acknowledged is sent again with the same key, after the welcome.", async () => {
  const first = welcomed(4);
  const done = vi.fn();
  void live.act(0, ["roll 2"]).then(done);
  const second = droppedAndBack();
  second.accept();
  expect(second.requests).toEqual([]);
  second.tell(aWelcome(5)); // it had arrived, after all
  expect(second.requests).toEqual(first.requests);
  second.tell({ type: "done", key: keyOf(second.requests[0]), number: 5 });
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toHaveBeenCalledTimes(1);
  droppedAndBack();
  expect(welcomed(5).requests).toEqual([]);
});

test("What is done without a connection is sent when there is one.", () => {
  welcomed(4);
  FakeSocket.latest.drop();
  void live.act(0, ["build cafe"]);
  expect(live.waiting).toBe(1);
  vi.advanceTimersByTime(200);
  expect(welcomed(4).requests).toMatchObject([{ type: "act", actions: ["build cafe"] }]);
});

test("A refusal reaches who asked, and the toast.", async () => {
  welcomed(4);
  const act = live.act(1, ["roll 2"]);
  const key = keyOf(FakeSocket.latest.requests[0]);
  FakeSocket.latest.tell({ type: "refused", key, code: "not_your_seat", message: "It is not your seat." });
  await expect(act).rejects.toThrow(RefusalError);
  expect(live.refusal).toBe("It is not your seat.");
  expect(live.waiting).toBe(0);
  droppedAndBack();
  expect(welcomed(4).requests).toEqual([]);
});

test("Nothing pops up where a card's worth is not told: a pointer only rested on it.", async () => {
  welcomed(4);
  const worth = live.worth(0, "cafe");
  const key = keyOf(FakeSocket.latest.requests[0]);
  FakeSocket.latest.tell({ type: "refused", key, code: "too_much_to_think", message: "Ask again." });
  await expect(worth).rejects.toThrow(RefusalError);
  expect(live.refusal).toBeNull();
});

test("Questions are answered by their keys.", async () => {
  welcomed(4);
  const worth = live.worth(0, "cafe");
  const peek = live.peek(0, ["build cafe"]);
  const [first, second] = FakeSocket.latest.requests;
  FakeSocket.latest.tell({ type: "peeked", key: keyOf(second), asked: null });
  FakeSocket.latest.tell({
    type: "worth",
    key: keyOf(first),
    worth: { thing: "cafe", one_die: 0.5, two_dice: 0.1 },
  });
  expect(await peek).toBeNull();
  expect(await worth).toMatchObject({ thing: "cafe" });
});

test("Somebody thinks until something happens.", () => {
  const socket = welcomed(4);
  socket.tell({ type: "thinking", seat: 1, warming: true });
  expect(live.thinking).toEqual({ seat: 1, warming: true });
  socket.tell(anEntry(5));
  expect(live.thinking).toBeNull();
});

test("A hint is answered at a glance, and told again once it has been thought about.", async () => {
  const socket = welcomed(4);
  const hint = { options: [], line: [], thought: false, meanwhile: null };
  const better = vi.fn();
  const asked = live.hint(0, better);
  const key = keyOf(socket.requests[0]);
  socket.tell({ type: "hint", key, hint, last: false });
  expect(await asked).toMatchObject({ hint, last: false });
  socket.tell({ type: "hint", key: "of somebody else", hint, last: true });
  expect(better).not.toHaveBeenCalled();
  socket.tell({ type: "hint", key, hint: { ...hint, thought: true }, last: true });
  expect(better).toHaveBeenCalledWith({ ...hint, thought: true });
});

describe("A better hint that was to come when the connection broke", () => {
  const hint = { options: [], line: [], thought: false, meanwhile: null };
  const thought = { ...hint, thought: true };

  /** Somebody has seen a hint at a glance, and is back after a broken connection. */
  async function backAt(moves: number, last = false) {
    const socket = welcomed(4);
    const better = vi.fn();
    const asked = live.hint(0, better);
    const request = socket.requests[0];
    socket.tell({ type: "hint", key: keyOf(request), hint, last });
    await asked;
    droppedAndBack();
    return { better, request, key: keyOf(request), socket: welcomed(moves) };
  }

  test("is asked for again, and told without another glance.", async () => {
    const { better, request, key, socket } = await backAt(4);
    expect(socket.requests).toEqual([request]);
    socket.tell({ type: "hint", key, hint, last: false });
    expect(better).not.toHaveBeenCalled();
    socket.tell({ type: "hint", key, hint: thought, last: true });
    expect(better.mock.calls).toEqual([[thought]]);
    droppedAndBack();
    expect(welcomed(4).requests).toEqual([]);
  });

  test("is not waited for if the service does not want to, and nobody is told why.", async () => {
    const { better, key, socket } = await backAt(4);
    socket.tell({ type: "refused", key, code: "too_much_to_think", message: "Too much to do." });
    expect(better.mock.calls).toEqual([[null]]);
    expect(live.refusal).toBeNull();
  });

  test("is not asked for if the game has gone on.", async () => {
    const { better, socket } = await backAt(5);
    expect(socket.requests).toEqual([]);
    expect(better.mock.calls).toEqual([[null]]);
  });

  test("is not asked for if there was none to come.", async () => {
    expect((await backAt(4, true)).socket.requests).toEqual([]);
  });
});

test("Another language is asked for on the same connection.", () => {
  const socket = welcomed(4);
  settings.language = "de";
  flushSync();
  expect(socket.requests).toEqual([{ type: "language", language: "de" }]);
  droppedAndBack();
  expect(FakeSocket.latest.query.get("lang")).toBe("de");
});

test("Who we are is asked for when somebody sits down.", () => {
  const socket = welcomed(4);
  socket.tell(anEntry(5, { kind: "joined", scene: null, table: aTable() }));
  expect(socket.requests).toEqual([{ type: "language", language: "en" }]);
  socket.tell(aWelcome(5, { you: { seats: [1], host: false } }));
  expect(live.you?.seats).toEqual([1]);
});

test("Chat changes nothing about the game.", () => {
  welcomed(4, { undoable: 0, deadline: 1_700_000_030 });
  FakeSocket.latest.tell(anEntry(5, { kind: "said", said: "hello", name: "Ana", scene: null }));
  expect(live.undoable).toBe(0);
  expect(live.deadline).toBe(1_700_000_030);
  expect(live.said).toMatchObject([{ number: 5, text: "hello", name: "Ana", seat: 0 }]);
});

test("Who is turned away comes back more and more slowly.", () => {
  for (let tries = 0; tries < 5; tries++) {
    FakeSocket.latest.accept();
    FakeSocket.latest.tell({ type: "refused", key: null, code: "too_many_connections", message: "Full." });
    FakeSocket.latest.drop(4429);
    vi.advanceTimersByTime(200 * 2 ** tries);
    expect(FakeSocket.all).toHaveLength(tries + 2);
  }
  FakeSocket.latest.drop(4429);
  vi.advanceTimersByTime(3000);
  expect(FakeSocket.all).toHaveLength(6);
});

test("A table that is not there is not asked for for ever.", async () => {
  vi.stubGlobal("fetch", () =>
    Promise.resolve(Response.json({ code: "no_table", message: "There is no such table." }, { status: 404 })),
  );
  FakeSocket.latest.drop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(live.status).toBe("gone");
  expect(FakeSocket.all.length).toBeLessThan(3);
});

test("A table that cannot be read is not asked for for ever.", async () => {
  const refusal = { code: "unreadable", message: "This table cannot be opened." };
  FakeSocket.latest.accept();
  FakeSocket.latest.tell({ type: "refused", key: null, ...refusal });
  expect(live.status).toBe("unreadable");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(FakeSocket.all.length).toBe(1);
});

test("Silence is noticed: a ping without an answer means the connection is lost.", () => {
  const socket = welcomed(4);
  vi.advanceTimersByTime(5_000);
  expect(socket.sent).toEqual([{ type: "ping" }]);
  socket.tell({ type: "pong" });
  vi.advanceTimersByTime(5_000);
  expect(socket.sent).toHaveLength(2);
  vi.advanceTimersByTime(6_000);
  expect(live.status).toBe("lost");
  vi.advanceTimersByTime(200);
  expect(FakeSocket.all).toHaveLength(2);
});

test("Whenever the network stops, people are told within twelve seconds.", async () => {
  for (const heard of [0, 1, 4_900, 5_100, 9_000]) {
    const socket = welcomed(4);
    vi.advanceTimersByTime(heard);
    socket.tell({ type: "pong" }); // the last that is heard
    render(ConnectionBanner, { live });
    await vi.advanceTimersByTimeAsync(12_000);
    expect(screen.getByText("The connection is gone. Trying again…")).toBeTruthy();
    cleanup();
    live.retry();
  }
});

test("An answer that takes a while is an answer.", () => {
  const socket = welcomed(4);
  for (let n = 0; n < 10; n++) {
    vi.advanceTimersByTime(5_000 + 5_500);
    socket.tell({ type: "pong" });
  }
  expect(live.status).toBe("live");
  expect(FakeSocket.all).toHaveLength(1);
});

test("A device that is online again does not wait for the next retry.", () => {
  welcomed(4);
  for (let n = 0; n < 6; n++) {
    FakeSocket.latest.drop();
    vi.advanceTimersByTime(10_000);
  }
  FakeSocket.latest.drop();
  const count = FakeSocket.all.length;
  window.dispatchEvent(new Event("online"));
  expect(FakeSocket.all).toHaveLength(count + 1);
});

test("Retries come quickly at first and never all at once.", () => {
  expect(retryDelay(0, () => 0)).toBe(100);
  expect(retryDelay(0, () => 1)).toBe(200);
  expect(retryDelay(3, () => 1)).toBe(1600);
  expect(retryDelay(30, () => 1)).toBe(10_000);
});

function keyOf(request: object | undefined): string {
  if (!request || !("key" in request)) throw new Error("That is no request with a key.");
  return String(request.key);
}

// ------------------------------------------------------------------------------ stand-ins

const presence = (...stand_ins: (number | null)[]) =>
  ({ type: "presence", present: stand_ins.map((left) => left === null), spectators: 0, stand_ins }) as const;

test("When a bot will play for somebody is told in seconds, and kept as a moment.", () => {
  const socket = welcomed(4);
  const began = Date.now();
  socket.tell(presence(null, 30));
  expect(live.standIns).toEqual([{ seat: 1, at: began + 30_000, told: began }]);
  vi.advanceTimersByTime(5_000);
  socket.tell(presence(null, 25));
  expect(live.standIns).toEqual([{ seat: 1, at: began + 30_000, told: began }]);
  socket.tell(presence(null, null));
  expect(live.standIns).toEqual([]);
});

test("What a bot did while we were away is kept until it is read; what it did for others is not ours.", () => {
  const socket = welcomed(4);
  const line = { text: "Ana rolls a 5.", icon: "dice_rolled", seat: 0, thing: null, moves: 4 };
  const meanwhile = { turns: 1, lines: [line], left_out: 0 };
  socket.tell(anEntry(5, { kind: "back", seat: 1, meanwhile }));
  expect(live.meanwhile).toEqual([]);
  socket.tell(anEntry(6, { kind: "back", seat: 0, meanwhile }));
  expect(live.meanwhile).toMatchObject([{ seat: 0, turns: 1, lines: [line] }]);
  live.dismissMeanwhile(0);
  expect(live.meanwhile).toEqual([]);
});
