"""Moves as text, and text as moves.

Every decision and every outcome of chance has one short text (``build cafe``, ``dice 3 4``), made of
ids and numbers, the same in all languages. Saved games, scenarios, the terminal and the wire use it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from dicetown.errors import NotationError
from dicetown.rules import codes as c
from dicetown.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Action:
    """A decision of a player. ``str(action)`` is its notation."""

    number: int
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Outcome:
    """What chance brought: dice or a drawn card. ``str(outcome)`` is its notation."""

    number: int
    text: str

    def __str__(self) -> str:
        return self.text


Move: TypeAlias = Action | Outcome

_FACES = range(1, 7)


def numbers_of(ruleset: Ruleset) -> dict[str, int]:
    """The numbers of a ruleset's cards and landmarks by name.

    >>> numbers_of(Ruleset("deluxe", sets=["base"]))["ranch"]
    1
    """
    cards = {card.id: number for number, card in enumerate(ruleset.cards)}
    return cards | {mark.id: c.MAX_CARDS + bit for bit, mark in enumerate(ruleset.landmarks)}


class Notation:
    """The moves of a ruleset, by number and by text.

    >>> notation = Notation(Ruleset("deluxe"), players=2)
    >>> notation.action(c.PASS), notation.parse("dice 3 4").number
    (Action(number=8, text='pass'), 34)
    """

    def __init__(self, ruleset: Ruleset, players: int) -> None:
        self.numbers: dict[str, int] = numbers_of(ruleset)
        self.things: dict[int, str] = {number: name for name, number in self.numbers.items()}
        self._actions = {number: Action(number, text) for number, text in self._name_actions(players)}
        self._throws = {number: Outcome(number, text) for number, text in _name_throws("dice")}
        self._catches = {number: Outcome(number, text) for number, text in _name_throws("tuna")}
        self._draws = {number: Outcome(number, f"draw {name}") for number, name in self.things.items()}
        every: list[Move] = [*self._actions.values(), *self._throws.values()]
        every += [catch for catch in self._catches.values() if catch.number > c.TWO_DICE_BASE]
        every += self._draws.values()
        self._by_text: dict[str, Move] = {move.text: move for move in every}

    def _name_actions(self, players: int) -> list[tuple[int, str]]:
        named = [
            (c.ROLL_DICE, "roll 1"),
            (c.ROLL_DICE + 1, "roll 2"),
            (c.KEEP, "keep"),
            (c.ROLL_AGAIN, "reroll 1"),
            (c.ROLL_AGAIN + 1, "reroll 2"),
            (c.ADD, "add_two yes"),
            (c.ADD_NOT, "add_two no"),
            (c.DECLINE, "decline"),
            (c.PASS, "pass"),
            (c.PUT_COIN, "invest yes"),
            (c.PUT_NONE, "invest no"),
        ]
        named += [(c.CHOOSE_PLAYER + seat, f"player {seat}") for seat in range(players)]
        for thing, name in self.things.items():
            named.append((c.BUILD_IT + thing, f"build {name}"))
            if thing >= c.MAX_CARDS:
                named.append((c.DEMOLISH_IT + thing - c.MAX_CARDS, f"landmark {name}"))
            else:
                named.append((c.RESOLVE_FIRST + thing, f"first {name}"))
                named.append((c.GIVE_OPEN + thing, f"give {name}"))
                named.append((c.GIVE_CLOSED + thing, f"give {name} closed"))
                named.append((c.TAKE_OPEN + thing, f"take {name}"))
                named.append((c.TAKE_CLOSED + thing, f"take {name} closed"))
                named.append((c.CHOOSE_CARD + thing, f"card {name}"))
        return named

    def action(self, number: int) -> Action:
        """The decision with this number."""
        return self._actions[number]

    def outcome(self, phase: int, number: int) -> Outcome:
        """The outcome of chance with this number, in a phase that waits for chance."""
        if phase == c.DRAW:
            return self._draws[number]
        return (self._catches if phase == c.TUNA else self._throws)[number]

    def look_up(self, text: str) -> Move | None:
        """The move whose notation is exactly this, if there is one."""
        return self._by_text.get(text)

    def parse(self, text: str) -> Move:
        """The move a text means; case and extra spaces are forgiven."""
        move = self._by_text.get(" ".join(str(text).lower().split()))
        if move is None:
            raise NotationError(f'"{text}" is no move; a move reads like "roll 1", "build cafe" or "pass".')
        return move

    def thing(self, number: int) -> str:
        """The id of an establishment or landmark."""
        return self.things[number]


def _name_throws(word: str) -> list[tuple[int, str]]:
    one = [(die, f"{word} {die}") for die in _FACES]
    return one + [
        (die * c.TWO_DICE_BASE + other, f"{word} {die} {other}") for die in _FACES for other in _FACES
    ]


@lru_cache(maxsize=64)
def notation_for(ruleset: Ruleset, players: int) -> Notation:
    """The notation of a ruleset, made once."""
    return Notation(ruleset, players)
