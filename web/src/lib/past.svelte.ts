/**
 * What lies behind: it grows at both ends. What happens is added at one, and at the other come older pages, when
 * somebody looks for them.
 */

export type Page<Item> = {
  items: Item[];
  /** What to ask for to get the page before this one; null if there is none. */
  before: number | null;
};

export class Past<Item> {
  items: Item[] = $state.raw([]);
  /** The place of the first item. Each keeps its place, however many come before it. */
  first: number = $state(0);
  fetching: boolean = $state(false);

  #before: number | null = $state(null);
  /** Counts the beginnings: a page that was asked for before one does not belong to it any more. */
  #begun = 0;

  constructor(private readonly fetchPage: (before: number) => Promise<Page<Item>>) {}

  /** Whether there is more, further back. */
  get goesFurtherBack(): boolean {
    return this.#before !== null;
  }

  /** The place after the last item. */
  get end(): number {
    return this.first + this.items.length;
  }

  /** Begins anew, with the newest page. */
  begin({ items, before }: Page<Item>): void {
    this.items = items;
    this.first = 0;
    this.#before = before;
    this.#begun += 1;
  }

  add(items: Item[]): void {
    if (items.length) this.items = [...this.items, ...items];
  }

  /** Puts the page before all others, if there is one. */
  async fetchEarlier(): Promise<void> {
    if (this.#before === null || this.fetching) return;
    const begun = this.#begun;
    this.fetching = true;
    try {
      const { items, before } = await this.fetchPage(this.#before);
      if (begun !== this.#begun) return;
      this.items = [...items, ...this.items];
      this.first -= items.length;
      this.#before = before;
    } finally {
      this.fetching = false;
    }
  }
}
