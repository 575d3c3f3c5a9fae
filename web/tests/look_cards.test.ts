import { render } from "@testing-library/svelte";
import axe from "axe-core";
import { beforeEach, describe, expect, it } from "vitest";
import { settings } from "../src/lib/settings.svelte";
import type { CardInfo } from "../src/lib/wire";
import CardTile from "../src/look/CardTile.svelte";
import Coin from "../src/look/Coin.svelte";
import Die from "../src/look/Die.svelte";
import Icon from "../src/look/Icon.svelte";
import LandmarkTile from "../src/look/LandmarkTile.svelte";
import { ICONS, type IconName } from "../src/look/icons";
import { cardLabel } from "../src/look/labels";

const cafe: CardInfo = {
  id: "cafe",
  name: "Café",
  text: "When another player rolls this number, they pay you 1 coin.",
  kind: "establishment",
  colour: "red",
  rolls: [3],
  number: "3",
  symbol: "cup",
  cost: 2,
  set: "base",
  gist: null,
};
const harbor: CardInfo = {
  ...cafe,
  id: "harbor",
  name: "Harbor",
  kind: "landmark",
  colour: "gold",
  rolls: [],
  number: "",
  symbol: "",
};

beforeEach(() => {
  settings.language = "en";
});

describe("a card", () => {
  it("says in signs what it brings where its sentence has no room", () => {
    const card = { ...cafe, gist: { kind: "income", coins: 3, symbols: ["cow"], cards: [] } };
    const signs = (size: "pictured" | "told") =>
      render(CardTile, { card, size }).container.querySelector(".gist")?.textContent;
    expect(signs("pictured")?.replace(/\s/g, "")).toBe("+3×");
    expect(signs("told")).toBeUndefined();
  });

  it("is told in one sentence to those who listen", () => {
    expect(cardLabel(cafe, { price: 2, missing: 1 })).toBe(
      "Café, red, on 3, costs 2 coins, 1 coin is missing",
    );
    expect(cardLabel(cafe, { copies: 3, closed: 1 })).toBe("Café, red, on 3, 3 times, 1 closed");
    expect(cardLabel(cafe, { copies: 2, closed: 2, coins: 4 })).toBe(
      "Café, red, on 3, 2 times, closed, 4 coins on it",
    );
    settings.language = "es";
    expect(cardLabel(cafe, { price: 2, missing: 1 })).toBe(
      "Café, rojo, con 3, cuesta 2 monedas, falta 1 moneda",
    );
    settings.language = "de";
    expect(cardLabel(cafe, { price: 1, soldOut: true })).toBe(
      "Café, rot, bei 3, kostet 1 Münze, ausverkauft",
    );
  });

  it("gives a button around it its name", () => {
    const { container } = render(CardTile, { card: cafe, missing: 2, copies: 6 });
    const heard = container.querySelector(".visually-hidden")?.textContent?.trim();
    expect(heard).toBe("Café, red, on 3, 6 times, costs 2 coins, 2 coins are missing");
    expect(container.querySelector(".face")?.getAttribute("aria-hidden")).toBe("true");
  });

  it("says nothing where its parent does", () => {
    const { container } = render(CardTile, { card: cafe, silent: true });
    expect(container.querySelector(".visually-hidden")).toBeNull();
  });

  it("shows its number, its price and what is missing, and its sentence close up", () => {
    const tile = render(CardTile, { card: cafe, price: 1, missing: 1, copies: 4 }).container;
    expect(tile.querySelector(".number")?.textContent).toBe("3");
    expect(tile.querySelector(".foot text")?.textContent).toBe("1");
    expect(tile.querySelector(".lack")?.textContent).toBe("needs 1\u00a0more");
    expect(tile.querySelector(".stack")?.textContent).toBe("×4");
    const full = render(CardTile, { card: cafe, size: "full" }).container;
    expect(full.querySelector(".text")?.textContent).toBe(cafe.text);
  });

  it("wears a ribbon when it is closed, and says how many are", () => {
    const all = render(CardTile, { card: cafe, size: "mini", copies: 2, closed: 2 }).container;
    expect(all.querySelector(".card")?.classList).toContain("closed");
    expect(all.querySelector(".ribbon")?.textContent).toBe("closed");
    const some = render(CardTile, { card: cafe, size: "mini", copies: 2, closed: 1 }).container;
    expect(some.querySelector(".card")?.classList).not.toContain("closed");
    expect(some.querySelector(".ribbon")?.textContent).toBe("1 closed");
  });

  it("carries its colour in the cut of its band, not in the colour alone", () => {
    const cuts = (["blue", "green", "red", "purple", "gold"] as const).map((colour) => {
      const { container } = render(CardTile, { card: { ...cafe, colour }, size: "mini" });
      return container.querySelector(".cut path")?.getAttribute("d");
    });
    expect(new Set(cuts).size).toBe(5);
  });
});

describe("a landmark", () => {
  it("has a price until it is built", () => {
    const waiting = render(LandmarkTile, { card: harbor, price: 2, missing: 1, named: true }).container;
    expect(waiting.querySelector(".price text")?.textContent).toBe("2");
    expect(waiting.querySelector(".visually-hidden")?.textContent).toBe(
      "Harbor, landmark, costs 2 coins, 1 coin is missing, not built yet",
    );
    const built = render(LandmarkTile, { card: harbor, built: true }).container;
    expect(built.querySelector(".price")).toBeNull();
    expect(built.querySelector(".visually-hidden")?.textContent).toBe("Harbor, built");
  });
});

describe("coins, dice and icons", () => {
  it("say what they show", () => {
    expect(render(Coin, { amount: 1 }).getByRole("img", { name: "1 coin" })).toBeTruthy();
    expect(render(Die, { face: 4 }).getByRole("img", { name: "die showing 4" })).toBeTruthy();
    expect(
      render(Die, { face: 5, rolling: true }).getByRole("img", { name: "a die is rolling" }),
    ).toBeTruthy();
  });

  it("are silent where they say nothing", () => {
    for (const { container } of [
      render(Coin, {}),
      render(Coin, { amount: 3, silent: true }),
      render(Die, {}),
    ]) {
      expect(container.querySelector('[role="img"]')).toBeNull();
    }
  });

  it.each([1, 2, 3, 4, 5, 6])("has a face of %i pips to the front", (face) => {
    const { container } = render(Die, { face });
    const counts = [...container.querySelectorAll(".side")].map(
      (side) => side.querySelectorAll("circle").length,
    );
    expect(counts.toSorted()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it.each(Object.keys(ICONS) as IconName[])("draws the icon %s", (name) => {
    const { container } = render(Icon, { name });
    expect(container.querySelector("path")?.getAttribute("d")).toMatch(/^M[-\dMmLlHhVvCcSsQqTtAaZz .]+$/);
  });
});

describe("for those who use aids", () => {
  it("nothing of it is in the way", async () => {
    const { container } = render(CardTile, { card: cafe, missing: 1, closed: 1, coins: 2 });
    render(LandmarkTile, { card: harbor, named: true });
    render(Die, { face: 3 });
    const found = await axe.run(container.ownerDocument.body, {
      rules: { "color-contrast": { enabled: false }, region: { enabled: false } },
    });
    expect(found.violations.map((violation) => violation.id)).toEqual([]);
  });
});
