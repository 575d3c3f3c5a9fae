import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { HOUSE } from "../src/look/app-icon";

const read = (path: string) => readFileSync(`${import.meta.dirname}/../${path}`, "utf8");
const theme = read("src/look/theme.css");

type Mode = "light" | "dark";
const MODES: readonly Mode[] = ["light", "dark"];
const CARDS = ["blue", "green", "red", "purple", "gold"];
const SEATS = [0, 1, 2, 3, 4].map((seat) => `seat-${seat}`);

/** A colour of the theme by its name, by day or by night. */
function colour(name: string, mode: Mode): string {
  const value = new RegExp(`^  --${name}: (.*);$`, "m").exec(theme)?.[1] ?? "";
  const both = /^light-dark\((#\w+), (#\w+)\)$/.exec(value);
  const found = both ? both[mode === "light" ? 1 : 2] : value;
  expect(found, `--${name}`).toMatch(/^#[0-9a-f]{6}$/);
  return found ?? "";
}

function linear(hex: string): number[] {
  return [1, 3, 5].map((at) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
}

function brightness(hex: string): number {
  const [red = 0, green = 0, blue = 0] = linear(hex);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [brightness(one), brightness(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

// How colours look to eyes without red, green or blue cones (Machado, Oliveira and Fernandes, 2009).
const EYES: Readonly<Record<string, readonly (readonly number[])[]>> = {
  "all cones": [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  "no red cones": [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  "no green cones": [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  "no blue cones": [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** A colour as it is seen, in CIELAB. */
function seen(hex: string, eyes: readonly (readonly number[])[]): number[] {
  const [red = 0, green = 0, blue = 0] = eyes.map((row) => {
    const sum = linear(hex).reduce((total, part, at) => total + part * (row[at] ?? 0), 0);
    return Math.min(1, Math.max(0, sum));
  });
  const f = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = f((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047);
  const y = f(0.2126 * red + 0.7152 * green + 0.0722 * blue);
  const z = f((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const apart = (one: number[], other: number[]) =>
  Math.hypot(...one.map((part, at) => part - (other[at] ?? 0)));

describe.each(MODES)("the colours of the theme, in %s", (mode) => {
  const readable: [string, string][] = [
    ...["paper", "paper-raised", "paper-sunken"].flatMap((ground) =>
      ["ink", "ink-quiet", "accent", "good", "bad"].map((text): [string, string] => [text, ground]),
    ),
    ["accent-ink", "accent"],
    ["ink", "accent-soft"],
    ["good", "good-soft"],
    ["bad", "bad-soft"],
    ["coin-ink", "coin"],
    ...CARDS.flatMap((card): [string, string][] => [
      [`card-${card}-ink`, `card-${card}`],
      ["ink", `card-${card}-soft`],
      ["ink-quiet", `card-${card}-soft`],
      [`card-${card}-text`, `card-${card}-soft`],
      [`card-${card}-text`, "paper"],
      [`card-${card}-text`, "paper-raised"],
    ]),
    ...SEATS.map((seat): [string, string] => [`${seat}-ink`, seat]),
  ];
  it.each(readable)("--%s can be read on --%s", (text, ground) => {
    expect(contrast(colour(text, mode), colour(ground, mode))).toBeGreaterThanOrEqual(4.5);
  });

  it.each([...SEATS, "focus", "line-strong"])("--%s stands out from paper", (name) => {
    expect(contrast(colour(name, mode), colour("paper", mode))).toBeGreaterThanOrEqual(3);
    expect(contrast(colour(name, mode), colour("paper-raised", mode))).toBeGreaterThanOrEqual(2.9);
  });

  it.each(Object.keys(EYES))("tells the seats apart with %s", (eyes) => {
    const colours = SEATS.map((seat) => seen(colour(seat, mode), EYES[eyes] ?? []));
    colours.forEach((one, at) => {
      for (const other of colours.slice(at + 1)) expect(apart(one, other)).toBeGreaterThan(15);
    });
  });

  it("gives no seat the colour of a card", () => {
    const whole = EYES["all cones"] ?? [];
    for (const seat of SEATS) {
      for (const card of CARDS) {
        const distance = apart(seen(colour(seat, mode), whole), seen(colour(`card-${card}`, mode), whole));
        expect(distance, `${seat} and ${card}`).toBeGreaterThan(25);
      }
    }
  });
});

describe("colours that are written outside of the theme", () => {
  it("are the theme's, in the manifest and the page's head", () => {
    const app = JSON.parse(read("public/manifest.webmanifest")) as {
      theme_color: string;
      background_color: string;
    };
    expect(app.theme_color).toBe(colour("paper", "light"));
    expect(app.background_color).toBe(colour("paper", "light"));
    const index = read("index.html");
    expect(index).toContain(`content="${colour("paper", "light")}" media="(prefers-color-scheme: light)"`);
    expect(index).toContain(`content="${colour("paper", "dark")}" media="(prefers-color-scheme: dark)"`);
  });

  it("are the cards', on the pips of the app's icon", () => {
    const pips = HOUSE.filter((shape) => shape.corners.length === 1).map((shape) => shape.colour);
    expect(pips.toSorted()).toEqual(CARDS.map((card) => colour(`card-${card}`, "light")).toSorted());
  });
});
