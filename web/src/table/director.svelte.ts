/**
 * Plays what happened, in order: the one clock of the table. What it shows may lag behind the service while something
 * moves, all of it together, and always ends up equal to it. Nobody waits for it long: who acts skips all that is
 * still playing, and when much has happened at once, or somebody here is asked at the end of it, it hurries.
 */
import type { Asked, Entry, Scene } from "../lib/wire";
import { beatsOf, linesTold, type Beat, type Sight } from "./beats";
import type { Shown } from "./shown";

/** What it directs: the page at a table. */
export interface DirectedPage {
  /** The table as it is. */
  now(): Shown;
  /** How long things take: 1 is normal, 0 at once. */
  pace(): number;
  /** Whether somebody here waits for this question. */
  awaits(asked: Asked | null): boolean;
  /** Something is to be seen for so many milliseconds. */
  see(sight: Sight, length: number): void;
  /** All that is to be seen is over. */
  clear(): void;
  /** From now on this is shown. These entries have been told to their end with it. */
  show(shown: Shown, told: Entry[]): void;
}

/** An entry on its way: what is to be seen of it, and what it leads to. */
interface Step {
  entry: Entry;
  beats: Beat[];
  then: Shown;
}

/** With more entries waiting it hurries, and with many more it leaves out all but the last few. */
const HURRY_AFTER = 2;
const LEAVE_OUT_AFTER = 6;
/** Who is asked waits no more than so many milliseconds at normal speed, whatever there is to be seen before. */
export const LONGEST_WAIT = 1400;

export class Director {
  /** What is shown. */
  shown: Shown = $state.raw()!;
  /** Whether something is playing. */
  playing = $state(false);

  #page: DirectedPage;
  #queue: Step[] = [];
  /** What plays: an entry, and of its beats the one to be seen and those that follow. */
  #step: Step | null = null;
  #beats: Beat[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When all of it must have been seen, because somebody here is asked then. */
  #due: number | null = null;

  constructor(page: DirectedPage) {
    this.#page = page;
    this.shown = page.now();
  }

  /** Something happened. `before` is the table as it was. */
  hear(entry: Entry, before: Scene | null): void {
    const plays = before !== null && entry.kind !== "undone" && this.#page.pace() > 0;
    const then = this.#page.now();
    this.#queue.push({ entry, beats: plays ? beatsOf(entry, before) : [], then });
    if (!this.#page.awaits(then.asked)) this.#due = null;
    else this.#due ??= performance.now() + LONGEST_WAIT * this.#page.pace();
    if (entry.scene && !plays) return this.skip();
    if (this.#waiting > LEAVE_OUT_AFTER) this.#leaveOut();
    if (!this.playing) this.#goOn([]);
  }

  /** The table as it is, at once. */
  skip(): void {
    clearTimeout(this.#timer);
    this.#page.clear();
    const passed = this.#step ? [this.#step, ...this.#queue] : this.#queue;
    this.#rest(passed);
  }

  /** The table has changed without anything to play: it is shown, as soon as nothing plays. */
  settle(): void {
    const now = this.#page.now();
    const last = this.#queue.at(-1) ?? this.#step;
    if (!last) return this.#show(now);
    last.then = now;
    // Odds that come late may be those of the moment that is shown.
    const { odds, oddsMoves } = now;
    if (oddsMoves <= (this.shown.scene?.moves ?? -1)) this.#show({ ...this.shown, odds, oddsMoves });
  }

  #show(shown: Shown, told: Step[] = []): void {
    this.shown = shown;
    this.#page.show(
      shown,
      told.map((step) => step.entry),
    );
  }

  #rest(passed: Step[]): void {
    this.#queue = [];
    this.#step = null;
    this.#beats = [];
    this.#due = null;
    this.playing = false;
    this.#show(this.#page.now(), passed);
  }

  #leaveOut(): void {
    clearTimeout(this.#timer);
    this.#page.clear();
    const left = this.#queue.splice(0, this.#queue.length - HURRY_AFTER);
    this.#goOn(this.#step ? [this.#step, ...left] : left);
  }

  /** Goes on to the next entry of which there is something to see; those before it are told. */
  #goOn(passed: Step[]): void {
    while (this.#queue[0]?.beats.length === 0) passed.push(this.#queue.shift()!);
    const step = this.#queue.shift();
    if (!step) return this.#rest(passed);
    const reached = passed.at(-1);
    if (reached) this.#show(reached.then, passed);
    this.#step = step;
    this.#beats = step.beats;
    this.playing = true;
    this.#beginBeat();
  }

  #beginBeat(): void {
    const beat = this.#beats[0]!;
    const length = beat.length * this.#pace();
    this.#change(beat.begin);
    this.#page.see(beat.sight, length);
    this.#timer = setTimeout(() => this.#endBeat(), length);
  }

  #endBeat(): void {
    const step = this.#step!;
    const [beat, ...rest] = this.#beats;
    this.#beats = rest;
    if (rest.length === 0) return this.#goOn([step]);
    const { lines } = step.entry;
    this.#change(beat!.end, step.then.told - lines.length + linesTold(step.entry, rest[0]!));
    this.#beginBeat();
  }

  /** Something on the table changes in the course of a beat. Until the entry is over, nothing is asked. */
  #change(change: Beat["begin"], told = this.shown.told): void {
    const scene = this.shown.scene && change ? change(this.shown.scene) : this.shown.scene;
    this.#show({ ...this.shown, scene, told, asked: null, thinking: null });
  }

  /** How many entries wait of which there is something to see. */
  get #waiting(): number {
    return this.#queue.filter((step) => step.beats.length > 0).length;
  }

  #pace(): number {
    const waiting = this.#waiting;
    const pace = this.#page.pace() / (waiting <= HURRY_AFTER ? 1 : waiting);
    if (this.#due === null) return pace;
    const left = [...this.#beats, ...this.#queue.flatMap((step) => step.beats)];
    const length = left.reduce((sum, beat) => sum + beat.length, 0);
    return Math.min(pace, Math.max(0, this.#due - performance.now()) / length);
  }
}
