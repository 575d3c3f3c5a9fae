// What the guide has to say about what is asked and what has happened: each thing once, of the moment that is shown,
// pointing at what it speaks of. It explains; what is good or bad to do it leaves to who plays.
//
// It knows no rules: it reads which control is shown, which coins moved, and what the cards say of themselves.
import type { Asked, CardInfo, GameEvent, Scene } from "../lib/wire";
import { spot } from "../table/spots";

/** What the guide looks at: a moment, as it is shown. */
export interface Situation {
  mine: readonly number[]; // the seats of whoever reads
  names: readonly string[];
  cards: Readonly<Record<string, CardInfo>>;
  scene: Scene;
  asked: Asked | null; // the step of a decision that is asked for now
  undoable: number | null;
  rolling: boolean; // dice are in the air
}

export type TipName =
  | "goal"
  | "goal_any"
  | "start_round"
  | "roll"
  | "two_dice"
  | "income"
  | "nothing"
  | "build"
  | "undo"
  | "others"
  | "blue"
  | "red_lost"
  | "red_got"
  | "purple"
  | "landmark"
  | "landmark_built"
  | "near_you"
  | "near_other"
  | "won_you"
  | "won_other"
  | "reroll"
  | "add_two"
  | "order"
  | "player"
  | "give"
  | "take"
  | "card"
  | "landmark_down"
  | "invest";

export interface Tip {
  name: TipName;
  values: Record<string, string | number>;
  card: CardInfo | null; // its text is shown beneath
  at: readonly string[]; // the spots it speaks of: the first in sight is pointed at; else the question
  scene: Scene; // the moment it speaks of
}

/** Tips that only differ in who it is about count as one. */
const SAME: Partial<Record<TipName, string>> = {
  goal_any: "goal",
  red_got: "red_lost",
  won_other: "won_you",
};

/** The name under which a tip is remembered. */
export function lesson(name: TipName): string {
  return SAME[name] ?? name;
}

/** These stay while the others play, and after the end: they speak of no single moment of it. */
const LASTING: readonly TipName[] = ["others", "won_you", "won_other"];

/** Whether what a tip speaks of is still to be seen: the same question, or the same roll of the same turn. */
export function holds({ name, scene }: Tip, now: Situation): boolean {
  const isAsked = now.asked !== null && now.mine.includes(now.asked.seat);
  if (LASTING.includes(name)) return !isAsked && (name === "others") === (now.scene.winner === null);
  if (now.rolling) return false;
  if (ON_ASKED.has(name)) {
    return scene.moves === now.scene.moves && tipsOnAsked(now).some((tip) => tip.name === name);
  }
  // What moves next has begun to change the table before its moment has come.
  const sameRoll =
    now.scene.turn === scene.turn &&
    now.scene.to_move === scene.to_move &&
    String(now.scene.dice?.faces) === String(scene.dice?.faces);
  if (!sameRoll || scene.moves === now.scene.moves) return sameRoll;
  // In somebody else's turn there is a little more time, as long as nobody is asked here.
  return now.scene.moves > scene.moves && !isAsked && !now.mine.includes(scene.to_move ?? -1);
}

/** The controls that a card shows, and what is said when it does so first. */
const QUESTIONS: Readonly<Record<string, TipName>> = {
  reroll: "reroll",
  add_two: "add_two",
  order: "order",
  player: "player",
  give: "give",
  take: "take",
  card: "card",
  landmark: "landmark_down",
  invest: "invest",
};
const ABOUT_DICE: readonly string[] = ["reroll", "add_two"];
/** What is said about questions, not about what has happened. */
const ON_ASKED: ReadonlySet<TipName> = new Set<TipName>([
  "goal",
  "goal_any",
  "start_round",
  "roll",
  "two_dice",
  "build",
  "landmark",
  "undo",
  ...Object.values(QUESTIONS),
]);

