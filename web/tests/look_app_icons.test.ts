import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { asSvg, ground, HOUSE, SKY } from "../src/look/app-icon";
import { asPng } from "../vite-app-icons";

/** The colours of a picture's pixels, read back from its PNG. */
function pixels(png: Uint8Array, size: number): (x: number, y: number) => number[] {
  const numbers = new DataView(png.buffer, png.byteOffset);
  expect(new TextDecoder().decode(png.subarray(1, 4))).toBe("PNG");
  expect(numbers.getUint32(16)).toBe(size);
  const length = numbers.getUint32(33);
  const lines = inflateSync(png.subarray(41, 41 + length));
  return (x, y) => [...lines.subarray(y * (1 + 4 * size) + 1 + 4 * x).subarray(0, 4)];
}

const rgb = (colour: string) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

describe("the app's icon", () => {
  it("is drawn as a PNG", () => {
    const at = pixels(asPng([ground(96), ...HOUSE], 128), 128);
    expect(at(0, 0)[3]).toBe(0); // round corners
    expect(at(64, 2)).toEqual([...rgb(SKY), 255]);
    expect(at(64, 87)).toEqual([...rgb("#e3a91c"), 255]); // the pip in the middle
    expect(at(64, 40)).toEqual([...rgb("#c8402a"), 255]); // the roof
  });

  it("fills the whole square where the system cuts it", () => {
    const at = pixels(asPng([ground(0)], 64), 64);
    for (const corner of [at(0, 0), at(63, 0), at(0, 63), at(63, 63)])
      expect(corner).toEqual([...rgb(SKY), 255]);
  });

  it("is drawn as an SVG of the same shapes", () => {
    const svg = asSvg(HOUSE);
    expect(svg.match(/<circle/g)?.length).toBe(5);
    expect(svg.match(/<path/g)?.length).toBe(4);
  });
});
