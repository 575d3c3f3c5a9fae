/** Play now: one click, with what was chosen the last time. */
import { makeTable } from "../lib/dice";
import { guest } from "../lib/guest.svelte";
import { remember, remembered, settings } from "../lib/settings.svelte";
import type { EditionInfo, SetInfo } from "../lib/wire";
import { goTo } from "./made";

export type Usual = { edition: string; bot: string; /** with all expansions */ whole: boolean };

const KEPT_AS = "dicetown.play-now";
/** At first the base game alone: who has never played sees fewer cards. */
const AT_FIRST: Usual = { edition: "deluxe", bot: "normal", whole: false };
const BOTS = 3;

function load(): Usual {
  const kept = remembered(KEPT_AS) as Partial<Usual> | null;
  return {
    edition: typeof kept?.edition === "string" ? kept.edition : AT_FIRST.edition,
    bot: typeof kept?.bot === "string" ? kept.bot : AT_FIRST.bot,
    whole: typeof kept?.whole === "boolean" ? kept.whole : AT_FIRST.whole,
  };
}

/** What Play now plays. */
export const usual: Usual = $state(load());

/** Remembers what Play now plays from now on. */
export function choose(changes: Partial<Usual>): void {
  Object.assign(usual, changes);
  remember(KEPT_AS, usual);
}

/** The sets of an edition that Play now plays. */
export function setsOf(edition: EditionInfo): SetInfo[] {
  return edition.sets.filter((set) => usual.whole || set.needed);
}

/** Makes a table for one person and three bots, and goes there. */
export async function playNow(edition?: EditionInfo): Promise<void> {
  const bots = Array.from({ length: BOTS }, () => ({ kind: "bot" as const, bot: usual.bot }));
  const table = await makeTable({
    edition: usual.edition,
    sets: edition ? setsOf(edition).map((set) => set.id) : null,
    seats: [{ kind: "me", name: guest.name }, ...bots],
    pace: settings.speed,
    start: true,
  });
  goTo(table);
}
