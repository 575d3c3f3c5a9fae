/**
 * The page's part in the dice (docs/fairness.md): for every seat of ours a word that nobody else can know. Its
 * commitment is sent while people gather; the word itself only when all commitments lie fixed. What was shown to us
 * is kept on this device, so that it can be revealed after a reload, and compared when the game is over.
 */
import { RefusalError, api } from "./api";
import { remember, remembered } from "./settings.svelte";
import { sha256 } from "./sha256";
import type { MadeTable, NewSeat, NewTable, TableInfo } from "./wire";

/** What this device knows of the dice of a table. */
export type Kept = {
  /** The service's commitment, as it was first shown. */
  service: string;
  /** Our words, by seat. */
  words: Record<number, string>;
  /** Everybody's commitments, as they lay when the first of our words was revealed. */
  commitments: (string | null)[] | null;
};

const KEPT_AS = "dicetown.dice";
const TABLES_KEPT = 60;
const RANDOM_BYTES = 32;
/** How often, and how long apart in milliseconds, something is sent that did not get through. */
const TRIES = 12;
const AGAIN_MS = 700;

/** For browsers that keep nothing. */
let atHand: Record<string, Kept> = {};
/** What is on its way. */
const sending = new Set<string>();

// --------------------------------------------------------------------------------- words

/** A word that nobody can guess, with what somebody has typed behind it. */
export function newWord(typed = ""): string {
  const random = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES));
  const digits = Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return typed ? `${digits} ${typed}` : digits;
}

/** What somebody has typed into a word; all of a word that is none of ours. */
export function typedIn(word: string): string {
  return /^[0-9a-f]{64}$/.test(word) ? "" : word.replace(/^[0-9a-f]{64} /, "");
}

export function commitmentOf(seat: number, word: string): string {
  return sha256(new TextEncoder().encode(`dicetown word 2:${seat}:${word}`));
}

export function commitmentOfSecret(secret: string): string {
  return sha256(Uint8Array.from(secret.match(/../g) ?? [], (byte) => parseInt(byte, 16)));
}

// -------------------------------------------------------------------------------- keeping

/** What this device knows of the dice of a table; null if it was never there. */
export function keptOf(code: string): Kept | null {
  return all()[code] ?? null;
}

function all(): Record<string, Kept> {
  return { ...atHand, ...(remembered(KEPT_AS) as Record<string, Kept> | null) };
}

function keep(code: string, kept: Kept): void {
  const { [code]: _, ...others } = all();
  const latest = Object.entries(others).slice(-TABLES_KEPT + 1);
  atHand = { ...Object.fromEntries(latest), [code]: kept };
  remember(KEPT_AS, atHand);
}

/** What is known of a table that is before us now. */
function knownOf(table: TableInfo): Kept {
  return keptOf(table.code) ?? { service: table.fairness.commitment, words: {}, commitments: null };
}

function keepWord(table: TableInfo, seat: number, word: string): void {
  const known = knownOf(table);
  keep(table.code, { ...known, words: { ...known.words, [seat]: word } });
}

// ----------------------------------------------------------------------------- taking part

/** Does what is due for our seats: commits to words while people gather, reveals them when the host has started. */
export async function takePart(table: TableInfo, seats: readonly number[]): Promise<void> {
  if (table.stage !== "lobby" || seats.length === 0) return;
  await Promise.all(seats.map((seat) => (table.fairness.frozen ? reveal(table, seat) : commit(table, seat))));
}

async function commit(table: TableInfo, seat: number): Promise<void> {
  const word = knownOf(table).words[seat] ?? newWord();
  const commitment = commitmentOf(seat, word);
  if (table.fairness.commitments[seat] === commitment) return;
  keepWord(table, seat, word); // before anybody is told: what is promised must not be lost
  await send(`${table.code} ${commitment}`, () => api.commit(table.code, { seat, commitment }));
}

async function reveal(table: TableInfo, seat: number): Promise<void> {
  const known = keptOf(table.code);
  const word = known?.words[seat];
  const { commitment, commitments } = table.fairness;
  if (!known || !word || commitmentOf(seat, word) !== commitments[seat]) return;
  // Nobody may have changed anything since it was shown to us: then our word stays ours.
  if (known.service !== commitment) return;
  if (known.commitments && known.commitments.join() !== commitments.join()) return;
  keep(table.code, { ...known, commitments });
  await send(`${table.code} ${seat} ${word}`, () => api.reveal(table.code, { seat, word }));
}

