// What was said and has not been seen yet: for a badge on the chat.
import type { LiveTable } from "../lib/live.svelte";
import { settings } from "../lib/settings.svelte";
import { heard } from "./chat";

/** The last message seen, by table. */
const seen: Record<string, number> = $state({});

/** How many messages of others have not been seen; follows what happens. */
export function unread(live: LiveTable): number {
  const last = seen[live.code] ?? -1;
  const own = live.you?.seats ?? [];
  return heard(live.said, settings.muted).filter(
    (one) => one.number > last && (one.seat === null || !own.includes(one.seat)),
  ).length;
}

/** The chat is in sight: everything has been seen. */
export function readAll(live: LiveTable): void {
  const last = live.said.at(-1)?.number;
  if (last !== undefined && last > (seen[live.code] ?? -1)) seen[live.code] = last;
}
