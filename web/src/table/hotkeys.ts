/** The keys that the table understands. The help lists them, as they are registered while the table is shown. */
import { hotkey, type Hotkey } from "../lib/keys";
import { settings } from "../lib/settings.svelte";
import { tableWords } from "../words/table";
import { room } from "./layout.svelte";
import type { Play } from "./play.svelte";
import { enterTiles } from "./roving";

const LAST_DIGIT = 9;
/** The questions whose answers show their numbers. */
const NUMBERED: readonly string[] = ["roll", "player", "invest"];

/** A text that says what a key does. */
type KeyText = Extract<Parameters<typeof tableWords.t>[0], `key_${string}`>;

/** All keys of the table, in the order in which a turn needs them. */
export function hotkeysOf(play: Play): Hotkey[] {
  const key = (keys: string[], says: KeyText, does: () => void): Hotkey => ({
    keys,
    says: () => tableWords.t(says),
    does,
  });
  return [
    key(["1", "2"], "key_roll", () => {}), // carried out below, with the other digits
    key(["k"], "key_keep", () => void play.tryActions(/^keep$/)),
    key(["r"], "key_reroll", () => void play.tryActions(/^reroll/)),
    key(["a", "y"], "key_yes", () => void play.tryActions(/ yes$/)),
    key(["n"], "key_no", () => void play.tryActions(/ no$|^decline$/)),
    key(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"], "key_arrows", enterTiles),
    key(["i"], "key_closer", () => {}), // a tile that has the focus hears it first
    ...digits(play),
    key(["Enter"], "key_confirm", () => void play.decision.confirm()),
    key(["Escape"], "key_cancel", () => cancel(play)),
    key(["p"], "key_pass", () => void play.tryActions(/^pass$|^decline$/)),
    key(["u"], "key_undo", () => play.undo()),
    key(["h"], "key_hint", () => void play.askHint()),
    key(["o"], "key_odds", () => fold(play)),
    key(["l"], "key_log", () => show(play, "log")),
    key(["c"], "key_chat", () => show(play, "chat")),
  ];
}

/** A digit rolls so many dice, or picks the choice with that number. */
function digits(play: Play): Hotkey[] {
  const keys = Array.from({ length: LAST_DIGIT }, (_, n) => String(n + 1));
  const does = (event: KeyboardEvent) => {
    const asked = play.mine;
    if (!asked || !NUMBERED.includes(asked.control)) return;
    const digit = Number(event.key);
    if (asked.control === "roll") play.tryActions(new RegExp(`^roll ${digit}$`));
    else {
      const choice = asked.choices[digit - 1];
      if (choice) void play.decision.pick(choice);
    }
  };
  return [{ keys, says: () => tableWords.t("key_digits"), does }];
}

function fold(play: Play): void {
  if (room.handheld) play.oddsUnfolded = !play.oddsUnfolded;
  else settings.odds = !settings.odds;
}

function cancel(play: Play): void {
  if (play.hint) play.hint = null;
  else if (play.decision.begun) play.decision.back();
  else play.sideOpen = false;
}

function show(play: Play, side: "log" | "chat"): void {
  play.side = side;
  if (room.handheld) play.part = "log";
  else if (room.layout === "tablet") play.sideOpen = true;
  requestAnimationFrame(() => {
    const input = side === "chat" ? "#side-panel :is(input, textarea)" : "#side-log";
    document.querySelector<HTMLElement>(input)?.focus();
  });
}

/** Understands them from now on. Returns how to stop that. */
export function listenToKeys(play: Play): () => void {
  const stops = hotkeysOf(play).map(hotkey);
  return () => stops.forEach((stop) => stop());
}
