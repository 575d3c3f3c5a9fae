/**
 * Plays what happened, in order. The table it shows may lag behind the service's while something moves, and always
 * ends up equal to it. Nobody waits for it: who acts skips all that is still playing, and when much has happened at
 * once it hurries.
 */
import type { Entry, Scene } from "../lib/wire";
import { beatsOf, type Beat, type Sight } from "./beats";

/** Where it plays. */
export interface Stage {
  /** The table as it is. */
  now(): Scene | null;
  /** How long things take: 1 is normal, 0 at once. */
  pace(): number;
  /** Something is to be seen for so many milliseconds. */
  see(sight: Sight, length: number): void;
  /** All that is to be seen is over. */
  clear(): void;
}

/** With more entries waiting it hurries, and with many more it leaves out all but the last few. */
const HURRY_AFTER = 2;
const LEAVE_OUT_AFTER = 6;

export class Director {
  /** The table as it is shown. */
  shown: Scene | null = $state.raw(null);
  /** Whether something is playing. */
  playing = $state(false);
  /** Whether dice are still to fall: what follows from them is not told before. */
  diceInAir = $state(false);

  #stage: Stage;
  #queue: Entry[] = [];
  #beats: Beat[] = [];
  #beat: Beat | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.shown = stage.now();
  }

  /** Something happened. `before` is the table as it was. */
  hear(entry: Entry, before: Scene | null): void {
    if (!entry.scene) return;
    if (!before || entry.events.length === 0 || this.#stage.pace() === 0) return this.skip();
    this.shown ??= before;
    this.#queue.push(entry);
    if (this.#queue.length > LEAVE_OUT_AFTER) this.#leaveOut();
    if (!this.playing) {
      this.playing = true;
      this.#nextEntry();
    }
    this.#lookForDice();
  }

  /** The table as it is, at once. */
  skip(): void {
    clearTimeout(this.#timer);
    this.#queue = [];
    this.#beats = [];
    this.#beat = null;
    this.#stage.clear();
    this.#rest();
  }

  /** The table has changed without anything to play: if nothing plays, it is shown. */
  settle(): void {
    if (!this.playing) this.shown = this.#stage.now();
  }

  #rest(): void {
    this.playing = false;
    this.diceInAir = false;
    this.shown = this.#stage.now();
  }

  #leaveOut(): void {
    clearTimeout(this.#timer);
    this.#stage.clear();
    this.#beat = null;
    this.#beats = [];
    const left = this.#queue.splice(0, this.#queue.length - HURRY_AFTER);
    this.shown = left.at(-1)?.scene ?? this.shown;
    this.#nextEntry();
  }

  #nextEntry(): void {
    const entry = this.#queue.shift();
    if (!entry || !this.shown) return this.#rest();
    this.#beats = beatsOf(entry, this.shown);
    this.#scene = entry.scene;
    this.#nextBeat();
  }

  /** Where the entry that plays leads to. */
  #scene: Scene | null = null;

  #nextBeat(): void {
    if (this.#beat?.end && this.shown) this.shown = this.#beat.end(this.shown);
    const beat = (this.#beat = this.#beats.shift() ?? null);
    if (!beat) {
      this.shown = this.#scene ?? this.shown;
      this.#lookForDice();
      return this.#nextEntry();
    }
    this.#lookForDice();
    const length = beat.length * this.#pace();
    if (beat.begin && this.shown) this.shown = beat.begin(this.shown);
    this.#stage.see(beat.sight, length);
    this.#timer = setTimeout(() => this.#nextBeat(), length);
  }

  #pace(): number {
    const waiting = this.#queue.length;
    return this.#stage.pace() / (waiting <= HURRY_AFTER ? 1 : waiting);
  }

  #lookForDice(): void {
    const isDice = (beat: Beat | null) => beat?.sight.kind === "dice" && !beat.sight.catch;
    this.diceInAir =
      isDice(this.#beat) ||
      this.#beats.some(isDice) ||
      this.#queue.some((entry) => entry.events.some((event) => event.event === "dice_rolled"));
  }
}
