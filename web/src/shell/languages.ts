import type { Language } from "../lib/wire";

/** Each language in its own words, for those who do not read the others. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: "English", es: "Español", de: "Deutsch" };
