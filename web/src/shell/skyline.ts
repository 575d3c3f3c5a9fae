/** Towns for the eye: rows of houses that come out of a word, always the same ones of the same word. */

export type Roof = "gable" | "flat" | "steps" | "dome" | "slant";
export type House = {
  x: number;
  width: number;
  height: number;
  roof: Roof;
  /** Which of the paints of the town. */
  paint: number;
  /** Where the windows are, and whether somebody is at home. */
  windows: { x: number; y: number; lit: boolean }[];
  /** Stands in the second row. */
  behind: boolean;
};
export type Tree = { x: number; size: number };
export type Town = { width: number; houses: House[]; trees: Tree[] };

export const PAINTS = 6;
export const TOWN_HEIGHT = 130;
const ROOFS: readonly Roof[] = ["gable", "flat", "gable", "steps", "dome", "slant"];
const WINDOW = 6;

/** Numbers from 0 to 1 that come out of a word (mulberry32). */
export function dreams(word: string): () => number {
  let state = 2166136261;
  for (const letter of word) state = Math.imul(state ^ letter.codePointAt(0)!, 16777619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A town with so many houses in its front row. */
export function town(word: string, houses: number): Town {
  const dream = dreams(word);
  const between = (least: number, most: number) => Math.round(least + dream() * (most - least));
  const built: House[] = [];
  const trees: Tree[] = [];
  let x = 10;
  let paint = between(0, PAINTS - 1);
  const build = (at: number, width: number, height: number, behind: boolean) => {
    paint = (paint + between(1, PAINTS - 1)) % PAINTS; // never that of the neighbour
    const roof = ROOFS[between(0, ROOFS.length - 1)]!;
    built.push({ x: at, width, height, roof, paint, behind, windows: windows(at, width, height, dream) });
  };
  for (let n = 0; n < houses; n++) {
    const width = between(24, 40);
    build(x, width, between(30, 66), false);
    if (dream() < 0.6) build(x + between(4, 20), between(22, 30), between(66, 100), true);
    x += width + (dream() < 0.4 ? between(12, 16) : between(1, 3));
    if (x - built.at(-1)!.x > 30 && dream() < 0.5) trees.push({ x: x - 7, size: between(8, 13) });
  }
  built.sort((one, other) => Number(other.behind) - Number(one.behind));
  return { width: x + 8, houses: built, trees };
}

function windows(x: number, width: number, height: number, dream: () => number): House["windows"] {
  const columns = Math.floor((width - 6) / (WINDOW + 4));
  const rows = Math.floor((height - 8) / (WINDOW + 6));
  const inset = (width - (columns * (WINDOW + 4) - 4)) / 2;
  return Array.from({ length: columns * rows }, (_, n) => ({
    x: x + inset + (n % columns) * (WINDOW + 4),
    y: 8 + Math.floor(n / columns) * (WINDOW + 6),
    lit: dream() < 0.55,
  }));
}
