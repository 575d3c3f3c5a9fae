/**
 * How the sounds of the table are made, in whatever context they are to be heard or measured: no recordings. None is
 * longer than the motion that it accompanies, and all are about equally loud.
 */
export const SOUNDS = ["dice", "coin", "build", "turn", "win", "chat"] as const;
export type Sound = (typeof SOUNDS)[number];

/** Makes a sound that begins at a time of the context. */
export function make(sound: Sound, context: BaseAudioContext, out: AudioNode, at: number): void {
  const volume = context.createGain();
  volume.gain.value = VOLUME[sound];
  volume.connect(out);
  MADE[sound]({ context, out: volume }, at);
}

/** What makes them equally loud to the ear, at −24 LUFS over a fifth of a second: measured, as docs/table.md tells. */
const VOLUME: Readonly<Record<Sound, number>> = {
  dice: 2.02,
  coin: 1,
  build: 0.8,
  turn: 0.68,
  win: 0.41,
  chat: 1.8,
};

/** Where a sound is made, and where it goes. */
type Room = { context: BaseAudioContext; out: AudioNode };

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
  const source = context.createBufferSource();
  source.buffer = noise(context, length);
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

/** Noise, the same every time: left to chance, one knock in many would be twice as loud, and be cut off. */
function noise(context: BaseAudioContext, length: number): AudioBuffer {
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * length), context.sampleRate);
  const samples = buffer.getChannelData(0);
  let state = 20_011;
  for (let index = 0; index < samples.length; index++) {
    state = (state * 16_807) % 2_147_483_647; // Lehmer's
    samples[index] = (2 * state) / 2_147_483_647 - 1;
  }
  return buffer;
}

function fade(context: BaseAudioContext, at: number, length: number, loud: number): GainNode {
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
    tone(room, { at: now + 0.07, pitch: NOTE.e6, length: 0.28, loud: 0.3, shape: "triangle" });
  },
  // Hammer, hammer, done.
  build(room, now) {
    for (const after of [0, 0.11]) {
      knock(room, now + after, 700, 1.6);
      tone(room, { at: now + after, pitch: 180, length: 0.1, loud: 0.5, slide: 90 });
    }
    tone(room, { at: now + 0.21, pitch: NOTE.g5, length: 0.19, loud: 0.3, shape: "triangle" });
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
