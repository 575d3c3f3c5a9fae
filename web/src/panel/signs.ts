// Which icon stands for which kind of line in the log.
import type { IconName } from "../look/icons";

const SIGNS: Readonly<Record<string, IconName>> = {
  // the game
  turn_began: "person",
  dice_rolled: "dice",
  total_raised: "plus",
  tuna_rolled: "dice",
  paid: "coin",
  built: "build",
  passed: "skip",
  handed_over: "swap",
  closed: "lock",
  reopened: "check",
  demolished: "trash",
  drawn: "market",
  discarded: "minus",
  returned: "market",
  invested: "coin",
  extra_turn_earned: "redo",
  forced: "info",
  won: "crown",
  game_drawn: "flag",
  // the table
  made: "city",
  joined: "person",
  left: "door",
  changed: "people",
  word: "shield",
  started: "flag",
  undone: "undo",
  paused: "pause",
  resumed: "play",
  paced: "speed",
  away: "clock",
  back: "hand",
  replaced: "robot",
  over: "shield",
  rematch: "replay",
};

export function signOf(kind: string): IconName {
  return SIGNS[kind] ?? "info";
}
