/**
 * Reading along: what scrolls stays at its end while it grows or changes its size, until the reader scrolls up.
 *
 * A scroll event does not say who scrolled. It may come after the list has grown further, or because the room for it
 * has shrunk. But of all that happens to a list that is kept at its end, only a reader moves it up and away from there.
 */

/** Pixels, a finger's width: nearly at the end is at the end. */
const NEAR = 32;

export class Following {
  /** Whether the newest is kept in sight. */
  on = $state(true);
  #scroller: HTMLElement | null = null;
  #top = 0;

  /** Attaches it to what scrolls, with all that grows in it. */
  attach = (scroller: HTMLElement): (() => void) => {
    this.#scroller = scroller;
    const resized = new ResizeObserver(() => this.keepUp());
    for (const one of [scroller, ...scroller.children]) resized.observe(one);
    return () => {
      resized.disconnect();
      this.#scroller = null;
    };
  };

  /** Something has scrolled. */
  look = (): void => {
    const scroller = this.#scroller;
    if (!scroller) return;
    const isUp = scroller.scrollTop < this.#top;
    this.#top = scroller.scrollTop;
    if (scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR) this.on = true;
    else if (isUp) this.on = false;
  };

  /** It may have grown: who reads along sees the newest, who reads further up is left in peace. */
  keepUp(): void {
    if (this.on) this.toEnd();
  }

  toEnd = (): void => {
    const scroller = this.#scroller;
    if (!scroller) return;
    this.on = true;
    scroller.scrollTo({ top: scroller.scrollHeight, behavior: "instant" });
    this.#top = scroller.scrollTop;
  };
}