/** What may be said about what is asked now, the most urgent first. */
export function tipsOnAsked(now: Situation): Tip[] {
  const { asked, mine, scene } = now;
  const tips: Tip[] = [];
  const say = (name: TipName, at: string[], values: Tip["values"] = {}, card: CardInfo | null = null) =>
    tips.push({ name, values, card, at: [...at, spot.question], scene });
  if (now.undoable !== null && mine.includes(now.undoable)) say("undo", [spot.undo]);
  if (!asked || mine.length === 0) return tips;
  if (!mine.includes(asked.seat)) {
    if (asked.control === "roll") say("others", [spot.dice]);
    return tips;
  }
  const needed = scene.cities[asked.seat]?.landmarks_needed ?? 0;
  const landmarks = scene.shared_landmarks
    ? [spot.offers]
    : [spot.landmarks(asked.seat), spot.player(asked.seat)];
  if (needed) say("goal", landmarks, { n: needed });
  else say("goal_any", landmarks);
  if (asked.start_round) say("start_round", [spot.offers]);
  if (asked.control === "roll") {
    say("roll", [spot.question]);
    if (asked.choices.length > 1) say("two_dice", [spot.question]);
  }
  if (asked.control === "build") {
    if (asked.choices.some(({ thing }) => thing && now.cards[thing]?.kind === "landmark")) {
      say("landmark", landmarks);
    }
    say("build", [spot.offers]);
  }
  const question = QUESTIONS[asked.control];
  const asking = asked.because ? (now.cards[asked.because] ?? null) : null;
  if (question) say(question, ABOUT_DICE.includes(asked.control) ? [spot.dice] : [], {}, asking);
  return tips;
}

/** What may be said about what has just happened; `now` is the moment that it has led to. */
export function tipsOnEvents(events: readonly GameEvent[], now: Situation): Tip[] {
  const { scene, mine } = now;
  const tips: Tip[] = [];
  if (mine.length === 0) return tips;
  const say = (name: TipName, at: string[], values: Tip["values"] = {}, card: CardInfo | null = null) =>
    tips.push({ name, values, card, at: [...at, spot.question], scene });
  const me = (seat: number | null) => seat !== null && mine.includes(seat);
  const nameOf = (seat: number | null) => (seat === null ? "" : (now.names[seat] ?? ""));
  /** A card in a city; where that is not in sight, the purse that its coins went to or came from. */
  const cardAt = (seat: number, thing: string) => [
    spot.card(seat, thing),
    spot.coins(seat),
    spot.player(seat),
  ];

  const has = (kind: GameEvent["event"]) => events.some((event) => event.event === kind);
  const { seat: roller, total } = scene.dice ?? { seat: null, total: 0 };
  for (const event of events) {
    if (event.event === "paid") {
      const { payer, receiver, coins, cause } = event;
      const card = now.cards[cause];
      const values = { card: card?.name ?? "", n: coins, total };
      if (!card || card.kind !== "establishment" || !coins || receiver === null) continue;
      const at = cardAt(receiver, cause);
      if (card.colour === "red" && me(payer) && !me(receiver)) {
        say("red_lost", at, { ...values, name: nameOf(receiver) });
      } else if (card.colour === "red" && me(receiver) && !me(payer)) {
        say("red_got", at, { ...values, name: nameOf(payer) });
      } else if (me(receiver) && card.colour === "purple") {
        say("purple", at, values, card);
      } else if (me(receiver) && payer === null && roller !== null && !has("built")) {
        if (me(roller)) say("income", at, values);
        else say("blue", at, { ...values, name: nameOf(roller) });
      }
    } else if (event.event === "built" && me(event.seat)) {
      const card = now.cards[event.thing];
      if (card?.kind === "landmark") {
        say("landmark_built", cardAt(event.seat, card.id), { card: card.name }, card);
      }
    } else if (event.event === "won") {
      const at = [spot.player(event.seat)];
      if (me(event.seat)) say("won_you", at);
      else say("won_other", at, { name: nameOf(event.seat) });
    }
  }
  const paidMe = events.some((event) => event.event === "paid" && me(event.receiver) && event.coins);
  if (has("dice_rolled") && me(roller) && !paidMe && scene.phase === "build")
    say("nothing", [spot.dice], { total });
  tips.push(...tipsOnGoal(now));
  return tips;
}

/** Whether somebody is about to win. */
function tipsOnGoal({ scene, mine, names }: Situation): Tip[] {
  if (scene.winner !== null) return [];
  return scene.cities.flatMap((city, seat) => {
    const built = city.landmarks.filter((landmark) => landmark.built).length;
    if (city.landmarks_needed < 2 || built !== city.landmarks_needed - 1) return [];
    const name: TipName = mine.includes(seat) ? "near_you" : "near_other";
    const at = [spot.landmarks(seat), spot.player(seat), spot.question];
    return [{ name, values: { name: names[seat] ?? "" }, card: null, at, scene }];
  });
}
