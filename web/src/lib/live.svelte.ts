/**
 * A table, live. What the service tells is kept here as it comes, in the order of the table's journal; what the
 * player does is sent with a key, and sent again with the same key after a broken connection, so that it happens
 * once and only once.
 */
import { RefusalError, api } from "./api";
import { Connection } from "./connection";
import { Past } from "./past.svelte";
import { changed } from "./scene_change";
import { settings } from "./settings.svelte";
import type {
  Act,
  AskHint,
  AskWorth,
  Asked,
  CardInfo,
  ChatPage,
  Entry,
  Hint,
  HintGiven,
  Language,
  Line,
  Meanwhile,
  Odds,
  Peek,
  Remark,
  ReviewTold,
  Say,
  Scene,
  TableInfo,
  ToPage,
  Undo,
  Welcome,
  Worth,
  You,
} from "./wire";

/** lost: retrying. gone: there is no such table. */
export type LiveStatus = "connecting" | "live" | "lost" | "gone" | "unreadable";
export type Said = Remark;
export type EntryListener = (entry: Entry, before: Scene | null) => void;

type Request = Act | Peek | Undo | Say | AskHint | AskWorth;
/** A request that has not been answered yet. */
type Pending = {
  request: Request;
  resolve: (answer: never) => void;
  reject: (refusal: RefusalError) => void;
};

/** The service closes a connection to a table that does not exist with this. */
const NO_TABLE = 4404;
/** And one to a table that it cannot make sense of any more with this. */
const UNREADABLE = 4500;
/** How long a gap between entries may last before they are asked for again. */
const GAP_MS = 1000;
/** Who sits where may have changed with these, and with it who we are. */
const SEATS_CHANGED = new Set(["joined", "left", "changed"]);

export class LiveTable {
  status: LiveStatus = $state("connecting");
  table: TableInfo | null = $state.raw(null);
  you: You | null = $state.raw(null);
  cards: Record<string, CardInfo> = $state.raw({});
  scene: Scene | null = $state.raw(null);
  asked: Asked | null = $state.raw(null);
  /** What the totals would bring; of the moment `oddsMoves`, which may lie behind the scene's. */
  odds: Odds[] = $state.raw([]);
  oddsMoves: number = $state(-1);
  /** The seat that can take its last choice back now. */
  undoable: number | null = $state(null);
  /** When who is asked is out of time: seconds since 1970 by the service's clock. See `timeLeft`. */
  deadline: number | null = $state(null);
  /** The service's clock minus ours, in milliseconds. */
  skew: number = $state(0);
  presence: boolean[] = $state.raw([]);
  spectators: number = $state(0);
  /** For whom a bot will play, and when, in milliseconds by our clock. */
  standIns: { seat: number; at: number; told: number }[] = $state.raw([]);
  /** What bots did for us while we were away, until somebody has read it. */
  meanwhile: (Meanwhile & { seat: number; language: Language })[] = $state.raw([]);
  thinking: { seat: number; warming: boolean } | null = $state.raw(null);
  /** How far the review of the game is, once somebody has asked for it. */
  reviewing: ReviewTold | null = $state.raw(null);
  /** The last thing refused, in words. The page shows it as a toast; who asked gets it as a RefusalError, too. */
  refusal: string | null = $state(null);
  /** How many requests wait for an answer. */
  waiting: number = $state(0);

  /** The log and the chat: what the welcome and all entries since have told, and older pages on request. */
  readonly log: Past<Line>;
  readonly chat: Past<Said>;

  /** The number of the last entry that is part of all this; -1 before the first welcome. */
  #number = -1;
  /** Entries that came before their predecessors. */
  #early = new Map<number, Entry>();
  #gap: ReturnType<typeof setTimeout> | undefined;
  #pending = new Map<string, Pending>();
  /** Requests that are done, whose entry has not come yet. */
  #stored: { number: number; pending: Pending }[] = [];
  #listeners = new Set<EntryListener>();
  #welcomed = new Set<() => void>();
  /** Who waits for a better answer than the first, and at which moment they asked. */
  #better: { request: AskHint; moves: number | undefined; hear: (hint: Hint | null) => void } | null = null;
  /** Whether the odds are seen; the service takes it so until it is told. */
  #looks = true;
  #connection: Connection;
  #stopSpeaking: () => void;

