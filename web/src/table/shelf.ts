/**
 * How the market's cards lie in their place: all of them whole, and as telling as the room allows.
 *
 * A card is shown in one of four forms. What a form needs is stated here in pixels, for `CardTile` draws all four
 * from these measures; the picture takes what height is left.
 */

export type Form = "told" | "pictured" | "sentence" | "slim";

interface Measures {
  narrowest: number;
  widest: number;
  /** The least height at a width, and the most that is of use. */
  lowest: (width: number) => number;
  highest: (width: number) => number;
}

const FOOT = 34;
const band = (width: number) => Math.max(32, 0.26 * width);
const picture = (width: number) => 0.75 * width;
const foot = (width: number) => Math.max(FOOT, 0.25 * width);
/** A line of a sentence, of which there are at least so many: enough for most cards. */
const line = (width: number) => 1.3 * Math.min(17, Math.max(12, 0.074 * width));
const LINES = 5;
const sentence = (width: number, lines = LINES) => lines * line(width) + 4;
/** Two lines of a name. */
const name = (width: number) => Math.min(52, Math.max(32, 0.26 * width));

export const FORMS: Readonly<Record<Form, Measures>> = {
  /** Band, picture, name, sentence, price. */
  told: {
    narrowest: 150,
    widest: 250,
    lowest: (width) => band(width) + 0.12 * width + name(width) + sentence(width) + foot(width),
    highest: (width) => band(width) + picture(width) + name(width) + sentence(width, 7) + foot(width),
  },
  /** Number and picture at the left; name, sentence and price beside them. */
  sentence: {
    narrowest: 152,
    widest: 280,
    lowest: (width) => (width < 200 ? 128 : 112),
    highest: () => 190,
  },
  /** Band, picture, name, price. */
  pictured: {
    narrowest: 92,
    widest: 190,
    lowest: (width) => band(width) + 0.34 * width + name(width) + foot(width),
    highest: (width) => band(width) + picture(width) + name(width) + foot(width),
  },
  /** Number at the left; name and price beside it. */
  slim: { narrowest: 112, widest: 240, lowest: () => 46, highest: () => 84 },
};

export interface Shelf {
  form: Form;
  columns: number;
  /** Of a tile. */
  width: number;
  height: number;
  /** Whether the rows lie in one: where height is scarce. */
  merged: boolean;
  /** Lines of a sentence that a tile has room for. */
  lines: number;
}

export const GAP = 8;
/** From this width of the window on, a card's sentence comes before its picture. */
const WIDE = 1440;

/**
 * The best form, and how many columns: `rows` are the sizes of the rows that the market keeps (one, where it keeps
 * none). Where nothing fits, the slim form is scrolled.
 */
export function fitShelf(rows: readonly number[], place: Place, windowWidth: number): Shelf {
  const order: Form[] =
    windowWidth >= WIDE ? ["told", "sentence", "pictured", "slim"] : ["told", "pictured", "sentence", "slim"];
  for (const form of order) {
    const found = bestOf(form, rows, place);
    if (found) return found;
  }
  const all = [rows.reduce((sum, count) => sum + count, 0)];
  const found = bestOf("slim", all, place) ?? slimAndScrolled(all, place.width);
  return { ...found, merged: true };
}

interface Place {
  width: number;
  height: number;
}

/** The best number of columns for a form. Rows that the market keeps are not broken if they need not be. */
function bestOf(form: Form, rows: readonly number[], place: Place): Shelf | null {
  const longest = Math.max(...rows, 1);
  const unbroken = rows.length > 1 ? fitColumns(form, rows, longest, place) : null;
  if (unbroken) return unbroken;
  let best: Shelf | null = null;
  let most = 0;
  for (let columns = 1; columns <= longest; columns++) {
    const shelf = isEven(rows, columns) ? fitColumns(form, rows, columns, place) : null;
    if (!shelf) continue;
    // Half-empty lines look like something is missing.
    const worth = shelf.width * shelf.height * fullness(rows, columns);
    if (worth > most) [most, best] = [worth, shelf];
  }
  return best;
}

/** Tiles of a form in so many columns, as wide as they fit; null, if they do not. */
function fitColumns(form: Form, rows: readonly number[], columns: number, place: Place): Shelf | null {
  const { narrowest, widest, lowest, highest } = FORMS[form];
  const room = Math.floor((place.height + GAP) / linesOf(rows, columns)) - GAP;
  let width = Math.min(widest, Math.floor((place.width + GAP) / columns) - GAP);
  while (width > narrowest && lowest(width) > room) width--;
  if (width < narrowest || lowest(width) > room) return null;
  const height = Math.min(highest(width), room);
  return { form, columns, width, height, merged: false, lines: linesOfSentence(form, width, height) };
}

/** What the picture and the other words leave; the picture keeps some of it, if there is much. */
function linesOfSentence(form: Form, width: number, height: number): number {
  if (form === "sentence") return Math.max(1, Math.floor((height - 2 * 14.3 - 30) / 14.4));
  const rest = height - band(width) - 0.4 * width - name(width) - foot(width) - 4;
  return Math.max(LINES, Math.floor(rest / line(width)));
}

function slimAndScrolled(rows: readonly number[], width: number): Shelf {
  const { narrowest, widest, lowest } = FORMS.slim;
  const most = Math.max(1, Math.floor((width + GAP) / (narrowest + GAP)));
  const columns = evenColumns(Math.max(...rows, 1), most);
  const tile = Math.min(widest, Math.floor((width + GAP) / columns) - GAP);
  return { form: "slim", columns, width: tile, height: lowest(tile), merged: false, lines: 0 };
}

/** As high as it gets, for a place that is scrolled: pictures, at least three beside each other. */
export function scrolledShelf(rows: readonly number[], width: number): Shelf {
  const { highest, widest } = FORMS.pictured;
  const most = Math.max(3, Math.floor((width + GAP) / (104 + GAP)));
  const columns = Math.max(3, evenColumns(Math.max(...rows, 1), most));
  const tile = Math.min(widest, Math.floor((width + GAP) / columns) - GAP);
  return { form: "pictured", columns, width: tile, height: highest(tile), merged: false, lines: 0 };
}

const linesOf = (rows: readonly number[], columns: number) =>
  rows.reduce((sum, count) => sum + Math.ceil(count / columns), 0);

const fullness = (rows: readonly number[], columns: number) =>
  rows.reduce((sum, count) => sum + count, 0) / (columns * linesOf(rows, columns));

/** Whether fewer columns would take more lines: else the last line is emptier than it need be. */
const isEven = (rows: readonly number[], columns: number) =>
  columns === 1 || linesOf(rows, columns - 1) > linesOf(rows, columns);

/** At most so many columns, such that the lines are as full as each other: ten in 7 columns are 5 + 5. */
export function evenColumns(count: number, most: number): number {
  const lines = Math.ceil(count / Math.max(1, most));
  return Math.max(1, Math.ceil(count / Math.max(1, lines)));
}
