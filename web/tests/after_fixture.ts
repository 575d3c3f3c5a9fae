/** A small table of two, at one moment, and what a service says about it afterwards. */
import type { LiveTable } from "../src/lib/live.svelte";
import { Past } from "../src/lib/past.svelte";
import type {
  Asked,
  CardInfo,
  Choice,
  City,
  Line,
  Moment,
  Result,
  Review,
  ReviewMoment,
  Scene,
  TableInfo,
} from "../src/lib/wire";

export const NAMES = ["Ana", "Ben"];

const card = (
  id: string,
  colour: CardInfo["colour"],
  number: string,
  more: Partial<CardInfo> = {},
): CardInfo => ({
  id,
  name: id[0]!.toUpperCase() + id.slice(1),
  text: `What the ${id} does.`,
  kind: colour === "gold" ? "landmark" : "establishment",
  colour,
  rolls: number ? [Number(number)] : [],
  number,
  symbol: "wheat",
  cost: 1,
  set: "base",
  gist: null,
  ...more,
});

export const CARDS: Record<string, CardInfo> = Object.fromEntries(
  [
    card("ranch", "blue", "2"),
    card("bakery", "green", "3"),
    card("cafe", "red", "3"),
    card("stadium", "purple", "6"),
    card("harbor", "gold", ""),
  ].map((one) => [one.id, one]),
);

export const city = (more: Partial<City> = {}): City => ({
  coins: 3,
  cards: [{ id: "ranch", copies: 1, closed: 0 }],
  landmarks: [{ id: "harbor", built: false, price: 2 }],
  standing: [],
  landmarks_needed: 4,
  invested: 0,
  invested_on: null,
  ...more,
});

export const scene = (more: Partial<Scene> = {}): Scene => ({
  moves: 10,
  round: 3,
  turn: 5,
  to_move: 0,
  phase: "build",
  winner: null,
  cities: [city(), city({ cards: [{ id: "cafe", copies: 2, closed: 0 }] })],
  market: [{ id: "bakery", copies: 6, prices: [1, 1], missing: [0, 0], row: 0 }],
  shared_landmarks: false,
  deck: 0,
  dice: { seat: 0, faces: [1, 2], total: 3 },
  ...more,
});

export const choice = (action: string, more: Partial<Choice> = {}): Choice => ({
  action,
  text: action,
  note: "",
  thing: null,
  seat: null,
  gains: null,
  more: false,
  ...more,
});

export const asked = (control: string, more: Partial<Asked> = {}): Asked => ({
  seat: 0,
  control,
  question: "What now?",
  because: null,
  start_round: false,
  choices: [choice("roll 1")],
  refusals: {},
  ...more,
});

export const line = (text: string, icon: string, more: Partial<Line> = {}): Line => ({
  text,
  icon,
  seat: null,
  thing: null,
  moves: null,
  ...more,
});

export const moment = (moves: number, lines: Line[] = [line(`Moment ${moves}.`, "built")]): Moment => ({
  scene: scene({ moves }),
  lines,
  events: [],
});

export const table = (more: Partial<TableInfo> = {}): TableInfo => ({
  code: "ABCD2345",
  stage: "playing",
  edition: "deluxe",
  edition_name: "Deluxe",
  sets: ["base"],
  set_names: ["Base"],
  house: {},
  seats: NAMES.map((name, seat) => ({
    seat,
    kind: "person",
    name,
    bot: null,
    here: false,
    host: seat === 0,
    present: true,
    stand_in: null,
    has_word: false,
  })),
  timer: "off",
  pace: "normal",
  public: false,
  created: 0,
  started: 0,
  ended: null,
  winner: null,
  round: 3,
  fairness: {
    commitment: "c0ffee",
    secret: null,
    words: ["banana", ""],
    version: 2,
    commitments: ["ba5e", null],
    frozen: true,
  },
  rematch: null,
  opens_again: false,
  ...more,
});

export const result: Result = {
  winner: 1,
  won_with: null,
  rounds: 12,
  seconds: 900,
  players: [
    {
      seat: 1,
      name: "Ben",
      place: 1,
      coins: 7,
      landmarks: 4,
      income: [{ thing: "cafe", coins: 12, times: 6 }],
      paid_to_others: 3,
      taken_from_others: 12,
    },
    {
      seat: 0,
      name: "Ana",
      place: 2,
      coins: 2,
      landmarks: 1,
      income: [{ thing: "ranch", coins: 5, times: 5 }],
      paid_to_others: 12,
      taken_from_others: 3,
    },
  ],
  turns: [2, 5, 9, 12],
  coins: [
    [3, 4, 5, 2],
    [3, 3, 6, 7],
  ],
  landmarks: [
    [0, 0, 1, 1],
    [0, 1, 2, 4],
  ],
  wealth: [
    [5, 6, 7, 9],
    [5, 8, 20, 31],
  ],
  dice: [
    { total: 1, fell: 2, expected: 1.5 },
    { total: 2, fell: 1, expected: 1.5 },
  ],
  fairness: {
    commitment: "c0ffee",
    secret: "5ec2e7",
    words: ["banana", ""],
    version: 2,
    commitments: ["ba5e", null],
    frozen: true,
  },
};

const reviewed = (
  moves: number,
  kind: ReviewMoment["kind"],
  after: number,
  more: Partial<ReviewMoment> = {},
) => ({
  moves,
  round: Math.ceil(moves / 4),
  seat: 0,
  kind,
  text: `Something at ${moves}.`,
  better: null,
  loss: 0,
  before: [0.5, 0.5],
  after: [after, 1 - after],
  ...more,
});

export const review: Review = {
  ready: true,
  exact: true,
  ahead: 0,
  done: 3,
  total: 3,
  players: NAMES.map((name, seat) => ({
    name,
    luck: 0.2,
    choice: -0.1,
    others: 0.04,
    adjusted: 0.44,
    decisions: 24,
    mistakes: seat,
    average_loss: 0.0043,
    grade: seat ? "solid" : "strong",
  })),
  moments: [
    reviewed(3, "luck", 0.6),
    reviewed(5, "choice", 0.4, { better: "Build the Forest", loss: 0.1 }),
    reviewed(12, "luck", 0.0),
  ],
  turning_points: [2, 1],
  ahead_without_luck: 1,
};

/** A live table that says only what it is told to. */
export function fakeLive(more: Partial<LiveTable> = {}): LiveTable {
  const { lines = [], said = [], log = pastOf(lines), chat = pastOf(said), ...rest } = more;
  return {
    code: "ABCD2345",
    table: table(),
    you: { seats: [0], host: true },
    cards: CARDS,
    scene: scene(),
    asked: null,
    spectators: 0,
    undoable: null,
    onEntry: () => () => {},
    onWelcome: () => () => {},
    say: () => Promise.resolve(),
    sayPhrase: () => Promise.resolve(),
    ...rest,
    log,
    chat,
    get lines() {
      return log.items;
    },
    get said() {
      return chat.items;
    },
  } as LiveTable;
}

/** Something that begins with what is given. */
function pastOf<Item>(items: Item[]): Past<Item> {
  const past = new Past<Item>(() => Promise.reject(new Error("there is nothing before")));
  past.begin({ items, before: null });
  return past;
}
