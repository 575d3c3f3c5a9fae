// What the table shows where: the layout for a window, the form of the market's cards, the size of the others' houses.
import { describe, expect, it } from "vitest";
import { layoutFor } from "../src/table/layout.svelte";
import { fitAbreast, fitPanels, panelHeight, SIZES } from "../src/table/panels";
import { evenColumns, fitShelf, FORMS, GAP, scrolledShelf } from "../src/table/shelf";

describe("the layout", () => {
  it.each([
    [360, 740, "phone"],
    [740, 360, "sideways"],
    [667, 375, "sideways"],
    [915, 412, "sideways"],
    [600, 480, "sideways"],
    [600, 640, "phone"],
    [1000, 500, "sideways"],
    [1100, 700, "desk"],
    [800, 600, "sideways"],
    [1024, 640, "tablet"],
    [1100, 640, "tablet"],
    [1100, 520, "sideways"],
    [720, 730, "phone"],
    [820, 1180, "tablet"],
    [1024, 768, "tablet"],
    [1280, 640, "desk"],
    [2560, 1440, "desk"],
  ] as const)("of %i×%i is that of a %s", (width, height, layout) => {
    expect(layoutFor(width, height)).toBe(layout);
  });
});

/** Markets as editions keep them: a line of ten, three rows, all stacks open. */
const MARKETS = [[10], [11], [5, 5, 2], [5, 5, 5], [15], [6, 5, 2]];

describe("the market", () => {
  const lines = (rows: number[], columns: number) =>
    rows.reduce((sum, count) => sum + Math.ceil(count / columns), 0);

  it.each(MARKETS)("of rows %j stays in its place wherever it fits at all", (...rows: number[]) => {
    for (let width = 360; width <= 1700; width += 67) {
      for (let height = 200; height <= 1000; height += 41) {
        const shelf = fitShelf(rows, { width, height }, 1440);
        const all = shelf.merged ? [rows.reduce((sum, count) => sum + count)] : rows;
        const high = lines(all, shelf.columns) * (shelf.height + GAP) - GAP;
        const wide = shelf.columns * (shelf.width + GAP) - GAP;
        expect(wide, `${width}×${height}`).toBeLessThanOrEqual(width);
        expect(shelf.width).toBeGreaterThanOrEqual(FORMS[shelf.form].narrowest);
        expect(shelf.height).toBeGreaterThanOrEqual(FORMS[shelf.form].lowest(shelf.width));
        if (shelf.form !== "slim") expect(high, `${width}×${height}`).toBeLessThanOrEqual(height);
      }
    }
  });

  it("tells its cards' sentences in wide windows, and shows their pictures in narrow ones", () => {
    const place = { width: 840, height: 320 };
    expect(fitShelf([10], place, 1440).form).toBe("sentence");
    expect(fitShelf([10], place, 1280).form).toBe("pictured");
  });

  it("has both where there is room", () => {
    expect(fitShelf([10], { width: 1600, height: 800 }, 2560).form).toBe("told");
  });

  it("is slim before anything is cut off", () => {
    expect(fitShelf([5, 5, 2], { width: 780, height: 170 }, 1280)).toMatchObject({
      form: "slim",
      columns: 5,
    });
  });

  it("gives up its rows before it is scrolled", () => {
    expect(fitShelf([5, 5, 5], { width: 372, height: 290 }, 740)).toMatchObject({ merged: true, columns: 3 });
  });

  it("is scrolled where not even that helps", () => {
    const shelf = fitShelf([38], { width: 780, height: 150 }, 1280);
    expect(shelf.form).toBe("slim");
    expect(shelf.height).toBe(FORMS.slim.lowest(shelf.width));
  });

  it("does not break a row that it keeps, if that can be", () => {
    expect(fitShelf([5, 5, 2], { width: 790, height: 300 }, 1280).columns).toBe(5);
  });

  it("fills its lines evenly", () => {
    expect([7, 9, 10].map((most) => evenColumns(10, most))).toEqual([5, 5, 10]);
    expect(fitShelf([10], { width: 1000, height: 300 }, 1024).columns).toBe(5);
  });

  it("has at least three columns on the narrowest phone", () => {
    expect(scrolledShelf([10], 320).columns).toBe(3);
  });
});

describe("the others' cities", () => {
  const city = { cards: 12, landmarks: 7, built: 2 };

  it("are as large as all of them fit", () => {
    for (const height of [560, 700, 900, 1300]) {
      const size = fitPanels([city, city, city, city], 220, height, 8);
      const needs = 4 * panelHeight(city, 220, size) + 3 * 8;
      if (size !== SIZES.at(-1)) expect(needs).toBeLessThanOrEqual(height);
    }
    const [small, large] = [560, 1300].map((height) => fitPanels([city, city, city, city], 220, height, 8));
    expect(large!.house).toBeGreaterThan(small!.house);
  });

  it("leave out what is still to be built before houses can no longer be told apart", () => {
    const size = fitPanels([city, city, city, city], 200, 500, 8);
    expect(size.unbuilt).toBe(false);
    expect(size.house).toBeGreaterThanOrEqual(29);
  });

  it("stand beside each other where the table is narrow", () => {
    expect(fitAbreast([city, city], 400, 200).house).toBeGreaterThan(
      fitAbreast([city, city], 180, 200).house,
    );
  });
});