/** Sends something once at a time, and again while the service cannot be reached; what it refuses is let go. */
async function send(what: string, request: () => Promise<unknown>): Promise<void> {
  if (sending.has(what)) return;
  sending.add(what);
  try {
    for (let tries = 1; ; tries++) {
      try {
        await request();
        return;
      } catch (thrown) {
        if (!(thrown instanceof RefusalError)) throw thrown;
        const passing = thrown.code === "unreachable" || thrown.status >= 500 || thrown.status === 429;
        if (!passing || tries === TRIES) return;
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
  } finally {
    sending.delete(what);
  }
}

/** Commits to another word, with something typed in it. Throws what is refused. */
export async function mixIn(table: TableInfo, seat: number, typed: string): Promise<void> {
  const word = newWord(typed);
  keepWord(table, seat, word);
  await api.commit(table.code, { seat, commitment: commitmentOf(seat, word) });
}

// --------------------------------------------------- tables that may begin with the request

const isOurs = (seat: NewSeat) => seat.kind === "me" || seat.kind === "here";

/** Makes a table; words for the own seats are committed to with it, and revealed at once if it starts. */
export async function makeTable(asked: NewTable): Promise<MadeTable> {
  const words = wordsFor(asked.seats.flatMap((seat, at) => (isOurs(seat) ? [at] : [])));
  const seats = asked.seats.map((seat, at) =>
    words[at] ? { ...seat, commitment: commitmentOf(at, words[at]) } : seat,
  );
  return begun(await api.makeTable({ ...asked, seats }), words);
}

/** Asks for another game with the same players, in which we keep our seats. */
export async function rematch(table: TableInfo, own: readonly number[]): Promise<MadeTable> {
  const words = wordsFor(own);
  const commitments = table.seats.map(({ seat }) => (words[seat] ? commitmentOf(seat, words[seat]) : null));
  return begun(await api.rematch(table.code, { commitments }), words);
}

const wordsFor = (seats: readonly number[]): Record<number, string> =>
  Object.fromEntries(seats.map((seat) => [seat, newWord()]));

/** Keeps the words that count at a new table (somebody may have made it before us), and goes on with it. */
function begun<Table extends TableInfo>(table: Table, words: Record<number, string>): Table {
  const counted = Object.entries(words).filter(
    ([seat, word]) => table.fairness.commitments[Number(seat)] === commitmentOf(Number(seat), word),
  );
  for (const [seat, word] of counted) keepWord(table, Number(seat), word);
  void takePart(
    table,
    counted.map(([seat]) => Number(seat)),
  );
  return table;
}

// --------------------------------------------------------------------------------- looking back

/** What a record says about its dice. */
export type Promised = {
  commitment: string;
  secret: string | null;
  words: string[];
  version?: number;
  commitments?: (string | null)[];
};
export type Check = "secret" | "service" | "commitments" | "own";

/** What this page can say about a record: whether it has what was shown to us, and our words. */
export function checksOf(record: Promised, kept: Kept | null): { check: Check; holds: boolean }[] {
  const checks: { check: Check; holds: boolean }[] = [];
  const say = (check: Check, holds: boolean) => checks.push({ check, holds });
  if (record.secret) say("secret", commitmentOfSecret(record.secret) === record.commitment);
  if (!kept) return checks;
  say("service", kept.service === record.commitment);
  if (!kept.commitments) return checks;
  say("commitments", kept.commitments.join() === (record.commitments ?? []).join());
  const own = Object.entries(kept.words).filter(
    ([seat, word]) => kept.commitments?.[Number(seat)] === commitmentOf(Number(seat), word),
  );
  if (own.length)
    say(
      "own",
      own.every(([seat, word]) => record.words[Number(seat)] === word),
    );
  return checks;
}

/** The command that checks a record against all that this page knows. */
export function commandFor(code: string, kept: Kept | null): string {
  const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
  const shown = (kept?.commitments ?? []).flatMap((one, seat) =>
    one ? [`--commitment ${seat}=${one}`] : [],
  );
  const words = Object.entries(kept?.commitments ? kept.words : {}).filter(
    ([seat, word]) => kept?.commitments?.[Number(seat)] === commitmentOf(Number(seat), word),
  );
  return [
    `dicetown verify dicetown-${code}.json`,
    ...(kept ? [`--commitment ${kept.service}`] : []),
    ...shown,
    ...words.map(([seat, word]) => `--word ${seat}=${typedIn(word) ? quoted(word) : word}`),
  ].join(" ");
}
