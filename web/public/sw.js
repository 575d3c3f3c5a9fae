// Keeps the page itself at hand, so that the next visit is quick and a visit without network at least says so.
// What is played is never kept: everything under /api goes to the service, always.

const KEPT = "dicetown-page";
const PAGE = "/";
const MOST_FILES = 80;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (request.method !== "GET" || origin !== self.location.origin) return;
    if (request.mode === "navigate") event.respondWith(page(request));
    else if (pathname.startsWith("/assets/")) event.respondWith(file(request));
});

/** The page as it is now; without network as it was. All addresses show the same one. */
async function page(request) {
    const kept = await caches.open(KEPT);
    try {
        const answer = await fetch(request);
        if (answer.ok && answer.headers.get("content-type")?.includes("text/html"))
            await kept.put(PAGE, answer.clone());
        return answer;
    } catch (problem) {
        const before = await kept.match(PAGE);
        if (before) return before;
        throw problem;
    }
}

/** A file whose name changes with its contents: once here, it is good for ever. */
async function file(request) {
    const kept = await caches.open(KEPT);
    const before = await kept.match(request);
    if (before) return before;
    const answer = await fetch(request);
    if (answer.ok) {
        await kept.put(request, answer.clone());
        const files = await kept.keys();
        // The oldest first: those of former versions.
        for (const old of files.slice(0, Math.max(0, files.length - MOST_FILES))) await kept.delete(old);
    }
    return answer;
}
