import { words } from "../generated/words/lobby";
import { area } from "../lib/words.svelte";

/** The waiting room of a table. */
export const lobbyWords = area(words);
