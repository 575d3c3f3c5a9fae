/**
 * A decision in the making. Most are one step; a trade has three (my card, whom, theirs). Steps that are not final
 * stay on this page: the service only says what would be asked next. The last one is sent together with all before
 * it, so a decision happens as a whole or not at all, and until then it can be taken apart again.
 */
import type { Asked, Choice } from "../lib/wire";

export interface Step {
  asked: Asked;
  choice: Choice;
}

/** Whom a decision is told to. */
export interface Service {
  peek(seat: number, actions: string[]): Promise<Asked | null>;
  act(seat: number, actions: string[]): Promise<void>;
}

export class Decision {
  /** What has been chosen so far, nothing of it final. */
  steps: Step[] = $state.raw([]);
  /** What is asked next. */
  asked: Asked | null = $state.raw(null);
  /** The last choice, waiting to be confirmed. */
  picked: Choice | null = $state.raw(null);
  /** Whether the service has been asked something and has not answered. */
  busy = $state(false);

  #service: Service;
  /** Counts up whenever something else begins: an answer to what came before is not wanted any more. */
  #turn = 0;

  constructor(service: Service) {
    this.#service = service;
  }

  /** Begins anew with a question (or with none). */
  open(asked: Asked | null): void {
    this.#turn++;
    this.steps = [];
    this.picked = null;
    this.busy = false;
    this.asked = asked;
  }

  /** Chooses: goes on to the next step, or waits to be confirmed. The same choice again confirms it. */
  async pick(choice: Choice): Promise<void> {
    if (this.busy || !this.asked) return;
    if (choice.more) return this.#goOn(choice);
    if (this.picked?.action === choice.action) return this.confirm();
    this.picked = choice;
  }

  /** Makes the decision final. */
  async confirm(): Promise<void> {
    if (this.picked) await this.decide(this.picked);
  }

  /** Chooses and confirms at once. */
  async decide(choice: Choice): Promise<void> {
    if (this.busy || !this.asked) return;
    if (choice.more) return this.#goOn(choice);
    const turn = ++this.#turn;
    const { seat } = this.asked;
    this.busy = true;
    try {
      await this.#service.act(seat, [...this.#actions, choice.action]);
    } catch {
      // It was refused, in a sentence that is shown; the question still stands.
    } finally {
      if (turn === this.#turn) this.busy = false;
    }
  }

  /** One step back. */
  back(): void {
    if (this.picked) {
      this.picked = null;
      return;
    }
    const last = this.steps.at(-1);
    if (!last) return;
    this.#turn++;
    this.busy = false;
    this.steps = this.steps.slice(0, -1);
    this.asked = last.asked;
  }

  /** Back to the question as it was asked. */
  cancel(): void {
    this.open(this.steps[0]?.asked ?? this.asked);
  }

  /** Whether anything has been chosen that could be taken back. */
  get begun(): boolean {
    return this.picked !== null || this.steps.length > 0;
  }

  get #actions(): string[] {
    return this.steps.map((step) => step.choice.action);
  }

  async #goOn(choice: Choice): Promise<void> {
    const asked = this.asked!;
    const turn = ++this.#turn;
    this.busy = true;
    let next: Asked | null;
    try {
      next = await this.#service.peek(asked.seat, [...this.#actions, choice.action]);
    } catch {
      if (turn === this.#turn) this.busy = false;
      return;
    }
    if (turn !== this.#turn) return;
    this.busy = false;
    if (next) {
      this.steps = [...this.steps, { asked, choice }];
      this.picked = null;
      this.asked = next;
    } else {
      this.picked = { ...choice, more: false }; // nothing more is asked after all
    }
  }
}
