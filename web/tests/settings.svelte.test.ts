import { afterEach, beforeEach, expect, test, vi } from "vitest";

const KEPT_AS = "dicetown.settings";

/** The settings of a page that is opened now. */
async function opened() {
  vi.resetModules();
  const { flushSync } = await import("svelte"); // the page's own
  return { flushSync, ...(await import("../src/lib/settings.svelte")) };
}

const kept = () => JSON.parse(localStorage.getItem(KEPT_AS) ?? "null") as unknown;

beforeEach(() => localStorage.clear());
afterEach(() => vi.unstubAllGlobals());

test("The browser's language is spoken, as far as we can.", async () => {
  const { browserLanguage } = await opened();
  expect(browserLanguage(["de-AT", "en"])).toBe("de");
  expect(browserLanguage(["fr", "ES"])).toBe("es");
  expect(browserLanguage(["fr"])).toBe("en");
  expect(browserLanguage([])).toBe("en");
});

test("Only what differs from the usual is kept.", async () => {
  const { settings, keepSettings, flushSync } = await opened();
  const stop = keepSettings();
  flushSync();
  expect(kept()).toEqual({});
  settings.theme = "dark";
  settings.muted.push("Troll");
  flushSync();
  expect(kept()).toEqual({ theme: "dark", muted: ["Troll"] });
  settings.theme = "auto";
  flushSync();
  expect(kept()).toEqual({ muted: ["Troll"] });
  stop();
});

test("What was kept is there on the next visit; nonsense is not.", async () => {
  localStorage.setItem(KEPT_AS, JSON.stringify({ speed: "instant", theme: "pink", sounds: "loud", x: 1 }));
  const { settings } = await opened();
  expect(settings).toMatchObject({ speed: "instant", theme: "auto", sounds: false });
  expect(settings).not.toHaveProperty("x");
});

test("Text that is no JSON does no harm.", async () => {
  localStorage.setItem(KEPT_AS, "{");
  expect((await opened()).settings.odds).toBe(true);
});

test("A change in another window counts here, too.", async () => {
  const { settings, keepSettings } = await opened();
  const stop = keepSettings();
  localStorage.setItem(KEPT_AS, JSON.stringify({ sounds: true }));
  window.dispatchEvent(new StorageEvent("storage", { key: KEPT_AS }));
  expect(settings.sounds).toBe(true);
  stop();
});
