/**
 * `/third-party.txt`: the licences of what others made and the built page carries. They ask to travel with every
 * copy, so they are put beside it. NOTICE names the same works.
 */
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

const here = import.meta.dirname;
const read = (path: string) => readFileSync(`${here}/${path}`, "utf8").trim();

/** The terms of the MIT licence, which Dicetown has, too, under another's name. */
const mit = (holder: string) => read("../LICENSE").replace(/^Copyright .*$/m, `Copyright (c) ${holder}`);

const WORKS: readonly { name: string; licence: () => string }[] = [
  {
    name: "Fluent Emoji, flat (the icons of the card pictures)",
    licence: () => mit("Microsoft Corporation"),
  },
  { name: "Nunito (the typeface)", licence: () => read("node_modules/@fontsource-variable/nunito/LICENSE") },
  { name: "Svelte", licence: () => read("node_modules/svelte/LICENSE.md") },
  { name: "clsx (part of Svelte)", licence: () => read("node_modules/clsx/license") },
];

export const thirdPartyText = (): string =>
  WORKS.map(({ name, licence }) => `${name}\n${"=".repeat(name.length)}\n\n${licence()}\n`).join("\n\n");

export function thirdParty(): Plugin {
  return {
    name: "dicetown-third-party",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "third-party.txt", source: thirdPartyText() });
    },
  };
}
