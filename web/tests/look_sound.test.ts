import { afterEach, describe, expect, it, vi } from "vitest";
import { settings } from "../src/lib/settings.svelte";

/** A stand-in for the browser's sound: counts what is started. */
function soundless() {
  const started: string[] = [];
  const param = () => ({ value: 0, setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} });
  const node = (kind: string) => ({
    connect: (next: unknown) => next,
    start: () => started.push(kind),
    stop: () => {},
    frequency: param(),
    gain: param(),
    Q: param(),
    type: "",
    buffer: null,
  });
  class Context {
    static made = 0;
    constructor() {
      Context.made += 1;
    }
    state = "suspended";
    currentTime = 0;
    sampleRate = 8000;
    destination = {};
    resume = vi.fn(async () => {});
    createGain = () => node("gain");
    createOscillator = () => node("tone");
    createBiquadFilter = () => node("filter");
    createBufferSource = () => node("noise");
    createBuffer = (_channels: number, length: number) => ({
      getChannelData: () => new Float32Array(length),
    });
  }
  vi.stubGlobal("AudioContext", Context);
  return { started, Context };
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
  settings.sounds = false;
});

describe("the sounds of the table", () => {
  it("stay silent, and make nothing, until they are turned on", async () => {
    const { started, Context } = soundless();
    const { play } = await import("../src/look/sound");
    play("dice");
    expect(started).toEqual([]);
    expect(Context.made).toBe(0);
  });

  it("are all made in one place once they are on", async () => {
    const { started, Context } = soundless();
    const { play } = await import("../src/look/sound");
    const { SOUNDS } = await import("../src/look/synth");
    for (const sound of SOUNDS) {
      const before = started.length;
      play(sound, true);
      expect(started.length, sound).toBeGreaterThan(before);
    }
    expect(Context.made).toBe(1);
  });

  it("are not missed where the browser has none", async () => {
    vi.stubGlobal("AudioContext", undefined);
    const { play } = await import("../src/look/sound");
    expect(() => play("coin", true)).not.toThrow();
  });
});
