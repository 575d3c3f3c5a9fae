"""Every special choice has its control, in every edition that asks for it.

Each test sits down at a table where the choice is due, makes it as a person would, and compares: the service
has taken these decisions and no other, the log tells what they led to, and the page shows where they led.
"""

import re
from collections.abc import Callable, Iterator, Sequence

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.conftest import new_context
from tests.browser.looking import expect_position, game_at_service
from tests.browser.playing import Seat
from tests.browser.service import Service
from tests.browser.set_table import new_guest, set_table
from tests.browser.wishes import Moment, asks, play_until

from dicetown.game import Game
from dicetown.game.events import Event
from dicetown.game.notation import Action
from dicetown.server import wire
from dicetown.server.view.log_lines import lines_of, speaker_of

#: The editions of the first game; those of them with Millionaire's Row; and all. One of each is tried often.
CLASSIC = ("ciudad", "deluxe", "grossstadt")
RICH = ("deluxe", "grossstadt")
ALL = (*CLASSIC, "neue_stadt")


def in_each(editions: Sequence[str]) -> pytest.MarkDecorator:
    """A test in each of some editions; only the first is tried when time is short."""
    first, *others = editions
    return pytest.mark.parametrize(
        "edition", [first, *(pytest.param(edition, marks=pytest.mark.slow) for edition in others)]
    )


class Table:
    """A table at which something is asked, in a browser and as the game that it should show."""

    def __init__(self, page: Page, code: str, game: Game) -> None:
        self.page, self.seat = page, Seat(page)
        self._code, self._game = code, game

    def expect_question(self, question: str) -> None:
        """This is asked, and the page shows the position in which it is."""
        self.seat.wait_until_asked(question)
        self.expect_nothing_done()

    def expect_nothing_done(self) -> None:
        """The service still waits for the decision."""
        assert game_at_service(self.page, self._code).position() == self._game.position()
        expect_position(self.page, self._game)

    def expect_done(self, *actions: str) -> list[Event]:
        """Exactly these decisions were taken together, and the page shows what they led to."""
        at_service = game_at_service(self.page, self._code)
        moves = at_service.moves[len(self._game.moves) :]
        assert [move.text for move in moves if isinstance(move, Action)] == list(actions)
        events = [event for move in moves for event in self._game.play(move)]
        assert self._game.position() == at_service.position()
        told = [line.text for line in lines_of(self._game, events, "en", None)]
        lines = self.page.locator("#side-panel").locator("h4, :is(button, div).line")
        if told:
            expect(lines.last).to_have_text(told[-1])
            assert [line.strip() for line in lines.all_inner_texts()[-len(told) :]] == told
        expect_position(self.page, self._game)
        return events

    def coins(self, seat: int = 0) -> int:
        """The coins of a player."""
        return self._game.coins(seat)

    @property
    def game(self) -> Game:
        """The game as it stands after all that was done."""
        return self._game


OpenAt = Callable[..., Table]


@pytest.fixture(scope="module")
def guest_and_page(browser: Browser, service: Service) -> Iterator[tuple[str, Page]]:
    """One guest goes from table to table: a page that is loaded again is quicker than a new browser's."""
    context = new_context(browser)
    guest, cookie = new_guest(service.database)
    context.add_cookies([cookie | {"url": service.address}])
    yield guest, context.new_page()
    context.close()


@pytest.fixture
def open_at(service: Service, guest_and_page: tuple[str, Page]) -> OpenAt:
    """Sit down where something is asked."""
    guest, page = guest_and_page

    def sit_down(moment: Moment, edition: str, build: Sequence[str] = (), draw: Sequence[str] = ()) -> Table:
        game = play_until(moment, edition, build, draw)
        code = set_table(service.database, game, guest)
        page.goto(f"{service.address}t/{code}")
        return Table(page, code, game)

    return sit_down


# --------------------------------------------------------------------------------- the dice


