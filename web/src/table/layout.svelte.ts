/** How much room the table has: a desk, a tablet, or a phone held upright or sideways. */

export type Layout = "desk" | "tablet" | "phone" | "sideways";

/** Windows narrower than this show one part of the table at a time. */
const PHONE = 700;
/** From this width on log and chat lie beside the table. */
const DESK = 1100;
/** Windows lower than this cannot stack market, city and question: these stand side by side. */
const LOW = 500;
const NARROWEST_SIDEWAYS = 540;
/** Windows lower than this have little height to spare: a laptop's, below the bars of its browser. */
export const SHORT = 800;

/**
 * The layout for a window.
 *
 * layoutFor(1366, 657) is "desk", layoutFor(740, 360) "sideways", layoutFor(360, 740) "phone"
 */
export function layoutFor(width: number, height: number): Layout {
  if (height < LOW && width >= NARROWEST_SIDEWAYS) return "sideways";
  if (width < PHONE) return "phone";
  return width < DESK ? "tablet" : "desk";
}

class Room {
  width = $state(innerWidth);
  height = $state(innerHeight);
  layout: Layout = $derived(layoutFor(this.width, this.height));
  /** One part of the table at a time, and the dice with the question: as on a phone, however it is held. */
  handheld = $derived(this.layout === "phone" || this.layout === "sideways");

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
