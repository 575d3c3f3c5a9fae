/**
 * Something the service was asked for, as far as it has come. It is asked for again in another language.
 * To be made while a component is made:
 *
 *     const boxes = new Fetched(api.editions);
 *     {#if boxes.value} … {:else if boxes.problem} … {/if}
 */
import { messageOf } from "./api";
import { settings } from "./settings.svelte";

export class Fetched<Answer> {
  value: Answer | null = $state.raw(null);
  /** Why it did not come, in words. What came before stays. */
  problem: string | null = $state(null);
  #asked = 0;

  constructor(private readonly ask: () => Promise<Answer>) {
    $effect(() => {
      void settings.language;
      void this.again();
    });
  }

  async again(): Promise<void> {
    const turn = ++this.#asked;
    try {
      const value = await this.ask();
      if (turn !== this.#asked) return; // asked again meanwhile
      this.value = value;
      this.problem = null;
    } catch (thrown) {
      if (turn === this.#asked) this.problem = messageOf(thrown);
    }
  }
}
