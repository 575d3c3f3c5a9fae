/**
 * The sounds of the table, made by the browser on the spot: no recordings. Silent until somebody turns them on.
 *
 *     play("coin")   // heard if the settings say so
 */
import { settings } from "../lib/settings.svelte";

export const SOUNDS = ["dice", "coin", "build", "turn", "win", "chat"] as const;
export type Sound = (typeof SOUNDS)[number];

/** Plays a sound, if sounds are turned on. Browsers without sound, or not yet allowed to make any, stay silent. */
export function play(sound: Sound, on = settings.sounds): void {
  if (!on) return;
  const room = openRoom();
  if (!room) return;
  // A page that nobody has touched yet must not sound; it may once somebody has.
  if (room.context.state === "suspended") void room.context.resume();
  MADE[sound](room, room.context.currentTime + 0.01);
}

/** Where sounds are made: everything goes through one volume. */
type Room = { context: AudioContext; out: AudioNode };

let room: Room | null = null;

function openRoom(): Room | null {
  if (room || typeof AudioContext === "undefined") return room;
  const context = new AudioContext();
  const volume = context.createGain();
  volume.gain.value = 0.35;
  volume.connect(context.destination);
  room = { context, out: volume };
  return room;
}

type Tone = {
  at: number;
  pitch: number;
  length: number;
  loud?: number;
  shape?: OscillatorType;
  slide?: number;
};

/** A tone that begins at once and fades, sliding to another pitch if told so. */
function tone({ context, out }: Room, { at, pitch, length, loud = 0.5, shape = "sine", slide }: Tone): void {
  const source = context.createOscillator();
  source.type = shape;
  source.frequency.setValueAtTime(pitch, at);
  if (slide) source.frequency.exponentialRampToValueAtTime(slide, at + length);
  source.connect(fade(context, at, length, loud)).connect(out);
  source.start(at);
  source.stop(at + length);
}

/** A knock: a short burst of noise around a pitch. */
function knock({ context, out }: Room, at: number, pitch: number, loud: number): void {
  const length = 0.05;
  const noise = context.createBuffer(1, Math.ceil(context.sampleRate * length), context.sampleRate);
  const samples = noise.getChannelData(0);
  for (let index = 0; index < samples.length; index++) samples[index] = Math.random() * 2 - 1;
  const source = context.createBufferSource();
  source.buffer = noise;
  const filter = context.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  filter.Q.value = 3;
  source
    .connect(filter)
    .connect(fade(context, at, length, loud))
    .connect(out);
  source.start(at);
}

function fade(context: AudioContext, at: number, length: number, loud: number): GainNode {
  const gain = context.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(loud, at + 0.006);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  return gain;
}

const NOTE = { g4: 392, c5: 523.25, e5: 659.25, g5: 783.99, b5: 987.77, c6: 1046.5, e6: 1318.51 } as const;

const MADE: Readonly<Record<Sound, (room: Room, now: number) => void>> = {
  // It hops, ever quicker and softer.
  dice(room, now) {
    [0, 0.13, 0.23, 0.31, 0.37, 0.42, 0.46].forEach((after, hop) => {
      knock(room, now + after, 1500 + 500 * Math.random(), 1.4 * 0.82 ** hop);
    });
  },
  coin(room, now) {
    tone(room, { at: now, pitch: NOTE.b5, length: 0.09, loud: 0.25, shape: "triangle" });
    tone(room, { at: now + 0.07, pitch: NOTE.e6, length: 0.3, loud: 0.3, shape: "triangle" });
  },
  // Hammer, hammer, done.
  build(room, now) {
    for (const after of [0, 0.14]) {
      knock(room, now + after, 700, 1.6);
      tone(room, { at: now + after, pitch: 180, length: 0.1, loud: 0.5, slide: 90 });
    }
    tone(room, { at: now + 0.3, pitch: NOTE.g5, length: 0.35, loud: 0.3, shape: "triangle" });
  },
  turn(room, now) {
    tone(room, { at: now, pitch: NOTE.e5, length: 0.18, loud: 0.35 });
    tone(room, { at: now + 0.14, pitch: NOTE.g5, length: 0.35, loud: 0.35 });
  },
  win(room, now) {
    [NOTE.g4, NOTE.c5, NOTE.e5, NOTE.g5, NOTE.c6].forEach((pitch, step) => {
      tone(room, {
        at: now + step * 0.12,
        pitch,
        length: step === 4 ? 0.9 : 0.25,
        loud: 0.35,
        shape: "triangle",
      });
    });
    for (const pitch of [NOTE.c5, NOTE.e5, NOTE.g5])
      tone(room, { at: now + 0.48, pitch, length: 0.9, loud: 0.18 });
  },
  chat(room, now) {
    tone(room, { at: now, pitch: 600, length: 0.1, loud: 0.3, slide: 950 });
  },
};
