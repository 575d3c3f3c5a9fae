/** The person at this device: a name and their games. Nobody has to tell a name: there is a friendly one for all. */
import { FRIENDLY_NAMES } from "../generated/words/languages";
import { api } from "./api";
import { remember, remembered, settings } from "./settings.svelte";
import type { Me } from "./wire";

export const LONGEST_NAME = 24;
const KEPT_AS = "dicetown.friendly-name";

class Guest {
  me: Me | null = $state.raw(null);
  /** Which of the friendly names is ours: the same on every visit, in every language. */
  #friendly = friendlyNumber();

  /** The name that was chosen, or else a friendly one. */
  get name(): string {
    return this.me?.name || this.friendlyName;
  }

  get friendlyName(): string {
    const names = FRIENDLY_NAMES[settings.language];
    return names[this.#friendly % names.length]!;
  }

  async load(): Promise<void> {
    this.me = await api.me();
  }

  async rename(name: string): Promise<void> {
    this.me = await api.rename(name.trim());
  }
}

function friendlyNumber(): number {
  const kept = remembered(KEPT_AS);
  if (typeof kept === "number" && kept >= 0) return Math.floor(kept);
  const number = Math.floor(Math.random() * FRIENDLY_NAMES.en.length);
  remember(KEPT_AS, number);
  return number;
}

export const guest = new Guest();
