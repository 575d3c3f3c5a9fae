/** A table as it is being planned: which box, who sits where, which rules. */
import { guest } from "../lib/guest.svelte";
import type { EditionInfo, HouseRule, NewSeat, NewTable, Pace, SetInfo, Timer } from "../lib/wire";
import { usual } from "./playing.svelte";

export type SeatKind = NewSeat["kind"];
export type PlannedSeat = { id: number; kind: SeatKind; name: string; bot: string };
export type HouseValue = HouseRule["usual"];
export type Preset = "bots" | "friends" | "here";

const PRESET_SEATS = 4;
const PRESET_KINDS: Record<Preset, SeatKind> = { bots: "bot", friends: "friend", here: "here" };

export class Plan {
  editions: EditionInfo[] = $state.raw([]);
  edition: string = $state(usual.edition);
  /** The sets that are left in the box. */
  without: string[] = $state([]);
  seats: PlannedSeat[] = $state([]);
  timer: Timer = $state("off");
  pace: Pace = $state("normal");
  public: boolean = $state(false);
  /** Only what differs from the usual. */
  house: Record<string, HouseValue> = $state({});
  #nextId = 0;

  constructor() {
    for (const kind of ["me", "friend", "bot"] as const) this.seats.push(this.#newSeat(kind));
  }

  // ---------------------------------------------------------------------------------- the box

  get box(): EditionInfo | null {
    return this.editions.find((box) => box.id === this.edition) ?? this.editions[0] ?? null;
  }

  chooseBox(edition: string): void {
    if (edition === this.edition) return;
    this.edition = edition;
    this.without = [];
    this.house = {}; // another box, other rules
  }

  isChosen(set: SetInfo): boolean {
    return set.needed || !this.without.includes(set.id);
  }

  chooseSet(set: SetInfo, chosen: boolean): void {
    this.without = this.without.filter((id) => id !== set.id);
    if (!chosen) this.without.push(set.id);
  }

  get least(): number {
    return this.box?.min_players ?? 2;
  }

  /** The most players that what was chosen is for. */
  get most(): number {
    if (!this.box) return 5;
    return Math.max(...this.box.sets.filter((set) => this.isChosen(set)).map((set) => set.max_players));
  }

  /** A set that is left in the box and would make room for more. */
  get roomier(): SetInfo | null {
    return this.box?.sets.find((set) => !this.isChosen(set) && set.max_players > this.most) ?? null;
  }

  // -------------------------------------------------------------------------------- the seats

  get tooMany(): number {
    return Math.max(0, this.seats.length - this.most);
  }

  get friends(): number {
    return this.seats.filter((seat) => seat.kind === "friend").length;
  }

  /** The name you gave yourself here; empty if none. */
  get ownName(): string {
    return this.seats.find((seat) => seat.kind === "me")?.name.trim() ?? "";
  }

  preset(preset: Preset): void {
    const others = Math.min(PRESET_SEATS, this.most) - 1;
    const kinds: SeatKind[] = ["me", ...Array<SeatKind>(others).fill(PRESET_KINDS[preset])];
    this.seats = kinds.map((kind) => this.#newSeat(kind));
  }

  addSeat(kind: SeatKind): void {
    this.seats.push(this.#newSeat(kind));
  }

  removeSeat(seat: PlannedSeat): void {
    this.seats = this.seats.filter((other) => other.id !== seat.id);
  }

  /** A place further up: earlier in the round. */
  moveUp(seat: PlannedSeat): void {
    const place = this.seats.findIndex((other) => other.id === seat.id);
    if (place <= 0) return;
    this.seats.splice(place, 1);
    this.seats.splice(place - 1, 0, seat);
  }

  /** Gives a seat to somebody else. There is only one of you: your former seat gets who sat here. */
  give(seat: PlannedSeat, kind: SeatKind): void {
    if (kind === "me") {
      const mine = this.seats.find((other) => other.kind === "me");
      if (mine) mine.kind = seat.kind;
    }
    seat.kind = kind;
  }

  #newSeat(kind: SeatKind): PlannedSeat {
    return { id: this.#nextId++, kind, name: "", bot: usual.bot };
  }

  // -------------------------------------------------------------------------------- the rules

  ruled(rule: HouseRule): HouseValue {
    return this.house[rule.id] ?? rule.usual;
  }

  rule(rule: HouseRule, value: HouseValue): void {
    if (value === rule.usual) delete this.house[rule.id];
    else this.house[rule.id] = value;
  }

  get ownRules(): number {
    return Object.keys(this.house).length;
  }

  // ---------------------------------------------------------------------------------- all of it

  asked(): NewTable {
    const box = this.box;
    return {
      edition: box?.id ?? this.edition,
      sets: box?.sets.filter((set) => this.isChosen(set)).map((set) => set.id),
      house: $state.snapshot(this.house),
      seats: this.seats.map((seat) => asked(seat)),
      timer: this.timer,
      pace: this.pace,
      public: this.public,
      start: this.friends === 0,
    };
  }
}

function asked({ kind, name, bot }: PlannedSeat): NewSeat {
  switch (kind) {
    case "me":
      return { kind, name: name.trim() || guest.name };
    case "here":
      return { kind, name: name.trim() || null }; // the service finds one
    case "friend":
      return { kind };
    case "bot":
      return { kind, bot };
  }
}
