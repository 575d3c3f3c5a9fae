/** A card in one sentence, for those who listen instead of look. */
import type { CardInfo } from "../lib/wire";
import { lookWords } from "./words";

export type CardState = {
  /** How many there are: in a city, or left in the market. */
  copies?: number;
  /** What it costs now; as printed if not given. */
  price?: number;
  /** Coins that are missing for it; 0: can be paid. */
  missing?: number;
  soldOut?: boolean;
  /** How many of the copies are closed. */
  closed?: number;
  /** Coins that lie on it. */
  coins?: number;
  chosen?: boolean;
};

/** "Café, red, on 3, costs 2 coins, 1 coin is missing" */
export function cardLabel(card: CardInfo, state: CardState = {}): string {
  const parts = [card.name, lookWords.t(card.colour)];
  if (card.number) parts.push(lookWords.t("on_number", { number: card.number }));
  if ((state.copies ?? 1) > 1) parts.push(lookWords.t("copies", { n: state.copies ?? 1 }));
  if (state.price !== undefined) {
    parts.push(lookWords.t("costs", { price: lookWords.t("coins", { n: state.price }) }));
  }
  if (state.missing) parts.push(lookWords.t("missing_coins", { n: state.missing }));
  if (state.soldOut) parts.push(lookWords.t("sold_out"));
  if (state.closed) parts.push(closedText(state.closed, state.copies ?? 1));
  if (state.coins) parts.push(lookWords.t("invested", { n: state.coins }));
  if (state.chosen) parts.push(lookWords.t("chosen"));
  return parts.join(", ");
}

/** "closed" where all are, "2 closed" where some are. */
export const closedText = (closed: number, copies: number): string =>
  closed >= copies ? lookWords.t("closed") : lookWords.t("some_closed", { n: closed });
