// Reviews under way: asking for one begins it. There is a first picture soon, and an exact one later. The service tells
// by itself how far it is; only where it is silent is it asked again, calmly. Kept by table, so that it goes on (and is not asked for anew)
// when one walks from the result to the replay.
import { untrack } from "svelte";
import { RefusalError, api } from "../lib/api";
import { settings } from "../lib/settings.svelte";
import type { Language, Review, ReviewTold } from "../lib/wire";

/** How long the service may be silent until it is asked how far it is. */
const SILENCE_MS = 5000;
/** And after it could not answer: longer each time. */
const LONGEST_MS = 60_000;
/** The service, or the way there, has too much to do for an answer; the review itself goes on. */
const passes = (thrown: unknown): boolean =>
  thrown instanceof RefusalError && (thrown.status === 429 || thrown.code === "unreachable");

/** Nothing to see yet. */
const NOTHING: Review = {
  ready: false,
  exact: false,
  ahead: 0,
  done: 0,
  total: 0,
  players: [],
  moments: [],
  turning_points: [],
  ahead_without_luck: null,
};

export class ReviewWatch {
  /** The review, or how far it is. */
  review: Review | null = $state.raw(null);
  /** Whether it has been asked for. */
  asked = $state(false);
  /** Why there is none, or while it is asked for, why nothing is heard of it. */
  problem: unknown = $state.raw(null);
  /** The language of the review that is there. */
  #language: Language | null = null;
  #watchers = 0;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly fetchReview: () => Promise<Review>) {}

  /** The share that is done. */
  get progress(): number {
    return this.review && this.review.total > 0 ? this.review.done / this.review.total : 0;
  }

  /** Whether there is something to see. */
  get ready(): boolean {
    return this.review?.ready ?? false;
  }

  /** Whether it will not get better. */
  get exact(): boolean {
    return this.review?.exact ?? false;
  }

  /** Asks for it, and listens until it is ready. */
  ask(): void {
    this.asked = true;
    this.problem = null;
    void this.#fetch();
  }

  /** The service tells how far it is. */
  hear({ state, first, ahead, done, total }: ReviewTold): void {
    if (!this.asked || this.exact) return;
    const isNew = state === "ready" || state === "failed" || (first && !this.ready);
    if (isNew) return void this.#fetch();
    this.problem = null;
    this.review = { ...(this.review ?? NOTHING), ahead, done, total };
    this.#lookAgainAfter(SILENCE_MS);
  }

  /**
   * Somebody looks; as long as anybody does, the page keeps listening. Returns how to look away. An effect that looks
   * does so anew in another language.
   */
  watch(): () => void {
    const { language } = settings;
    this.#watchers += 1;
    // Who looks must not look anew whenever something else changes: that would ask without end.
    untrack(() => {
      if (this.asked && !(this.exact && this.#language === language)) void this.#fetch();
    });
    return () => {
      this.#watchers -= 1;
      if (this.#watchers === 0) clearTimeout(this.#timer);
    };
  }

  async #fetch(): Promise<void> {
    clearTimeout(this.#timer);
    const { language } = settings;
    try {
      const seen = await this.fetchReview();
      if (language !== settings.language) return; // who looks asks in the other language
      const isOlder = this.exact ? !seen.exact : this.ready && !seen.ready; // it was under way for longer
      if (!isOlder) {
        this.review = seen;
        this.#language = language;
      }
      this.problem = null;
      this.#failures = 0;
    } catch (thrown) {
      this.problem = thrown;
      if (!passes(thrown)) {
        this.asked = false;
        return;
      }
      this.#failures += 1;
    }
    this.#lookAgainAfter(Math.min(LONGEST_MS, SILENCE_MS * 2 ** this.#failures));
  }

  #lookAgainAfter(silence: number): void {
    clearTimeout(this.#timer);
    if (!this.exact && this.#watchers > 0) this.#timer = setTimeout(() => void this.#fetch(), silence);
  }
}

const watched = new Map<string, ReviewWatch>();

/** The review of a table's game. */
export function reviewOf(code: string): ReviewWatch {
  let watch = watched.get(code);
  if (!watch) watched.set(code, (watch = new ReviewWatch(() => api.review(code))));
  return watch;
}
