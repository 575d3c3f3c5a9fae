// What a hint is worth: which option is best, and whether that is sure.
import type { HintOption } from "../lib/wire";

/** Whether the second best may just as well be the best: each lies within what the other could be. */
export function isCloseCall(options: readonly HintOption[]): boolean {
  const [best, second] = options;
  return !!best && !!second && second.high >= best.chance && best.low <= second.chance;
}
