// The guide's memory: whether it is wanted, and what it has explained already. Kept on this device.
import type { GameEvent } from "../lib/wire";
import { remember, remembered } from "../lib/settings.svelte";
import { holds, lesson, tipsOnAsked, tipsOnEvents, type Situation, type Tip } from "./tips";

/** unasked: nobody has said yet whether a guide is wanted. */
export type Wanted = "unasked" | "yes" | "no";
const KEPT_AS = "dicetown.guide";
/** A guide that talks all the time is not listened to. */
const MOST_WAITING = 2;
/** The least time in which a tip can be read; who is quicker gets it once more, but not for ever. */
const READ_MS = 2500;
const MOST_GLIMPSES = 3;

class Coach {
  wanted: Wanted = $state("unasked");
  /** What is said now. */
  tip: Tip | null = $state.raw(null);
  #explained = new Set<string>();
  /** How often a tip went away unread. */
  #glimpses = new Map<string, number>();
  /** What has happened: told when it is shown, after what is told then, and dropped when it has passed. */
  #waiting: Tip[] = [];
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

  /** Looks at the moment that is shown: what has passed is not spoken of any more. */
  look(now: Situation): void {
    if (this.wanted !== "yes") return;
    if (this.tip && !holds(this.tip, now)) this.#hideTip();
    const stillTrue = (tip: Tip) => tip.scene.moves > now.scene.moves || holds(tip, now);
    this.#waiting = this.#fresh(this.#waiting).filter(stillTrue);
    if (this.tip) return;
    const happened = this.#waiting.find((tip) => tip.scene.moves <= now.scene.moves);
    this.#waiting = this.#waiting.filter((tip) => tip !== happened);
    this.#say(happened ?? this.#fresh(tipsOnAsked(now))[0] ?? null);
  }

  /** Remembers what happened until it is shown; `then` is the moment that it leads to. */
  hear(events: readonly GameEvent[], then: Situation): void {
    if (this.wanted !== "yes") return;
    const told = this.#waiting.filter((tip) => tip.scene.moves === then.scene.moves);
    for (const tip of this.#fresh(tipsOnEvents(events, then))) {
      if (told.length >= MOST_WAITING || told.some(({ name }) => lesson(name) === lesson(tip.name))) continue;
      told.push(tip);
      this.#waiting.push(tip);
    }
  }

  /** Something was taken back: what was to be told of it never happens. */
  forget(): void {
    this.#waiting = [];
  }

  /** Understood. */
  next(now: Situation): void {
    this.#learn();
    this.look(now);
  }

  #fresh(tips: Tip[]): Tip[] {
    return tips.filter((tip) => !this.#explained.has(lesson(tip.name)));
  }

  #say(tip: Tip | null): void {
    this.tip = tip;
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
