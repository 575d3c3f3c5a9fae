// The log by turns: a headline ("Ana's turn.") and what happened until the next one.
import type { Line } from "../lib/wire";

export interface ToldLine {
  line: Line;
  /** Its place in the log: what makes it the same line when others are added, at either end. */
  place: number;
  /** It has been taken back. */
  undone: boolean;
}

export interface Turn {
  key: string;
  seat: number | null;
  head: ToldLine | null; // what came before the first turn has none
  lines: ToldLine[];
}

const TURN_BEGINS = "turn_began";
const TAKEN_BACK = "undone";
const CHAT = "said";

/** What the log tells, by turns; what people said stands in the chat. `first` is the first line's place. */
export function byTurn(lines: Line[], first = 0): Turn[] {
  const turns: Turn[] = [];
  lines.forEach((line, index) => {
    const place = first + index;
    if (line.icon === CHAT) return;
    const told = { line, place, undone: false };
    if (line.icon === TURN_BEGINS) {
      turns.push({ key: `turn ${place}`, seat: line.seat, head: told, lines: [] });
      return;
    }
    if (line.icon === TAKEN_BACK) takeBack(turns, line);
    const current = turns.at(-1);
    if (!current || current.head?.undone) {
      turns.push({ key: `more ${place}`, seat: current ? line.seat : null, head: null, lines: [told] });
    } else {
      current.lines.push(told);
    }
  });
  return turns;
}

/** Marks what lies after the moment to which somebody went back. */
function takeBack(turns: Turn[], line: Line): void {
  const told = turns.flatMap((turn) => (turn.head ? [turn.head, ...turn.lines] : turn.lines));
  for (const before of told.reverse()) {
    // After a reload the service has marked them itself: their moment is no more.
    const gone = before.line.moves === null || (line.moves !== null && before.line.moves > line.moves);
    if (!gone || before.line.icon === TAKEN_BACK) break;
    before.undone = true;
  }
}
