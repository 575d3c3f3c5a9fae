/** Playing at a table: who sits at this device, what is asked of them, what they are about to choose. */
import { getContext, setContext, untrack } from "svelte";
import { api, messageOf } from "../lib/api";
import type { LiveTable } from "../lib/live.svelte";
import { remember, remembered, settings, type Speed } from "../lib/settings.svelte";
import type { Asked, CardInfo, Choice, Entry, Hint, Scene, SeatInfo, Worth } from "../lib/wire";
import { announce, toast } from "../shell/announce.svelte";
import { isBlocked, isMuted } from "../panel/chat";
import { play as sound } from "../look/sound";
import { beatsOf } from "./beats";
import { Decision } from "./decision.svelte";
import { Director } from "./director.svelte";
import { diceOf, type Dice } from "./odds";
import { latest, type Shown } from "./shown";
import { Effects } from "./effects.svelte";
import { room } from "./layout.svelte";
import { tableWords } from "../words/table";

export type Part = "result" | "market" | "city" | "others" | "log";
export type Side = "log" | "chat";

const PACES = { slow: 1.7, normal: 1, fast: 0.2, instant: 0 } as const;
const PASSING_KEPT_AS = "dicetown.pass_device";
const PLAY = Symbol("play");
const noop = (): void => {};

export class Play {
  readonly decision: Decision;
  readonly director: Director;
  readonly effects: Effects;

  /** The card or landmark that is looked at closely, and in whose city it stands. */
  closeUp: { thing: string; seat: number | null } | null = $state.raw(null);
  /** The same for a moment, while the pointer rests on it or the focus is there. */
  glance: { thing: string; seat: number | null; element: HTMLElement } | null = $state.raw(null);
  /** What a bot advises, at the moment it was asked. */
  hint: Hint | null = $state.raw(null);
  asksHint = $state(false);
  /** Whether a better hint than the one that is shown is being thought about. */
  hintImproves = $state(false);
  wishedDice: Dice | null = $state(null);
  /** On a phone: which part is in sight. Elsewhere: what lies beside the table. */
  part: Part = $state("market");
  side: Side = $state("log");
  sideOpen = $state(false);
  /** Whether it is told why the dice are fair. */
  fairShown = $state(false);
  /** Whether who sits here is shown, for all to see and the host to change. */
  seatsShown = $state(false);
  /** On a phone the odds are folded until somebody wants them. */
  oddsUnfolded = $state(false);
  /** Whether the device is handed over with a word; as it was last set on this device. */
  passing: boolean = $state(remembered(PASSING_KEPT_AS) !== false);
  /** Who holds the device, where several people share it. */
  holder: number | null = $state(null);
  /** Whose city a spectator follows. */
  followed = $state(0);

  #hidden = $state(document.hidden);

  /** The question that was shown last, with its moment, and whether it was ours. */
  #question = "";
  readonly #worths = new Map<string, Promise<Worth>>();
  #worthsAt = -1;
  /** When the service has said what the last of them is worth. */
  #weighed: Promise<void> = Promise.resolve();

  constructor(readonly live: LiveTable) {
    this.effects = new Effects(() => this.seats);
    this.director = new Director({
      now: () => latest(live),
      pace: () => (document.hidden ? 0 : PACES[settings.speed]),
      awaits: (asked) => this.#isOurs(asked),
      see: (sight, length) => this.effects.see(sight, length),
      clear: () => this.effects.clear(),
      show: (shown, told) => this.#show(shown, told),
    });
    this.decision = new Decision({
      peek: (seat, actions) => live.peek(seat, actions),
      act: (seat, actions) => {
        this.director.skip();
        this.wishedDice = diceOf(actions.at(-1)) ?? this.wishedDice;
        return live.act(seat, actions);
      },
    });
  }

  // --------------------------------------------------------------------------- what happens

