/**
 * Looking closer at a card: move the pointer there and rest, lead the focus there, hold a finger on it, or press i.
 * Pointer and focus bring a glance that goes away with them; the others bring the close-up that stays.
 */
import type { Attachment } from "svelte/attachments";
import { focusWasLed, pointerMoved } from "./intent";
import type { Play } from "./play.svelte";

const REST_MS = 600;
/** Who walks over the cards by key does not stop at each. */
const FOCUS_MS = 350;
const HOLD_MS = 450;
/** A finger that moves farther scrolls. */
const SLACK = 10;

/** One for each thing: a table that changes makes no new ones, or it would end every glance. */
const made = new WeakMap<Play, Map<string, Attachment<HTMLElement>>>();

export function closer(play: Play, thing: string, seat: number | null): Attachment<HTMLElement> {
  const all = made.get(play) ?? new Map<string, Attachment<HTMLElement>>();
  made.set(play, all);
  const key = `${thing} ${seat}`;
  const known = all.get(key) ?? closerAt(play, thing, seat);
  all.set(key, known);
  return known;
}

function closerAt(play: Play, thing: string, seat: number | null): Attachment<HTMLElement> {
  return (element) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let held = false;
    /** What was pressed, or sent away, is not shown again before the pointer has been elsewhere. */
    let enough = false;
    let start = { x: 0, y: 0 };

    const isShown = () => play.glance?.element === element;
    const stop = () => {
      clearTimeout(timer);
      removeEventListener("keydown", escape, true);
      if (isShown()) play.glance = null;
    };
    const escape = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !isShown()) return;
      event.preventDefault();
      event.stopPropagation();
      enough = true;
      stop();
    };
    /** Glances in a moment, if until then nothing else is asked. */
    const glanceAfter = (wait: number) => {
      const asked = play.mine;
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (!element.isConnected || play.mine !== asked) return;
        play.glance = { thing, seat, element };
        addEventListener("keydown", escape, true);
      }, wait);
    };
    const leave = () => {
      enough = false;
      stop();
    };
    const focus = () => {
      if (focusWasLed() && element.matches(":focus-visible")) glanceAfter(FOCUS_MS);
    };
    const press = (event: PointerEvent) => {
      held = false;
      stop();
      enough = true;
      if (event.pointerType === "mouse") return;
      start = { x: event.clientX, y: event.clientY };
      timer = setTimeout(() => {
        held = true;
        navigator.vibrate?.(10);
        play.closeUp = { thing, seat };
      }, HOLD_MS);
    };
    const move = (event: PointerEvent) => {
      if (event.pointerType === "mouse") {
        if (!enough && !isShown() && pointerMoved(event)) glanceAfter(REST_MS);
      } else if (Math.hypot(event.clientX - start.x, event.clientY - start.y) > SLACK) clearTimeout(timer);
    };
    const click = (event: MouseEvent) => {
      if (!held) return;
      held = false; // the hold was it: what follows is no tap
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    const menu = (event: Event) => {
      if (held) event.preventDefault();
    };
    const key = (event: KeyboardEvent) => {
      if (event.key !== "i" || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      play.closeUp = { thing, seat };
    };

    const listeners: [string, (event: never) => void, boolean?][] = [
      ["pointerleave", leave],
      ["pointerdown", press],
      ["pointermove", move],
      ["pointerup", () => clearTimeout(timer)],
      ["focus", focus],
      ["blur", stop],
      ["pointercancel", stop],
      ["click", click, true],
      ["contextmenu", menu],
      ["keydown", key],
    ];
    for (const [name, listener, capture] of listeners) {
      element.addEventListener(name, listener as EventListener, capture);
    }
    return () => {
      stop();
      for (const [name, listener, capture] of listeners) {
        element.removeEventListener(name, listener as EventListener, capture);
      }
    };
  };
}
