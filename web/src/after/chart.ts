// What charts need to know about numbers: scales, round ticks, paths. No drawing here.

/** A line's dashes by seat, so that colour is never alone. */
export const DASHES = ["", "9 4", "2 4", "12 4 2 4", "6 3 1 3 1 3"] as const;

export function dashes(seat: number): string {
  return DASHES[seat % DASHES.length] ?? "";
}

export function seatColour(seat: number): string {
  return `var(--seat-${seat})`;
}

export type Span = readonly [number, number];

/** From numbers to pixels. A span of one value lies in the middle. */
export function scale([from, to]: Span, [low, high]: Span): (value: number) => number {
  const width = to - from;
  return (value) => (width === 0 ? (low + high) / 2 : low + ((value - from) / width) * (high - low));
}

/** Round numbers that divide a span into about so many parts, both ends included where they are round. */
export function ticks([from, to]: Span, parts = 4, whole = true): number[] {
  if (to <= from) return [from];
  const step = roundStep((to - from) / parts, whole);
  const first = Math.ceil(from / step - 1e-9) * step;
  const found: number[] = [];
  for (let k = 0; first + k * step <= to + step * 1e-9; k++) found.push(tidy(first + k * step));
  return found;
}

/** The next of 1, 2, 5, 10, 20, … (or 0.1, 0.2 …, unless numbers are whole). */
function roundStep(least: number, whole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= least * (1 - 1e-9));
  return Math.max(step ?? least, whole ? 1 : 0);
}

function tidy(value: number): number {
  return Number(value.toPrecision(12));
}

/** The top of an axis that starts at 0: the first round number that is not below the greatest value. */
export function roof(values: number[], parts = 4): number {
  const most = Math.max(1, ...values);
  const step = roundStep(most / parts, true);
  return Math.ceil(most / step - 1e-9) * step;
}

/** An SVG path through points. */
export function path(points: readonly (readonly [number, number])[]): string {
  return points.map(([x, y], k) => `${k ? "L" : "M"}${short(x)} ${short(y)}`).join("");
}

function short(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** The index of the value nearest to another one; values ascend. */
export function nearest(values: readonly number[], wanted: number): number {
  let best = 0;
  values.forEach((value, k) => {
    if (Math.abs(value - wanted) < Math.abs((values[best] ?? 0) - wanted)) best = k;
  });
  return best;
}
