/**
 * What the table shows. All of it is of the same moment: whose turn it is, what is asked, what lies where, what the
 * log has told. While something moves that moment lies a little behind the service's.
 */
import type { LiveTable } from "../lib/live.svelte";
import type { Asked, Odds, Scene, TableInfo } from "../lib/wire";

export interface Shown {
  readonly table: TableInfo | null;
  readonly scene: Scene | null;
  readonly asked: Asked | null;
  /** What the totals would bring, as of a moment that may lie further back: it takes a while to work out. */
  readonly odds: Odds[];
  readonly oddsMoves: number;
  readonly thinking: { seat: number; warming: boolean } | null;
  /** The place in the log where what has been told ends. */
  readonly told: number;
}

/** The moment that the service has told last. */
export const latest = ({ table, scene, asked, odds, oddsMoves, thinking, log }: LiveTable): Shown => ({
  table,
  scene,
  asked,
  odds,
  oddsMoves,
  thinking,
  told: log.end,
});
