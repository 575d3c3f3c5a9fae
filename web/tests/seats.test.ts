import { fireEvent, render } from "@testing-library/svelte";
import { beforeEach, expect, test } from "vitest";
import { settings } from "../src/lib/settings.svelte";
import type { SeatInfo } from "../src/lib/wire";
import SeatCard from "../src/lobby/SeatCard.svelte";
import { aTable } from "./fake_socket";

beforeEach(() => {
  settings.language = "en";
});

const [, second] = aTable().seats as [SeatInfo, SeatInfo];
const seats: Record<string, SeatInfo> = {
  person: { ...second, kind: "person", name: "Ben", bot: null },
  bot: second,
  open: { ...second, kind: "open", name: "", bot: null },
};

/** What the host is offered about a seat. */
async function offered(seat: SeatInfo, begun: boolean): Promise<(string | null)[]> {
  const props = { code: "ABCDEFGH", seat, present: true, mine: false, byHost: true, begun, bots: [] };
  const { container, unmount } = render(SeatCard, props);
  await fireEvent.click(container.querySelector(".who button")!);
  const found = [...container.querySelectorAll<HTMLElement>(".change button, .change select")];
  const names = found.map((one) => one.getAttribute("aria-label") ?? one.textContent.trim());
  unmount();
  return names;
}

test("Before the game the host gives a seat to any bot.", async () => {
  expect(await offered(seats.person!, false)).toEqual([
    "Rename",
    "Bot for seat 2",
    "Give to a bot",
    "Send away",
  ]);
  expect(await offered(seats.open!, false)).toEqual(["Bot for seat 2", "Give to a bot"]);
});

test("While the game goes on the host cannot choose who plays for somebody.", async () => {
  expect(await offered(seats.person!, true)).toEqual(["Rename", "Send away"]);
  expect(await offered(seats.bot!, true)).toEqual(["Rename", "Free for a friend"]);
  expect(await offered(seats.open!, true)).toEqual(["Give to a bot"]);
});
