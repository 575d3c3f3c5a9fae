import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { RefusalError, api } from "../src/lib/api";
import {
  checksOf,
  commandFor,
  commitmentOf,
  keptOf,
  makeTable,
  mixIn,
  newWord,
  rematch,
  takePart,
  typedIn,
} from "../src/lib/dice";
import { sha256 } from "../src/lib/sha256";
import type { Fairness, SeatInfo, TableInfo } from "../src/lib/wire";
import { aTable } from "./fake_socket";

const HAFEN = "e1c72c3f5fff8e1ecaf992f9c57377b4f81d90d523b3309b962f360caca8f01f";
const NANDU = "a0222aec588d2b8da5a4966a6bf4006cfaeef68324c6f07e595c8b2ac6779126";
const SERVICE = "ab".repeat(32);
const utf8 = (text: string) => new TextEncoder().encode(text);

/** A table at which people gather. */
function lobby(fairness: Partial<Fairness> = {}, code = "ABCDEFGH"): TableInfo {
  const plain = { commitment: SERVICE, secret: null, words: null, version: 2, frozen: false };
  return aTable({ code, stage: "lobby", fairness: { ...plain, commitments: [null, null], ...fairness } });
}

beforeEach(() => {
  localStorage.clear();
  vi.spyOn(api, "commit").mockImplementation(() => Promise.resolve(lobby()));
  vi.spyOn(api, "reveal").mockImplementation(() => Promise.resolve(lobby()));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("SHA-256", () => {
  test("is what everybody else computes, for every length around a block", () => {
    for (let length = 0; length < 200; length++) {
      const bytes = Uint8Array.from({ length }, (_, at) => (at * 167 + length) & 255);
      expect(sha256(bytes)).toBe(createHash("sha256").update(bytes).digest("hex"));
    }
  });

  test("needs nothing that a page over plain http does not have", () => {
    vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
    expect(commitmentOf(0, newWord())).toMatch(/^[0-9a-f]{64}$/);
    vi.unstubAllGlobals();
  });

  test("gives the commitments that stand in the documentation", () => {
    expect(commitmentOf(0, "Hafen")).toBe(HAFEN);
    expect(commitmentOf(2, "ñandú")).toBe(NANDU);
    expect(sha256(utf8("abc")).slice(0, 8)).toBe("ba7816bf");
  });
});

describe("A word", () => {
  test("is random, with what was typed behind it", () => {
    expect(newWord()).toMatch(/^[0-9a-f]{64}$/);
    expect(newWord()).not.toBe(newWord());
    expect(newWord("lucky seven")).toMatch(/^[0-9a-f]{64} lucky seven$/);
    expect([newWord("lucky seven"), newWord(), "moon"].map(typedIn)).toEqual(["lucky seven", "", "moon"]);
  });
});

describe("While people gather", () => {
  test("the page commits to a word for each of its seats, and tells the words to nobody", async () => {
    await takePart(lobby(), [0, 1]);
    const words = keptOf("ABCDEFGH")!.words;
    expect(words[0]).not.toBe(words[1]);
    expect(vi.mocked(api.commit).mock.calls).toEqual([
      ["ABCDEFGH", { seat: 0, commitment: commitmentOf(0, words[0]!) }],
      ["ABCDEFGH", { seat: 1, commitment: commitmentOf(1, words[1]!) }],
    ]);
    expect(api.reveal).not.toHaveBeenCalled();
  });

  test("it is bound to the same word after a reload, and says so once", async () => {
    await takePart(lobby(), [0]);
    const { commitment } = vi.mocked(api.commit).mock.calls[0]![1];
    await takePart(lobby({ commitments: [commitment, null] }), [0]);
    expect(api.commit).toHaveBeenCalledTimes(1);
    await takePart(lobby(), [0]); // it did not arrive
    expect(vi.mocked(api.commit).mock.calls[1]![1]).toEqual({ seat: 0, commitment });
  });

  test("who watches commits to nothing", async () => {
    await takePart(lobby({}, "WATCHED2"), []);
    expect(api.commit).not.toHaveBeenCalled();
    expect(keptOf("WATCHED2")).toBeNull();
  });

  test("typing a word commits anew", async () => {
    await takePart(lobby(), [0]);
    const before = keptOf("ABCDEFGH")!.words[0];
    await mixIn(lobby(), 0, "lucky seven");
    const after = keptOf("ABCDEFGH")!.words[0]!;
    expect(after).not.toBe(before);
    expect(typedIn(after)).toBe("lucky seven");
    expect(vi.mocked(api.commit).mock.lastCall![1].commitment).toBe(commitmentOf(0, after));
  });
});

describe("When the host has started", () => {
  /** The table after our page has committed and everything lies fixed. */
  async function frozen(others: Partial<Fairness> = {}): Promise<TableInfo> {
    await takePart(lobby(), [0]);
    const word = keptOf("ABCDEFGH")!.words[0]!;
    return lobby({ frozen: true, commitments: [commitmentOf(0, word), "cd".repeat(32)], ...others });
  }

  test("the page reveals its word, and remembers what lay there before", async () => {
    const table = await frozen();
    await takePart(table, [0]);
    const { words, commitments, service } = keptOf("ABCDEFGH")!;
    expect(vi.mocked(api.reveal).mock.calls).toEqual([["ABCDEFGH", { seat: 0, word: words[0] }]]);
    expect(commitments).toEqual(table.fairness.commitments);
    expect(service).toBe(SERVICE);
  });

  test("it keeps its word if the service now shows another commitment than before", async () => {
    await takePart(await frozen({ commitment: "ef".repeat(32) }), [0]);
    expect(api.reveal).not.toHaveBeenCalled();
  });

  test("it keeps its words if another player's commitment changes while they are revealed", async () => {
    const table = await frozen();
    await takePart(table, [0]);
    const changed = [table.fairness.commitments[0]!, "99".repeat(32)];
    await takePart(lobby({ frozen: true, commitments: changed }), [0]);
    expect(api.reveal).toHaveBeenCalledTimes(1);
  });

  test("a commitment that is not ours is not answered", async () => {
    await takePart(await frozen({ commitments: ["77".repeat(32), null] }), [0]);
    expect(api.reveal).not.toHaveBeenCalled();
  });

  test("it tries again while the service cannot be reached, and gives up when it is refused", async () => {
    const table = await frozen();
    vi.useFakeTimers();
    vi.mocked(api.reveal).mockRejectedValueOnce(new RefusalError("gone", "unreachable"));
    const taking = takePart(table, [0]);
    await takePart(table, [0]); // the same is on its way already
    await vi.advanceTimersByTimeAsync(5000);
    await taking;
    expect(api.reveal).toHaveBeenCalledTimes(2);
    vi.mocked(api.reveal).mockRejectedValueOnce(new RefusalError("late", "has_begun", 409));
    await takePart(table, [0]);
    expect(api.reveal).toHaveBeenCalledTimes(3);
  });
});

describe("Tables that begin with the request", () => {
  test("Play now commits with it, and reveals as soon as the answer is here", async () => {
    vi.spyOn(api, "makeTable").mockImplementation((asked) =>
      Promise.resolve({
        ...lobby(
          { frozen: true, commitments: asked.seats.map((seat) => seat.commitment ?? null) },
          "PLAYNOW2",
        ),
        put_away: [],
      }),
    );
    await makeTable({ seats: [{ kind: "me" }, { kind: "bot" }, { kind: "here" }], start: true });
    const words = keptOf("PLAYNOW2")!.words;
    expect(Object.keys(words)).toEqual(["0", "2"]);
    expect(vi.mocked(api.makeTable).mock.calls[0]![0].seats.map((seat) => seat.commitment)).toEqual([
      commitmentOf(0, words[0]!),
      undefined,
      commitmentOf(2, words[2]!),
    ]);
    expect(vi.mocked(api.reveal).mock.calls.map(([, { seat }]) => seat)).toEqual([0, 2]);
  });

  test("a rematch that somebody else has asked for before is joined as any other table", async () => {
    vi.spyOn(api, "rematch").mockResolvedValue({
      ...lobby({ commitments: ["11".repeat(32), null] }, "REMATCH2"),
      put_away: [],
    });
    const seats = [0, 1].map((seat) => ({ seat }) as SeatInfo);
    await rematch(aTable({ seats }), [1]);
    expect(vi.mocked(api.rematch).mock.lastCall![1].commitments![0]).toBeNull();
    expect(keptOf("REMATCH2")).toBeNull();
    expect(api.commit).not.toHaveBeenCalled();
  });
});

describe("When the game is over", () => {
  const secret = "00".repeat(32);
  const word = "9f".repeat(32);
  const commitment = sha256(new Uint8Array(32));
  const commitments = [commitmentOf(0, word), null];
  const kept = { service: commitment, words: { 0: word }, commitments };
  const record = { commitment, secret, words: [word, ""], version: 2, commitments };
  const broken = (changes: object, known = kept) =>
    checksOf({ ...record, ...changes }, known)
      .filter(({ holds }) => !holds)
      .map(({ check }) => check);

  test("the page says of the record whether it is what was shown, and whether its word is in it", () => {
    expect(checksOf(record, kept).map(({ check }) => check)).toEqual([
      "secret",
      "service",
      "commitments",
      "own",
    ]);
    expect(broken({})).toEqual([]);
    expect(broken({ secret: "11".repeat(32) })).toEqual(["secret"]);
    expect(broken({}, { ...kept, service: "12".repeat(32) })).toEqual(["service"]);
    expect(broken({ commitments: [commitments[0], "12".repeat(32)] })).toEqual(["commitments"]);
    expect(broken({ words: ["", ""] })).toEqual(["own"]);
  });

  test("who was not there can still see that the secret fits", () => {
    expect(checksOf(record, null)).toEqual([{ check: "secret", holds: true }]);
  });

  test("the command has all that the page knows", () => {
    const command = `dicetown verify dicetown-ABCDEFGH.json --commitment ${commitment}`;
    expect(commandFor("ABCDEFGH", kept)).toBe(`${command} --commitment 0=${commitments[0]} --word 0=${word}`);
    expect(commandFor("ABCDEFGH", null)).toBe("dicetown verify dicetown-ABCDEFGH.json");
    const typed = `${word} it's me`;
    const known = { ...kept, words: { 0: typed }, commitments: [commitmentOf(0, typed)] };
    expect(commandFor("ABCDEFGH", known)).toContain(`--word 0='${word} it'\\''s me'`);
  });
});
