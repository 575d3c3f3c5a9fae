/** How much room the table has: a desk, a tablet or a phone. */

export type Layout = "desk" | "tablet" | "phone";

const PHONE = "(max-width: 699px)";
const DESK = "(min-width: 1100px)";

class Room {
  layout: Layout = $state("desk");

  /** Follows the window from now on. Returns how to stop that. */
  watch(): () => void {
    const phone = matchMedia(PHONE);
    const desk = matchMedia(DESK);
    const look = () => (this.layout = phone.matches ? "phone" : desk.matches ? "desk" : "tablet");
    look();
    phone.addEventListener("change", look);
    desk.addEventListener("change", look);
    return () => {
      phone.removeEventListener("change", look);
      desk.removeEventListener("change", look);
    };
  }
}

export const room = new Room();
