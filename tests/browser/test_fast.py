"""At a fast pace, with all that moves: nothing breaks on the way, and nothing lags behind."""

import re

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import NewPage
from tests.browser.looking import expect_position, game_at_service
from tests.browser.playing import ME, RICH, bot, sit_down
from tests.browser.recording import Recorder, disagreements, names_at

_IS_AT_ITS_END = """() => {
    const log = document.querySelector("[role=log]");
    return log.scrollHeight > log.clientHeight && log.scrollHeight - log.scrollTop - log.clientHeight < 32;
}"""


# In each edition once, and in one of them where no slow test runs, too.
_TABLES = [
    pytest.param("ciudad", 4, marks=pytest.mark.slow),
    pytest.param("deluxe", 5, marks=pytest.mark.slow),
    pytest.param("grossstadt", 3, marks=pytest.mark.slow),
    pytest.param("neue_stadt", 3),
    pytest.param("neue_stadt", 5, marks=pytest.mark.slow),
]
_ROLLED_AGAIN = "the log knows the dice that roll"  # those of the first roll


@pytest.mark.parametrize(("edition", "players"), _TABLES)
def test_a_whole_game_at_a_fast_pace(new_page: NewPage, edition: str, players: int) -> None:
    page = new_page(speed="fast", reduced_motion="no-preference")
    bots = [bot("beginner"), bot("easy"), bot("beginner"), bot("easy")][: players - 1]
    seat = sit_down(page, [ME, *bots], edition=edition, sets=None, pace="fast", house=RICH)
    recorder, names = Recorder(page), names_at(page)
    seat.play_to_the_end()
    expect(page.locator("section.after")).to_be_visible()
    wrong = {what: frame for frame in recorder.frames() for what in disagreements(frame, names, [0])}
    wrong.pop(_ROLLED_AGAIN, None)
    assert wrong == {}


def test_the_log_follows_though_a_guide_takes_some_of_its_room(new_page: NewPage) -> None:
    page = new_page(width=1366, height=657, reduced_motion="no-preference")
    seat = sit_down(page, [ME, bot(), bot(), bot()], pace="instant")
    page.get_by_role("button", name="Yes, please").click()
    seat.play(rounds=5)
    seat.wait_until_asked("Roll")
    expect(page.get_by_role("button", name="Jump to the newest")).to_have_count(0)
    page.wait_for_function(_IS_AT_ITS_END)


def test_a_speed_that_is_set_reaches_the_bots_at_once(new_page: NewPage) -> None:
    page = new_page(speed="slow", reduced_motion="no-preference")
    seat = sit_down(page, [ME, bot("beginner"), bot("beginner"), bot("beginner")], pace="slow")
    seat.wait_until_asked("Roll")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("dialog").get_by_text("Instant", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    expect(page.get_by_role("log")).to_contain_text("lets the bots play without pauses.")
    answer = page.request.get(re.sub(r"/t/(\w+).*", r"/api/tables/\1", page.url))
    assert answer.json()["pace"] == "instant"
    expect_position(page, game_at_service(page, seat.code))
