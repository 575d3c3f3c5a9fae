"""The service dies without a word in the middle of a game, comes back, and nothing that was done is lost."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Expect, NewPage
from tests.browser.looking import expect_position, game_at_service
from tests.browser.playing import ME, RICH, bot, sit_down
from tests.browser.service import Service

from dicetown import fair
from dicetown.game.record import GameRecord


@pytest.fixture
def own_service(tmp_path: Path) -> Iterator[Service]:
    """A service that may be killed."""
    with Service(tmp_path) as running:
        yield running


@pytest.mark.slow
def test_a_killed_service_loses_nothing_and_the_game_is_finished(
    new_page: NewPage, own_service: Service, expect_problem: Expect
) -> None:
    expect_problem("WebSocket connection to .* failed|ERR_CONNECTION_REFUSED")
    page = new_page(own_service.address)
    # With plenty of coins the game is short; the service dies while Ana is asked.
    seat = sit_down(page, [ME, bot("beginner")], house=RICH)
    seat.play(rounds=2)
    seat.wait_until_asked("Roll")
    before = game_at_service(page, seat.code)
    log = seat.log()

    own_service.kill()
    expect(page.locator(".banner")).to_contain_text("The connection is gone. Trying again…")
    expect_position(page, before)  # one can still look at everything
    # Somebody decides while nobody listens: it happens as soon as somebody does.
    seat.pick("Roll one die")
    expect(page.locator(".banner")).to_contain_text("What you chose is sent as soon as it is back.")
    own_service.start()

    expect(page.locator(".toast")).to_contain_text("Connected again. You are up to date.")
    seat.wait_for_moves(len(before.moves) + 2)
    seat.wait_until_asked(re.compile("What do you build|Keep it, or roll again"))
    after = game_at_service(page, seat.code)
    assert [str(move) for move in after.moves[: len(before.moves)]] == [str(move) for move in before.moves]
    assert str(after.moves[len(before.moves)]) == "roll 1"
    assert seat.log()[: len(log)] == log
    expect_position(page, after)

    own_service.kill()  # once more, in the middle of a turn
    own_service.start()
    seat.play_to_the_end()
    record = GameRecord.read(page.request.get(f"{own_service.address}api/tables/{seat.code}/record").text())
    assert fair.verify(record).holds
