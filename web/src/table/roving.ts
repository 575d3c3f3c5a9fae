/**
 * Arrow keys over tiles ([data-tile]): one of a group can be reached by Tab, the arrows lead to its neighbours, on to
 * the next group where this one ends.
 */
import type { Attachment } from "svelte/attachments";

const TILE = "[data-tile]";
const DIRECTIONS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const tilesOf = (within: ParentNode): HTMLElement[] =>
  [...within.querySelectorAll<HTMLElement>(TILE)].filter((tile) => tile.offsetParent !== null);

/** Whether Tab leads to a tile. What stays as it is is not touched: the page would be drawn anew for nothing. */
function reach(tile: HTMLElement, byTab: boolean): void {
  const index = byTab ? 0 : -1;
  if (tile.getAttribute("tabindex") !== String(index)) tile.tabIndex = index;
}

/** Makes an element a group of tiles. */
export const roving: Attachment<HTMLElement> = (group) => {
  group.dataset.tiles = "";
  const tidy = () => {
    const tiles = [...group.querySelectorAll<HTMLElement>(TILE)];
    const current = tiles.find((tile) => tile.tabIndex === 0 && tile.dataset.current) ?? tiles[0];
    for (const tile of tiles) reach(tile, tile === current);
  };
  const focus = (event: FocusEvent) => {
    const tile = (event.target as Element).closest<HTMLElement>(TILE);
    if (!tile) return;
    for (const other of group.querySelectorAll<HTMLElement>(TILE)) {
      reach(other, other === tile);
      if (other === tile) other.dataset.current = "yes";
      else delete other.dataset.current;
    }
  };
  const key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const tile = (event.target as Element).closest<HTMLElement>(TILE);
    if (!tile) return;
    const next = nextTile(tile, event.key, group);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  tidy();
  const watch = new MutationObserver(tidy);
  watch.observe(group, { childList: true, subtree: true });
  group.addEventListener("focusin", focus);
  group.addEventListener("keydown", key);
  return () => {
    watch.disconnect();
    group.removeEventListener("focusin", focus);
    group.removeEventListener("keydown", key);
  };
};

function nextTile(tile: HTMLElement, key: string, group: HTMLElement): HTMLElement | null {
  const tiles = tilesOf(group);
  if (key === "Home") return tiles[0] ?? null;
  if (key === "End") return tiles.at(-1) ?? null;
  const direction = DIRECTIONS[key];
  if (!direction) return null;
  const [x, y] = direction;
  if (x) return tiles[tiles.indexOf(tile) + x] ?? null;
  return nearest(tile, tiles, y) ?? nearest(tile, tilesOf(document), y);
}

/** The tile nearest above or below. */
function nearest(from: HTMLElement, tiles: HTMLElement[], y: number): HTMLElement | null {
  const middle = (place: DOMRect) => ({ x: place.x + place.width / 2, y: place.y + place.height / 2 });
  const here = from.getBoundingClientRect();
  const start = middle(here);
  let best: HTMLElement | null = null;
  let least = Infinity;
  for (const tile of tiles) {
    const end = middle(tile.getBoundingClientRect());
    const ahead = (end.y - start.y) * y;
    if (ahead < here.height / 3) continue;
    const far = ahead + 3 * Math.abs(end.x - start.x);
    if (far < least) {
      least = far;
      best = tile;
    }
  }
  return best;
}

/** Leads into the tiles: to the first that can be chosen, else to the first. */
export function enterTiles(): void {
  const tiles = tilesOf(document);
  (tiles.find((tile) => tile.dataset.able) ?? tiles[0])?.focus();
}
