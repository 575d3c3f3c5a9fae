// Who is heard in the chat. What one does not want to read is kept on this device only; nobody else learns of it.
import type { Said } from "../lib/live.svelte";

/** What can be said with one tap; everybody reads it in their own language. */
export const PHRASES = [
  "hello",
  "good_luck",
  "well_played",
  "nice_roll",
  "ouch",
  "thanks",
  "hurry",
  "sorry",
  "good_game",
  "again",
] as const;

/** The longest that can be said at once, as the service takes it. */
export const LONGEST = 280;
/** Stands for everybody in the list of those who are not heard. */
const EVERYBODY = "*";

type Speaker = Pick<Said, "name" | "seat">;

/** How somebody is kept in the block list: by name and seat, for neither alone says who it is. */
export function voiceOf({ name, seat }: Speaker): string {
  return `${seat ?? "-"} ${name}`;
}

export const isBlocked = (speaker: Speaker, muted: readonly string[]): boolean =>
  muted.includes(voiceOf(speaker));
export const isMuted = (muted: readonly string[]): boolean => muted.includes(EVERYBODY);

const toggled = (muted: readonly string[], voice: string): string[] =>
  muted.includes(voice) ? muted.filter((one) => one !== voice) : [...muted, voice];

/** The list after somebody has been blocked, or is heard again. */
export const toggleBlock = (speaker: Speaker, muted: readonly string[]) => toggled(muted, voiceOf(speaker));
/** The list after the whole chat has been muted, or is heard again. */
export const toggleMute = (muted: readonly string[]) => toggled(muted, EVERYBODY);

/** What is read of what was said. */
export function heard(said: readonly Said[], muted: readonly string[]): Said[] {
  return isMuted(muted) ? [] : said.filter((one) => !isBlocked(one, muted));
}
