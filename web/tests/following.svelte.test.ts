// Who reads along goes on reading along, whatever happens to the list, until they scroll up.
import { expect, test } from "vitest";
import { Following } from "../src/panel/following.svelte";

/** A list without a layout: so high, in a room so high. */
function list(height: number, room: number) {
  const scroller = document.createElement("div");
  const size = { height, room, top: 0 };
  const end = () => Math.max(0, size.height - size.room);
  Object.defineProperties(scroller, {
    scrollHeight: { get: () => size.height },
    clientHeight: { get: () => size.room },
    scrollTop: { get: () => Math.min(size.top, end()), set: (top: number) => (size.top = top) },
  });
  scroller.scrollTo = ((to: ScrollToOptions) => (size.top = Math.min(to.top ?? 0, end()))) as never;
  const following = new Following();
  following.attach(scroller);
  following.toEnd();
  return { scroller, size, end, following };
}

test("A scroll event that comes after the list has grown further does not end the reading along.", () => {
  const { size, end, following, scroller } = list(500, 200);
  size.height = 700;
  following.keepUp();
  size.height = 900; // before the event of the scrolling just now is told
  following.look();
  following.keepUp();
  expect(following.on).toBe(true);
  expect(scroller.scrollTop).toBe(end());
});

test("A guide that takes some of the room does not end the reading along.", () => {
  const { size, end, following, scroller } = list(500, 300);
  size.room = 120;
  following.look();
  size.height = 560;
  following.keepUp();
  expect(following.on).toBe(true);
  expect(scroller.scrollTop).toBe(end());
  size.room = 300; // the guide is gone: there is less to scroll
  following.look();
  expect(following.on).toBe(true);
});

test("Who scrolls up is left in peace, and reads along again from the end.", () => {
  const { size, following, scroller } = list(500, 200);
  scroller.scrollTop = 100;
  following.look();
  size.height = 900;
  following.keepUp();
  expect([following.on, scroller.scrollTop]).toEqual([false, 100]);
  scroller.scrollTop = 690; // nearly at the end
  following.look();
  size.height = 1000;
  following.keepUp();
  expect([following.on, scroller.scrollTop]).toEqual([true, 800]);
});
