// A review as a story: the curve of chances, its turning points in order, whom they moved most.
import type { Review, ReviewMoment } from "../lib/wire";

export interface Curve {
  /** The moment (number of moves) of each point; the first is the beginning. */
  xs: number[];
  /** For each seat its chance at each point. */
  chances: number[][];
  /** The round of each point. */
  rounds: number[];
}

export function curveOf(moments: readonly ReviewMoment[]): Curve {
  const first = moments[0];
  if (!first) return { xs: [], chances: [], rounds: [] };
  return {
    xs: [0, ...moments.map((moment) => moment.moves)],
    rounds: [1, ...moments.map((moment) => moment.round)],
    chances: first.before.map((chance, seat) => [
      chance,
      ...moments.map((moment) => moment.after[seat] ?? 0),
    ]),
  };
}

export interface TurningPoint {
  moment: ReviewMoment;
  /** Its place on the curve. */
  point: number;
  /** For whom it changed most. */
  seat: number;
}

/** The turning points as they came. */
export function turningPoints(review: Pick<Review, "moments" | "turning_points">): TurningPoint[] {
  return [...review.turning_points]
    .sort((one, other) => one - other)
    .flatMap((index) => {
      const moment = review.moments[index];
      return moment ? [{ moment, point: index + 1, seat: movedMost(moment) }] : [];
    });
}

/** Of the decisions at some seats those that cost most, as they came. */
export function dearestOf(
  moments: readonly ReviewMoment[],
  seats: readonly number[],
  most = 3,
): TurningPoint[] {
  return mistakesOf(moments, seats)
    .sort((one, other) => other.loss - one.loss)
    .slice(0, most)
    .map((moment) => ({ moment, point: moments.indexOf(moment) + 1, seat: moment.seat }))
    .sort((one, other) => one.point - other.point);
}

/** Whose chance a moment changed most; of two alike, who had the turn. */
export function movedMost({ before, after, seat }: ReviewMoment): number {
  const change = (one: number) => Math.abs((after[one] ?? 0) - (before[one] ?? 0));
  return before.reduce((best, _, one) => (change(one) > change(best) + 1e-9 ? one : best), seat);
}

/** The choices that were mistakes, as they came: everybody's, or those at some seats. */
export function mistakesOf(
  moments: readonly ReviewMoment[],
  seats: readonly number[] | null = null,
): ReviewMoment[] {
  return moments.filter(
    ({ kind, better, loss, seat }) =>
      kind === "choice" && better !== null && loss > 0 && (seats === null || seats.includes(seat)),
  );
}

/** The chances at a moment: after the last thing that happened up to it. */
export function chancesAt(curve: Curve, moves: number): number[] {
  let point = 0;
  curve.xs.forEach((x, k) => {
    if (x <= moves) point = k;
  });
  return curve.chances.map((values) => values[point] ?? 0);
}
