/**
 * The sounds of the table, made by the browser on the spot. Silent until somebody turns them on.
 *
 *     play("coin")   // heard if the settings say so
 */
import { settings } from "../lib/settings.svelte";
import { make, type Sound } from "./synth";

/** Plays a sound, if sounds are turned on. Browsers without sound, or not yet allowed to make any, stay silent. */
export function play(sound: Sound, on = settings.sounds): void {
  if (!on) return;
  const context = openContext();
  if (!context) return;
  // A page that nobody has touched yet must not sound; it may once somebody has.
  if (context.state === "suspended") void context.resume();
  make(sound, context, context.destination, context.currentTime + 0.01);
}

let opened: AudioContext | null = null;

function openContext(): AudioContext | null {
  if (typeof AudioContext !== "undefined") opened ??= new AudioContext();
  return opened;
}
