/**
 * The page's own words. Each area of the page has its catalogue, made from the files of the languages:
 *
 *     import { words } from "../generated/words/start"; // { en: { coins: { one: "{n} coin", other: "{n} coins" } }, … }
 *     export const startWords = area(words);
 *     startWords.t("coins", { n: 3 })   // "3 coins", and in another language as soon as that is chosen
 *
 * English says which texts there are, and which places they have to fill; the others must have the same ones.
 */
import { isolated } from "./leftward";
import { settings } from "./settings.svelte";
import type { Language } from "./wire";

/** A text, or its forms for one and for other numbers (`n` decides). */
type Forms = { readonly one: string; readonly other: string };
export type Text = string | Forms;
export type Values = Record<string, string | number>;

/** The names of the {places} in a text. */
type Places<Said> = Said extends Forms
  ? "n" | Places<Said["one"]> | Places<Said["other"]>
  : Said extends `${string}{${infer Place}}${infer Rest}`
    ? Place | Places<Rest>
    : never;
/** What is given along with a name: something for every place of its text. */
type Given<Place extends string> = [Place] extends [never] ? [] : [values: Record<Place, string | number>];

type English = Record<string, Text>;
type Translated<Words extends English> = Record<Language, Record<keyof Words, Text>>;

export function area<const Words extends English>(words: { en: Words } & Translated<NoInfer<Words>>) {
  type Name = keyof Words & string;
  return {
    /** A text in the language that is set, with its {places} filled. Follows a change of language. */
    t<One extends Name>(name: One, ...[values]: Given<Places<Words[One]>>): string {
      return fill(words[settings.language][name], values ?? {}, settings.language);
    },
    /** The catalogue itself, by language. */
    all: words as Translated<Words>,
    /** Whether there is a text of that name. */
    has: <Wanted extends string>(name: Wanted): name is Wanted & Name => name in words.en,
  };
}

function fill(text: Text, values: Values, language: Language): string {
  const form = typeof text === "string" ? text : text[pluralForm(Number(values.n), language)];
  return form.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name];
    if (value === undefined) return place;
    return typeof value === "number" ? number(value) : isolated(value);
  });
}

/** What knows the numbers of a language is dear to make, and every coin on the table asks it: one of each is kept. */
function keep<Key extends string, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const kept = new Map<Key, Made>();
  return (key) => {
    const made = kept.get(key) ?? make(key);
    kept.set(key, made);
    return made;
  };
}

const pluralsOf = keep((language: Language) => new Intl.PluralRules(language));
const pluralForm = (n: number, language: Language): "one" | "other" =>
  pluralsOf(language).select(n) === "one" ? "one" : "other";

type Written = `${Language} ${string}`;
const numbersOf = keep((written: Written) => {
  const [language, digits] = written.split(" ");
  const least = digits ? Number(digits) : undefined;
  return new Intl.NumberFormat(language, { maximumFractionDigits: least ?? 2, minimumFractionDigits: least });
});
const percentOf = keep((written: Written) => {
  const [language, digits] = written.split(" ");
  return new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: Number(digits) });
});

/** A number as it is written in the language that is set: 1,234.5 or 1.234,5. */
export function number(value: number, digits?: number): string {
  return numbersOf(`${settings.language} ${digits ?? ""}`).format(value);
}

/** 0.164 as "16%" or "16 %". */
export function percent(share: number, digits = 0): string {
  return percentOf(`${settings.language} ${digits}`).format(share);
}

/** How long ago a time (in seconds since 1970) is: "5 minutes ago". */
export function ago(seconds: number, now = Date.now() / 1000): string {
  const passed = Math.max(0, now - seconds);
  const units: [Intl.RelativeTimeFormatUnit, number][] = [
    ["day", 86400],
    ["hour", 3600],
    ["minute", 60],
  ];
  const [unit, length] = units.find(([, length]) => passed >= length) ?? (["minute", 60] as const);
  return new Intl.RelativeTimeFormat(settings.language, { numeric: "auto" }).format(
    -Math.floor(passed / length),
    unit,
  );
}
