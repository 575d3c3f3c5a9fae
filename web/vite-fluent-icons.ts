/**
 * `virtual:fluent-icons`: the drawings that the card pictures are made of, and no other.
 *
 * The icon set has three thousand of them; the pictures say by name which they want, and only those enter the page.
 */
import { icons as fluent } from "@iconify-json/fluent-emoji-flat";
import type { Plugin } from "vite";
import { iconsOf } from "./src/look/pictures.ts";
import { roundPaths } from "./vite-round-paths.ts";

const NAME = "virtual:fluent-icons";
const RESOLVED = "\0" + NAME;
/** A tenth of a unit is half a pixel on the largest picture. */
const DIGITS = 1;

export function fluentIcons(): Plugin {
  return {
    name: "dicetown-fluent-icons",
    resolveId: (id) => (id === NAME ? RESOLVED : undefined),
    load(id) {
      if (id !== RESOLVED) return undefined;
      const bodies = Object.fromEntries(iconsOf().map((icon) => [icon, body(icon)]));
      return `export default ${JSON.stringify(bodies)};`;
    },
  };
}

/** The inside of an icon's SVG, on a square of 32. */
function body(icon: string): string {
  const drawing = fluent.icons[icon];
  if (!drawing) throw new Error(`A card picture wants the icon "${icon}", which the set does not have.`);
  return roundPaths(drawing.body, DIGITS);
}
