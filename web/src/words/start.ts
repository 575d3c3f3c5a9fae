import { words } from "../generated/words/start";
import { area } from "../lib/words.svelte";

/** The start page, and the page on which a table is made. */
export const startWords = area(words);
