/**
 * The icons of the installed app, drawn from one description when the page is built: /icon.svg, /icon-192.png,
 * /icon-512.png, /icon-maskable-512.png and /apple-touch-icon.png. In development they are made when asked for.
 */
import { deflateSync, crc32 } from "node:zlib";
import type { Plugin } from "vite";
import { asSvg, ground, HOUSE, inset, type Shape } from "./src/look/app-icon.ts";

const rounded = [ground(96), ...inset(HOUSE, 0.92)];
/** To the edge, for systems that cut the icon to their own shape. */
const uncut = [ground(0), ...inset(HOUSE, 0.74)];

const FILES: Readonly<Record<string, { type: string; make: () => string | Uint8Array }>> = {
  "icon.svg": { type: "image/svg+xml", make: () => asSvg(rounded) },
  "icon-192.png": { type: "image/png", make: () => asPng(rounded, 192) },
  "icon-512.png": { type: "image/png", make: () => asPng(rounded, 512) },
  "icon-maskable-512.png": { type: "image/png", make: () => asPng(uncut, 512) },
  "apple-touch-icon.png": { type: "image/png", make: () => asPng(uncut, 180) },
};

export function appIcons(): Plugin {
  return {
    name: "dicetown-app-icons",
    generateBundle() {
      for (const [fileName, { make }] of Object.entries(FILES)) {
        this.emitFile({ type: "asset", fileName, source: make() });
      }
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const file = FILES[request.url?.slice(1) ?? ""];
        if (!file) return next();
        response.setHeader("Content-Type", file.type);
        response.end(file.make());
      });
    },
  };
}

/** Draws shapes, each over the ones before, with smooth edges. */
export function asPng(shapes: readonly Shape[], size: number): Uint8Array {
  const scale = 512 / size;
  const paints = shapes.map(paintOf);
  // Each line begins with a byte that says how it is filtered: 0, not at all.
  const lines = new Uint8Array(size * (1 + 4 * size));
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const pixel = mix(paints, (x + 0.5) * scale, (y + 0.5) * scale, scale);
      lines.set(pixel, y * (1 + 4 * size) + 1 + 4 * x);
    }
  }
  const header = new Uint8Array(13);
  const numbers = new DataView(header.buffer);
  numbers.setUint32(0, size);
  numbers.setUint32(4, size);
  header.set([8, 6], 8); // eight bits each of red, green, blue and opacity
  return join([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(lines, { level: 9 })),
    chunk("IEND", new Uint8Array(0)),
  ]);
}

type Rgb = readonly [number, number, number];
type Paint = { shape: Shape; rgb: Rgb; left: number; top: number; right: number; bottom: number };

function paintOf(shape: Shape): Paint {
  const reach = shape.radius + 4; // a little more than the shape, for its smooth edge
  const xs = shape.corners.map(([x]) => x);
  const ys = shape.corners.map(([, y]) => y);
  return {
    shape,
    rgb: parseColour(shape.colour),
    left: Math.min(...xs) - reach,
    top: Math.min(...ys) - reach,
    right: Math.max(...xs) + reach,
    bottom: Math.max(...ys) + reach,
  };
}

/** Shades of an edge: no eye tells more of them apart, and a file with fewer is half as large. */
const STEPS = 8;

function mix(paints: readonly Paint[], x: number, y: number, scale: number): number[] {
  let [red, green, blue, opacity] = [0, 0, 0, 0];
  for (const { shape, rgb, left, top, right, bottom } of paints) {
    if (x < left || x > right || y < top || y > bottom) continue;
    const cover = Math.round(STEPS * Math.min(1, Math.max(0, 0.5 - distance(shape, x, y) / scale))) / STEPS;
    if (cover === 0) continue;
    const total = cover + opacity * (1 - cover);
    const share = cover / total;
    red += (rgb[0] - red) * share;
    green += (rgb[1] - green) * share;
    blue += (rgb[2] - blue) * share;
    opacity = total;
  }
  return [red, green, blue, 255 * opacity].map(Math.round);
}

/** How far a point is from a shape's edge; negative inside. */
function distance({ corners, radius }: Shape, x: number, y: number): number {
  let nearest = Infinity;
  let inside = false;
  let [ax, ay] = corners[corners.length - 1] ?? [0, 0];
  for (const [bx, by] of corners) {
    const ex = bx - ax;
    const ey = by - ay;
    const along = Math.min(1, Math.max(0, ((x - ax) * ex + (y - ay) * ey) / (ex * ex + ey * ey || 1)));
    nearest = Math.min(nearest, Math.hypot(x - ax - along * ex, y - ay - along * ey));
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * ex) inside = !inside;
    ax = bx;
    ay = by;
  }
  return (inside ? -nearest : nearest) - radius;
}

const parseColour = (colour: string): Rgb => [
  parseInt(colour.slice(1, 3), 16),
  parseInt(colour.slice(3, 5), 16),
  parseInt(colour.slice(5, 7), 16),
];

function chunk(name: string, body: Uint8Array): Uint8Array {
  const named = join([new TextEncoder().encode(name), body]);
  const framed = new Uint8Array(named.length + 8);
  const numbers = new DataView(framed.buffer);
  numbers.setUint32(0, body.length);
  framed.set(named, 4);
  numbers.setUint32(named.length + 4, crc32(named));
  return framed;
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
