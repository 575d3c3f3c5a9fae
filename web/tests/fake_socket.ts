/** A WebSocket that a test holds the other end of. */
import type { Entry, FromPage, Scene, TableInfo, ToPage, Welcome } from "../src/lib/wire";

export class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  static get latest(): FakeSocket {
    return FakeSocket.all.at(-1)!;
  }

  readyState = 0;
  sent: FromPage[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as FromPage);
  }

  close(): void {
    this.readyState = 3;
  }

  // the service's end

  accept(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
  }

  tell(message: ToPage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  drop(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }

  /** What the page sent that is no ping. */
  get requests(): FromPage[] {
    return this.sent.filter((message) => message.type !== "ping");
  }

  get query(): URLSearchParams {
    return new URL(this.url).searchParams;
  }
}

export function aTable(changes: Partial<TableInfo> = {}): TableInfo {
  return {
    code: "ABCDEFGH",
    stage: "playing",
    edition: "deluxe",
    edition_name: "Deluxe Edition",
    sets: ["base"],
    set_names: ["Base"],
    house: {},
    seats: [0, 1].map((seat) => ({
      seat,
      kind: seat === 0 ? "person" : "bot",
      name: seat === 0 ? "Ana" : "Bot",
      bot: seat === 0 ? null : "normal",
      here: false,
      host: seat === 0,
      present: true,
      stand_in: null,
      has_word: false,
    })),
    timer: "off",
    pace: "normal",
    public: false,
    created: 1_700_000_000,
    started: 1_700_000_001,
    ended: null,
    winner: null,
    round: 1,
    fairness: {
      commitment: "ab".repeat(32),
      secret: null,
      words: null,
      version: 2,
      commitments: [],
      frozen: false,
    },
    rematch: null,
    opens_again: false,
    ...changes,
  };
}

export function aScene(moves: number): Scene {
  return {
    moves,
    round: 1,
    turn: 0,
    to_move: 0,
    phase: "roll",
    winner: null,
    cities: [],
    market: [],
    shared_landmarks: false,
    deck: 0,
    dice: null,
  };
}

export function aWelcome(number: number, changes: Partial<Welcome> = {}): Welcome {
  return {
    type: "welcome",
    number,
    you: { seats: [0], host: true },
    table: aTable(),
    cards: [],
    scene: aScene(number),
    asked: null,
    log: { lines: [], before: null },
    chat: { said: [], before: null },
    undoable: null,
    deadline: null,
    now: 1_700_000_000,
    ...changes,
  };
}

export function anEntry(number: number, changes: Partial<Entry> = {}): Entry {
  return {
    type: "entry",
    number,
    kind: "moved",
    at: 1_700_000_000,
    seat: 0,
    by_bot: false,
    moves: [],
    events: [],
    lines: [],
    said: null,
    phrase: null,
    name: null,
    scene: aScene(number),
    change: null,
    asked: null,
    table: null,
    undoable: null,
    deadline: null,
    meanwhile: null,
    ...changes,
  };
}
