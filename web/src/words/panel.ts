import { words } from "../generated/words/panel";
import { area } from "../lib/words.svelte";

/** What log, chat, help, hint and the dialog about fair dice say. */
export const panelWords = area(words);
