// What the page says on its own: an effect that says it does not follow what was said.
import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announce, toast, voice } from "../src/shell/announce.svelte";

beforeEach(() => {
  vi.useFakeTimers();
  voice.spoken = "";
});
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

/** Says something in an effect; tells how often, until other things are said, too. */
function timesSaid(say: (text: string) => void): number {
  let times = 0;
  const stop = $effect.root(() => {
    $effect(() => {
      times += 1;
      say("Nine seconds left.");
    });
  });
  flushSync();
  say("Something else.");
  flushSync();
  stop();
  return times;
}

test("What an effect says is said once, whatever is said after it.", () => {
  expect(timesSaid(announce)).toBe(1);
  expect(timesSaid(toast)).toBe(1);
});

test("The same words again are read out again.", () => {
  announce("Your turn.");
  announce("Your turn.");
  expect(voice.spoken).toBe("Your turn.\u00a0");
});
