import { words } from "../generated/words/guide";
import { area } from "../lib/words.svelte";

/** What the guide says during a first game. Its texts have the names of its tips (guide/tips.ts). */
export const guideWords = area(words);
