"""The list of one's games: taken up again, left, deleted, and put away to make room."""

import re
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import Expect, NewPage
from tests.browser.playing import FRIEND, ME, Seat, bot, go_to, here, make_table

MORE = re.compile("^Leave|^Delete")


def own_games(page: Page) -> Locator:
    """The list of one's unfinished games, as it is now."""
    page.goto(urljoin(page.url, "/"))
    expect(page.get_by_role("heading", name="Finished games")).to_be_visible()
    return games_under(page, "Your games")


def games_under(page: Page, heading: str) -> Locator:
    section = page.locator("section.list", has=page.get_by_role("heading", name=heading))
    return section.get_by_role("listitem")


def ask(page: Page, game: Locator) -> Locator:
    """What can be done with a game."""
    game.get_by_role("button", name=MORE).click()
    return page.get_by_role("dialog")


@pytest.mark.slow
def test_play_now_works_the_twenty_first_time(page: Page) -> None:
    for _ in range(20):
        make_table(page, [ME, bot()])
    first = own_games(page).last.get_by_role("link").get_attribute("href")
    page.get_by_role("button", name="Play now").click()
    Seat(page).wait_until_asked("Roll")
    expect(page.locator(".toast")).to_contain_text("the oldest one against bots was put away")

    assert own_games(page).count() == 20
    put_away = games_under(page, "Finished games")
    expect(put_away).to_have_count(1)
    expect(put_away).to_contain_text("Put away in round 1")
    assert put_away.get_by_role("link").get_attribute("href") == first
    put_away.get_by_role("link").click()  # and it goes on
    Seat(page).wait_until_asked("Roll")


def test_a_game_is_taken_up_where_it_was_left(page: Page) -> None:
    seat = go_to(page, make_table(page, [ME, here("Ben")]))
    seat.roll()
    moves = seat.moves
    game = own_games(page)
    expect(game).to_contain_text("Resume")
    ask(page, game).get_by_role("button", name="Resume").click()
    Seat(page).wait_for_moves(moves)


def test_a_game_is_deleted_by_keyboard_after_it_was_asked_once_more(
    new_page: NewPage, expect_problem: Expect
) -> None:
    expect_problem("404 ")  # a page that looks for what is deleted
    page, watching = new_page(), new_page()
    code = make_table(page, [ME, bot()])
    go_to(watching, code)
    expect(watching.get_by_text("You are watching")).to_be_visible()

    own_games(page).get_by_role("button", name=MORE).press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Nobody can bring it back.")
    dialog.get_by_role("button", name="Delete the game").press("Enter")
    dialog.get_by_role("button", name="Yes, delete it for good").press("Enter")
    expect(page.locator(".toast")).to_contain_text("The game is deleted.")
    expect(dialog).to_have_count(0)
    expect(games_under(page, "Your games")).to_have_count(0)
    expect(watching.get_by_role("heading", name="This table was deleted")).to_be_visible()
    assert own_games(page).count() == 0


def test_who_leaves_bots_ends_the_game_and_can_look_back_on_it(new_page: NewPage) -> None:
    page, other = new_page(width=360, height=740, has_touch=True), new_page()
    code = make_table(page, [ME, bot()])
    seat = go_to(page, code)
    seat.roll()
    go_to(other, code)
    expect(other.get_by_text("You are watching")).to_be_visible()

    dialog = ask(page, own_games(page))
    expect(dialog).to_contain_text("The game ends without a winner.")
    dialog.get_by_role("button", name="Leave the game").tap()
    dialog.get_by_role("button", name="Yes, leave it").tap()
    expect(page.locator(".toast")).to_contain_text("You have left the game.")
    expect(games_under(page, "Finished games")).to_contain_text("Ended in round 1")

    banner = other.locator("main .banner")
    expect(banner).to_contain_text("The game has ended and the table is closed.")
    expect(banner.get_by_role("link", name="To the start page")).to_be_visible()
    with other.expect_download() as download:
        banner.get_by_role("link", name="Record").click()
    assert code in download.value.suggested_filename
    banner.get_by_role("link", name="Replay").click()
    expect(other.get_by_role("slider", name="Place in the game")).to_be_visible()


def test_who_leaves_friends_gives_the_seat_to_a_bot_and_cannot_delete_their_game(new_page: NewPage) -> None:
    ana, ben = new_page(), new_page()
    code = make_table(ana, [ME, FRIEND])
    assert ben.request.post(urljoin(ben.url, f"/api/tables/{code}/join"), data={"name": "Ben"}).ok
    assert ana.request.post(urljoin(ana.url, f"/api/tables/{code}/start")).ok
    seat = go_to(ben, code)
    expect(seat.asks).to_contain_text("Ana is about to roll.")

    dialog = ask(ana, own_games(ana))
    expect(dialog).to_contain_text("A bot takes your seat and plays on for the others.")
    expect(dialog.get_by_role("button", name="Delete the game")).to_have_count(0)
    dialog.get_by_role("button", name="Leave the game").click()
    dialog.get_by_role("button", name="Yes, leave it").click()
    expect(games_under(ana, "Your games")).to_have_count(0)
    seat.wait_until_asked("Roll")
    expect(ben.locator("#side-panel")).to_contain_text("Ana has left; a bot plays on.")
