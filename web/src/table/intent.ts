/**
 * What a person has just done by hand. A page that changes under a pointer at rest sends events, too, as if somebody had
 * moved; and the focus moves by itself when something closes. Neither is a wish to see anything.
 */

/** Where the pointer was last, on the screen; null until it has been anywhere. */
let pointer: { x: number; y: number } | null = null;
let lastKey = "";
/** The keys that lead from one thing to the next. */
const WALKING: readonly string[] = ["Tab", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];

/** Whether it is the pointer that has moved, and not the page below it. The first place it is seen at tells nothing. */
export function pointerMoved({ screenX: x, screenY: y }: MouseEvent): boolean {
  return pointer !== null && (pointer.x !== x || pointer.y !== y);
}

/** Whether the focus is where it is because somebody led it there by key. */
export const focusWasLed = (): boolean => WALKING.includes(lastKey);

/** Watches hands from now on. Returns how to stop that. */
export function watchHands(): () => void {
  const see = ({ screenX, screenY }: MouseEvent) => (pointer = { x: screenX, y: screenY });
  const press = () => (lastKey = "");
  const key = (event: KeyboardEvent) => (lastKey = event.key);
  // The pointer's place is noted last, after everybody below has compared it with the one before.
  addEventListener("pointermove", see);
  addEventListener("pointerdown", press, true);
  addEventListener("keydown", key, true);
  return () => {
    pointer = null; // where it goes unwatched, nobody knows
    lastKey = "";
    removeEventListener("pointermove", see);
    removeEventListener("pointerdown", press, true);
    removeEventListener("keydown", key, true);
  };
}
