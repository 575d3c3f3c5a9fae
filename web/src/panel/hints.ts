// What a hint is worth: which option is recommended, and whether that is sure.
import type { HintOption } from "../lib/wire";

/** Whether the second best may just as well be the best: each lies within what the other could be. */
export function isCloseCall(options: readonly HintOption[]): boolean {
  const [best, second] = options;
  return !!best && !!second && second.high >= best.chance && best.low <= second.chance;
}

/**
 * Whether the first, which is recommended, has a lower chance than another: what the network likes counts as well, and
 * people see figures that seem to say otherwise. `shown` is a chance as people read it.
 */
export function isByExperience(options: readonly HintOption[], shown: (chance: number) => string): boolean {
  const [best, ...others] = options;
  return !!best && others.some((one) => one.chance > best.chance && shown(one.chance) !== shown(best.chance));
}