@in_each(ALL)
def test_one_die_or_two(open_at: OpenAt, edition: str) -> None:
    station = ["train_station"] if edition in CLASSIC else []
    table = open_at(asks("roll", choices=2), edition, station)
    table.expect_question("Roll one die or two?")
    table.seat.roll(2)
    table.expect_done("roll 2")
    expect(table.page.locator(".chance").get_by_role("img", name="die showing")).to_have_count(2)


@in_each(CLASSIC)
def test_a_roll_is_kept_with_what_it_brings(open_at: OpenAt, edition: str) -> None:
    table = open_at(asks("reroll", "radio_tower"), edition, ["radio_tower"])
    table.expect_question("You rolled 1. Keep it, or roll again?")
    keep = table.seat.answers.get_by_role("button", name="Keep the 1")
    expect(keep).to_contain_text("you +1")  # the wheat grows
    keep.click()
    table.seat.wait_until_asked("What do you build?")
    table.expect_done("keep")


@in_each(CLASSIC)
def test_dice_are_rolled_again(open_at: OpenAt, edition: str) -> None:
    table = open_at(asks("reroll", "radio_tower"), edition, ["train_station", "radio_tower"])
    table.expect_question("You rolled 1 + 1 = 2. Keep it, or roll again?")
    table.seat.choose("Roll two dice again")
    table.expect_done("reroll 2")


@in_each(CLASSIC)
def test_the_harbor_adds_two(open_at: OpenAt, edition: str) -> None:
    table = open_at(asks("add_two", "harbor"), edition, ["train_station", "harbor"])
    table.expect_question("Your total is 10. Add 2?")
    expect(table.seat.answers.get_by_role("button", name="Leave it at 10")).to_be_visible()
    table.seat.choose("Add 2: 12")
    table.expect_done("add_two yes")
    expect(table.page.locator(".chance [data-spot=dice]")).to_contain_text("+2")


# ---------------------------------------------------------------------- cards that ask


@in_each(CLASSIC)
def test_the_tv_station_takes_from_whom_one_points_at(open_at: OpenAt, edition: str) -> None:
    table = open_at(asks("player", "tv_station"), edition, ["tv_station"])
    table.expect_question("From whom do you take 5 coins? (TV Station)")
    mine, theirs = table.coins(0), table.coins(2)
    expect(table.seat.answers.get_by_role("button", name="Cleo")).to_contain_text(str(theirs))
    table.seat.pick("Ben")
    table.seat.pick("Cleo")  # a choice can be changed until it is confirmed
    table.expect_nothing_done()
    table.seat.confirm()
    table.expect_done("player 2")
    assert (table.coins(0), table.coins(2)) == (mine + 5, theirs - 5)


@in_each(ALL)
def test_the_business_center_trades_in_one_go(open_at: OpenAt, edition: str) -> None:
    field = ["wheat_field"] if edition == "neue_stadt" else []  # in Machi Koro 2 a city begins empty
    table = open_at(asks("give", "business_center"), edition, [*field, "business_center"])
    seat, theirs = table.seat, next(card for card in table.game.cards(1) if card != "wheat_field")
    table.expect_question("Which of your cards do you trade away? (Business Center)")
    seat.pick("Wheat Field")
    seat.wait_until_asked("With whom do you trade the Wheat Field?")
    seat.pick("Ben")
    seat.wait_until_asked("Which card of Ben do you want for the Wheat Field?")
    table.expect_nothing_done()
    wanted = name_of(table, theirs)
    seat.pick(wanted)
    expect(seat.asks.locator(".station")).to_contain_text(["Wheat Field", "Ben", wanted])

    seat.cancel()  # the card of theirs
    seat.cancel()  # Ben
    seat.wait_until_asked("With whom do you trade the Wheat Field?")
    seat.cancel()
    seat.wait_until_asked("Which of your cards do you trade away?")
    table.expect_nothing_done()

    seat.pick("Wheat Field")
    seat.pick("Ben")
    seat.pick(wanted)
    seat.confirm()
    table.expect_done("give wheat_field", "player 1", f"take {theirs}")
    assert table.game.cards(0)[theirs] >= 1


