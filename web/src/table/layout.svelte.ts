/** How much room the table has: a desk, a tablet, or a phone held upright or sideways. */

export type Layout = "desk" | "tablet" | "phone" | "sideways";

/** Windows narrower than this show one part of the table at a time. */
const PHONE = 700;
/** From this width on log and chat lie beside the table. */
const DESK = 1100;
/** From this width on the others' cities can stand beside the market, log and chat not. */
const FLANKED = 860;
/** But then the question lies below both, and they have less height. */
const BELOW = 24;
/** What those two take of a desk's width. */
const SIDE = 232;
/**
 * The least height in which market, city and question can be stacked: the narrower the window, the more lines they take.
 * In lower windows they stand side by side.
 */
const leastHeight = (width: number) => 540 + Math.max(0, 1440 - width) * 0.4;
/** Whether the others' cities fit into the stack, too. */
const hasHeightForOthers = (width: number, height: number) => height >= 768 + Math.max(0, 820 - width);
const NARROWEST_SIDEWAYS = 540;
/** Windows lower than this have little height to spare: a laptop's, below the bars of its browser; a tablet stacks more. */
const SHORT = 800;
const SHORT_TABLET = 960;

/**
 * The layout for a window.
 *
 * layoutFor(1366, 657) is "desk", layoutFor(740, 360) "sideways", layoutFor(360, 740) "phone"
 */
export function layoutFor(width: number, height: number): Layout {
  if (width >= DESK && height >= leastHeight(width)) return "desk";
  if (width >= PHONE && (hasHeightForOthers(width, height) || isFlanked(width, height))) return "tablet";
  return width >= Math.max(height, NARROWEST_SIDEWAYS) ? "sideways" : "phone";
}

/** Whether a tablet's window has the others' cities beside the market, for want of height. */
const isFlanked = (width: number, height: number): boolean =>
  width >= FLANKED && !hasHeightForOthers(width, height) && height >= leastHeight(width + SIDE) + BELOW;

class Room {
  width = $state(innerWidth);
  height = $state(innerHeight);
  layout: Layout = $derived(layoutFor(this.width, this.height));
  /** The others' cities stand beside the market, although it is a tablet's window: it is too low for all of them. */
  flanked = $derived(this.layout === "tablet" && isFlanked(this.width, this.height));
  /** One part of the table at a time, and the dice with the question: as on a phone, however it is held. */
  handheld = $derived(this.layout === "phone" || this.layout === "sideways");
  short = $derived(this.height < (this.layout === "tablet" ? SHORT_TABLET : SHORT));

  /** Follows the window from now on. Returns how to stop that. */
  watch(): () => void {
    const change = () => {
      this.width = innerWidth;
      this.height = innerHeight;
    };
    change();
    addEventListener("resize", change);
    return () => removeEventListener("resize", change);
  }
}

export const room = new Room();
