import { describe, expect, it } from "vitest";
import { hyphenated } from "../src/look/hyphens";

const shown = (text: string) => hyphenated(text).replaceAll("\u00ad", "|");

describe("long words on narrow cards", () => {
  it.each([
    ["Lebensmittelgroßmarkt", "Lebens|mittel|groß|markt"],
    ["Lebensmittelladen", "Lebens|mittel|laden"],
    ["Getränkehersteller", "Geträn|keher|steller"],
    ["IT-Unternehmen", "IT-Unter|nehmen"],
    ["Convenience Store", "Conve|nience Store"],
    ["Centro de convenciones", "Centro de conven|ciones"],
    ["Torre de radiodifusión", "Torre de radio|difu|sión"],
  ])("%s may break as %s", (name, broken) => {
    expect(shown(name)).toBe(broken);
  });

  it.each(["Café", "Fruit and Vegetable Market", "Möbel-Spedition"])("%s stays whole", (name) => {
    expect(hyphenated(name)).toBe(name);
  });
});
