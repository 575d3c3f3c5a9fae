/**
 * Rounds the paths of a drawing, which makes it a quarter smaller and changes nothing that can be seen.
 *
 * Each step of a path begins where the one before ended, so that rounding steps one by one would let the pen drift.
 * Here the pen's true place is kept, and every step is rounded from where the pen now is to where it should be.
 */

/** For each command: which of its numbers are x (x), y (y) or neither (r: a radius, f: taken as it is). */
const NUMBERS: Readonly<Record<string, string>> = {
  m: "xy",
  l: "xy",
  h: "x",
  v: "y",
  c: "xyxyxy",
  s: "xyxy",
  q: "xyxy",
  t: "xy",
  a: "rrfffxy",
  z: "",
};

/** The drawing with the data of all paths rounded to so many digits after the point. */
export const roundPaths = (svg: string, digits: number): string =>
  svg.replace(/ d="([^"]*)"/g, (_, path: string) => ` d="${roundPath(path, digits)}"`);

export function roundPath(path: string, digits: number): string {
  const round = (value: number, more = 0) => Number(value.toFixed(digits + more));
  // Where the pen should be, where rounding has put it, and where the current outline began.
  let [x, y, penX, penY, startX, startY, startPenX, startPenY] = [0, 0, 0, 0, 0, 0, 0, 0];
  let written = "";
  let last = "";
  for (const [command, numbers] of steps(path)) {
    const kind = command.toLowerCase();
    if (kind === "z") {
      [x, y, penX, penY] = [startX, startY, startPenX, startPenY];
      written += "z";
      last = "";
      continue;
    }
    const relative = command === kind;
    const roles = NUMBERS[kind] ?? "";
    const out: number[] = [];
    let [toX, toY] = [x, y];
    numbers.forEach((number, at) => {
      const role = roles[at];
      if (role === "x") {
        toX = relative ? x + number : number;
        out.push(round(toX - penX));
      } else if (role === "y") {
        toY = relative ? y + number : number;
        out.push(round(toY - penY));
      } else out.push(role === "r" ? round(number, 1) : number);
    });
    [x, y] = [toX, toY];
    penX = round(penX + (roles.endsWith("xy") ? (out.at(-2) ?? 0) : roles === "x" ? (out[0] ?? 0) : 0));
    penY = round(penY + (roles === "x" ? 0 : (out.at(-1) ?? 0)));
    if (kind === "m") [startX, startY, startPenX, startPenY] = [x, y, penX, penY];
    // What follows a move without a command of its own is a line.
    written += kind === last && kind !== "m" ? joined(out, true) : kind + joined(out, false);
    last = kind;
  }
  return written;
}

/** The commands of a path with their numbers, repeated ones written out. */
function* steps(path: string): Generator<[string, number[]]> {
  for (const [, command = "", rest = ""] of path.matchAll(/([a-z])([^a-z]*)/gi)) {
    const kind = command.toLowerCase();
    const count = (NUMBERS[kind] ?? "").length;
    const numbers =
      kind === "a" ? arcNumbers(rest) : [...rest.matchAll(/-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?/gi)].map(Number);
    if (count === 0) yield [command, []];
    let name = command;
    for (let at = 0; count && at < numbers.length; at += count) {
      yield [name, numbers.slice(at, at + count)];
      if (kind === "m") name = command === "m" ? "l" : "L";
    }
  }
}

/** An arc's two flags may stand without a space between them and what follows. */
function arcNumbers(text: string): number[] {
  const number = String.raw`[\s,]*(-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?)`;
  const flag = String.raw`[\s,]*([01])`;
  const arc = new RegExp(number.repeat(3) + flag.repeat(2) + number.repeat(2), "gi");
  return [...text.matchAll(arc)].flatMap((found) => found.slice(1).map(Number));
}

/** Numbers as briefly as SVG allows: ".5-1" for 0.5 and -1. */
function joined(numbers: readonly number[], glued: boolean): string {
  return numbers.reduce((text, number) => {
    const brief = String(number || 0).replace(/^(-?)0\./, "$1.");
    const needsSpace = (text !== "" || glued) && !brief.startsWith("-");
    return text + (needsSpace ? " " : "") + brief;
  }, "");
}
