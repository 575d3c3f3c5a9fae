import type { Language } from "../lib/wire";

/** Names for people who have not told theirs. */
export const FRIENDLY_NAMES: Record<Language, readonly string[]> = {
  en: [
    "Lucky Fox",
    "Merry Baker",
    "Busy Bee",
    "Clever Owl",
    "Jolly Miller",
    "Brave Badger",
    "Sunny Heron",
    "Cosy Cat",
  ],
  es: [
    "Zorro Feliz",
    "Búho Listo",
    "Abeja Alegre",
    "Gato Curioso",
    "Tejón Valiente",
    "Garza Serena",
    "Liebre Veloz",
    "Oso Goloso",
  ],
  de: [
    "Flinker Fuchs",
    "Kluge Eule",
    "Frohe Biene",
    "Mutiger Dachs",
    "Schlaue Katze",
    "Heitere Amsel",
    "Muntere Maus",
    "Braver Bär",
  ],
};
