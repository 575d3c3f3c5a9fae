"""The table of an environment: which numbers an agent sees, and which actions it has, in a ruleset.

Both depend on the ruleset and the number of players alone, and are listed with names, so that a page of the
documentation, a test and a rendering all say the same. Whoever trained an agent relies on them: a change of
their meaning or order must raise `VERSION`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from dicetown.game.notation import notation_for
from dicetown.game.position import PHASE_NAMES
from dicetown.rules import codes as c
from dicetown.rules.layout import new
from dicetown.rules.ruleset import Ruleset
from dicetown.rules.tables import tables_for
from dicetown.sight.write import MOST_COINS, PHASES, SIGHT

#: Of the meaning and order of observations, actions and rewards, in all environments.
VERSION = 0

_MOST_COPIES = 127

_TURN = (
    ("dice", 2, "dice thrown in this turn"),
    ("die", 6, "what the first shows"),
    ("other_die", 6, "what the second shows"),
    ("total", c.MAX_TOTAL, "their total, raised by the Harbor if so chosen"),
    ("rerolled", 1, "the dice have been rolled again"),
    ("extra_earned", _MOST_COPIES, "extra turns earned in this turn"),
    ("extra_left", _MOST_COPIES, "extra turns still to be taken"),
    ("received", 1, "the roller has received a coin on this roll"),
    ("start_left", _MOST_COPIES, "builds left in the start rounds"),
    ("built_now", 1, "something has been built in this turn"),
)
_DEALS = {c.DEMOLISH, c.MOVE, c.COLLECT_ONE, c.SWAP, c.RENOVATE, c.CONVENTION}


@dataclass(frozen=True)
class Field:
    """A part of the observation: so many numbers from a place on."""

    name: str
    at: int
    size: int
    most: int  # the largest value; the smallest is 0
    meaning: str
    entries: tuple[str, ...]  # what each number is of: card and landmark ids, phases, ...


class Spec:
    """What agents see and do in a ruleset with a number of players.

    >>> spec = Spec(Ruleset("deluxe", sets=["base"]), players=2)
    >>> spec.size, spec.actions
    (102, 71)
    >>> spec.action_names[:4], spec.action_names[-1]
    (('roll 1', 'roll 2', 'keep', 'reroll 1'), 'build radio_tower')
    """

    def __init__(self, ruleset: Ruleset, players: int) -> None:
        self.ruleset, self.players = ruleset, ruleset.check_players(players)
        self.tables = tables_for(ruleset, players)
        self.sight = new(SIGHT)
        self._cards = tuple(card.id for card in ruleset.cards)
        self._landmarks = tuple(landmark.id for landmark in ruleset.landmarks)
        self._note_what_there_is()
        self._engine_actions = tuple(self._list_actions())
        self._number_actions()
        self.fields = tuple(self._list_fields())
        self.sight.size = self.fields[-1].at + self.fields[-1].size

    @property
    def size(self) -> int:
        """Numbers in an observation."""
        return int(self.sight.size)

    @property
    def actions(self) -> int:
        """How many actions there are."""
        return int(self.sight.actions)

    @cached_property
    def most(self) -> NDArray[np.int16]:
        """The largest value of each number of an observation: divide by it to have all within 0 and 1.

        Coins have no bound in the rules; :meth:`scale` is what learners want.
        """
        return np.concatenate([np.full(field.size, field.most, np.int16) for field in self.fields])

    @cached_property
    def scale(self) -> NDArray[np.float32]:
        """Factors that bring each number of an observation to the order of 1, for networks."""
        return np.concatenate(
            [
                np.full(field.size, 1 / min(field.most, 10 if "coins" in field.name else 6), np.float32)
                for field in self.fields
            ]
        )

    @cached_property
    def names(self) -> tuple[str, ...]:
        """A name for each number of an observation: ``me.owned.cafe``, ``market.mine``."""
        return tuple(
            f"{field.name}.{entry}" if entry else field.name
            for field in self.fields
            for entry in field.entries
        )

    @cached_property
    def action_names(self) -> tuple[str, ...]:
        """Each action in notation; players counted clockwise from who acts (``player +1``)."""
        notation = notation_for(self.ruleset, self.players)
        return tuple(
            f"player +{action - c.CHOOSE_PLAYER}"
            if c.CHOOSE_PLAYER <= action < c.RESOLVE_FIRST
            else str(notation.action(action))
            for action in self._engine_actions
        )

    # ------------------------------------------------------------------------ what there is

    def _note_what_there_is(self) -> None:
        t, sight = self.tables, self.sight
        effects = {int(effect) for effect in t.effect[: t.cards]}
        sight.invested = int(t.startup != c.NOTHING)
        sight.closed = int(bool({c.RENOVATE, c.LOAN} & effects) or bool(t.then_closes[: t.cards].any()))
        sight.landmark_market = int(
            bool(t.shared_landmarks) or bool((t.row_of[c.MAX_CARDS : c.MAX_CARDS + t.landmarks] >= 0).any())
        )
        sight.deck = int(t.rows > 0)
        sight.limited = int(t.max_turns > 0)
        actors = [card for card in range(t.cards) if int(t.effect[card]) in _DEALS]
        actors += [
            c.MAX_CARDS + mark for mark in range(t.landmarks) if int(t.power[mark]) == c.POWER_DOUBLES_GIVE
        ]
        sight.actor[:] = -1
        for slot, thing in enumerate(actors):
            sight.actor[thing] = slot
        self._actors = tuple(actors)
        sight.actors = len(actors)
        sight.agenda = int(t.n_agenda.max())
        sight.deals = int(bool(actors) or bool(t.choose_order))

    def _list_actions(self) -> Iterator[int]:
        """The engine's numbers of all actions that the ruleset can ask for, in the engine's order."""
        t, cards, landmarks = self.tables, range(self.tables.cards), range(self.tables.landmarks)
        effects = {int(t.effect[card]) for card in cards}
        powers = {int(t.power[landmark]) for landmark in landmarks}
        yield c.ROLL_DICE
        if t.free_dice or c.POWER_TWO_DICE in powers:
            yield c.ROLL_DICE + 1
        if c.POWER_REROLL in powers:
            yield from (c.KEEP, c.ROLL_AGAIN, c.ROLL_AGAIN + 1)
        if c.POWER_ADD in powers:
            yield from (c.ADD, c.ADD_NOT)
        if c.CONVENTION in effects or (c.SWAP in effects and t.business_center_optional):
            yield c.DECLINE
        yield c.PASS
        if t.startup != c.NOTHING:
            yield from (c.PUT_COIN, c.PUT_NONE)
        if effects & {c.MOVE, c.COLLECT_ONE, c.SWAP}:
            yield from (c.CHOOSE_PLAYER + k for k in range(1, self.players))
        if t.choose_order:
            yield from (c.RESOLVE_FIRST + card for card in cards)
        if effects & {c.MOVE, c.SWAP} or c.POWER_DOUBLES_GIVE in powers:
            yield from self._with_closed(c.GIVE_OPEN, c.GIVE_CLOSED)
        if c.SWAP in effects:
            yield from self._with_closed(c.TAKE_OPEN, c.TAKE_CLOSED)
        if effects & {c.RENOVATE, c.CONVENTION}:
            yield from (c.CHOOSE_CARD + card for card in cards)
        if c.DEMOLISH in effects:
            yield from (c.DEMOLISH_IT + landmark for landmark in landmarks)
        yield from (c.BUILD_IT + card for card in cards)
        yield from (c.BUILD_IT + c.MAX_CARDS + landmark for landmark in landmarks)

    def _with_closed(self, as_open: int, as_closed: int) -> Iterator[int]:
        yield from (as_open + card for card in range(self.tables.cards))
        if self.sight.closed:
            yield from (as_closed + card for card in range(self.tables.cards))

    def _number_actions(self) -> None:
        self.sight.actions = len(self._engine_actions)
        self.sight.number[:] = -1
        for number, action in enumerate(self._engine_actions):
            self.sight.action[number] = action
            self.sight.number[action] = number

    # ------------------------------------------------------------------------ what is seen

    def _list_fields(self) -> Iterator[Field]:
        at = 0
        for name, most, meaning, entries in self._describe():
            yield Field(name, at, len(entries), most, meaning, tuple(entries))
            at += len(entries)

    def _describe(self) -> Iterator[tuple[str, int, str, tuple[str, ...]]]:
        for who in seen_seats(self.players):
            yield from self._describe_city(who)
        yield from self._describe_market()
        yield from self._describe_turn()
        if self.sight.deals:
            yield from self._describe_deal()

    def _describe_city(self, who: str) -> Iterator[tuple[str, int, str, tuple[str, ...]]]:
        yield f"{who}.coins", MOST_COINS, "coins", ("",)
        if self.sight.invested:
            yield f"{who}.invested_coins", MOST_COINS, "coins on the Tech Startup", ("",)
        yield f"{who}.owned", _MOST_COPIES, "copies of each establishment, closed ones too", self._cards
        if self.sight.closed:
            yield f"{who}.closed", _MOST_COPIES, "how many of them are closed", self._cards
        yield f"{who}.built", 1, "landmarks that stand", self._landmarks

    def _describe_market(self) -> Iterator[tuple[str, int, str, tuple[str, ...]]]:
        shared = self._landmarks if self.sight.landmark_market else ()
        yield "market", _MOST_COPIES, "what lies open to be built", (*self._cards, *shared)
        if self.sight.deck:
            yield "deck", _MOST_COPIES, "what is left to be drawn", (*self._cards, *shared)

    def _describe_turn(self) -> Iterator[tuple[str, int, str, tuple[str, ...]]]:
        yield "turn", 1, "whose turn it is", seen_seats(self.players)
        yield "phase", 1, "what is to be decided", tuple(PHASE_NAMES[phase] for phase in range(PHASES))
        for name, most, meaning in _TURN:
            yield name, most, meaning, ("",)
        if self.sight.limited:
            yield "turns_left", MOST_COINS, "turns until the game is a draw", ("",)

    def _describe_deal(self) -> Iterator[tuple[str, int, str, tuple[str, ...]]]:
        names = notation_for(self.ruleset, self.players)
        actors = tuple(names.thing(thing) for thing in self._actors)
        if actors:
            yield "acting", 1, "whose effect asks for a choice", actors
        yield "copies_left", _MOST_COPIES, "copies of it still to act", ("",)
        yield "conventions_left", _MOST_COPIES, "Convention Centers left while one acts", ("",)
        yield "given_closed", 1, "the card chosen to be handed over is closed", ("",)
        yield "given", 1, "the card chosen to be handed over", self._cards
        yield "partner", 1, "the player chosen to trade with", seen_seats(self.players)[1:]
        slots = tuple(str(k + 1) for k in range(int(self.sight.agenda)))
        yield "due", _MOST_COPIES, "copies still to be activated, in the order they resolve", slots


def seen_seats(players: int) -> tuple[str, ...]:
    """What the seats of a table are called by who looks: oneself, then the others clockwise.

    >>> seen_seats(3)
    ('me', 'player+1', 'player+2')
    """
    return ("me", *(f"player+{k}" for k in range(1, players)))


@lru_cache(maxsize=64)
def spec_for(ruleset: Ruleset, players: int) -> Spec:
    """The spec of a ruleset and a number of players, made once."""
    return Spec(ruleset, players)
