"""One clock: at every instant the whole page shows the same moment of the game.

A recorder in the page looks at each frame that is drawn, in turns of bots and of people, and notes what the
header, the bar, the panels, the log, the odds and the market say.
"""

import re

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import NewPage
from tests.browser.playing import ME, Seat, bot, go_to, here, make_table, sit_down
from tests.browser.recording import Recorder, disagreements, names_at


def _expect_one_moment(recorder: Recorder, mine: list[int]) -> None:
    """All players have had a turn, and in no frame anything disagreed."""
    frames, names = recorder.frames(), names_at(recorder.page)
    assert {frame["header"] for frame in frames} >= set(range(len(names)))
    assert any(frame["rolling"] for frame in frames)
    wrong = {what: frame for frame in frames for what in disagreements(frame, names, mine)}
    assert wrong == {}


@pytest.mark.parametrize(("speed", "rounds"), [("normal", 1), ("fast", 3)])
def test_header_bar_log_and_market_never_disagree(new_page: NewPage, speed: str, rounds: int) -> None:
    page = new_page(speed=speed, reduced_motion="no-preference")
    seat = sit_down(page, [ME, bot("beginner"), bot("easy"), bot("beginner")], pace=speed)
    recorder = Recorder(page)
    seat.play(rounds=rounds)
    seat.wait_until_asked("Roll")
    _expect_one_moment(recorder, [0])


def test_who_watches_sees_one_moment_too(new_page: NewPage) -> None:
    player = new_page()
    code = make_table(player, [ME, bot("beginner"), bot("easy")], pace="fast")
    watching = new_page(speed="fast", reduced_motion="no-preference")
    go_to(watching, code)
    recorder = Recorder(watching)
    seat = go_to(player, code)
    seat.play(rounds=3)
    seat.wait_until_asked("Roll")
    Seat(watching).wait_for_moves(seat.moves)
    _expect_one_moment(recorder, [])


def test_two_at_one_device_see_one_moment(new_page: NewPage) -> None:
    page = new_page(speed="fast", reduced_motion="no-preference")
    seat = sit_down(page, [ME, here("Ben"), bot("beginner")], pace="fast")
    recorder = Recorder(page)
    seat.play(rounds=4)
    _expect_one_moment(recorder, [0, 1])


@pytest.fixture
def rolling(new_page: NewPage) -> Seat:
    """Somebody whose dice roll, and do not stop by themselves: the page's clock stands still."""
    page = new_page(speed="normal", reduced_motion="no-preference")
    page.clock.install()
    seat = sit_down(page, [ME, bot()])
    seat.wait_until_asked("Roll")
    expect(page.locator("section.odds")).to_be_visible()  # the dice lie beside them
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    seat.pick("Roll one die")
    expect(page.locator("[data-spot=dice] .rolling")).not_to_have_count(0)
    expect(seat.question).to_have_count(0)
    return seat


def test_a_double_click_builds_while_the_dice_still_roll(rolling: Seat) -> None:
    rolling.market.get_by_role("button", name=re.compile("^Wheat Field")).dblclick()
    rolling.page.clock.resume()
    expect(rolling.page.get_by_role("log")).to_contain_text("Ana builds the Wheat Field")
    expect(rolling.close_up).to_have_count(0)


def test_a_click_shows_a_card_with_what_can_be_done_while_the_dice_still_roll(rolling: Seat) -> None:
    close_up = rolling.look_at(re.compile("^Wheat Field"))
    expect(close_up.get_by_role("button", name=re.compile("^Build"))).to_be_visible()
    expect(rolling.question).to_be_visible()


def test_a_key_counts_while_the_dice_still_roll(rolling: Seat) -> None:
    rolling.page.keyboard.press("p")
    rolling.page.clock.resume()
    expect(rolling.page.get_by_role("log")).to_contain_text("Ana builds nothing.")
