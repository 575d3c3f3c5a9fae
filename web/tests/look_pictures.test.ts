import { render } from "@testing-library/svelte";
import icons from "virtual:fluent-icons";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { cardsOfMaterial, MATERIAL } from "../gallery/material";
import CardPicture from "../src/look/CardPicture.svelte";
import { GROUNDS } from "../src/look/grounds";
import { COLOUR_MARKS, KIND_MARKS } from "../src/look/marks";
import { iconsOf, PICTURES, pictureOf } from "../src/look/pictures";

const cards = cardsOfMaterial();
const ids = [...new Set(cards.map((card) => card.id))];

describe("the pictures of the cards", () => {
  it("are drawn for cards read from the material's files, all of them", () => {
    const inFiles = MATERIAL.flatMap((text) => text.match(/^id = /gm) ?? []).length;
    const twice = MATERIAL.flatMap((text) => text.match(/^id = "(.*)"/gm) ?? []);
    expect(inFiles).toBeGreaterThan(80);
    expect(new Set(twice).size).toBe(ids.length);
    expect(cards.every((card) => card.id && card.name && card.colour)).toBe(true);
  });

  it.each(ids)("has one for %s", (id) => {
    expect(PICTURES[id], `draw a picture for ${id} in src/look/pictures.ts`).toBeDefined();
  });

  it("has none for a card that does not exist", () => {
    expect(Object.keys(PICTURES).filter((id) => !ids.includes(id))).toEqual([]);
  });

  it("shows no two cards alike", () => {
    const seen = new Map<string, string>();
    for (const [id, picture] of Object.entries(PICTURES)) {
      const whatIsOnIt = picture.icons
        .map(([icon]) => icon)
        .sort()
        .join(" ");
      expect(seen.get(whatIsOnIt), `${id} has the same icons as another`).toBeUndefined();
      seen.set(whatIsOnIt, id);
    }
  });

  it("is made of two or three icons on one of the grounds, and keeps within its frame", () => {
    for (const [id, { ground, icons: placed }] of Object.entries(PICTURES)) {
      expect(GROUNDS[ground], id).toBeTruthy();
      expect([2, 3], id).toContain(placed.length);
      for (const [icon, x, y, size] of placed) {
        expect(icons[icon], icon).toContain("<path");
        expect(x - size / 2, `${icon} on ${id}`).toBeGreaterThanOrEqual(-4);
        expect(x + size / 2, `${icon} on ${id}`).toBeLessThanOrEqual(68);
        expect(y, `${icon} on ${id}`).toBeLessThanOrEqual(47);
      }
    }
  });

  it("brings only the icons that are used, in at most 90 KB", () => {
    expect(Object.keys(icons).sort()).toEqual(iconsOf());
    expect(gzipSync(JSON.stringify(icons)).length).toBeLessThan(90_000);
  });

  it("draws something for a card that nobody has drawn", () => {
    const { container } = render(CardPicture, { id: "brand_new", colour: "blue" });
    expect(container.querySelectorAll("path").length).toBeGreaterThan(3);
    expect(pictureOf("brand_new").icons.length).toBe(1);
  });

  it("is silent unless it is given a name", () => {
    const silent = render(CardPicture, { id: "cafe", colour: "red" });
    expect(silent.container.querySelector("svg")?.getAttribute("aria-hidden")).toBe("true");
    const named = render(CardPicture, { id: "cafe", colour: "red", name: "Café" });
    expect(named.getByRole("img", { name: "Café" })).toBeTruthy();
  });

  it("knows a mark for every kind and every colour of card", () => {
    for (const card of cards) {
      if (card.kind === "establishment") expect(KIND_MARKS[card.symbol], card.symbol).toBeTruthy();
      expect(COLOUR_MARKS[card.colour]).toBeTruthy();
    }
  });
});