  /** Follows the table from now on. Returns how to stop that. */
  follow(): () => void {
    const stops = [
      this.live.onEntry((entry, before) => this.hear(entry, before)),
      this.live.onWelcome(() => this.director.skip()),
      // What changes without anything to see: odds that are worked out, somebody who thinks, who we are.
      $effect.root(() => {
        $effect(() => {
          latest(this.live);
          void this.live.you;
          untrack(() => this.director.settle());
        });
        $effect(() => this.live.look(this.#seesOdds));
      }),
    ];
    addEventListener("click", this.#hurry, true);
    addEventListener("keydown", this.#hurry, true);
    document.addEventListener("visibilitychange", this.#hide);
    return () => {
      for (const stop of stops) stop();
      removeEventListener("click", this.#hurry, true);
      removeEventListener("keydown", this.#hurry, true);
      document.removeEventListener("visibilitychange", this.#hide);
    };
  }

  /**
   * Who is asked does not wait for what still moves: what they do counts for what is asked at the end of it. The second
   * of two clicks means what the first did, so it only counts if that opened a card.
   */
  #hurry = (event: MouseEvent | KeyboardEvent): void => {
    const again = event instanceof KeyboardEvent ? event.repeat : event.detail > 1 && !this.closeUp;
    if (!again && this.director.playing && this.#isOurs(this.live.asked)) this.director.skip();
  };

  /** Nothing moves where nobody looks; a browser would let it take for ever there. */
  #hide = (): void => {
    this.#hidden = document.hidden;
    if (document.hidden) this.director.skip();
  };

  /** On a phone they are folded, and what was seen once and closed is not looked at, either. */
  get #seesOdds(): boolean {
    if (this.#hidden) return false;
    return room.handheld ? this.oddsUnfolded : settings.odds || this.live.odds.length === 0;
  }

  #isOurs(asked: Asked | null): asked is Asked {
    return asked !== null && this.seats.includes(asked.seat);
  }

  /** Another moment is shown, and all that depends on it follows at once: a key may be pressed right now. */
  #show({ asked, scene }: Shown, told: Entry[]): void {
    // The same question is told again when something else at the table changes.
    const ours = this.#isOurs(asked);
    const question = JSON.stringify([scene?.moves, ours, asked]);
    if (question !== this.#question) {
      this.#question = question;
      this.decision.open(ours ? asked : null);
      this.hint = null;
      if (asked?.control === "build" && asked.seat === this.seat) this.part = "market";
    }
    this.#giveDevice();
    const lines = told.flatMap((entry) => entry.lines.filter((line) => line.icon !== "said"));
    const words = lines.map((line) => line.text);
    if (ours && told.some((entry) => entry.scene)) words.push(asked.question);
    if (words.length > 0) announce(words.join(" "));
  }

  /** Something happened at the table: it is played, or if nothing shall move, at least heard. */
  hear(entry: Entry, before: Scene | null): void {
    this.director.hear(entry, before);
    if (entry.kind === "said") this.#hearVoice(entry);
    else if (before && !this.director.playing) {
      for (const { sight } of beatsOf(entry, before)) {
        if (sight.kind === "turn" || sight.kind === "win") this.effects.sound(sight);
      }
    }
  }

  #hearVoice({ name, seat }: Entry): void {
    const speaker = { name: name ?? "", seat };
    const own = seat !== null && this.seats.includes(seat);
    if (!own && !isMuted(settings.muted) && !isBlocked(speaker, settings.muted)) sound("chat");
  }

  // ------------------------------------------------------------------------------- who plays

  /** The seats at this device. */
  get seats(): number[] {
    return this.live.you?.seats ?? [];
  }

  get watches(): boolean {
    return this.seats.length === 0;
  }

  get shared(): boolean {
    return this.seats.length > 1;
  }

  /** Through whose eyes the table is seen; null for those who only watch. */
  get seat(): number | null {
    if (this.watches) return null;
    return this.holder !== null && this.seats.includes(this.holder) ? this.holder : this.seats[0]!;
  }

  /** Whose turn it is, in words: at a device that several share, "your" would be everybody's. */
  turnOf(seat: number): string {
    if (seat === this.seat && !this.shared) return tableWords.t("your_turn");
    return tableWords.t("turn_of", { name: this.nameOf(seat) });
  }

  /** Whose city lies in front. */
  get front(): number {
    return this.seat ?? Math.min(this.followed, (this.scene?.cities.length ?? 1) - 1);
  }

  /** Whom the device goes to before they are asked; null if it is where it belongs. */
  get passTo(): number | null {
    const { asked } = this;
    if (!this.shared || !this.passing || !asked || !this.playing) return null;
    return this.seats.includes(asked.seat) && asked.seat !== this.seat ? asked.seat : null;
  }

  takeDevice(seat: number): void {
    this.holder = seat;
  }

  /** Without a word the device simply belongs to whoever is asked. */
  #giveDevice(): void {
    const { asked } = this;
    if (asked && this.shared && this.#isOurs(asked) && (!this.passing || this.holder === null)) {
      this.takeDevice(asked.seat);
    }
  }

  setPassing(passing: boolean): void {
    this.passing = passing;
    remember(PASSING_KEPT_AS, passing);
    this.#giveDevice();
  }

  seatInfo(seat: number): SeatInfo | undefined {
    return this.shown.table?.seats[seat];
  }

  nameOf(seat: number): string {
    return this.seatInfo(seat)?.name ?? "";
  }

  /** Whether it is ours to say how quickly the bots play: as the host, or where nobody else does. */
  get setsPace(): boolean {
    const table = this.live.table;
    if (!table || table.stage === "over" || table.stage === "closed" || this.watches) return false;
    const people = table.seats.filter((seat) => seat.kind === "person");
    return !!this.live.you?.host || people.every((seat) => this.seats.includes(seat.seat));
  }

  /** Another speed is set on this page: it holds at once, for what moves and for the bots. */
  changeSpeed(speed: Speed): void {
    if (speed === "instant") this.director.skip();
    if (!this.setsPace || this.live.table?.pace === speed) return;
    api.changePace(this.live.code, speed).catch((thrown: unknown) => toast(messageOf(thrown)));
  }

  // ---------------------------------------------------------------------------- what is there

  /** What is shown, all of one moment; it may lag behind the service while something moves. */
  get shown(): Shown {
    return this.director.shown;
  }

  get scene(): Scene | null {
    return this.shown.scene;
  }

  get playing(): boolean {
    return this.shown.table?.stage === "playing";
  }

  get over(): boolean {
    return this.scene?.phase === "over";
  }

  card(thing: string): CardInfo | undefined {
    return this.live.cards[thing];
  }

  /** Whether a bot plays for the one who looks. */
  get replaced(): boolean {
    return this.seat !== null && !!this.seatInfo(this.seat)?.stand_in;
  }

  /** What is asked at the table; nothing while something moves. */
  get asked(): Asked | null {
    return this.shown.asked;
  }

  /** What is asked of the one who looks; null when it is somebody else's turn. */
  get mine(): Asked | null {
    const asked = this.asked;
    return asked && this.playing && !this.replaced && asked.seat === this.seat ? this.decision.asked : null;
  }

  /** What can be chosen by pointing at a thing in the market or in a city (`owner`). */
  choiceAt(thing: string, owner: number | null): Choice | null {
    const asked = this.mine;
    if (!asked) return null;
    const here = asked.choices.filter((choice) => choice.thing === thing);
    switch (asked.control) {
      case "build":
        return owner === null || (owner === this.seat && this.card(thing)?.kind === "landmark")
          ? (here[0] ?? null)
          : null;
      case "give":
      case "landmark":
        return owner === this.seat ? (here[0] ?? null) : null;
      case "take":
        return here.find((choice) => choice.seat === owner) ?? null;
      case "card":
        return owner === null ? null : (here[0] ?? null);
      default:
        return null;
    }
  }

  /** Somebody points at a thing: what can be chosen is chosen, all else is looked at. */
  point(thing: string, owner: number | null): void {
    const choice = this.choiceAt(thing, owner);
    if (choice && this.mine?.control !== "build") {
      void this.decision.pick(choice);
      return;
    }
    this.closeUp = { thing, seat: owner };
  }

  /** Why a thing that could be built there cannot be built now; null if it can, or nobody asks. */
  refusalAt(thing: string, owner: number | null): string | null {
    return owner === null || owner === this.seat ? (this.mine?.refusals[thing] ?? null) : null;
  }

  /** Builds what is pointed at without looking at it first. */
  build(thing: string): void {
    const choice = this.mine?.control === "build" ? this.choiceAt(thing, null) : null;
    if (!choice) return;
    this.closeUp = null;
    void this.decision.decide(choice);
  }

  /** Carries out the first of these actions that is possible now, and says whether one was. */
  tryActions(wanted: RegExp): boolean {
    const choice = this.mine?.choices.find(({ action }) => wanted.test(action));
    if (choice) void this.decision.decide(choice);
    return !!choice;
  }

  get canUndo(): boolean {
    const { undoable } = this.live;
    return undoable !== null && this.seats.includes(undoable) && this.playing;
  }

  undo(): void {
    const { undoable } = this.live;
    if (undoable === null || !this.seats.includes(undoable)) return;
    this.director.skip();
    this.live.undo(undoable).catch(() => {});
  }

  /** Whether there is something to choose between: else nobody needs advice. */
  get hasOptions(): boolean {
    return (this.asked?.choices.length ?? 0) > 1;
  }

  async askHint(): Promise<void> {
    const asked = this.mine;
    if (!asked || this.asksHint || !this.hasOptions) return;
    if (this.hint) {
      this.hint = null;
      return;
    }
    this.asksHint = true;
    const moves = this.scene?.moves;
    const isStillAsked = () => this.asked !== null && this.scene?.moves === moves;
    try {
      const { hint, last } = await this.live.hint(asked.seat, (better) => {
        if (better && isStillAsked() && this.hint) this.hint = better; // who has closed it wants no other
        this.hintImproves = false;
      });
      if (!isStillAsked()) return;
      this.hint = hint;
      this.hintImproves = !last;
    } catch {
      // It was refused, in a sentence that is shown.
    } finally {
      this.asksHint = false;
    }
  }

  /**
   * What one more of a card would earn; the service is asked once for each moment of the game, and for one card
   * after the other, however quickly somebody looks from one to the next.
   */
  worthOf(seat: number, thing: string): Promise<Worth> {
    const moves = this.live.scene?.moves ?? -1;
    if (moves !== this.#worthsAt) this.#worths.clear();
    this.#worthsAt = moves;
    const key = `${seat} ${thing}`;
    const known = this.#worths.get(key) ?? this.#askWorth(seat, thing, moves);
    this.#worths.set(key, known);
    known.catch(() => this.#worths.delete(key));
    return known;
  }

  #askWorth(seat: number, thing: string, moves: number): Promise<Worth> {
    const asked = this.#weighed.then(() => {
      if (this.#worthsAt !== moves) throw new Error("The game has gone on.");
      return this.live.worth(seat, thing);
    });
    this.#weighed = asked.then(noop, noop);
    return asked;
  }

  /** The action that the hint puts first. */
  get advised(): string | null {
    return this.hint?.options[0]?.action ?? this.hint?.meanwhile?.action ?? null;
  }
}

export const providePlay = (play: Play): Play => setContext(PLAY, play);
export const usePlay = (): Play => getContext<Play>(PLAY);