  constructor(readonly code: string) {
    this.log = new Past(async (before) => {
      const page = await api.log(code, before);
      return { items: page.lines, before: page.before };
    });
    this.chat = new Past(async (before) => {
      const page = await api.chat(code, before);
      return { items: page.said, before: page.before };
    });
    this.#connection = new Connection({
      address: () => this.#address(),
      hear: (message) => this.#hear(message),
      lost: (closeCode) => this.#lose(closeCode),
    });
    let spoken = settings.language;
    this.#stopSpeaking = $effect.root(() => {
      $effect(() => {
        if (settings.language === spoken) return;
        spoken = settings.language;
        this.refresh();
      });
    });
  }

  get lines(): Line[] {
    return this.log.items;
  }

  get said(): Said[] {
    return this.chat.items;
  }

  /** Leaves. Nothing comes any more, and what has not been answered never will be. */
  close(): void {
    clearTimeout(this.#gap);
    this.#stopSpeaking();
    this.#connection.close();
    this.#pending.clear();
    this.#better = null;
    this.#listeners.clear();
    this.#welcomed.clear();
  }

  /** Tries to connect at once instead of when the next try is due. */
  retry(): void {
    this.#connection.again();
  }

  /** Asks for everything anew: in the language that is set, and who we are by now. */
  refresh(): void {
    this.#connection.send({ type: "language", language: settings.language });
  }

  /** Says whether anybody sees the odds: what nobody looks at need not be worked out. */
  look(odds: boolean): void {
    if (odds === this.#looks) return;
    this.#looks = odds;
    if (this.status === "live") this.#connection.send({ type: "look", odds });
  }

  /** Milliseconds until who is asked is out of time; null without a timer. */
  timeLeft(now = Date.now()): number | null {
    return this.deadline === null ? null : Math.max(0, this.deadline * 1000 - (now + this.skew));
  }

  /** Tells of each entry, in order, as it comes: after all of the above is as the entry left it. */
  onEntry(listener: EntryListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells when everything has been told anew: whatever was under way before is part of it. */
  onWelcome(listener: () => void): () => void {
    this.#welcomed.add(listener);
    return () => this.#welcomed.delete(listener);
  }

  /** Decides. Fulfilled when the table has gone on with it; a RefusalError if it may not be. */
  act(seat: number, actions: string[]): Promise<void> {
    return this.#request({ type: "act", key: newKey(), seat, actions, moves: this.scene?.moves });
  }

  undo(seat: number): Promise<void> {
    return this.#request({ type: "undo", key: newKey(), seat });
  }

  /** What would be asked after some actions; null if nothing more would be. */
  peek(seat: number, actions: string[]): Promise<Asked | null> {
    return this.#request({ type: "peek", key: newKey(), seat, actions });
  }

  /**
   * What is seen at a glance; if there is more to come, `better` is told what thinking about it brings, or null if
   * nothing comes after all.
   */
  hint(seat: number, better: (hint: Hint | null) => void): Promise<HintGiven> {
    const request: AskHint = { type: "hint", key: newKey(), seat };
    this.#better = { request, moves: this.scene?.moves, hear: better };
    return this.#request(request);
  }

  worth(seat: number, thing: string): Promise<Worth> {
    return this.#request({ type: "worth", key: newKey(), seat, thing });
  }

  say(text: string): Promise<void> {
    return this.#request({ type: "say", key: newKey(), text });
  }

  sayPhrase(name: string): Promise<void> {
    return this.#request({ type: "say", key: newKey(), phrase: name });
  }

  // ------------------------------------------------------------------------------ asking

  #request<Answer>(request: Request): Promise<Answer> {
    const answered = new Promise<Answer>((resolve, reject) => {
      this.#pending.set(request.key, { request, resolve, reject });
    });
    answered.catch(() => {}); // the toast says it; who does not care need not catch it
    this.#countWaiting();
    if (this.status === "live") this.#connection.send(request);
    return answered;
  }

  #answer(key: string, answer: unknown): void {
    const pending = this.#take(key);
    pending?.resolve(answer as never);
  }

  #take(key: string | null): Pending | undefined {
    if (key === null) return undefined;
    const pending = this.#pending.get(key);
    this.#pending.delete(key);
    this.#countWaiting();
    return pending;
  }

  #countWaiting(): void {
    this.waiting = this.#pending.size;
  }

  // ------------------------------------------------------------------------------ hearing

  #hear(message: ToPage): void {
    switch (message.type) {
      case "welcome":
        return this.#arrive(message);
      case "entry":
        return this.#receive(message);
      case "done": {
        const pending = this.#take(message.key);
        if (pending) this.#stored.push({ number: message.number, pending });
        return this.#settle();
      }
      case "refused": {
        const pending = this.#take(message.key);
        if (message.code === "no_table") return this.#vanish("gone");
        if (message.code === "unreadable") return this.#vanish("unreadable");
        // Nobody has asked just now: the page did, after a broken connection.
        if (!pending && this.#waitsForBetter(message.key)) return this.#improve(null);
        this.#stopWaitingForBetter(message.key);
        // What a card is worth is asked wherever a pointer rests: where it is not told, nothing is missing.
        if (pending?.request.type !== "worth") this.refusal = message.message;
        return pending?.reject(new RefusalError(message.message, message.code));
      }
      case "peeked":
        return this.#answer(message.key, message.asked);
      case "hint":
        if (!this.#pending.has(message.key)) {
          if (message.last && this.#waitsForBetter(message.key)) this.#improve(message.hint);
          return;
        }
        if (message.last) this.#stopWaitingForBetter(message.key);
        return this.#answer(message.key, message);
      case "worth":
        return this.#answer(message.key, message.worth);
      case "odds":
        this.odds = message.odds;
        this.oddsMoves = message.moves;
        return;
      case "presence":
        this.presence = message.present;
        this.spectators = message.spectators;
        this.#expect(message.stand_ins);
        return;
      case "thinking":
        this.thinking = { seat: message.seat, warming: message.warming };
        return;
      case "review":
        this.reviewing = message;
        return;
      case "pong":
        return;
    }
  }

  /** Everything as it is now: at first, after a broken connection, in another language. */
  #arrive(welcome: Welcome): void {
    const connected = this.status !== "live";
    this.you = welcome.you;
    this.#seat(welcome.table);
    this.cards = Object.fromEntries(welcome.cards.map((card) => [card.id, card]));
    this.scene = welcome.scene;
    this.asked = welcome.asked;
    this.log.begin({ items: welcome.log.lines, before: welcome.log.before });
    this.#hearChat(welcome.chat);
    this.undoable = welcome.undoable;
    this.deadline = welcome.deadline;
    this.skew = welcome.now * 1000 - Date.now();
    this.thinking = null;
    this.#number = welcome.number;
    this.status = "live";
    for (const listener of this.#welcomed) listener();
    for (const number of this.#early.keys()) if (number <= welcome.number) this.#early.delete(number);
    this.#catchUp();
    // Whatever was not acknowledged may or may not have arrived: with the same key, a second time does no harm.
    if (connected) for (const { request } of this.#pending.values()) this.#connection.send(request);
    if (connected) this.#askForBetterAgain();
    if (connected && !this.#looks) this.#connection.send({ type: "look", odds: false });
  }

  #waitsForBetter(key: string | null): boolean {
    return this.#better?.request.key === key;
  }

  #stopWaitingForBetter(key: string | null): void {
    if (this.#waitsForBetter(key)) this.#better = null;
  }

  #improve(hint: Hint | null): void {
    const better = this.#better;
    this.#better = null;
    better?.hear(hint);
  }

  /** What was being thought about went with the connection; it is worth asking again if the game has not gone on. */
  #askForBetterAgain(): void {
    if (!this.#better || this.#pending.has(this.#better.request.key)) return;
    const { request, moves } = this.#better;
    if (this.scene?.moves === moves) this.#connection.send(request);
    else this.#improve(null);
  }

  #receive(entry: Entry): void {
    if (entry.number <= this.#number) return; // seen, or part of the welcome
    this.#early.set(entry.number, entry);
    this.#catchUp();
  }

  /** Takes the entries that are next, and asks again for one that stays away. */
  #catchUp(): void {
    for (let next; (next = this.#early.get(this.#number + 1));) {
      this.#early.delete(next.number);
      this.#apply(next);
    }
    clearTimeout(this.#gap);
    if (this.#early.size > 0) this.#gap = setTimeout(() => this.#connection.again(), GAP_MS);
    this.#settle();
  }

  #apply(told: Entry): void {
    const before = this.scene;
    // Who listens need not know that only what is different was told.
    const entry = told.change && before ? { ...told, scene: changed(before, told.change) } : told;
    this.#number = entry.number;
    if (entry.table) this.#seat(entry.table);
    if (entry.scene) {
      this.scene = entry.scene;
      this.thinking = null;
    }
    if (entry.scene || entry.table) {
      this.asked = entry.asked;
      this.undoable = entry.undoable;
      this.deadline = entry.deadline;
      this.skew = entry.at * 1000 - Date.now(); // the service's clock may have been set meanwhile
    }
    this.log.add(entry.lines);
    if (entry.kind === "said") this.#listen(entry);
    if (entry.meanwhile) this.#return(entry.seat!, entry.meanwhile);
    for (const listener of this.#listeners) listener(entry, before);
    if (SEATS_CHANGED.has(entry.kind)) this.refresh();
  }

  #expect(seconds: (number | null)[]): void {
    const now = Date.now();
    this.standIns = seconds.flatMap((left, seat) => {
      if (left === null) return [];
      const told = this.standIns.find((one) => one.seat === seat)?.told ?? now;
      return [{ seat, at: now + left * 1000, told }];
    });
  }

  #return(seat: number, meanwhile: Meanwhile): void {
    if (!this.you?.seats.includes(seat)) return;
    this.dismissMeanwhile(seat);
    this.meanwhile = [...this.meanwhile, { ...meanwhile, seat, language: settings.language }];
  }

  /** What was done for a seat has been read. */
  dismissMeanwhile(seat: number): void {
    this.meanwhile = this.meanwhile.filter((one) => one.seat !== seat);
  }

  #listen({ number, at, seat, name, said: text, phrase }: Entry): void {
    this.chat.add([{ number, at, seat, name: name ?? "", text, phrase }]);
  }

  /** What was said before is kept, unless more has been said since than the newest page holds. */
  #hearChat({ said, before }: ChatPage): void {
    const reachesBack = before === null || said.some(({ number }) => number <= this.#number);
    const last = this.said.at(-1)?.number ?? -1;
    if (reachesBack && this.#number >= 0) this.chat.add(said.filter(({ number }) => number > last));
    else this.chat.begin({ items: said, before });
  }

  #seat(table: TableInfo): void {
    this.table = table;
    this.presence = table.seats.map((seat) => seat.present);
  }

  /** Fulfils the requests whose entries are here. */
  #settle(): void {
    const here = this.#stored.filter(({ number }) => number <= this.#number);
    this.#stored = this.#stored.filter(({ number }) => number > this.#number);
    for (const { pending } of here) pending.resolve(undefined as never);
  }

  // -------------------------------------------------------------------------- the connection

  #address(): string {
    const query = new URLSearchParams({ lang: settings.language });
    if (this.#number >= 0) query.set("since", String(this.#number));
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    return `${scheme}//${location.host}/api/tables/${encodeURIComponent(this.code)}/live?${query}`;
  }

  #lose(closeCode: number): void {
    this.status = "lost";
    this.thinking = null;
    if (closeCode === NO_TABLE) this.#vanish("gone");
    else if (closeCode === UNREADABLE) this.#vanish("unreadable");
    else if (this.table === null) void this.#askWhetherThere();
  }

  /** A browser does not tell why a connection was refused; the table itself can be asked for. */
  async #askWhetherThere(): Promise<void> {
    try {
      await api.table(this.code);
    } catch (thrown) {
      if (!(thrown instanceof RefusalError)) return;
      if (thrown.code === "unreadable") this.#vanish("unreadable");
      else if (thrown.status >= 400 && thrown.status < 500) this.#vanish("gone");
    }
  }

  /** No use in coming back. */
  #vanish(why: "gone" | "unreadable"): void {
    this.status = why;
    this.#connection.close();
  }
}

/** For one request: a resend has the same one. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
