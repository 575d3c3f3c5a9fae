// Looking closer: what is a wish to see a card, and what is not; and what a card costs whom.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { closer } from "../src/table/closer";
import { watchHands } from "../src/table/intent";
import { Play } from "../src/table/play.svelte";
import { priceFor } from "../src/table/prices";
import { CARDS, city, fakeLive, scene } from "./after_fixture";

const LONG = 2000;

describe("a card", () => {
  let stop: () => void;
  beforeEach(() => {
    vi.useFakeTimers();
    stop = watchHands();
  });
  afterEach(() => {
    stop();
    document.body.replaceChildren();
    vi.useRealTimers();
  });

  function lay() {
    const play = new Play(fakeLive());
    const card = document.createElement("button");
    document.body.append(card);
    const takeAway = closer(play, "bakery", null)(card);
    const point = (kind: string, x: number, y: number) =>
      card.dispatchEvent(
        new PointerEvent(kind, { bubbles: true, pointerType: "mouse", screenX: x, screenY: y }),
      );
    return { play, card, point, takeAway };
  }

  it("is not shown where it appears under a pointer at rest, whatever events that sends", () => {
    const { play, point } = lay();
    for (const kind of ["pointerover", "pointerenter", "pointermove", "pointermove"]) point(kind, 5, 5);
    vi.advanceTimersByTime(LONG);
    expect(play.glance).toBeNull();
  });

  it("is shown where the pointer has moved and rests, until it leaves", () => {
    const { play, card, point } = lay();
    point("pointermove", 5, 5);
    point("pointermove", 6, 5);
    expect(play.glance).toBeNull();
    vi.advanceTimersByTime(LONG);
    expect(play.glance).toMatchObject({ thing: "bakery", element: card });
    point("pointerleave", 60, 5);
    expect(play.glance).toBeNull();
  });

  it("is not shown while the pointer keeps moving, nor after it was pressed", () => {
    const { play, point } = lay();
    for (let x = 0; x < 20; x++) {
      point("pointermove", x, 5);
      vi.advanceTimersByTime(200);
    }
    expect(play.glance).toBeNull();
    point("pointerdown", 20, 5);
    point("pointermove", 21, 5);
    vi.advanceTimersByTime(LONG);
    expect(play.glance).toBeNull();
  });

  it("is not shown any more once it is taken away", () => {
    const { play, point, takeAway } = lay();
    point("pointermove", 5, 5);
    point("pointermove", 6, 5);
    if (takeAway) takeAway();
    vi.advanceTimersByTime(LONG);
    expect(play.glance).toBeNull();
  });

  it("is looked at by the same hand as long as it lies there, however often the table changes", () => {
    const play = new Play(fakeLive());
    expect(closer(play, "bakery", null)).toBe(closer(play, "bakery", null));
    expect(closer(play, "bakery", 1)).not.toBe(closer(play, "bakery", null));
    expect(closer(new Play(fakeLive()), "bakery", null)).not.toBe(closer(play, "bakery", null));
  });
});

describe("a price", () => {
  const market = [{ id: "bakery", copies: 6, prices: [1, 2], missing: [0, 2], row: 0 }];
  const poor = scene({ market, cities: [city({ coins: 1 }), city({ coins: 0 })] });

  it("is each player's own, with what they lack", () => {
    expect(priceFor(poor, CARDS.bakery!, 0)).toEqual({ price: 1, missing: 0 });
    expect(priceFor(poor, CARDS.bakery!, 1)).toEqual({ price: 2, missing: 2 });
    expect(priceFor(poor, CARDS.harbor!, 0)).toEqual({ price: 2, missing: 1 });
  });

  it("lacks nothing for those who watch, or where it is not for sale", () => {
    expect(priceFor(poor, CARDS.bakery!, null)).toEqual({ price: 1, missing: 0 });
    expect(priceFor(poor, CARDS.cafe!, 0)).toEqual({ price: 1, missing: 0 });
    expect(priceFor(null, CARDS.cafe!, 0)).toEqual({ price: 1, missing: 0 });
  });
});
