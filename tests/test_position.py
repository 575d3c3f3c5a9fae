"""Positions as text: what they say, and which cannot be."""

import pytest

from dicetown import Game, NotationError, Ruleset

#: The landmarks of the base game, all still to be built by two players.
MARKS = "train_station*2 shopping_mall*2 amusement_park*2 radio_tower*2"
WON = "+train_station +shopping_mall +amusement_park +radio_tower"
SOME = (
    f"deluxe base {{}} | 3 wheat_field bakery | 5 cafe*2 | market mine*6 {MARKS} | deck | turn=1 phase=build"
)


def everything(city: str, other: str = "3 bakery", now: str = "turn=0 phase=roll", house: str = "{}") -> str:
    """A position of two players with all sets of the Deluxe box."""
    built = city.split() + other.split()
    marks = ["harbor", "train_station", "shopping_mall", "amusement_park", "radio_tower", "airport"]
    market = " ".join(
        f"{mark}*{2 - built.count(f'+{mark}')}" for mark in marks if built.count(f"+{mark}") < 2
    )
    sets = "base+harbor+millionaires_row+deluxe_extras"
    return f"deluxe {sets} {house} | {city} | {other} | market {market} | deck | {now}"


# ------------------------------------------------------------------------ what it says


def test_a_position_tells_ruleset_cities_market_deck_and_what_is_waited_for() -> None:
    game = Game(Ruleset("deluxe", sets=["base"], house={"start_coins": 4}), players=2, seed=1)
    assert game.position() == (
        'deluxe base {"start_coins":4} | 4 wheat_field bakery | 4 wheat_field bakery | market wheat_field*6 '
        "ranch*6 bakery*6 cafe*6 convenience_store*6 forest*6 stadium*4 tv_station*4 business_center*4 "
        "cheese_factory*6 furniture_factory*6 mine*6 family_restaurant*6 apple_orchard*6 "
        f"fruit_and_vegetable_market*6 {MARKS} | deck | turn=0 phase=roll"
    )


def test_what_a_position_says_is_what_the_game_has() -> None:
    game = Game.from_position(
        everything("7 cafe*3~1 tech_startup +harbor $4", "0 winery~1", "turn=1 phase=roll turns=12")
    )
    assert (game.coins(0), game.coins(1)) == (7, 0)
    assert (game.cards(0), game.closed(0)) == ({"cafe": 3, "tech_startup": 1}, {"cafe": 1})
    assert (game.landmarks(0), game.invested(0)) == (["harbor"], 4)
    assert (game.closed(1), game.turn, game.turns) == ({"winery": 1}, 1, 12)


def test_spaces_between_the_parts_do_not_matter() -> None:
    game = Game.from_position("  " + SOME.replace(" | ", "   |\t").replace("mine*6", "mine*6   ") + "\n")
    assert game.position() == SOME


def test_a_game_from_a_position_has_no_history_to_undo() -> None:
    game = Game.from_position(SOME)
    assert (game.moves, list(game.events), game.can_undo) == ([], [], False)


def test_dice_that_are_due_fall_by_themselves_unless_chance_is_manual() -> None:
    due = SOME.replace("phase=build", "phase=dice dice=1")
    assert Game.from_position(due, chance="manual").waits_for_chance
    game = Game.from_position(due, seed=1)
    assert not game.waits_for_chance
    assert [move.text.split()[0] for move in game.moves] == ["dice"]


def test_house_rules_with_spaces_in_them_survive() -> None:
    ruleset = Ruleset("deluxe", sets=["base"], house={"cards": ["cafe"], "major_limit": None})
    game = Game(ruleset, players=3, seed=1)
    assert Game.from_position(game.position()).ruleset == ruleset


# ----------------------------------------------------------------------- what is no text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "This is no position"),
        ("hello", "This is no position"),
        ("deluxe base {} | 1 | market | deck | turn=0 phase=roll", "1 players cannot play deluxe"),
        (SOME.replace("deluxe", "delux"), 'no edition "delux"; did you mean "deluxe"'),
        (SOME.replace("base", "basis"), 'no set of deluxe "basis"; did you mean "base"'),
        (SOME.replace("{}", ""), "is no ruleset"),
        (SOME.replace("{}", "{"), "is no list of house rules"),
        (SOME.replace("{}", "[]"), "is no list of house rules"),
        (SOME.replace("{}", '{"start_coin":1}'), 'no house rule "start_coin"; did you mean "start_coins"'),
        (SOME.replace("{}", '{"start_coins":-1}'), "start_coins"),
        (SOME.replace("| 5 cafe*2", "| "), "Player 1 has no coins"),
        (SOME.replace("| 5 cafe*2", "| five"), '"five" is no number for coins'),
        (SOME.replace("| 5 cafe*2", "| -5"), '"-5" is no number for coins'),
        (SOME.replace("| 5 cafe*2", "| ٣"), "is no number for coins"),
        (SOME.replace("cafe*2", "café"), '"café" is no card'),
        (SOME.replace("cafe*2", "harbor"), '"harbor" is no card or landmark of this ruleset'),
        (SOME.replace("cafe*2", "radio_tower"), '"radio_tower" is a landmark; write it as "+radio_tower"'),
        (SOME.replace("cafe*2", "+cafe"), '"+cafe" is no landmark'),
        (SOME.replace("cafe*2", "cafe*2~3"), "more copies than there can be"),
        (SOME.replace("cafe*2", "cafe*999"), "more copies than there can be"),
        (SOME.replace("cafe*2", "$x"), "is no number for invested coins"),
        (SOME.replace("market mine*6", "mine*6"), "should be the market"),
        (SOME.replace("| deck |", "| |"), "should be the deck"),
        (SOME.replace("turn=1 ", ""), "must say whose turn it is"),
        (SOME.replace("phase=build", "phase=party"), '"party" is no phase; known: roll'),
        (SOME + " turn=1", "says it twice"),
        (SOME + " colour=3", "says nothing about a position"),
        (SOME + " row_types=3", "says nothing about a position"),
        (SOME.replace("turn=1", "turn=x"), '"x" is no number for turn'),
        (SOME + " due=" + ",".join("1" * 40), "more cards than can act on one roll"),
    ],
)  # fmt: skip
def test_a_text_that_is_no_position_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(NotationError) as refusal:
        Game.from_position(text)
    assert sentence in str(refusal.value)
    assert str(refusal.value).endswith(".")


