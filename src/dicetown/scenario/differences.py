"""Comparing what was expected with what is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dicetown.game import Game
from dicetown.rules import codes as c
from dicetown.scenario.model import Expectation


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not as expected; ``when`` says at which moment."""

    when: str
    what: str
    expected: str
    actual: str


def judge(expect: Expectation, game: Game, when: str) -> list[Difference]:
    """What differs between an expectation and the game as it stands."""
    return [
        Difference(when, what, _say(wanted), _say(actual))
        for what, wanted, actual in _compare(expect.wanted, game)
        if wanted != actual
    ]


def _compare(wanted: dict[str, Any], game: Game) -> Iterator[tuple[str, Any, Any]]:
    """Each thing an expectation speaks of: what it is, as wanted, as it is."""
    for aspect, value in wanted.items():
        if aspect == "coins":
            yield aspect, value, [game.coins(seat) for seat in range(game.players)]
        elif aspect == "market":
            lying = _market(game)
            yield from ((f"market: {thing}", n, lying.get(thing, 0)) for thing, n in value.items())
        elif aspect in _OF_A_SEAT:
            for seat, part in value.items():
                yield f"{aspect} of seat {seat}", part, _OF_A_SEAT[aspect](game, seat)
        else:
            yield aspect, value, getattr(game, aspect)


def _skyline(game: Game, seat: int) -> set[str]:
    return set(game.landmarks(seat))


def _market(game: Game) -> dict[str, int]:
    """What lies out, landmarks too."""
    marks = enumerate(game.ruleset.landmarks)
    return game.market | {mark.id: int(game.state.market[c.MAX_CARDS + bit]) for bit, mark in marks}


_OF_A_SEAT: dict[str, Any] = {
    "cards": Game.cards,
    "closed": Game.closed,
    "invested": Game.invested,
    "landmarks": _skyline,
}


def _say(value: Any) -> str:
    """A value as a scenario would write it.

    >>> _say({"cafe": 2, "bakery": 1}), _say({"harbor"}), _say(None)
    ('{bakery: 1, cafe: 2}', '[harbor]', 'null')
    """
    if value is None:
        return "null"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {count}" for name, count in sorted(value.items())) + "}"
    if isinstance(value, set):
        return "[" + ", ".join(sorted(value)) + "]"
    return str(value)
