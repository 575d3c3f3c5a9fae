import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RefusalError, api, messageOf } from "../src/lib/api";
import { settings } from "../src/lib/settings.svelte";

const asked: { url: URL; init: RequestInit }[] = [];

function answering(answer: () => Response | Promise<Response>) {
  vi.stubGlobal("fetch", (url: string, init: RequestInit) => {
    asked.push({ url: new URL(url, location.origin), init });
    return Promise.resolve(answer());
  });
}

async function refused(request: Promise<unknown>): Promise<RefusalError> {
  try {
    await request;
  } catch (thrown) {
    if (thrown instanceof RefusalError) return thrown;
  }
  throw new Error("That was not refused.");
}

beforeEach(() => {
  asked.length = 0;
  settings.language = "es";
});
afterEach(() => vi.unstubAllGlobals());

test("Everything is asked for in the language that is set.", async () => {
  answering(() => Response.json([]));
  await api.cards("deluxe", ["base", "harbor"]);
  expect(asked[0]!.url.pathname).toBe("/api/cards");
  expect(Object.fromEntries(asked[0]!.url.searchParams)).toEqual({
    edition: "deluxe",
    sets: "base,harbor",
    house: "{}",
    lang: "es",
  });
});

test("What is sent is JSON.", async () => {
  answering(() => Response.json({}));
  await api.join("ABCD2345", { name: "Ana", seat: 2 });
  expect(asked[0]!.url.pathname).toBe("/api/tables/ABCD2345/join");
  expect(asked[0]!.init).toMatchObject({ method: "POST", body: '{"name":"Ana","seat":2}' });
});

test("A refusal is thrown with its sentence, code and status.", async () => {
  answering(() => Response.json({ code: "table_full", message: "No queda sitio." }, { status: 409 }));
  const refusal = await refused(api.join("ABCD2345", { name: "Ana" }));
  expect(refusal).toMatchObject({ message: "No queda sitio.", code: "table_full", status: 409 });
});

test("Without a connection there is a sentence, too.", async () => {
  answering(() => Promise.reject(new TypeError("Failed to fetch")));
  expect((await refused(api.me())).message).toContain("Dicetown");
});

test("An answer that is not ours is not shown to anybody.", async () => {
  answering(() => new Response("<h1>Bad gateway</h1>", { status: 502 }));
  const refusal = await refused(api.me());
  expect(refusal.message).not.toContain("<");
  expect(messageOf(refusal)).toBe(refusal.message);
  expect(messageOf(new Error("x is undefined"))).not.toContain("undefined");
});
