"""Scripted strategies: lists that fit their games, followed to the letter, and worth beating."""

import pytest

from dicetown import Ruleset
from dicetown.arena import BotTable, ready, simulate
from dicetown.bots import BOTS
from dicetown.bots.mind import MAX_WANTS
from dicetown.bots.rules.choose import choose_as
from dicetown.bots.rules.scripts import GAMES, Script, game_of, load_scripts, scripts_for
from dicetown.errors import BotError, MaterialError
from dicetown.material import load
from dicetown.material.reading import read
from dicetown.rules.codes import BUILD, BUILD_IT, MAX_CARDS, PASS, ROLL, ROLL_DICE
from dicetown.rules.layout import CHOICES, LOG, STATE, new
from dicetown.rules.rng import seeded
from dicetown.rules.step import start
from dicetown.rules.tables import tables_for

#: What each game is played with; all of these must have whatever a script for it names.
RULESETS = {
    "base": [Ruleset(edition, sets=["base"]) for edition in ("ciudad", "deluxe", "grossstadt")],
    "harbor": [Ruleset("ciudad"), Ruleset("deluxe", sets=["base", "harbor"])],
    "millionaires_row": [Ruleset("deluxe"), Ruleset("grossstadt")],
    "neue_stadt": [Ruleset("neue_stadt")],
}
#: With two dice for nobody but them and a poor city, some lists take their time.
LONGEST = 3_000
GAMES_PLAYED = 400


def things_of(ruleset: Ruleset) -> set[str]:
    return {card.id for card in ruleset.cards} | {mark.id for mark in ruleset.landmarks}


@pytest.fixture(scope="module")
def _compiled() -> None:
    ready()


# ------------------------------------------------------------------------------ the lists


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_some_scripts(game: str) -> None:
    assert sum(script.game == game for script in load_scripts().values()) >= 3


@pytest.mark.parametrize("name", load_scripts())
def test_a_script_names_what_its_game_has(name: str) -> None:
    script = load_scripts()[name]
    known = set.union(*(things_of(ruleset) for ruleset in RULESETS[script.game]))
    assert {thing for _, thing in script.wants()} <= known
    assert all(copies > 0 for copies, _ in script.wants())
    assert script.dice in (0, 1, 2)


@pytest.mark.parametrize("name", load_scripts())
def test_a_script_is_a_bot_that_says_what_it_does(name: str) -> None:
    assert BOTS[name].description == load_scripts()[name].description
    assert name == name.lower()


def test_a_ruleset_has_the_scripts_of_its_game() -> None:
    for game, rulesets in RULESETS.items():
        for ruleset in rulesets:
            assert game_of(ruleset) == game
            meant = scripts_for(ruleset)
            assert meant
            assert all(script.game == game for script in meant.values())
    assert "cheese" in scripts_for(Ruleset("grossstadt", sets=["base"]))
    assert "cheese" not in scripts_for(Ruleset("deluxe"))


@pytest.mark.parametrize("line", ["ranch", "six ranch", "6", "", "-1 ranch"])
def test_a_line_that_is_none_is_refused_in_one_sentence(line: str) -> None:
    script = Script(game="base", description={}, build=[line])
    with pytest.raises(BotError, match=r'^A script wants "copies thing", such as "6 ranch", not ".*"\.$'):
        script.wants()


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("for", "chess", r'"for" is "chess", accepted are base, harbor, millionaires_row, neue_stadt'),
        ("dice", 3, r'"dice" must be at most 2'),
        ("enough", -1, r'"enough" must be at least 0'),
        ("build", "6 ranch", r'"build" must be a list in \[ \], not a text in quotes'),
        ("bild", [], r'there is no field "bild"; known are for, description, build, dice, enough'),
    ],
    ids=["game", "dice", "enough", "build", "field"],
)
def test_a_script_that_is_none_is_refused_in_one_sentence(field: str, value: object, sentence: str) -> None:
    table = {"for": "base", "description": {}, "build": ["6 ranch"], field: value}
    with pytest.raises(MaterialError, match=rf"^scripts\.toml, mine: {sentence}\.$"):
        read(Script, table, "scripts.toml, mine")


def test_a_list_that_is_too_long_is_refused() -> None:
    script = Script(game="base", description={}, build=["1 ranch"] * (MAX_WANTS + 1))
    with pytest.raises(BotError, match=rf"^A script may want {MAX_WANTS} things, not {MAX_WANTS + 1}\.$"):
        script.mind(Ruleset("deluxe", sets=["base"]))


def test_what_a_ruleset_has_not_is_left_out() -> None:
    script = Script(game="base", description={}, build=["2 vineyard", "3 ranch"])
    mind = script.mind(Ruleset("deluxe", sets=["base"]))
    assert mind.wants == 1
    assert mind.copies[0] == 3


# -------------------------------------------------------------------- followed to the letter


