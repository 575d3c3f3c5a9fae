/** The strip of totals: which are shown for one die and for two, and what follows from what is asked. */
import type { Asked, Odds, Scene } from "../lib/wire";

export type Dice = 1 | 2;

export interface Bar extends Odds {
  chance: number;
}

/** How many dice an action rolls; null where it does something else. */
export function diceOf(action = ""): Dice | null {
  const found = /^(?:re)?roll ([12])$/.exec(action)?.[1];
  return found ? (Number(found) as Dice) : null;
}

/** How many dice the question offers to roll; none where it is about something else. */
export function diceOffered(asked: Asked | null): Dice[] {
  return asked?.choices.flatMap(({ action }) => diceOf(action) ?? []) ?? [];
}

/** How many dice the strip shows: what was wished if it can be rolled, else what can be, else what lies there. */
export function diceShown(asked: Asked | null, scene: Scene | null, wished: Dice | null): Dice {
  const offered = diceOffered(asked);
  if (wished && (offered.length === 0 || offered.includes(wished))) return wished;
  if (offered.length > 0) return Math.max(...offered) as Dice;
  return scene?.dice?.faces.length === 2 ? 2 : 1;
}

/** The totals that so many dice can show. */
export function bars(odds: Odds[], dice: Dice): Bar[] {
  return odds
    .map((total) => ({ ...total, chance: dice === 1 ? total.one_die : total.two_dice }))
    .filter((total) => total.chance > 0);
}

/** What a player may expect of the roll. */
export function expected(shown: Bar[], seat: number): number {
  return shown.reduce((sum, bar) => sum + bar.chance * (bar.gains[seat] ?? 0), 0);
}

/** "+3", "−2", "0": with a real minus sign. */
export function signed(amount: number): string {
  return amount > 0 ? `+${amount}` : amount < 0 ? `−${-amount}` : "0";
}
