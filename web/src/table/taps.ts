/** Where the page was last touched: so that a second tap on the same spot can be told from a new one. */
export const lastTap = { x: -1000, y: -1000 };

/** Remembers taps from now on. Returns how to stop that. */
export function watchTaps(): () => void {
  const tap = (event: MouseEvent) => {
    lastTap.x = event.clientX;
    lastTap.y = event.clientY;
  };
  addEventListener("click", tap, true);
  return () => removeEventListener("click", tap, true);
}