def test_in_machi_koro_2_one_may_do_without_a_trade(open_at: OpenAt) -> None:
    table = open_at(asks("give", "business_center"), "neue_stadt", ["wheat_field", "business_center"])
    table.expect_question("Which of your cards do you trade away? (Business Center)")
    table.seat.choose("Do without")
    table.expect_done("decline")


@in_each(RICH)
def test_a_renovation_closes_all_cards_of_a_type(open_at: OpenAt, edition: str) -> None:
    table = open_at(asks("card", "renovation_company"), edition, ["train_station", "renovation_company"])
    table.expect_question("Which cards close? (Renovation Company)")
    table.seat.choose("Bakery")
    table.expect_done("card bakery")
    assert all(table.game.closed(seat)["bakery"] == table.game.cards(seat)["bakery"] for seat in range(3))
    own = table.seat.city.get_by_role("button", name=re.compile("^Bakery,.* closed"))
    expect(own).to_be_visible()


@in_each(RICH)
def test_the_moving_company_gives_a_card_away(open_at: OpenAt, edition: str) -> None:
    table = open_at(asks("give", "moving_company"), edition, ["train_station", "moving_company"])
    table.expect_question("Which card do you give away? (Moving Company)")
    table.seat.pick("Bakery")
    table.seat.wait_until_asked("Who gets the Bakery? (Moving Company)")
    table.seat.cancel()
    table.seat.wait_until_asked("Which card do you give away?")
    table.expect_nothing_done()
    table.seat.pick("Wheat Field")
    table.seat.wait_until_asked("Who gets the Wheat Field? (Moving Company)")
    table.seat.pick("Cleo")
    expect(table.seat.asks.get_by_role("button", name="Give it to Cleo")).to_be_visible()
    table.seat.confirm()
    table.expect_done("give wheat_field", "player 2")


def test_in_machi_koro_2_doubles_move_a_card_to_the_neighbour(open_at: OpenAt) -> None:
    table = open_at(asks("give", "moving_company"), "neue_stadt", ["wheat_field", "bakery", "moving_company"])
    table.expect_question("Which card do you give to Cleo? (Moving Company)")
    table.seat.choose("Wheat Field")
    table.expect_done("give wheat_field")


@in_each(RICH)
def test_the_demolition_company_pulls_a_landmark_down(open_at: OpenAt, edition: str) -> None:
    table = open_at(
        asks("landmark", "demolition_company"), edition, ["train_station", "harbor", "demolition_company"]
    )
    table.expect_question("Which landmark do you pull down? (Demolition Company)")
    table.seat.pick("Harbor")
    table.seat.cancel()
    table.expect_nothing_done()
    table.seat.pick("Train Station")
    expect(table.seat.asks.get_by_role("button", name="Pull down Train Station")).to_be_visible()
    table.seat.confirm()
    table.expect_done("landmark train_station")
    assert table.game.landmarks(0) == ["harbor"]


@in_each(RICH)
def test_what_comes_first_is_the_rollers_choice(open_at: OpenAt, edition: str) -> None:
    table = open_at(asks("order"), edition, ["train_station", "tax_office", "renovation_company"])
    table.expect_question("What comes first?")
    table.seat.choose("Renovation Company first")
    table.expect_done("first renovation_company")
    table.seat.wait_until_asked("Which cards close?")


def test_the_convention_center_acts_as_another_card(open_at: OpenAt) -> None:
    table = open_at(asks("card", "convention_center"), "deluxe", ["train_station", "convention_center"])
    table.expect_question("Which of your cards shall act? (Convention Center)")
    coins = table.coins()
    expect(table.seat.answers.get_by_role("button", name="Do without")).to_be_visible()
    table.seat.choose("Bakery")
    table.expect_done("card bakery")
    assert table.coins() == coins + 1


