"""With the mouse alone: from the start page to the end of a game, and back to the next one."""

import re
import shlex
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.browser.playing import Seat
from tests.running import Run


def test_one_click_leads_to_the_first_roll(page: Page) -> None:
    page.get_by_role("button", name="Play now").click()

    seat = Seat(page)
    seat.wait_until_asked("Roll the die.")
    assert len(seat.code) == 8

    seat.roll()
    seat.wait_until_asked(re.compile("What do you build|Roll the die"))


def set_up_a_table_for_two(page: Page) -> Seat:
    """You and a bot at the smallest box, nothing added, without pauses: by clicks."""
    page.get_by_role("link", name="Set up a table").click()
    page.locator("label", has=page.get_by_role("radio", name=re.compile("^Großstadt"))).click()
    for added in ("Harbor", "Special"):
        page.locator("label", has=page.get_by_role("switch", name=added)).click()
    page.get_by_role("button", name="Take seat 2 away").click()
    pace = page.get_by_role("group", name="Pace of the bots")
    pace.locator("label", has_text="Instant").click()
    page.get_by_role("button", name="Start the game").click()
    return Seat(page)


@pytest.mark.slow
def test_a_whole_game_by_mouse_with_all_that_follows_it(page: Page, dicetown: Run, tmp_path: Path) -> None:
    seat = set_up_a_table_for_two(page)

    assert seat.play_to_the_end() > 20

    look_at_the_result(page)
    keep_the_record(page, dicetown, tmp_path, check_the_dice(page))
    replay_the_game(page)
    play_again(page, seat.code)


def look_at_the_result(page: Page) -> None:
    after = page.locator("section.after")
    expect(after.get_by_role("heading", name=re.compile("wins?!$"))).to_be_visible()
    expect(after.get_by_label("Place 1")).to_be_visible()

    for chart in ("Coins", "Landmarks", "Wealth"):
        after.locator("label", has_text=chart).click()
        expect(after.locator("svg[role=img], svg[aria-label], [role=slider]").first).to_be_visible()
    after.get_by_role("tab", name="Income").click()
    expect(after.get_by_text("What each card brought over the whole game.")).to_be_visible()
    after.get_by_role("tab", name="Dice").click()
    expect(after.get_by_role("table")).to_contain_text("6")


def check_the_dice(page: Page) -> list[str]:
    """The page says that all is as it was shown before; the command it gives for the whole check."""
    page.get_by_role("button", name="How the dice are kept fair").click()
    dialog = page.get_by_role("dialog")
    for sentence in (
        "The secret fits its fingerprint.",
        "The fingerprint of the secret is the one that was shown to you before the game.",
        "Everybody's fingerprint is the one that lay there before the words were shown.",
        "Your own word is in it.",
    ):
        expect(dialog).to_contain_text(sentence)
    command = dialog.get_by_text(re.compile("^dicetown verify ")).inner_text()
    dialog.get_by_role("button", name="Close").first.click()
    return shlex.split(command)


def keep_the_record(page: Page, dicetown: Run, folder: Path, command: list[str]) -> None:
    with page.expect_download() as kept:
        page.get_by_role("link", name="Record").click()
    _, verify, name, *shown = command
    assert kept.value.suggested_filename == name
    kept.value.save_as(folder / name)
    verified = dicetown(verify, folder / name, *shown)
    assert (verified.status, verified.err) == (0, "")
    assert "follow from the secret that was promised" in verified.out
    assert "Not checked" not in verified.out


def replay_the_game(page: Page) -> None:
    page.get_by_role("link", name="Replay").click()
    place = page.get_by_role("slider", name="Place in the game")
    happened = page.get_by_role("region", name="What happened")
    expect(happened).to_contain_text("'s turn.")

    for _ in ("the choice to roll", "the dice"):
        page.get_by_role("button", name="One step forward").click()
    expect(happened).to_contain_text(" rolls a ")
    room = place.bounding_box()
    assert room
    place.click(position={"x": room["width"] / 2, "y": room["height"] / 2})
    expect(place).to_have_attribute("aria-valuetext", re.compile(r"^Step \d{2,} of \d+, round \d+"))
    page.get_by_role("button", name="To the end").click()
    expect(happened).to_contain_text("wins the game!")
    page.get_by_role("button", name="To the beginning").click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(place).not_to_have_attribute("aria-valuetext", re.compile("^Step 0 of"))
    page.get_by_role("button", name="Pause").click()


def play_again(page: Page, code: str) -> None:
    page.get_by_role("link", name="To the table").click()
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(re.compile(rf"/t/(?!{code})[A-Z2-9]{{8}}$"))
    Seat(page).wait_until_asked("Roll the die.")
