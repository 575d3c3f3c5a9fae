/** What travels between the service and this page, by short names. The types are made from the service's own. */
import type { components } from "../generated/wire";

type Schemas = components["schemas"];
/** What a page sends: fields with a usual value may be left out. */
type Sent<Message, Needed extends keyof Message> = Pick<Message, Needed> & Partial<Omit<Message, Needed>>;

export type Language = Schemas["Speak"]["language"];
export { LANGUAGES } from "../generated/words/languages";

export type SetInfo = Schemas["SetInfo"];
export type HouseRule = Schemas["HouseRule"];
export type EditionInfo = Schemas["EditionInfo"];
export type CardInfo = Schemas["CardInfo"];
export type BotInfo = Schemas["BotInfo"];

export type SeatInfo = Schemas["SeatInfo"];
export type Fairness = Schemas["Fairness"];
export type TableInfo = Schemas["TableInfo"];
export type MadeTable = Schemas["MadeTable"];
export type TableList = Schemas["TableList"];
export type Timer = TableInfo["timer"];
export type Pace = TableInfo["pace"];
export type Me = Schemas["Me"];
export type You = Schemas["You"];

export type NewSeat = Sent<Schemas["NewSeat"], "kind">;
export type NewTable = Sent<Omit<Schemas["NewTable"], "seats"> & { seats: NewSeat[] }, "seats">;
export type Join = Sent<Schemas["Join"], "name">;
export type ChangeSeat = Sent<Schemas["ChangeSeat"], "do">;
export type Commit = Schemas["Commit"];
export type Reveal = Schemas["Reveal"];
export type Rematch = Schemas["Rematch"];
export type Refusal = Schemas["Refusal"];

export type Scene = Schemas["Scene"];
export type SceneChange = Schemas["SceneChange"];
export type City = Schemas["City"];
export type CityChange = Schemas["CityChange"];
export type CityCard = Schemas["CityCard"];
export type Offer = Schemas["Offer"];
export type Asked = Schemas["Asked"];
export type Choice = Schemas["Choice"];
export type Odds = Schemas["Odds"];
export type Line = Schemas["Line"];
export type LogPage = Schemas["LogPage"];
export type Remark = Schemas["Remark"];
export type ChatPage = Schemas["ChatPage"];
export type Worth = Schemas["Worth"];
export type Hint = Schemas["Hint"];
export type HintOption = Schemas["HintOption"];

export type Act = Sent<Schemas["Act"], "type" | "key" | "seat" | "actions">;
export type Peek = Schemas["Peek"];
export type Undo = Schemas["Undo"];
export type Say = Sent<Schemas["Say"], "type" | "key">;
export type AskHint = Schemas["AskHint"];
export type AskWorth = Schemas["AskWorth"];
export type FromPage = Act | Peek | Undo | Say | AskHint | AskWorth | Schemas["Speak" | "Look" | "Ping"];

export type Entry = Schemas["Entry"];
/** What happened in the game, as data: one of the engine's events, told apart by `event`. */
export type GameEvent = Entry["events"][number];
export type EventOf<Kind extends GameEvent["event"]> = Extract<GameEvent, { event: Kind }>;
export type Meanwhile = Schemas["Meanwhile"];
export type Welcome = Schemas["Welcome"];
export type HintGiven = Schemas["HintGiven"];
export type ReviewTold = Schemas["ReviewTold"];
/** What a page is told. */
export type ToPage =
  | Welcome
  | Entry
  | HintGiven
  | ReviewTold
  | Schemas["Done" | "Refused" | "Peeked" | "OddsShown" | "WorthTold" | "Presence" | "Thinking" | "Pong"];

export type Moment = Schemas["Moment"];
export type PlayerResult = Schemas["PlayerResult"];
export type DiceCount = Schemas["DiceCount"];
export type Result = Schemas["Result"];
export type Review = Schemas["Review"];
export type ReviewMoment = Schemas["ReviewMoment"];
