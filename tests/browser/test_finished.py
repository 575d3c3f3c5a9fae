"""Whoever comes to a game that is over finds its result, on a screen of any size."""

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import NewPage
from tests.browser.service import Service
from tests.browser.set_table import new_guest, set_table

from dicetown.game import Game
from dicetown.rules.ruleset import Ruleset
from dicetown.terminal.seats import choose_for


@pytest.mark.parametrize("width", [360, 820, 1440])
def test_the_result_of_a_finished_game_is_what_one_sees(
    service: Service, new_page: NewPage, width: int
) -> None:
    game = Game(Ruleset("ciudad", sets=["base"]), names=["Ana", "Ben"], seed=1)
    while not game.over:
        game.play(choose_for("greedy", game))
    assert game.winner == 0
    guest, cookie = new_guest(service.database)
    code = set_table(service.database, game, guest, [None, "greedy"])
    page = new_page(width=width)
    page.context.add_cookies([cookie | {"url": service.address}])
    page.goto(f"{service.address}t/{code}")
    result = page.locator("section.after")
    expect(result.get_by_role("button", name="Rematch")).to_be_in_viewport()
    expect(result.get_by_role("heading", name="You win!")).to_be_visible()
    result.get_by_role("tab", name="Dice").click()
    expect(result.get_by_role("button", name="How the dice are kept fair")).to_be_visible()
