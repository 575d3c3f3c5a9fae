"""Hypothesis strategies: rulesets, tables to sit down at, and games in progress."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dicetown.game import Game
from dicetown.material import Edition, House, Material, load
from dicetown.material.model import MARKETS, Win
from dicetown.rules.ruleset import Ruleset
from dicetown.testing.play import Setup, play_randomly

#: Random players seldom win; a turn limit ends every game.
LONGEST_GAME = 60


def seeds() -> SearchStrategy[int]:
    """Seeds of games."""
    return st.integers(0, 2**63 - 1)


def rulesets(material: Material | None = None) -> SearchStrategy[Ruleset]:
    """Any edition with any of its sets, plain or with house rules of every kind; all games end."""
    return setups(material).map(lambda setup: setup.ruleset)


def setups(material: Material | None = None) -> SearchStrategy[Setup]:
    """A ruleset of :func:`rulesets` with any number of players it allows."""

    @st.composite
    def draw_setup(draw: DrawFn) -> Setup:
        box = material or load()
        edition = draw(st.sampled_from(list(box.editions.values())))
        base, *others = (part.id for part in edition.sets)
        sets = [base, *draw(some_of(others))]
        house: dict[str, Any] = {"max_turns": draw(st.integers(1, LONGEST_GAME))}
        if draw(st.booleans()):
            house |= draw(house_rules(box, edition))
            _make_playable(house, Ruleset(edition.id, sets=sets, material=material))
        ruleset = Ruleset(edition.id, sets=sets, house=house, material=material)
        return Setup(ruleset, draw(st.integers(ruleset.min_players, ruleset.max_players)))

    return draw_setup()


def games(material: Material | None = None, steps: int = 150) -> SearchStrategy[Game]:
    """A game after up to so many random moves; it may be over."""

    def play(setup: Setup, seed: int, played: int) -> Game:
        game = setup.new_game(seed)
        play_randomly(game, Random(seed), played)
        return game

    return st.builds(play, setups(material), seeds(), st.integers(0, steps))


def house_rules(box: Material, edition: Edition) -> SearchStrategy[dict[str, Any]]:
    """Some house rules, of every kind there is, within what people might agree on."""
    game = box.games[edition.game]
    cards = list(game.establishments)
    marks = [mark.id for mark in game.landmarks.values() if not mark.standing]
    switches: dict[str, SearchStrategy[Any]] = {
        "start_coins": st.integers(0, 60),
        "market": st.sampled_from(MARKETS),
        "major_copies": st.just("players") | st.integers(1, 8),
        "major_limit": st.none() | st.integers(1, 3),
        "landmarks_to_win": st.just("all") | st.integers(1, len(marks)),
        "renovation_payer": st.sampled_from(["owners", "bank"]),
        "tax_threshold": st.integers(1, 20),
        "start_rounds": st.integers(0, 3),
        "max_extra_turns": st.integers(0, 3),
        "cards": some_of(cards, least=3),
        "without_cards": some_of(cards),
        "landmarks": some_of(marks, least=1),
    }
    switches |= {rule.name: st.booleans() for rule in msgspec.structs.fields(House) if rule.type is bool}
    rules: SearchStrategy[dict[str, Any]] = st.fixed_dictionaries({}, optional=switches)
    return rules


def _make_playable(house: dict[str, Any], plain: Ruleset) -> None:
    """Take back what together leaves nothing to build, or nobody to win."""
    supply = set(house.get("cards", plain.supply_ids))
    if supply <= set(house.get("without_cards", ())):
        del house["without_cards"]
    # R54: a landmark for who alone has none cannot be counted on.
    marks = [plain.game.landmarks[mark] for mark in house.get("landmarks", ())]
    if "landmarks" in house and all(mark.needs for mark in marks):
        del house["landmarks"]
    if "landmarks" not in house:
        marks = list(plain.landmarks)
    sure = [mark for mark in marks if mark.needs is None]
    wins_alone = any(isinstance(mark.effect, Win) for mark in sure)  # R55
    wanted = house.get("landmarks_to_win", plain.rules.landmarks_to_win)
    if (len(marks) if wanted == "all" else wanted) > len(sure) and not wins_alone:
        house["landmarks_to_win"] = len(sure)


def some_of(things: list[str], least: int = 0) -> SearchStrategy[list[str]]:
    """Some of these things, in their order."""
    if not things:
        return st.just([])
    chosen = st.sets(st.sampled_from(things), min_size=least)
    return chosen.map(lambda some: [thing for thing in things if thing in some])
