/** How much room the table has: a desk, a tablet or a phone. */

export type Layout = "desk" | "tablet" | "phone";

const PHONE = "(max-width: 699px)";
const DESK = "(min-width: 1100px)";
const SHORT = "(max-height: 799px)";

function look(): Layout {
  if (matchMedia(PHONE).matches) return "phone";
  return matchMedia(DESK).matches ? "desk" : "tablet";
}

class Room {
  layout: Layout = $state(look());
  /** A low window: what takes height is brief. */
  short: boolean = $state(matchMedia(SHORT).matches);

  /** Follows the window from now on. Returns how to stop that. */
  watch(): () => void {
    const phone = matchMedia(PHONE);
    const desk = matchMedia(DESK);
    const short = matchMedia(SHORT);
    const change = () => {
      this.layout = look();
      this.short = short.matches;
    };
    change();
    const watched = [phone, desk, short];
    for (const query of watched) query.addEventListener("change", change);
    return () => {
      for (const query of watched) query.removeEventListener("change", change);
    };
  }
}

export const room = new Room();
