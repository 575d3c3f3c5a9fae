"""In company: friends by link, people at one screen, who watches, and whose network fails."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Expect, NewPage
from tests.browser.looking import expect_position, game_at_service
from tests.browser.playing import FRIEND, ME, Seat, go_to, here, make_table, sit_down
from tests.browser.service import Service


def join(page: Page, code: str, name: str) -> None:
    """Sit down at a table, without looking."""
    answer = page.request.post(urljoin(page.url, f"/api/tables/{code}/join"), data={"name": name})
    assert answer.ok, answer.text()


def two_friends(new_page: NewPage, address: str = "/", **wishes: object) -> tuple[Seat, Seat]:
    """Ana and Ben, each in a browser of their own, at a game that has just begun. Ana is asked."""
    ana, ben = new_page(address), new_page(address)
    code = make_table(ana, [ME, FRIEND], **wishes)
    join(ben, code, "Ben")
    answer = ana.request.post(urljoin(ana.url, f"/api/tables/{code}/start"))
    assert answer.ok, answer.text()
    seats = go_to(ana, code), go_to(ben, code)
    seats[0].wait_until_asked("Roll")
    expect(seats[1].asks).to_contain_text("Ana is about to roll.")
    return seats


def take_a_turn(seat: Seat) -> None:
    """Roll, answer what the dice ask, build something; then it is somebody else's turn.

    A bot may be quick: the next roll that is asked for belongs to the next turn already.
    """
    seat.wait_until_asked("Roll")
    seat.answer()
    while (now := seat.now())["asked"] and not now["rolls"]:
        seat.answer()


def roll_and_build_nothing(seat: Seat) -> None:
    """One turn of a game that has just begun, and no more."""
    seat.wait_until_asked("Roll")
    seat.roll()
    seat.wait_until_asked(re.compile("What do you build|Roll"))
    if "build" in seat.question.inner_text():
        seat.build_nothing()


def expect_all_alike(code: str, *seats: Seat) -> None:
    """All pages show where the game stands at the service, the first as seat 0, the second as seat 1."""
    game = game_at_service(seats[0].page, code)
    for number, seat in enumerate(seats):
        expect_position(seat.page, game, number)


# ------------------------------------------------------------------------ friends by link


@pytest.mark.slow
def test_friends_meet_by_link_and_a_third_watches(new_page: NewPage) -> None:
    ana = new_page("/new")
    code = open_a_table_for_a_friend(ana)
    ben = new_page(f"/t/{code}")
    expect(ben.get_by_role("heading", name="Ana invites you to play")).to_be_visible()
    ben.get_by_label("Your name").fill("Ben")
    ben.get_by_role("button", name="Take a seat").click()
    expect(ben.get_by_role("heading", name="You have a seat")).to_be_visible()
    expect(ana.get_by_role("listitem").filter(has_text="Ben")).to_contain_text("is here")

    mix_words(ana, ben)

    zoe = new_page(f"/t/{code}")
    expect(zoe.get_by_role("heading", name="The table is full")).to_be_visible()
    expect(ana.get_by_text("One person is watching")).to_be_visible()
    ana.get_by_role("button", name="Start the game").click()

    first, second = Seat(ana), Seat(ben)
    for _ in range(2):
        take_a_turn(first)
        take_a_turn(second)
    first.wait_until_asked("Roll")
    expect_all_alike(code, first, second)
    watch_only(zoe, code)


def open_a_table_for_a_friend(page: Page) -> str:
    page.locator("label", has=page.get_by_role("radio", name=re.compile("^Großstadt"))).click()
    for added in ("Harbor", "Special"):
        page.locator("label", has=page.get_by_role("switch", name=added)).click()
    page.get_by_role("button", name="Friends by link").click()
    page.get_by_label("Name of seat 1").fill("Ana")
    while page.get_by_role("button", name="Take seat 3 away").is_visible():
        page.get_by_role("button", name="Take seat 3 away").click()
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("heading", name="Your table is set")).to_be_visible()
    link = page.get_by_label("Link to this table").input_value()
    assert link == page.url
    return link.removesuffix("/").rpartition("/")[2]


def mix_words(ana: Page, ben: Page) -> None:
    """Both mix a word into the dice; each sees that the other has."""
    for page, word in ((ana, "apple"), (ben, "banana")):
        page.get_by_label("Your word for the dice").fill(word)
        page.get_by_role("button", name="Mix in").click()
        expect(page.locator("main")).to_contain_text("Mixed in. Until the start you can mix in another one.")
    for page in (ana, ben):
        expect(page.get_by_role("img", name="has a word of their own in the dice")).to_have_count(2)


def watch_only(page: Page, code: str) -> None:
    """Who watches sees everything, but nothing on the page lets them act."""
    seat = Seat(page)
    expect(page.get_by_text("You are watching")).to_be_visible()
    expect_position(page, game_at_service(page, code), None)
    expect(seat.asks).to_contain_text("Ana is about to roll.")
    expect(seat.asks.get_by_role("button")).to_have_count(0)
    seat.look_at(re.compile("^Bakery"))
    expect(seat.close_up.get_by_role("button")).to_have_text(["Close"])
    page.keyboard.press("Escape")
    page.keyboard.press("1")  # rolls a die, for who may
    page.wait_for_timeout(200)
    expect(seat.asks).to_contain_text("Ana is about to roll.")


def test_a_choice_that_one_takes_back_is_taken_back_for_all(new_page: NewPage) -> None:
    ana, ben = two_friends(new_page)
    ana.roll()
    ana.wait_until_asked("What do you build?")
    ana.build("Bakery")
    ben.wait_until_asked("Roll the die.")
    ana.undo()
    ana.wait_until_asked("What do you build?")
    expect(ben.question).to_have_count(0)
    expect(ben.page.locator("#side-panel s").first).to_contain_text("Ana builds the Bakery")
    expect(ben.page.locator("#side-panel")).to_contain_text("Ana takes the last choice back.")
    expect_all_alike(ana.code, ana, ben)
    ana.build("Ranch")
    ben.wait_until_asked("Roll the die.")
    expect_all_alike(ana.code, ana, ben)


# --------------------------------------------------------------------- out, and back again


@pytest.mark.slow
def test_who_was_offline_has_caught_up_when_back(new_page: NewPage, expect_problem: Expect) -> None:
    expect_problem("ERR_INTERNET_DISCONNECTED")
    ana, ben = two_friends(new_page)
    ben.page.context.set_offline(True)
    expect(ben.page.locator(".banner")).to_contain_text("This device is offline. The game waits for you.")
    take_a_turn(ana)
    ana.page.get_by_role("tab", name="Chat").click()
    ana.page.get_by_role("button", name="Your turn!").click()
    expect(ben.asks).to_contain_text("Ana is about to roll.")  # as far as Ben knows

    ben.page.context.set_offline(False)
    expect(ben.page.locator(".toast")).to_contain_text("Connected again. You are up to date.")
    ben.wait_until_asked("Roll the die.")
    ben.page.get_by_role("tab", name="Chat").click()
    expect(ben.page.get_by_role("log", name="Chat")).to_contain_text("Your turn!")
    expect_all_alike(ana.code, ana, ben)
    take_a_turn(ben)
    ana.wait_until_asked("Roll")


@pytest.fixture
def impatient(tmp_path: Path) -> Iterator[Service]:
    """A service that waits a second for who is gone."""
    with Service(tmp_path, "--grace", "1") as running:
        yield running


@pytest.mark.slow
def test_a_bot_plays_for_who_is_gone_too_long(
    new_page: NewPage, impatient: Service, expect_problem: Expect
) -> None:
    expect_problem("ERR_CONNECTION_REFUSED")  # the service ends before the pages do
    ana, ben = two_friends(new_page, impatient.address)
    table = ben.page.url
    ben.page.goto(impatient.address)
    expect(ana.page.get_by_role("article", name="Ben")).to_contain_text("not connected")
    take_a_turn(ana)
    log = ana.page.locator("#side-panel")
    expect(log).to_contain_text("Ben has been away for a while; a bot plays until they return.")
    expect(ana.page.get_by_role("article", name="Ben")).to_contain_text("a bot stands in")
    ana.wait_until_asked("Roll")  # the bot has had Ben's turn

    ben.page.goto(table)
    expect(log).to_contain_text("Ben is back.")
    told = ben.page.locator("main .banner")
    expect(told).to_contain_text(re.compile("A bot played (one turn|2 turns) for you: +Ben rolls a"))
    expect(ana.page.locator("main .banner")).to_have_count(0)
    told.get_by_role("button", name="Dismiss").click()
    expect(told).to_have_count(0)
    take_a_turn(ana)
    take_a_turn(ben)
    ana.wait_until_asked("Roll")
    expect_all_alike(ana.code, ana, ben)


@pytest.mark.slow
def test_who_waits_sees_when_a_bot_takes_over(new_page: NewPage) -> None:
    ana, ben = two_friends(new_page)  # the usual grace: a minute
    table = ben.page.url
    ben.page.goto(urljoin(table, "/"))
    countdown = ana.page.get_by_role("timer").filter(has_text="Ben is away")
    expect(countdown).to_contain_text(re.compile(r"a bot plays for them in 0:\d\d\."))
    seen = countdown.inner_text()
    expect(countdown).not_to_have_text(seen)  # it goes on
    ben.page.goto(table)
    expect(countdown).to_have_count(0)


# ---------------------------------------------------------------------------------- talk


def test_a_phrase_is_read_in_everybodys_language_and_text_as_it_was_written(new_page: NewPage) -> None:
    ana = new_page()
    code = make_table(ana, [ME, FRIEND])
    ben = new_page(locale="de-DE")
    join(ben, code, "Ben")
    assert ana.request.post(urljoin(ana.url, f"/api/tables/{code}/start")).ok
    go_to(ana, code)
    go_to(ben, code)
    for page in (ana, ben):
        page.get_by_role("tab", name="Chat").click()
    ana.get_by_role("button", name="Good luck!").click()
    heard = ben.get_by_role("log", name="Chat")
    expect(heard).to_contain_text("Viel Glück!")
    say(ana, "<b>Hi</b> & welcome")
    expect(heard).to_contain_text("<b>Hi</b> & welcome")

    ben.get_by_text("Wen du liest").click()
    ben.get_by_role("button", name="Ana nicht mehr lesen").click()
    expect(heard).not_to_contain_text("welcome")
    say(ana, "Anybody there?")
    expect(ben.get_by_text("3 Nachrichten sind ausgeblendet.")).to_be_visible()
    ben.get_by_role("button", name="Ana wieder lesen").click()
    expect(heard).to_contain_text("Anybody there?")
    ben.get_by_role("button", name="Chat stummschalten").click()
    expect(heard).to_have_count(0)


def say(page: Page, text: str) -> None:
    page.get_by_label("Say something to the table").fill(text)
    page.keyboard.press("Enter")
    expect(page.get_by_role("log", name="Chat")).to_contain_text(text)


# ------------------------------------------------------------------------------ the host


def test_the_host_sends_somebody_away_and_lets_a_bot_play(new_page: NewPage, expect_problem: Expect) -> None:
    expect_problem("403 .*/commitment")  # to a seat that is lost in the same moment
    ana, ben = new_page(), new_page()
    code = make_table(ana, [ME, FRIEND])
    join(ben, code, "Ben")
    go_to(ana, code)
    go_to(ben, code)
    expect(ben.get_by_role("heading", name="You have a seat")).to_be_visible()  # or nothing is taken from him
    ana.get_by_role("button", name="Change Seat 2, Ben").click()
    ana.get_by_role("button", name="Send away").click()
    expect(ben.locator(".toast")).to_contain_text("The host has given your seat to somebody else.")
    expect(ben.get_by_role("button", name="Take a seat")).to_be_visible()
    expect(ana.get_by_role("listitem").filter(has_text="Free seat")).to_be_visible()

    ana.get_by_role("button", name="Change Seat 2, Free seat").click()
    ana.get_by_label("Bot for seat 2").select_option("beginner")
    ana.get_by_role("button", name="Give to a bot").click()
    expect(ben.get_by_role("heading", name="The table is full")).to_be_visible()
    ana.get_by_role("button", name="Start the game").click()
    seat = Seat(ana)
    take_a_turn(seat)
    seat.wait_until_asked("Roll")  # the bot has had its turn
    expect(ben.get_by_text("You are watching")).to_be_visible()


def test_the_host_pauses_the_game_for_all(new_page: NewPage) -> None:
    ana, ben = two_friends(new_page)
    ana.page.get_by_role("button", name="Pause the game").click()
    expect(ben.page.locator("main")).to_contain_text("The host has paused the game.")
    expect(ben.page.get_by_role("button", name="Go on")).to_have_count(0)
    expect(ana.question).to_have_count(0)
    ana.page.get_by_role("button", name="Go on").click()
    take_a_turn(ana)
    ben.wait_until_asked("Roll")


def test_in_the_middle_of_a_game_a_seat_is_given_away_and_taken_again(new_page: NewPage) -> None:
    ana, ben = two_friends(new_page)
    take_a_turn(ana)
    ana.page.get_by_role("button", name="Around the table").click()
    ana.page.get_by_role("button", name="Change Seat 2, Ben").click()
    ana.page.get_by_role("button", name="Send away").click()
    ana.page.get_by_role("button", name="Close").click()
    ana.wait_until_asked("Roll")  # the bot has had Ben's turn
    expect(ben.page.get_by_text("You are watching")).to_be_visible()

    ana.page.get_by_role("button", name="Around the table").click()
    ana.page.get_by_role("button", name="Change Seat 2, Ben").click()
    ana.page.get_by_role("button", name="Free for a friend").click()
    ana.page.get_by_role("button", name="Close").click()
    ben.page.get_by_role("button", name="Sit down").click()
    ben.page.get_by_role("button", name="Take a seat").click()
    expect(ben.page.get_by_text("You are watching")).to_have_count(0)
    take_a_turn(ana)
    take_a_turn(ben)
    expect_all_alike(ana.code, ana, ben)


def test_who_leaves_in_the_middle_is_asked_twice_and_a_bot_plays_on(new_page: NewPage) -> None:
    ana, ben = two_friends(new_page)
    ben.page.get_by_role("button", name="Around the table").click()
    ben.page.get_by_role("button", name="Leave the table").click()
    ben.page.get_by_role("button", name="Yes, leave the game").click()
    expect(ben.page.get_by_role("button", name="Play now")).to_be_visible()
    roll_and_build_nothing(ana)  # the bot may be quick: Ana is asked again before one looks
    ana.wait_until_asked("Roll")
    expect(ana.page.get_by_text("Ben rolls").first).to_be_visible()


# ------------------------------------------------------------------------ at one screen


def test_two_at_one_screen_pass_the_device(page: Page) -> None:
    seat = sit_down(page, [ME, here("Ben")])
    take_a_turn(seat)
    expect(page.get_by_role("heading", name="Pass the device to Ben")).to_be_visible()
    expect(seat.question).to_have_count(0)  # nobody decides for the other by mistake
    seat.take_device()
    expect(page.get_by_role("region", name="Your city, Ben")).to_be_visible()
    take_a_turn(seat)
    expect(page.get_by_role("heading", name="Pass the device to Ana")).to_be_visible()
    page.get_by_role("button", name="Don't ask again on this device").click()
    take_a_turn_each(seat, "Ana", "Ben", "Ana")


def test_no_escape_leads_past_passing_the_device(page: Page) -> None:
    seat = sit_down(page, [ME, here("Ben")])
    take_a_turn(seat)
    asks = page.get_by_role("heading", name="Pass the device to Ben")
    for _ in range(4):  # a browser lets a page refuse only the first
        expect(asks).to_be_visible()
        page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="I am Ben")).to_be_focused()
    seat.take_device()
    expect(asks).to_have_count(0)
    expect(page.get_by_role("region", name="Your city, Ben")).to_be_visible()


def take_a_turn_each(seat: Seat, *names: str) -> None:
    """The device belongs to whoever is asked, without a word."""
    for name in names:
        expect(seat.page.get_by_role("region", name=f"Your city, {name}")).to_be_visible()
        roll_and_build_nothing(seat)