class Shopper:
    """A script before the open stacks of the base game, with coins and a city as a test wants them."""

    def __init__(self, build: list[str], dice: int = 0, enough: int = 0) -> None:
        self.ruleset = Ruleset("deluxe", sets=["base"])
        self.numbers = {card.id: number for number, card in enumerate(self.ruleset.cards)}
        self.numbers |= {mark.id: MAX_CARDS + bit for bit, mark in enumerate(self.ruleset.landmarks)}
        self.mind = Script(game="base", description={}, build=build, dice=dice, enough=enough).mind(
            self.ruleset
        )
        self.t, self.s, self.choices = tables_for(self.ruleset, 2), new(STATE), new(CHOICES)
        start(self.t, self.s, new(LOG), self.choices)

    def buys(self, coins: int) -> str | None:
        """What it builds with so many coins, all of which is then in its city."""
        self.s.phase, self.s.coins[0] = BUILD, coins
        affordable = [
            number
            for thing, number in self.numbers.items()
            if self.cost(thing) <= coins and not (int(self.s.built[0]) >> max(0, number - MAX_CARDS)) & 1
        ]
        actions = [PASS, *(BUILD_IT + number for number in affordable)]
        self.choices.count = len(actions)
        self.choices.action[: len(actions)] = actions
        action = choose_as(self.mind, self.t, self.s, self.choices, seeded(1))
        assert action in actions
        if action == PASS:
            return None
        thing = next(thing for thing, number in self.numbers.items() if number == action - BUILD_IT)
        number = self.numbers[thing]
        if number < MAX_CARDS:
            self.s.owned[0, number] += 1
        else:
            self.s.built[0] |= 1 << (number - MAX_CARDS)
        return thing

    def cost(self, thing: str) -> int:
        number = self.numbers[thing]
        if number < MAX_CARDS:
            return int(self.t.cost[number])
        return int(self.t.landmark_cost[number - MAX_CARDS, 0])


def test_the_first_wanted_thing_that_can_be_paid_is_built() -> None:
    shopper = Shopper(["1 mine", "2 ranch", "1 forest"])
    assert [shopper.buys(coins=3) for _ in range(3)] == ["ranch", "ranch", "forest"]


def test_who_wants_something_dear_saves_for_it() -> None:
    shopper = Shopper(["1 mine"])
    assert shopper.buys(coins=5) is None
    assert shopper.buys(coins=6) == "mine"


def test_after_the_list_come_landmarks_the_cheapest_first() -> None:
    shopper = Shopper(["1 ranch"])
    assert shopper.buys(coins=30) == "ranch"
    assert shopper.buys(coins=3) is None
    assert [shopper.buys(coins=30) for _ in range(2)] == ["train_station", "shopping_mall"]


def test_with_enough_cards_only_landmarks_are_wanted() -> None:
    shopper = Shopper(["6 ranch", "1 radio_tower"], enough=3)  # two cards are in the city to begin with
    assert [shopper.buys(coins=22) for _ in range(2)] == ["ranch", "radio_tower"]
    assert shopper.buys(coins=4) == "train_station"


@pytest.mark.parametrize("dice", [1, 2])
def test_a_script_rolls_the_dice_it_says(dice: int) -> None:
    shopper = Shopper(["1 ranch"], dice=dice)
    shopper.s.phase = ROLL
    shopper.choices.count = 2
    shopper.choices.action[:2] = [ROLL_DICE, ROLL_DICE + 1]
    assert choose_as(shopper.mind, shopper.t, shopper.s, shopper.choices, seeded(1)) == ROLL_DICE + dice - 1


# ------------------------------------------------------------------------------ whole games


def tables_of(name: str) -> list[tuple[Ruleset, int]]:
    """The rulesets a script is for, with the fewest and the most players."""
    rulesets = RULESETS[load_scripts()[name].game]
    return [(ruleset, players) for ruleset in rulesets for players in (2, ruleset.max_players)]


@pytest.mark.usefixtures("_compiled")
@pytest.mark.parametrize("name", load_scripts())
def test_games_between_copies_of_a_script_end(name: str) -> None:
    for ruleset, players in tables_of(name):
        results = BotTable(ruleset, [name] * players, seed=5).play(0, 100)
        assert results["turns"].max() < LONGEST, ruleset
        assert (results["winner"] >= 0).all()


@pytest.mark.usefixtures("_compiled")
@pytest.mark.parametrize("edition", load().editions)
def test_script_games_are_the_same_interpreted_and_compiled(edition: str) -> None:
    ruleset = Ruleset(edition, house={"max_turns": 90})
    names = list(scripts_for(ruleset))
    table = BotTable(ruleset, [names[seat % len(names)] for seat in range(ruleset.max_players)], seed=8)
    assert table.play(0, 3).tolist() == table.play_interpreted(0, 3).tolist()


@pytest.mark.usefixtures("_compiled")
@pytest.mark.parametrize("name", load_scripts())
def test_a_script_beats_three_random_players(name: str) -> None:
    for ruleset in RULESETS[load_scripts()[name].game]:
        wins = 0
        for seat in (0, 3):
            bots = ["random"] * 4
            bots[seat] = name
            wins += simulate(ruleset, 4, bots, GAMES_PLAYED, seed=11, threads=1).wins[seat]
        assert wins / (2 * GAMES_PLAYED) > 0.6, ruleset
