import type { Language } from "../lib/wire";

/** Names for people who have not told theirs: short, so that they fit anywhere. */
export const FRIENDLY_NAMES: Record<Language, readonly string[]> = {
  en: ["Maple", "Robin", "Biscuit", "Clover", "Pebble", "Poppy", "Ginger", "Badger"],
  es: ["Canela", "Trébol", "Romero", "Chispa", "Limón", "Nube", "Tejón", "Menta"],
  de: ["Spatz", "Keks", "Linde", "Fuchs", "Krümel", "Mohn", "Ingwer", "Dachs"],
};
