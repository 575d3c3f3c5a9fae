/** A table that has just been made. */
import { router } from "../lib/router.svelte";
import type { MadeTable } from "../lib/wire";
import { toast } from "../shell/announce.svelte";
import { startWords } from "../words/start";

/** Goes to a table that has just been made, and says what made room for it. */
export function goTo({ code, put_away }: MadeTable): void {
  router.go(`/t/${code}`);
  if (put_away.length > 0) toast(startWords.t("made_room", { n: put_away.length }));
}