# --------------------------------------------------------------------------- building


@in_each(ALL)
def test_the_airport_pays_who_builds_nothing(open_at: OpenAt, edition: str) -> None:
    table = open_at(asks("build"), edition, ["airport"])
    pay = 10 if edition in CLASSIC else 5
    table.expect_question("What do you build?")
    coins = table.coins()
    nothing = table.seat.answers.get_by_role("button", name="Build nothing")
    expect(nothing).to_contain_text(f"the bank pays you {pay} coins")
    nothing.click()
    expect(table.page.locator("#side-panel h4").last).to_have_text("Ben's turn.")
    table.expect_done("pass")
    assert table.coins() == coins + pay


@in_each(ALL)
def test_a_card_is_built_from_its_close_up(open_at: OpenAt, edition: str) -> None:
    table = open_at(asks("build"), edition, [] if edition in CLASSIC else ["bakery"], draw=["cafe"])
    close_up = table.seat.look_at(re.compile("^Café,"))
    expect(close_up).to_contain_text("Café")
    close_up.get_by_role("button", name="Cancel").click()
    table.expect_nothing_done()
    table.seat.build("Café")
    table.expect_done("build cafe")


@in_each(CLASSIC)
def test_a_landmark_is_built_in_the_own_skyline(open_at: OpenAt, edition: str) -> None:
    table = open_at(asks("build"), edition)
    table.seat.build("Train Station")
    table.expect_done("build train_station")
    assert table.game.landmarks(0) == ["train_station"]


def test_in_machi_koro_2_a_landmark_is_built_from_the_market(open_at: OpenAt) -> None:
    def may_build_it(asked: wire.Asked) -> bool:
        return asked.seat == 0 and "build exhibit_hall" in {choice.action for choice in asked.choices}

    table = open_at(may_build_it, "neue_stadt", ["bakery"], draw=["exhibit_hall"])
    table.expect_question("What do you build?")
    table.seat.build("Exhibit Hall")
    table.expect_done("build exhibit_hall")
    assert table.game.landmarks(0) == ["exhibit_hall"]


@pytest.mark.parametrize("number", [1, 3])
def test_in_start_rounds_all_build_before_anybody_rolls(open_at: OpenAt, number: int) -> None:
    def is_it(asked: wire.Asked) -> bool:
        return asked.seat == 0 and f"Start round {number} of 3" in asked.question

    table = open_at(is_it, "neue_stadt")
    table.expect_question(f"Start round {number} of 3: what do you build?")
    expect(table.seat.asks).to_contain_text("The start rounds: everybody builds, nobody rolls yet.")
    landmark = table.game.landmark_market[0]
    table.seat.market.get_by_role("button", name=name_of(table, landmark)).click()
    expect(table.seat.close_up).to_contain_text("Landmarks can't be built in the start rounds.")
    table.seat.close_up.get_by_role("button", name="Close").click()
    table.seat.build("Bakery")
    table.expect_done("build bakery")


@in_each(RICH)
@pytest.mark.parametrize(
    ("answer", "action"), [("Put a coin on it", "invest yes"), ("Keep the coin", "invest no")]
)
def test_a_coin_is_put_on_the_tech_startup_or_kept(
    open_at: OpenAt, edition: str, answer: str, action: str
) -> None:
    table = open_at(asks("invest", "tech_startup"), edition, ["tech_startup"])
    table.expect_question("Put a coin on the Tech Startup? There are none on it yet.")
    table.seat.choose(answer)
    table.expect_done(action)
    startup = table.seat.city.get_by_role("button", name=re.compile("^Tech Startup"))
    expect(startup).to_have_accessible_name(re.compile("1 coin on it" if "yes" in action else "on 10$"))


def name_of(table: Table, thing: str) -> str:
    """What a card or landmark is called on the page."""
    return speaker_of(table.game, "en").thing(thing)
