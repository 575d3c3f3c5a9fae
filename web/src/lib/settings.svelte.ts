/** What a person has set on this device. Only what differs from the usual is kept, so that the usual may change. */
import { LANGUAGES, type Language } from "./wire";

export type Theme = "auto" | "light" | "dark";
export const SPEEDS = ["slow", "normal", "fast", "instant"] as const;
export type Speed = (typeof SPEEDS)[number];

export type Settings = {
  language: Language;
  theme: Theme;
  /** How quickly things move on this screen. */
  speed: Speed;
  sounds: boolean;
  /** Whether the strip of odds is shown. */
  odds: boolean;
  /** Names whose chat is not shown. */
  muted: string[];
};

const KEPT_AS = "dicetown.settings";

/** The first of the browser's languages that the page speaks. */
export function browserLanguage(wanted: readonly string[] = navigator.languages): Language {
  for (const tag of wanted) {
    const known = LANGUAGES.find((language) => tag.toLowerCase().split("-")[0] === language);
    if (known) return known;
  }
  return "en";
}

function usual(): Settings {
  return {
    language: browserLanguage(),
    theme: "auto",
    speed: "normal",
    sounds: false,
    odds: true,
    muted: [],
  };
}

const allowed: { [Name in keyof Settings]: (value: unknown) => boolean } = {
  language: (value) => LANGUAGES.includes(value as Language),
  theme: (value) => ["auto", "light", "dark"].includes(value as string),
  speed: (value) => SPEEDS.includes(value as Speed),
  sounds: (value) => typeof value === "boolean",
  odds: (value) => typeof value === "boolean",
  muted: (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
};

/** What is kept under a name on this device; null where nothing is, or where the browser keeps nothing. */
export function remembered(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    return null; // private windows may forbid it, and somebody may have written nonsense there
  }
}

/** Keeps something on this device, where the browser allows it. */
export function remember(name: string, value: unknown): void {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // not kept: the page works without
  }
}

function load(): Settings {
  const kept = remembered(KEPT_AS);
  const settings = usual();
  if (typeof kept !== "object" || kept === null) return settings;
  for (const [name, value] of Object.entries(kept)) {
    if (name in allowed && allowed[name as keyof Settings](value)) Object.assign(settings, { [name]: value });
  }
  return settings;
}

export const settings: Settings = $state(load());

/** Keeps the settings from now on, in all windows alike. Returns how to stop that. */
export function keepSettings(): () => void {
  const fromOtherWindow = (event: StorageEvent) => {
    if (event.key === KEPT_AS) Object.assign(settings, load());
  };
  window.addEventListener("storage", fromOtherWindow);
  const stop = $effect.root(() => {
    $effect(() => {
      const before = usual();
      const changed = Object.entries($state.snapshot(settings)).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Settings]),
      );
      remember(KEPT_AS, Object.fromEntries(changed));
    });
  });
  return () => {
    stop();
    window.removeEventListener("storage", fromOtherWindow);
  };
}
