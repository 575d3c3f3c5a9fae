import { flushSync } from "svelte";
import { beforeEach, expect, test } from "vitest";
import { settings } from "../src/lib/settings.svelte";
import { LANGUAGES, type Language } from "../src/lib/wire";
import { ago, area, number, percent } from "../src/lib/words.svelte";
import { lobbyWords } from "../src/words/lobby";
import { shellWords } from "../src/words/shell";
import { startWords } from "../src/words/start";

const ENGLISH = { coins: { one: "{n} coin", other: "{n} coins" }, pay: "{who} pays {n}" } as const;
const words = area({
  ...(Object.fromEntries(LANGUAGES.map((language) => [language, ENGLISH])) as Record<
    Language,
    typeof ENGLISH
  >),
  de: { coins: { one: "{n} Münze", other: "{n} Münzen" }, pay: "{who} zahlt {n}" },
});

beforeEach(() => {
  settings.language = "en";
});

test("A text has its places filled.", () => {
  expect(words.t("pay", { who: "Ana", n: 3 })).toBe("Ana pays 3");
});

test("One coin, and other numbers of coins.", () => {
  expect([0, 1, 2].map((n) => words.t("coins", { n }))).toEqual(["0 coins", "1 coin", "2 coins"]);
});

test("What somebody is called is never taken for a place to fill.", () => {
  expect(words.t("pay", { who: "{n}", n: 3 })).toBe("{n} pays 3");
});

test("A name that runs leftwards turns no number around beside it.", () => {
  expect(words.t("pay", { who: "דנה", n: 3 })).toBe("\u2068דנה\u2069 pays 3");
});

test("A change of language changes what is shown.", () => {
  const seen: string[] = [];
  const stop = $effect.root(() => {
    $effect(() => void seen.push(words.t("coins", { n: 2 })));
  });
  flushSync();
  settings.language = "de";
  flushSync();
  stop();
  expect(seen).toEqual(["2 coins", "2 Münzen"]);
});

test("Numbers are written as the language writes them.", () => {
  settings.language = "de";
  expect(number(1234.5)).toBe("1.234,5");
  expect(number(2, 1)).toBe("2,0");
  expect(percent(0.164).replace(/\s/g, " ")).toBe("16 %");
});

test("Times are told by how long ago they are.", () => {
  expect(ago(1000, 1010)).toBe("this minute");
  expect(ago(1000, 1000 + 5 * 60)).toBe("5 minutes ago");
  expect(ago(1000, 1000 + 26 * 3600)).toBe("yesterday");
  expect(ago(2000, 1000)).toBe("this minute"); // clocks differ
});

test.each([
  ["start", startWords.all],
  ["lobby", lobbyWords.all],
  ["shell", shellWords.all],
])("The %s words have the same places in all languages.", (_, all) => {
  const places = (text: unknown) => [...JSON.stringify(text).matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const sorted = (text: unknown) => [...new Set(places(text))].sort();
  for (const name of Object.keys(all.en) as (keyof typeof all.en)[]) {
    for (const language of LANGUAGES) {
      expect([name, sorted(all[language][name])]).toEqual([name, sorted(all.en[name])]);
    }
  }
});
