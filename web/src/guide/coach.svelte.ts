// The guide's memory: whether it is wanted, and what it has explained already. Kept on this device.
import { remember, remembered } from "../lib/settings.svelte";
import { lesson, tipsOnAsked, tipsOnEvents, type Happened, type Situation, type Tip } from "./tips";

/** unasked: nobody has said yet whether a guide is wanted. */
export type Wanted = "unasked" | "yes" | "no";
const KEPT_AS = "dicetown.guide";
/** A guide that talks all the time is not listened to. */
const MOST_WAITING = 2;
/** The least time in which a tip can be read; who is quicker gets it once more, but not for ever. */
const READ_MS = 2500;
const MOST_GLIMPSES = 2;

class Coach {
  wanted: Wanted = $state("unasked");
  /** What is said now. */
  tip: Tip | null = $state.raw(null);
  #explained = new Set<string>();
  /** How often a tip went away unread. */
  #glimpses = new Map<string, number>();
  /** What has happened and is to be told after what is told now. */
  #waiting: Tip[] = [];
  /** Whether it goes away by itself when something else is asked. */
  #passes = false;
  #since = 0;

  constructor() {
    this.recall();
  }

  /** What this device remembers. */
  recall(): void {
    const kept = remembered(KEPT_AS) as { wanted?: unknown; explained?: unknown } | null;
    this.wanted = kept?.wanted === "yes" || kept?.wanted === "no" ? kept.wanted : "unasked";
    this.#explained = new Set(Array.isArray(kept?.explained) ? kept.explained.map(String) : []);
    this.#hush();
  }

  /** Somebody wants a guide, from the beginning. */
  begin(): void {
    this.wanted = "yes";
    this.#explained.clear();
    this.#hush();
    this.#keep();
  }

  /** Enough of that. */
  end(): void {
    this.wanted = "no";
    this.#hush();
    this.#keep();
  }

  /** Looks at what is asked now. */
  look(now: Situation): void {
    if (this.wanted !== "yes") return;
    const possible = tipsOnAsked(now);
    // What was said about a question that is not asked any more has been answered.
    if (this.tip && this.#passes && !possible.some((tip) => tip.name === this.tip?.name)) this.#hideTip();
    if (this.tip) return;
    const happened = this.#waiting.shift();
    this.#say(happened ?? this.#fresh(possible)[0] ?? null, !happened);
  }

  /** Looks at what has happened. */
  hear(events: readonly Happened[], now: Situation): void {
    if (this.wanted !== "yes") return;
    const told = [...this.#waiting, ...(this.tip ? [this.tip] : [])].map((tip) => lesson(tip.name));
    for (const tip of this.#fresh(tipsOnEvents(events, now))) {
      if (this.#waiting.length >= MOST_WAITING || told.includes(lesson(tip.name))) continue;
      told.push(lesson(tip.name));
      this.#waiting.push(tip);
    }
  }

  /** The player has gone on: what was said is old news. */
  goOn(): void {
    this.#hideTip();
  }

  /** Understood. */
  next(now: Situation): void {
    this.#learn();
    this.look(now);
  }

  #fresh(tips: Tip[]): Tip[] {
    return tips.filter((tip) => !this.#explained.has(lesson(tip.name)));
  }

  #say(tip: Tip | null, aboutAsked: boolean): void {
    this.tip = tip;
    this.#passes = aboutAsked && tip?.name !== "others"; // that one holds for all of their turns
    this.#since = Date.now();
  }

  /** What nobody can have read in that time is told again another time. */
  #hideTip(): void {
    if (!this.tip) return;
    const name = lesson(this.tip.name);
    const glimpses = (this.#glimpses.get(name) ?? 0) + 1;
    this.#glimpses.set(name, glimpses);
    if (Date.now() - this.#since >= READ_MS || glimpses >= MOST_GLIMPSES) this.#learn();
    else this.tip = null;
  }

  #learn(): void {
    if (this.tip) this.#explained.add(lesson(this.tip.name));
    this.tip = null;
    this.#keep();
  }

  #hush(): void {
    this.tip = null;
    this.#waiting = [];
    this.#glimpses.clear();
  }

  #keep(): void {
    remember(KEPT_AS, { wanted: this.wanted, explained: [...this.#explained] });
  }
}

export const coach = new Coach();
