import { words } from "../generated/words/shell";
import { area } from "../lib/words.svelte";

/** Top bar, settings, connection, and what every page shares. */
export const shellWords = area(words);
