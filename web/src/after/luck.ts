// How unusual a game's dice were: a chi-squared test, so that the page can say it in words.
import type { DiceCount } from "../lib/wire";

/** Totals expected less often than this are counted together with their neighbours: the test needs it. */
const ENOUGH = 4;

/**
 * The share of games in which dice differ from what is expected at least as much as they did here;
 * null if too few were rolled to say anything.
 */
export function ordinariness(dice: readonly DiceCount[]): number | null {
  const groups: { fell: number; expected: number }[] = [];
  let open = { fell: 0, expected: 0 };
  for (const { fell, expected } of dice) {
    open = { fell: open.fell + fell, expected: open.expected + expected };
    if (open.expected >= ENOUGH) {
      groups.push(open);
      open = { fell: 0, expected: 0 };
    }
  }
  const lastGroup = groups.at(-1);
  if (lastGroup) {
    lastGroup.fell += open.fell;
    lastGroup.expected += open.expected;
  }
  if (groups.length < 2) return null;
  const distance = groups.reduce((sum, { fell, expected }) => sum + (fell - expected) ** 2 / expected, 0);
  return chiSquaredTail(distance, groups.length - 1);
}

/** The chance of a chi-squared value of at least x. */
export function chiSquaredTail(x: number, degrees: number): number {
  if (x <= 0) return 1;
  // The regularised lower gamma function by its series; x is never large enough here to need more.
  const a = degrees / 2;
  const half = x / 2;
  let term = 1 / a;
  let sum = term;
  for (let n = 1; n < 500 && term > sum * 1e-12; n++) {
    term *= half / (a + n);
    sum += term;
  }
  const lower = sum * Math.exp(-half + a * Math.log(half) - logGamma(a));
  return Math.min(1, Math.max(0, 1 - lower));
}

/** The logarithm of the gamma function, by Stirling's series (shifted to where it is exact enough). */
function logGamma(a: number): number {
  let shift = 0;
  let z = a;
  for (; z < 8; z++) shift += Math.log(z);
  const tail = 1 / (12 * z) - 1 / (360 * z ** 3) + 1 / (1260 * z ** 5);
  return (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + tail - shift;
}
