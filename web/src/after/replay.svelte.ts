// Going through a finished game: where we are, playing on, and fetching what comes next before it is needed.
import type { Moment } from "../lib/wire";

export const SPEEDS = [0.5, 1, 2, 4] as const;
export type ReplaySpeed = (typeof SPEEDS)[number];

/** How long a moment is looked at, at speed 1; one in which nothing is told passes quickly. */
const LOOK_MS = 1300;
const GLANCE_MS = 150;
/** How many moments are fetched ahead. */
const AHEAD = 6;

export class Replay {
  /** Where whoever watches wants to be: a number of moves. */
  at = $state(0);
  /** What is shown: the moment there, or still the one before while it is fetched. */
  moment: Moment | null = $state.raw(null);
  playing = $state(false);
  speed: ReplaySpeed = $state(1);
  /** Why a moment could not be fetched. */
  problem: unknown = $state.raw(null);

  #moments = new Map<number, Promise<Moment>>();
  #loading = false;
  /** Counts the languages: a moment that was asked for before is told in another one. */
  #language = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  /** `turns` are the moments at which turns ended; the last is the end of the game. */
  constructor(
    private readonly fetchMoment: (moves: number) => Promise<Moment>,
    readonly turns: readonly number[],
    at = 0,
    /** What lies before it is not shown: how the market is dealt. */
    readonly first = 0,
  ) {
    this.go(at);
  }

  get last(): number {
    return this.turns.at(-1) ?? 0;
  }

  /** Shows a moment, as soon as it is here. */
  go(to: number): void {
    this.at = Math.min(Math.max(Math.round(to), this.first), this.last);
    if (this.at === this.last) this.pause();
    void this.#load();
  }

  step(by: number): void {
    this.pause();
    this.go(this.at + by);
  }

  /** To where the next turn ends, or the one before. */
  stepTurn(by: 1 | -1): void {
    this.pause();
    const ends = [this.first, ...this.turns];
    const to = by > 0 ? ends.find((end) => end > this.at) : ends.findLast((end) => end < this.at);
    if (to !== undefined) this.go(to);
  }

  play(): void {
    if (this.at >= this.last) this.go(this.first);
    this.playing = true;
    this.#schedule();
  }

  pause(): void {
    this.playing = false;
    clearTimeout(this.#timer);
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  /** Forgets what has been fetched, because it is to be told in another language. */
  refresh(): void {
    this.#moments.clear();
    this.#language++;
    void this.#load();
  }

  /** Tries again what could not be fetched. */
  retry(): void {
    this.problem = null;
    void this.#load();
  }

  close(): void {
    this.#closed = true;
    this.pause();
  }

  /** One at a time, and always the one that is wanted now: scrubbing does not ask for all that it passes. */
  async #load(): Promise<void> {
    if (this.#loading) return;
    this.#loading = true;
    try {
      for (let wanted = -1, language = -1; !this.#closed;) {
        if (wanted === this.at && language === this.#language) break;
        [wanted, language] = [this.at, this.#language];
        this.moment = await this.#fetch(wanted);
        this.problem = null;
      }
    } catch (thrown) {
      this.problem = thrown;
      this.pause();
    } finally {
      this.#loading = false;
    }
    if (this.#closed || this.problem) return;
    if (this.playing) this.#schedule();
    void this.#fetchAhead(this.at);
  }

  #fetch(moves: number): Promise<Moment> {
    const known = this.#moments.get(moves);
    if (known) return known;
    const fetched = this.fetchMoment(moves);
    this.#moments.set(moves, fetched);
    fetched.catch(() => this.#moments.delete(moves));
    return fetched;
  }

  async #fetchAhead(from: number): Promise<void> {
    for (let moves = from + 1; moves <= Math.min(from + AHEAD, this.last); moves++) {
      if (this.at !== from || this.#closed) return;
      try {
        await this.#fetch(moves);
      } catch {
        return; // it is asked for again when it is needed, and then it is said
      }
    }
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    const look = this.moment && this.moment.lines.length === 0 ? GLANCE_MS : LOOK_MS;
    this.#timer = setTimeout(() => {
      if (this.playing) this.go(this.at + 1);
    }, look / this.speed);
  }
}
