"""A house rule that is written out with the value it has anyway changes nothing."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from dicetown import Ruleset, RulesetError
from dicetown.material import House, load
from dicetown.rules.ruleset import MAJOR_COPIES
from dicetown.rules.tables import tables_for
from dicetown.testing.strategies import house_rules, some_of


@st.composite
def agreements(draw: DrawFn) -> tuple[str, list[str], dict[str, Any], int]:
    """An edition, sets, house rules that need not make sense together, and a number of players."""
    edition = draw(st.sampled_from(list(load().editions.values())))
    base, *others = (part.id for part in edition.sets)
    sets = [base, *draw(some_of(others))]
    plain = Ruleset(edition.id, sets=sets)
    players = draw(st.integers(plain.min_players, plain.max_players))
    return edition.id, sets, draw(house_rules(load(), edition)), players


def what_comes_of(edition: str, sets: list[str], house: dict[str, Any], players: int) -> bytes | str:
    """The tables that are played by, or the sentence that refuses."""
    try:
        return bytes(tables_for(Ruleset(edition, sets=sets, house=house), players).array.tobytes())
    except RulesetError as refusal:
        return str(refusal)


def defaults(edition: str, sets: list[str], house: dict[str, Any], players: int) -> dict[str, Any]:
    """What holds of the rules that nobody wrote down."""
    plain = Ruleset(edition, sets=sets)
    values: dict[str, Any] = {rule: getattr(plain.rules, rule) for rule in House.__struct_fields__}
    values["cards"] = sorted(plain.supply_ids)
    values["without_cards"] = []
    values["landmarks"] = [mark.id for mark in plain.landmarks]
    market = {"market": house["market"]} if "market" in house else {}
    stadium = plain.game.establishments["stadium"]
    values[MAJOR_COPIES] = Ruleset(edition, sets=sets, house=market).copies(stadium, players)
    return {rule: value for rule, value in values.items() if rule not in house}


@given(agreements())
def test_writing_any_default_out_changes_nothing(agreed: tuple[str, list[str], dict[str, Any], int]) -> None:
    edition, sets, house, players = agreed
    left_out = what_comes_of(edition, sets, house, players)
    for rule, value in defaults(edition, sets, house, players).items():
        assert what_comes_of(edition, sets, {**house, rule: value}, players) == left_out, rule
