"""Whoever comes to a game that is over finds its result, on a screen of any size."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect
from tests.browser.conftest import NewPage
from tests.browser.service import Service
from tests.browser.set_table import keep_review, new_guest, set_table

from dicetown.game import Game
from dicetown.review.grades import GRADES
from dicetown.review.review import review_at_a_glance
from dicetown.rules.ruleset import Ruleset
from dicetown.terminal.seats import choose_for


@cache
def finished_game(*names: str) -> Game:
    """A game that is over; nobody must play on in it."""
    game = Game(Ruleset("ciudad", sets=["base"]), names=names, seed=1)
    while not game.over:
        game.play(choose_for("greedy", game))
    return game


def open_finished(
    service: Service,
    new_page: NewPage,
    names: Sequence[str] = ("Ana", "Ben"),
    reviewed: bool = False,
    **options: Any,
) -> Page:
    """The page of somebody whose game against bots is over; against Ben they have just won."""
    game = finished_game(*names)
    guest, cookie = new_guest(service.database)
    code = set_table(service.database, game, guest, [None, *["greedy"] * (game.players - 1)])
    if reviewed:
        seen = review_at_a_glance(game.save()).as_dict() | {"exact": True}
        keep_review(service.database, code, seen)
    page = new_page(**options)
    page.context.add_cookies([cookie | {"url": service.address}])
    page.goto(f"{service.address}t/{code}")
    return page


@pytest.mark.parametrize("width", [360, 820, 1440])
def test_the_result_of_a_finished_game_is_what_one_sees(
    service: Service, new_page: NewPage, width: int
) -> None:
    page = open_finished(service, new_page, width=width)
    result = page.locator("section.after")
    expect(result.get_by_role("button", name="Rematch")).to_be_in_viewport()
    expect(result.get_by_role("heading", name="You win!")).to_be_visible()
    result.get_by_role("tab", name="Dice").click()
    expect(result.get_by_role("button", name="How the dice are kept fair")).to_be_visible()


def test_a_review_is_waited_for_without_asking_again_and_again(service: Service, new_page: NewPage) -> None:
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(json={"ready": False, "ahead": 2, "done": 0, "total": 90})

    page = open_finished(service, new_page, service_workers="block")  # it would ask past the route
    page.route("**/review?*", answer)
    page.get_by_role("tab", name="Review").click()
    page.get_by_role("button", name="Review the game").click()
    expect(page.get_by_text("2 other reviews come first")).to_be_visible()
    page.wait_for_timeout(1500)  # a page that asks without end would have asked dozens of times
    assert len(asked) <= 2


@pytest.mark.parametrize("width", [360, 1440])
def test_a_review_grades_everybody_and_shows_ones_own_decisions_if_one_likes(
    service: Service, new_page: NewPage, width: int
) -> None:
    names = ("Ana", "Ben", "Caro", "Dan")
    page = open_finished(service, new_page, names, reviewed=True, width=width, height=740)
    page.get_by_role("tab", name="Review").click()
    page.get_by_role("button", name="Review the game").click()
    review = page.locator(".review")
    grades = review.locator(".grades li")
    expect(grades).to_have_count(4)
    for grade in grades.all():
        expect(grade.locator("b")).to_have_text(re.compile("|".join(GRADES)))
        expect(grade).to_contain_text("points of chance to win lost per decision")
    expect(review.get_by_text("Luck aside, ")).to_be_visible()
    expect(review.get_by_role("columnheader", name="Result without luck")).to_be_visible()
    expect(review.get_by_text("Choice of Ben").first).to_be_attached()

    own = review.get_by_role("switch", name="My decisions only")
    own.focus()
    page.keyboard.press("Space")
    expect(own).to_be_checked()
    expect(grades).to_have_count(1)
    expect(review.get_by_text("Choice of Ana").first).to_be_visible()
    for other in names[1:]:
        expect(review.get_by_text(f"Choice of {other}")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
