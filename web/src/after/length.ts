// How long a game was, in words.
import { afterWords } from "../words/after";

export function lengthOf(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  if (minutes < 60) return afterWords.t("minutes", { n: minutes });
  return afterWords.t("hours", { h: Math.floor(minutes / 60), m: minutes % 60 });
}
