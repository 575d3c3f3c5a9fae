import { words } from "../generated/words/after";
import { area } from "../lib/words.svelte";

/** What the page says when a game is over: result, charts, review, replay. */
export const afterWords = area(words);
