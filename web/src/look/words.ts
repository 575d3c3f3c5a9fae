import { words } from "../generated/words/look";
import { area } from "../lib/words.svelte";

/** How things look, for those who do not see it. */
export const lookWords = area(words);
