// What the guide has to say about what is asked and what has happened: each thing once.
//
// It knows no rules: it reads which control is shown, which coins moved, and what the cards say of themselves.
import type { Asked, CardInfo, Scene } from "../lib/wire";

/** What the guide looks at. */
export interface Situation {
  mine: readonly number[]; // the seats of whoever reads
  names: readonly string[];
  cards: Readonly<Record<string, CardInfo>>;
  scene: Scene;
  asked: Asked | null;
  undoable: number | null;
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
}

/** An event as the service sends it; fields by kind of event. */
export type Happened = Record<string, unknown>;

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

function tip(name: TipName, values: Tip["values"] = {}, card: CardInfo | null = null): Tip {
  return { name, values, card };
}

/** The controls that a card shows, and what is said when it does so first. */
const QUESTIONS: Record<string, TipName> = {
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

/** What may be said about what is asked now, the most urgent first. */
export function tipsOnAsked(now: Situation): Tip[] {
  const { asked, mine, scene } = now;
  const tips: Tip[] = [];
  if (now.undoable !== null && mine.includes(now.undoable)) tips.push(tip("undo"));
  if (!asked || mine.length === 0) return tips;
  if (!mine.includes(asked.seat)) {
    if (asked.control === "roll") tips.push(tip("others", { name: now.names[asked.seat] ?? "" }));
    return tips;
  }
  const asking = asked.because ? (now.cards[asked.because] ?? null) : null;
  const needed = scene.cities[asked.seat]?.landmarks_needed ?? 0;
  tips.push(needed ? tip("goal", { n: needed }) : tip("goal_any"));
  if (asked.start_round) tips.push(tip("start_round"));
  if (asked.control === "roll") {
    tips.push(tip("roll"));
    if (asked.choices.length > 1) tips.push(tip("two_dice"));
  }
  if (asked.control === "build") {
    const landmark = asked.choices
      .map((choice) => (choice.thing ? now.cards[choice.thing] : undefined))
      .find((card) => card?.kind === "landmark");
    if (landmark) tips.push(tip("landmark", { card: landmark.name }, landmark));
    tips.push(tip("build"));
  }
  const question = QUESTIONS[asked.control];
  if (question) tips.push(tip(question, {}, asking));
  return tips;
}

/** What may be said about what has just happened. */
export function tipsOnEvents(events: readonly Happened[], now: Situation): Tip[] {
  const tips: Tip[] = [];
  const me = (seat: unknown) => now.mine.includes(seat as number);
  const name = (seat: unknown) => now.names[seat as number] ?? "";
  if (now.mine.length === 0) return tips;

  const rolled = events.findLast((event) => event.event === "dice_rolled");
  const roller = rolled?.seat;
  const raised = events.findLast((event) => event.event === "total_raised");
  const total = (raised?.total as number | undefined) ?? sum(rolled?.dice);
  for (const event of events) {
    if (event.event === "paid") {
      const card = now.cards[event.cause as string];
      const values = { card: card?.name ?? "", n: event.coins as number, total };
      if (!card || card.kind !== "establishment" || !event.coins) continue;
      if (card.colour === "red" && me(event.payer) && !me(event.receiver)) {
        tips.push(tip("red_lost", { ...values, name: name(event.receiver) }, card));
      } else if (card.colour === "red" && me(event.receiver) && !me(event.payer)) {
        tips.push(tip("red_got", { ...values, name: name(event.payer) }, card));
      } else if (me(event.receiver) && card.colour === "purple") {
        tips.push(tip("purple", values, card));
      } else if (me(event.receiver) && event.payer == null && rolled) {
        tips.push(
          me(roller) ? tip("income", values, card) : tip("blue", { ...values, name: name(roller) }, card),
        );
      }
    } else if (event.event === "built" && me(event.seat)) {
      const card = now.cards[event.thing as string];
      if (card?.kind === "landmark") tips.push(tip("landmark_built", {}, card));
    } else if (event.event === "won") {
      tips.push(me(event.seat) ? tip("won_you") : tip("won_other", { name: name(event.seat) }));
    }
  }
  const paidMe = events.some((event) => event.event === "paid" && me(event.receiver) && event.coins);
  if (rolled && me(roller) && !paidMe && now.asked?.control === "build") tips.push(tip("nothing", { total }));
  tips.push(...tipsOnGoal(now));
  return tips;
}

/** Whether somebody is about to win. */
function tipsOnGoal(now: Situation): Tip[] {
  if (now.scene.winner !== null) return [];
  return now.scene.cities.flatMap((city, seat) => {
    const built = city.landmarks.filter((landmark) => landmark.built).length;
    if (city.landmarks_needed < 2 || built !== city.landmarks_needed - 1) return [];
    return [now.mine.includes(seat) ? tip("near_you") : tip("near_other", { name: now.names[seat] ?? "" })];
  });
}

function sum(dice: unknown): number {
  return Array.isArray(dice) ? dice.reduce((total: number, die: number) => total + die, 0) : 0;
}
