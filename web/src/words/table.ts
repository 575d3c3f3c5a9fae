import { words } from "../generated/words/table";
import { area } from "../lib/words.svelte";

/** The table: market, cities, dice, odds, what is asked. */
export const tableWords = area(words);
