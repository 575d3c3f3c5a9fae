/**
 * The cards as the material's files have them: enough to draw them. The files are simple (one field a line), so
 * a few patterns read them.
 */
import NAMES from "../../src/dicetown/languages/en/names.toml?raw";
import type { CardInfo } from "../src/lib/wire";

const FILES = import.meta.glob<string>("../../src/dicetown/material/{classic,second}.toml", {
  query: "?raw",
  import: "default",
  eager: true,
});

export const MATERIAL: readonly string[] = Object.values(FILES);

/** All cards of both games; of those with the same id and kind only the first. */
export function cardsOfMaterial(): CardInfo[] {
  const cards = new Map<string, CardInfo>();
  for (const text of MATERIAL) {
    for (const card of readCards(text)) {
      const key = `${card.kind} ${card.id}`;
      if (!cards.has(key)) cards.set(key, card);
    }
  }
  return [...cards.values()];
}

export function readCards(toml: string): CardInfo[] {
  const game = /^game = "(.*)"/m.exec(toml)?.[1];
  const names = NAMES.split(`\n[${game}]\n`)[1]?.split("\n[")[0] ?? "";
  const blocks = toml.split(/^\[\[(establishment|landmark)\]\]$/m).slice(1);
  const cards: CardInfo[] = [];
  for (let at = 0; at + 1 < blocks.length; at += 2) {
    const kind = blocks[at] === "landmark" ? "landmark" : "establishment";
    const block = blocks[at + 1] ?? "";
    const field = (pattern: RegExp) => pattern.exec(block)?.[1] ?? "";
    const id = field(/^id = "(.*)"/m);
    const rolls = field(/^rolls = \[(.*)\]/m)
      .split(", ")
      .filter(Boolean)
      .map(Number);
    cards.push({
      id,
      name: new RegExp(`^${id} = "(.*)"`, "m").exec(names)?.[1] ?? "",
      text: "",
      kind,
      colour: (field(/^colour = "(.*)"/m) || "gold") as CardInfo["colour"],
      rolls,
      number: rolls.join("–"),
      symbol: field(/^icon = "(.*)"/m),
      cost: Number(field(/^cost = \[?(\d+)/m)),
      set: field(/^set = "(.*)"/m),
      gist: null,
    });
  }
  return cards;
}
