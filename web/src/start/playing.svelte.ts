/** Play now: one click, with what was chosen the last time. */
import { api } from "../lib/api";
import { guest } from "../lib/guest.svelte";
import { router } from "../lib/router.svelte";
import { remember, remembered, settings } from "../lib/settings.svelte";

export type Usual = { edition: string; bot: string };

const KEPT_AS = "dicetown.play-now";
const AT_FIRST: Usual = { edition: "deluxe", bot: "normal" };
const BOTS = 3;

function load(): Usual {
  const kept = remembered(KEPT_AS) as Partial<Usual> | null;
  return {
    edition: typeof kept?.edition === "string" ? kept.edition : AT_FIRST.edition,
    bot: typeof kept?.bot === "string" ? kept.bot : AT_FIRST.bot,
  };
}

/** What Play now plays. */
export const usual: Usual = $state(load());

/** Remembers what Play now plays from now on. */
export function choose(changes: Partial<Usual>): void {
  Object.assign(usual, changes);
  remember(KEPT_AS, usual);
}

/** Makes a table for one person and three bots, and goes there. */
export async function playNow(): Promise<void> {
  const bots = Array.from({ length: BOTS }, () => ({ kind: "bot" as const, bot: usual.bot }));
  const table = await api.makeTable({
    edition: usual.edition,
    seats: [{ kind: "me", name: guest.name }, ...bots],
    pace: settings.speed,
    start: true,
  });
  router.go(`/t/${table.code}`);
}
