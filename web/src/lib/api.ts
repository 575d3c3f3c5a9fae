/** The service's REST interface. What it refuses is thrown as a RefusalError, with a sentence to show. */
import type { Promised } from "./dice";
import { shellWords } from "../words/shell";
import { settings } from "./settings.svelte";
import type {
  BotInfo,
  CardInfo,
  ChangeSeat,
  ChatPage,
  Commit,
  EditionInfo,
  Join,
  LogPage,
  MadeTable,
  Me,
  Moment,
  NewTable,
  Refusal,
  Pace,
  Rematch,
  Result,
  Reveal,
  Review,
  TableInfo,
  TableList,
} from "./wire";

/** As much of a saved game as the page reads. */
type GameRecord = { fair: Promised };

/** Something was not done; nothing has changed. The message is for people, in their language. */
export class RefusalError extends Error {
  constructor(
    message: string,
    readonly code: string,
    readonly status = 0,
  ) {
    super(message);
    this.name = "RefusalError";
  }
}

/** What to tell people about something that was thrown. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof RefusalError ? thrown.message : shellWords.t("unclear");

async function ask<Answer>(method: string, path: string, body?: unknown, query: Record<string, string> = {}) {
  const asked = new URLSearchParams({ ...query, lang: settings.language });
  let response: Response;
  try {
    response = await fetch(`/api${path}?${asked}`, {
      method,
      credentials: "same-origin",
      ...(body !== undefined && {
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      }),
    });
  } catch {
    throw new RefusalError(shellWords.t("unreachable"), "unreachable");
  }
  if (!response.ok) throw await refusalOf(response);
  return (response.status === 204 ? undefined : await response.json()) as Answer;
}

async function refusalOf(response: Response): Promise<RefusalError> {
  const unclear = shellWords.t(response.status >= 502 ? "unreachable" : "unclear");
  try {
    const { code, message } = (await response.json()) as Partial<Refusal>;
    return new RefusalError(message ?? unclear, code ?? "unclear", response.status);
  } catch {
    return new RefusalError(unclear, "unclear", response.status); // not ours: a proxy's page
  }
}

const get = <Answer>(path: string, query?: Record<string, string>) =>
  ask<Answer>("GET", path, undefined, query);
const post = <Answer>(path: string, body?: unknown) => ask<Answer>("POST", path, body);
const at = (code: string, more = "") => `/tables/${encodeURIComponent(code)}${more}`;

export const api = {
  editions: () => get<EditionInfo[]>("/editions"),
  cards: (edition: string, sets: string[], house: Record<string, unknown> = {}) =>
    get<CardInfo[]>("/cards", { edition, sets: sets.join(","), house: JSON.stringify(house) }),
  bots: () => get<BotInfo[]>("/bots"),

  me: () => get<Me>("/me"),
  rename: (name: string) => ask<Me>("PATCH", "/me", { name }),

  tables: () => get<TableList>("/tables"),
  makeTable: (table: NewTable) => post<MadeTable>("/tables", table),
  table: (code: string) => get<TableInfo>(at(code)),
  deleteTable: (code: string) => ask<void>("DELETE", at(code)),
  join: (code: string, join: Join) => post<TableInfo>(at(code, "/join"), join),
  leave: (code: string) => post<TableInfo>(at(code, "/leave")),
  changeSeat: (code: string, seat: number, change: ChangeSeat) =>
    post<TableInfo>(at(code, `/seats/${seat}`), change),
  start: (code: string) => post<TableInfo>(at(code, "/start")),
  pause: (code: string) => post<TableInfo>(at(code, "/pause")),
  resume: (code: string) => post<TableInfo>(at(code, "/resume")),
  changePace: (code: string, pace: Pace) => ask<TableInfo>("PUT", at(code, "/pace"), { pace }),
  rematch: (code: string, rematch: Rematch) => post<MadeTable>(at(code, "/rematch"), rematch),
  commit: (code: string, commit: Commit) => ask<TableInfo>("PUT", at(code, "/commitment"), commit),
  reveal: (code: string, reveal: Reveal) => ask<TableInfo>("PUT", at(code, "/word"), reveal),

  log: (code: string, before: number) => get<LogPage>(at(code, "/log"), { before: String(before) }),
  chat: (code: string, before: number) => get<ChatPage>(at(code, "/chat"), { before: String(before) }),

  result: (code: string) => get<Result>(at(code, "/result")),
  record: (code: string) => get<GameRecord>(at(code, "/record")),
  /** Where the game's record can be downloaded. */
  recordUrl: (code: string) => `/api${at(code, "/record")}`,
  moment: (code: string, moves: number) => get<Moment>(at(code, `/moments/${moves}`)),
  review: (code: string) => get<Review>(at(code, "/review")),
};
