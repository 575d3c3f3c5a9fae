/** What a card does in a sign or two, where there is no room for its sentence. */
import type { CardInfo } from "../lib/wire";
import type { IconName } from "./icons";

/** What stands beside the coins, or instead of them. Whose roll it takes, the band tells. */
export const GIST_ICONS: Readonly<Record<string, IconName | null>> = {
  income: null,
  fee: null,
  collect_each: "people",
  collect_one: "person",
  swap: "swap",
  tax: "take",
  share: "people",
  demolish: "landmark",
  move: "give",
  loan: "clock",
  renovate: "lock",
  startup: "coin",
  convention: "redo",
  tuna: "dice",
};

/** Whether it is one sign at most besides the coins: more have no room in a slim row. */
export const isShort = ({ kind, symbols, cards }: NonNullable<CardInfo["gist"]>): boolean =>
  symbols.length + cards.length + (GIST_ICONS[kind] ? 1 : 0) <= 1;
