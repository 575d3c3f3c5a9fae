/** What the page says on its own: to screen readers by `announce`, to everybody by `toast`. */

import { untrack } from "svelte";

export type Toast = { id: number; text: string };

const SHOWN_MS = 5000;

class Voice {
  /** What the live region reads out. */
  spoken = $state("");
  toasts: Toast[] = $state([]);
  #next = 0;

  announce(text: string): void {
    // The same words again are only read out again if something changes: a space nobody hears.
    // An effect that says something must not follow what was said, or it would say it without end.
    untrack(() => (this.spoken = text === this.spoken ? `${text}\u00a0` : text));
  }

  toast(text: string): void {
    const id = this.#next++;
    untrack(() => {
      const again = this.toasts.findIndex((toast) => toast.text === text);
      if (again >= 0) this.toasts.splice(again, 1); // said again: it stays longer, but not twice
      this.toasts.push({ id, text });
      if (this.toasts.length > 3) this.toasts.shift();
    });
    this.announce(text);
    setTimeout(() => this.dismiss(id), Math.max(SHOWN_MS, text.length * 70));
  }

  dismiss(id: number): void {
    const place = this.toasts.findIndex((toast) => toast.id === id);
    if (place >= 0) this.toasts.splice(place, 1);
  }
}

export const voice = new Voice();

/** Says something to people who listen to the page; politely, after what is being read. */
export const announce = (text: string): void => voice.announce(text);

/** Shows a sentence for a few seconds, and says it. */
export const toast = (text: string): void => voice.toast(text);
