"""Fair dice: every page is bound to a word of its own before any is shown, without anybody doing anything."""

import re
from typing import Any
from urllib.parse import urljoin

from playwright.sync_api import Page, Route, expect
from tests.browser.conftest import Expect, NewPage
from tests.browser.playing import FRIEND, ME, Seat, make_table

from dicetown.fair import commit_to_word


def fairness(page: Page, code: str) -> dict[str, Any]:
    """What the service says about the dice of a table."""
    answer = page.request.get(urljoin(page.url, f"/api/tables/{code}"))
    told: dict[str, Any] = answer.json()["fairness"]
    return told


def test_one_click_plays_with_a_word_of_ones_own(page: Page) -> None:
    page.get_by_role("button", name="Play now").click()
    seat = Seat(page)
    seat.wait_until_asked("Roll the die.")
    told = fairness(page, seat.code)
    own, *bots = told["words"]
    assert re.fullmatch("[0-9a-f]{64}", own)
    assert told["commitments"] == [commit_to_word(0, own), None, None, None]
    assert not any(bots)
    page.get_by_role("button", name="Fair dice").first.click()
    dialog = page.get_by_role("dialog", name="Fair dice")
    expect(dialog.get_by_role("listitem").first).to_contain_text("a random word")
    expect(dialog.get_by_role("listitem").nth(3)).to_contain_text("no word of their own")
    expect(dialog).to_contain_text("Your own word is in it.")


def two_in_the_lobby(new_page: NewPage) -> tuple[Page, Page, str]:
    """Ana and Ben before the start, each with a browser of their own, bound to a word."""
    ana, ben = new_page(), new_page()
    code = make_table(ana, [ME, FRIEND])
    answer = ben.request.post(urljoin(ben.url, f"/api/tables/{code}/join"), data={"name": "Ben"})
    assert answer.ok, answer.text()
    for page in (ana, ben):
        page.goto(urljoin(page.url, f"/t/{code}"))
    for page in (ana, ben):
        expect(page.get_by_role("img", name="has a word of their own in the dice")).to_have_count(2)
    return ana, ben, code


def test_two_browsers_each_have_a_word_in_the_dice_and_a_reload_keeps_it(new_page: NewPage) -> None:
    ana, ben, code = two_in_the_lobby(new_page)
    bound = fairness(ana, code)["commitments"]
    ben.reload()
    expect(ben.get_by_role("heading", name="You have a seat")).to_be_visible()
    ana.get_by_role("button", name="Start the game").click()
    Seat(ana).wait_until_asked("Roll")
    expect(Seat(ben).asks).to_contain_text("Ana is about to roll.")
    told = fairness(ana, code)
    assert told["commitments"] == bound
    assert [commit_to_word(seat, word) for seat, word in enumerate(told["words"])] == bound


def test_a_word_that_could_not_be_sent_is_sent_after_a_reload(
    new_page: NewPage, expect_problem: Expect
) -> None:
    """The page is gone between the freeze and the reveal, and has kept its word."""
    expect_problem("ERR_FAILED .*/word")
    ana, ben, code = two_in_the_lobby(new_page)

    def lose(route: Route) -> None:
        route.abort()

    ben.route("**/api/tables/*/word?*", lose)
    ana.get_by_role("button", name="Start the game").click()
    expect(ben.get_by_text("Everybody shows their word for the dice…")).to_be_visible()
    assert fairness(ana, code)["words"] is None
    ben.unroute("**/api/tables/*/word?*", lose)
    ben.reload()
    Seat(ana).wait_until_asked("Roll")
    assert all(fairness(ana, code)["words"])
