// Keys as they are printed on a keyboard.
const SIGNS: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  " ": "␣",
  Escape: "Esc",
};
/** So many digits in a row are written as "1–9". */
const ROW = 3;

/** "u" as U, "ArrowLeft" as ←. */
export function keyName(key: string): string {
  return SIGNS[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}

/** The keys that do the same thing; a row of digits as one. */
export function keyNames(keys: readonly string[]): string[] {
  const digits = keys.filter((key) => /^\d$/.test(key));
  if (digits.length < ROW) return keys.map(keyName);
  const others = keys.filter((key) => !digits.includes(key));
  return [`${digits[0]}–${digits.at(-1)}`, ...others.map(keyName)];
}
