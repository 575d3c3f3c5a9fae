/**
 * Looking closer at a card: rest the pointer on it, hold a finger on it, or press i. The pointer brings a glance that
 * goes away with it; the others bring the close-up that stays.
 */
import type { Attachment } from "svelte/attachments";
import type { Play } from "./play.svelte";

const REST_MS = 600;
const HOLD_MS = 450;
/** A finger that moves farther scrolls. */
const SLACK = 10;

export function closer(play: Play, thing: string, seat: number | null): Attachment<HTMLElement> {
  return (element) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let held = false;
    let start = { x: 0, y: 0 };

    const stop = () => {
      clearTimeout(timer);
      if (play.glance?.element === element) play.glance = null;
    };
    const enter = (event: PointerEvent) => {
      if (event.pointerType !== "mouse") return;
      clearTimeout(timer);
      timer = setTimeout(() => (play.glance = { thing, seat, element }), REST_MS);
    };
    const press = (event: PointerEvent) => {
      held = false;
      stop();
      if (event.pointerType === "mouse") return;
      start = { x: event.clientX, y: event.clientY };
      timer = setTimeout(() => {
        held = true;
        navigator.vibrate?.(10);
        play.closeUp = { thing, seat };
      }, HOLD_MS);
    };
    const move = (event: PointerEvent) => {
      if (event.pointerType === "mouse") return;
      if (Math.hypot(event.clientX - start.x, event.clientY - start.y) > SLACK) clearTimeout(timer);
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
      ["pointerenter", enter],
      ["pointerleave", stop],
      ["pointerdown", press],
      ["pointermove", move],
      ["pointerup", () => clearTimeout(timer)],
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
