// Keys as they are printed on a keyboard.
const SIGNS: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  " ": "␣",
  Escape: "Esc",
};

/** "u" as U, "ArrowLeft" as ←. */
export function keyName(key: string): string {
  return SIGNS[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}