# --------------------------------------------------------------------- what cannot be

IMPOSSIBLE = {
    "more copies than the box holds": SOME.replace("cafe*2", "cafe*7"),
    "more copies in the market than the box holds": SOME.replace("mine*6", "mine*7"),
    "more copies in city and market together": SOME.replace("5 cafe*2", "5 cafe*2 mine"),
    "a deck beside open stacks": SOME.replace("| deck |", "| deck cafe |"),
    "a landmark twice in a city's worth": SOME.replace("train_station*2", "train_station*3"),
    "a landmark that is nowhere": SOME.replace("train_station*2", "train_station"),
    "a turn of a third player": SOME.replace("turn=1", "turn=2"),
    "nobody's turn in the middle of a game": SOME.replace("turn=1", "turn=-1"),
    "somebody who has won and plays on": SOME.replace("5 cafe*2", f"5 {WON}").replace("*2", ""),
    "a winner while the game goes on": SOME + " winner=1",
    "two dice without a Train Station": SOME.replace("phase=build", "phase=dice dice=2"),
    "dice about to fall, but none": SOME.replace("phase=build", "phase=dice"),
    "a draw that no row needs": SOME.replace("phase=build", "phase=draw"),
    "an investment without a Startup": SOME.replace("phase=build", "phase=invest"),
    "a reroll without a Radio Tower": SOME.replace("phase=build", "phase=reroll dice=1 die=3 total=3"),
    "a total the dice do not show": SOME.replace("phase=build", "phase=card dice=1 die=3 total=4"),
    "a die with seven eyes": SOME + " dice=1 die=7",
    "start rounds where there are none": SOME + " start_left=1",
    "a card that acts without being there": SOME.replace(
        "phase=build", "phase=player dice=1 die=6 total=6 left=1 acting=3"),
    "nothing left to act": SOME.replace("phase=build", "phase=player dice=1 die=6 total=6 acting=7"),
    "an order to choose without two effects": SOME.replace("phase=build", "phase=order dice=1 die=4 total=4"),
    "a total raised before the Harbor was asked": everything(
        "3 +harbor +radio_tower", now="turn=0 phase=reroll dice=1 die=6 total=13"),
    "extra turns earned before the roll": everything(
        "3 +amusement_park", now="turn=0 phase=roll extra_earned=9"),
    # What only the resolution of a roll can leave behind cannot lie there before it or after it.
    "a convention before the roll": everything("3 cafe", now="turn=0 phase=dice dice=1 hosting=1"),
    "a landmark acting before the roll": everything("3 cafe", now="turn=0 phase=roll left=1 acting=49"),
    "copies left to act before the roll": everything("3 cafe", now="turn=0 phase=dice dice=1 left=127"),
    "cards due before the roll": everything("3 cafe", now="turn=0 phase=roll total=4 due=1,1,1"),
    "effects done before the roll": everything("3 cafe", now="turn=0 phase=roll done=3"),
    "a purple card that is closed": everything("3 stadium~1"),
    "a card named twice in a city": everything("3 cafe cafe*2"),
    "a card closed in the market": SOME.replace("mine*6", "mine*6~1"),
    "a game that is over without a winner or a limit": SOME.replace("phase=build", "phase=over"),
    "a winner who has not built what wins": SOME.replace("phase=build", "phase=over winner=1"),
    "more turns played than the limit allows": SOME.replace("{}", '{"max_turns":3}') + " turns=3",
    "as many turns as a number can hold": SOME + " turns=2147483647",
}  # fmt: skip


@pytest.mark.parametrize("text", IMPOSSIBLE.values(), ids=IMPOSSIBLE.keys())
def test_a_position_that_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        Game.from_position(text)


def test_purses_so_large_that_they_could_overflow_are_refused() -> None:
    """Three such purses in one hand are more than a 32-bit number holds."""
    rich = " | ".join(["1000000000 wheat_field bakery tax_office +harbor +train_station"] * 5)
    marks = "shopping_mall*5 amusement_park*5 radio_tower*5 airport*5"
    text = f"deluxe base+harbor {{}} | {rich} | market {marks} | deck | turn=0 phase=roll"
    try:
        game = Game.from_position(text, chance="manual")
    except NotationError:
        return
    game.play("roll 2")
    game.play("dice 4 4")  # the Tax Office takes half of every purse
    assert Game.from_position(game.position(), chance="manual").position() == game.position()
