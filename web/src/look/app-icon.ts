/**
 * Dicetown's own mark: a die that is a house, with a pip for each colour of card. One description on a square of
 * 512, from which the icons of page and app are made when the page is built, as SVG and as PNG.
 */

/** A shape: corners of a polygon, or a single point, made round by a radius. */
export type Shape = { colour: string; corners: readonly (readonly [x: number, y: number])[]; radius: number };

const WALL = "#fffaf0";
const ROOF = "#c8402a";
const EAVES = "#e9dcc3";
export const SKY = "#ffd067";

const pip = (x: number, y: number, colour: string): Shape => ({ colour, corners: [[x, y]], radius: 31 });

function box(
  colour: string,
  left: number,
  top: number,
  right: number,
  bottom: number,
  radius: number,
): Shape {
  const [x0, y0, x1, y1] = [left + radius, top + radius, right - radius, bottom - radius];
  return {
    colour,
    corners: [
      [x0, y0],
      [x1, y0],
      [x1, y1],
      [x0, y1],
    ],
    radius,
  };
}

export const HOUSE: readonly Shape[] = [
  box("#8c2c1d", 352, 78, 404, 200, 10),
  box(WALL, 104, 176, 408, 470, 44),
  box(EAVES, 104, 214, 408, 238, 1),
  {
    colour: ROOF,
    corners: [
      [256, 68],
      [444, 202],
      [68, 202],
    ],
    radius: 26,
  },
  pip(178, 288, "#1f6db5"),
  pip(334, 288, "#2b7a3d"),
  pip(256, 350, "#e3a91c"),
  pip(178, 412, "#c12c4c"),
  pip(334, 412, "#7a40ab"),
];

/** The house, smaller and in the middle: phones cut icons to shapes of their own. */
export function inset(shapes: readonly Shape[], scale: number): Shape[] {
  const place = (value: number) => 256 + (value - 256) * scale;
  return shapes.map(({ colour, corners, radius }) => ({
    colour,
    corners: corners.map(([x, y]) => [place(x), place(y)] as const),
    radius: radius * scale,
  }));
}

export const ground = (radius: number): Shape => box(SKY, 0, 0, 512, 512, radius);

/** The inside of an SVG of 512 by 512. */
export function drawShapes(shapes: readonly Shape[]): string {
  return shapes
    .map(({ colour, corners, radius }) => {
      const [first] = corners;
      if (corners.length === 1 && first)
        return `<circle cx="${first[0]}" cy="${first[1]}" r="${radius}" fill="${colour}"/>`;
      const outline = corners.map(([x, y]) => `${x} ${y}`).join("L");
      return `<path d="M${outline}z" fill="${colour}" stroke="${colour}" stroke-width="${2 * radius}" stroke-linejoin="round"/>`;
    })
    .join("");
}

export const asSvg = (shapes: readonly Shape[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">${drawShapes(shapes)}</svg>`;
