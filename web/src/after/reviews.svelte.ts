// Reviews under way: asking for one begins it, and it takes a while. Kept by table, so that it goes on (and is not
// asked for anew) when one walks from the result to the replay.
import { api } from "../lib/api";
import type { Review } from "../lib/wire";

const AGAIN_MS = 1500;

export class ReviewWatch {
  /** The review, or how far it is. */
  review: Review | null = $state.raw(null);
  /** Whether it has been asked for. */
  asked = $state(false);
  problem: unknown = $state.raw(null);
  #watchers = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly fetchReview: () => Promise<Review>) {}

  /** The share that is done. */
  get progress(): number {
    return this.review && this.review.total > 0 ? this.review.done / this.review.total : 0;
  }

  get ready(): boolean {
    return this.review?.ready ?? false;
  }

  /** Asks for it, and again until it is ready. */
  ask(): void {
    this.asked = true;
    this.problem = null;
    void this.#fetch();
  }

  /** In another language. */
  refresh(): void {
    if (this.asked) void this.#fetch();
  }

  /** Somebody looks; as long as anybody does, the page keeps asking. Returns how to look away. */
  watch(): () => void {
    this.#watchers += 1;
    if (this.asked && !this.ready) void this.#fetch();
    return () => {
      this.#watchers -= 1;
      if (this.#watchers === 0) clearTimeout(this.#timer);
    };
  }

  async #fetch(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      this.review = await this.fetchReview();
      this.problem = null;
    } catch (thrown) {
      this.problem = thrown;
      this.asked = false;
      return;
    }
    clearTimeout(this.#timer);
    if (!this.ready && this.#watchers > 0) this.#timer = setTimeout(() => void this.#fetch(), AGAIN_MS);
  }
}

const watched = new Map<string, ReviewWatch>();

/** The review of a table's game. */
export function reviewOf(code: string): ReviewWatch {
  let watch = watched.get(code);
  if (!watch) watched.set(code, (watch = new ReviewWatch(() => api.review(code))));
  return watch;
}
