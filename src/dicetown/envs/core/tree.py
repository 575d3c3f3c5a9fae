"""The tree of all games of a ruleset, as OpenSpiel walks it: nodes of choice, nodes of chance, and ends.

A :class:`Node` never changes; a move leads to another one. So a copy of a game costs nothing, and any number
of searches may stand on the same node.

A forced move is taken between two nodes, by the engine, but for two that are nodes of a player: to roll, even
with one die only, and to turn up a further card while the market is filled. Searches count the moves of
players and go through all of chance; so every turn, and every further card, brings them nearer to their end.
Without, turns in which nobody can buy anything, and cards that lie in the market already, would be chains of
chance without a limit.

What chance may bring is numbered without gaps, too: one die, two dice (36 outcomes, the order of the dice
told apart), the tuna dice likewise, and each thing that can be drawn, as far as a ruleset has them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicetown.envs.core.batch import compile_aloud, frame_of, opening_of
from dicetown.envs.core.steps import EVERYBODY
from dicetown.envs.core.tree_steps import (
    CHANCE,
    ENDED,
    choose,
    come_to_node,
    let_happen,
    list_chances,
    look,
)
from dicetown.errors import IllegalAction
from dicetown.game.notation import notation_for
from dicetown.game.position import read_position, write_position
from dicetown.rules import codes as c
from dicetown.rules.kernel import compiled
from dicetown.rules.layout import CHOICES, OUTCOMES, STATE, record_class
from dicetown.rules.ruleset import Ruleset
from dicetown.sight.spec import spec_for
from dicetown.sight.write import meant_by

_FACES = range(1, 7)
_TWO_DICE = tuple(die * c.TWO_DICE_BASE + other for die in _FACES for other in _FACES)
#: How many choices a copy of a card asks for when it acts.
_CHOICES_OF = {c.DEMOLISH: 1, c.COLLECT_ONE: 1, c.RENOVATE: 1, c.MOVE: 2, c.SWAP: 3}


class Tree:
    """All games of a ruleset with so many players, given up after so many turns.

    >>> root = tree_for(Ruleset("ciudad", sets=["base"]), 2, give_up=100).root
    >>> root.player, [root.name(number) for number in root.legal]
    (0, ['roll 1'])
    >>> dice = root.after(root.legal[0])
    >>> dice.player == CHANCE, len(dice.outcomes()), dice.name(3)
    (True, 6, 'dice 4')
    >>> node = dice.after(3)
    >>> node.player, [node.name(number) for number in node.legal[:2]]
    (0, ['pass', 'build wheat_field'])
    """

    def __init__(self, ruleset: Ruleset, players: int, give_up: int) -> None:
        self.spec = spec_for(ruleset, players)
        self.notation = notation_for(ruleset, players)
        self.give_up = give_up
        self.frame = frame_of(self.spec, EVERYBODY, give_up)
        #: What chance may bring, by number: the phase that waits for it, and the engine's number of it.
        self.chances: tuple[tuple[int, int], ...] = tuple(self._list_chances())
        self.chance_numbers = {chance: number for number, chance in enumerate(self.chances)}
        #: The number of the move that turns up a further card; those of all environments come before it.
        self.turn_up = self.spec.actions
        #: How many moves players have.
        self.actions = self.spec.actions + any(phase == c.DRAW for phase, _ in self.chances)

    def _list_chances(self) -> Iterator[tuple[int, int]]:
        yield from ((c.DICE, die) for die in _FACES)
        if "roll 2" in self.spec.action_names:
            yield from ((c.DICE, pair) for pair in _TWO_DICE)
        if self._has_tuna:
            yield from ((c.TUNA, pair) for pair in _TWO_DICE)
        rows = self.spec.tables.row_of
        yield from ((c.DRAW, thing) for thing in self.notation.things if rows[thing] >= 0)

    @cached_property
    def root(self) -> Node:
        """Where all games begin."""
        return self.node(opening_of(self.spec))

    def node(self, state: NDArray[Any]) -> Node:
        """The node that a state comes to; the array becomes the node's own."""
        compile_aloud(come_to_node, choose, let_happen, list_chances, look)
        mask = np.zeros(self.spec.actions, np.int8)
        player = compiled(come_to_node)(self.frame, state, np.empty(1, CHOICES), mask)
        return Node(self, state, player, mask.nonzero()[0].tolist())

    @cached_property
    def chance_names(self) -> tuple[str, ...]:
        """What chance may bring, in notation, by number."""
        return tuple(str(self.notation.outcome(phase, number)) for phase, number in self.chances)

    def action_name(self, seat: int, number: int) -> str:
        """An action of a seat in notation; players are named by their seats."""
        if number == self.turn_up:
            return "draw"
        action = meant_by(self.spec.tables, self.spec.sight, seat, number)
        return str(self.notation.action(int(action)))

    # ------------------------------------------------------------------------ how long a game can be

    @property
    def most_turns(self) -> int:
        """A game is over or given up after so many turns."""
        return min(self.give_up, int(self.spec.tables.max_turns) or self.give_up)

    @property
    def most_choices(self) -> int:
        """At least as many choices as any game can have."""
        t = self.spec.tables
        deals = max(
            sum(self._most_deals(int(card)) for card in t.agenda[total, : t.n_agenda[total]])
            for total in range(c.MAX_TOTAL + 1)
        )
        orders = int(self.spec.sight.agenda) * int(t.choose_order)
        in_turn = 6 + orders + deals  # roll, reroll, Harbor, a landmark's gift, build, invest
        return int(t.start_rounds) * int(t.players) + self.most_turns * in_turn + self._in_decks

    @property
    def most_chances(self) -> int:
        """At least as many rolls and draws as any game can have; what is drawn never goes back."""
        t = self.spec.tables
        centers = [card for card in range(t.cards) if t.effect[card] == c.CONVENTION]
        sails = int(self._has_tuna) * (1 + sum(self._copies(card) for card in centers))
        return self.most_turns * (2 + sails) + self._in_decks

    @property
    def _in_decks(self) -> int:
        return sum(int(self.spec.tables.supply[thing]) for phase, thing in self.chances if phase == c.DRAW)

    @property
    def _has_tuna(self) -> bool:
        return c.TUNA_EFFECT in self.spec.tables.effect[: self.spec.tables.cards]

    def _copies(self, card: int) -> int:
        t = self.spec.tables
        return int(t.supply[card]) + int(t.players) * int(t.start_city[card])

    def _most_deals(self, card: int) -> int:
        """The choices that all copies of a card can ask for when their number is rolled."""
        effects = [int(effect) for effect in self.spec.tables.effect[: self.spec.tables.cards]]
        if effects[card] != c.CONVENTION:
            return self._copies(card) * _CHOICES_OF.get(effects[card], 0)
        hosted = (
            self._copies(other) * _CHOICES_OF.get(effect, 0)
            for other, effect in enumerate(effects)
            if effect != c.CONVENTION
        )
        return self._copies(card) * (1 + max(hosted))  # it names a type, whose copies may ask in turn


@lru_cache(maxsize=64)
def tree_for(ruleset: Ruleset, players: int, give_up: int) -> Tree:
    """The tree of a ruleset and a number of players, made once."""
    return Tree(ruleset, players, give_up)


class Node:
    """A position in which somebody has a choice, rolls or turns up a card, chance is due, or nothing more."""

    __slots__ = ("_outcomes", "_state", "legal", "player", "tree")

    def __init__(self, tree: Tree, state: NDArray[Any], player: int, legal: list[int]) -> None:
        self.tree, self._state = tree, state
        self.player = player  # a seat, CHANCE or ENDED
        self.legal = legal  # a player's actions, in order
        self._outcomes: list[tuple[int, float]] | None = None

    def outcomes(self) -> list[tuple[int, float]]:
        """What chance may bring here and how likely; nothing where it is not due."""
        if self._outcomes is None:
            found = np.zeros(1, OUTCOMES)
            compiled(list_chances)(self.tree.frame, self._state, found)
            count, phase = int(found["count"][0]), int(self._state["phase"][0])
            weights = found["weight"][0, :count].tolist()
            whole = sum(weights)
            numbers = self.tree.chance_numbers
            self._outcomes = [
                (numbers[phase, outcome], weight / whole)
                for outcome, weight in zip(found["outcome"][0, :count].tolist(), weights, strict=True)
            ]
        return self._outcomes

    def after(self, number: int) -> Node:
        """The node that an action, or an outcome of chance, leads to."""
        if self.player == CHANCE:
            if not any(number == possible for possible, _ in self.outcomes()):
                raise IllegalAction(self._refusal(number))
            drawn = self._step(let_happen, self.tree.chances[number][1])
            return drawn.before_drawing() if self.is_draw and drawn.is_draw else drawn
        if number not in self.legal:
            raise IllegalAction(self._refusal(number))
        if number == self.tree.turn_up:
            return Node(self.tree, self._state, CHANCE, [])
        return self._step(choose, number)

    @property
    def is_draw(self) -> bool:
        """Whether chance is due to bring a card."""
        return self.player == CHANCE and bool(self._state["phase"][0] == c.DRAW)

    def before_drawing(self) -> Node:
        """The node in which a player turns up the card: whose turn it is, or the first before anybody's."""
        player = max(0, int(self._state["turn"][0]))
        return Node(self.tree, self._state, player, [self.tree.turn_up])

    def _step(self, kernel: Any, move: int) -> Node:
        tree = self.tree
        state, mask = np.empty(1, STATE), np.zeros(tree.spec.actions, np.int8)
        menu = np.empty(1, CHOICES)
        player = compiled(kernel)(tree.frame, self._state, state, menu, move, mask)
        return Node(tree, state, player, mask.nonzero()[0].tolist())

    def _refusal(self, number: int) -> str:
        if self.player == ENDED:
            return f"Action {number} is not possible: the game is over."
        numbers = self.legal or [possible for possible, _ in self.outcomes()]
        names = ", ".join(f"{one} ({self.name(one)})" for one in numbers)
        return f"Action {number} is not possible now; legal: {names}."

    def name(self, number: int) -> str:
        """An action, or an outcome of chance, in notation."""
        if self.player == CHANCE:
            return self.tree.chance_names[number]
        return self.tree.action_name(self.player, number)

    def payoffs(self) -> list[float]:
        """One for the winner, in all nothing: the others share the loss; zero for all if nobody has won."""
        players, winner = self.tree.spec.players, int(self._state["winner"][0])
        if winner == c.NOBODY:
            return [0.0] * players
        return [1.0 if seat == winner else -1 / (players - 1) for seat in range(players)]

    def seen_by(self, seat: int) -> NDArray[np.int16]:
        """The table as the numbers that a seat sees."""
        sheet = np.zeros(self.tree.spec.size, np.int16)
        compiled(look)(self.tree.frame, self._state, seat, sheet)
        return sheet

    def position(self) -> str:
        """The position as one line of text."""
        spec = self.tree.spec
        return write_position(spec.ruleset, spec.players, record_class(STATE)(self._state))

    def __deepcopy__(self, memo: object) -> Node:
        return self  # it never changes

    def __reduce__(self) -> tuple[Any, ...]:
        return node_at, (self.position(), self.tree.give_up, self.legal == [self.tree.turn_up])


def node_at(position: str, give_up: int, is_turned_up: bool = False) -> Node:
    """The node of a position that is written as text, or the one before its card is turned up.

    >>> root = tree_for(Ruleset("neue_stadt"), 3, give_up=100).root
    >>> node_at(root.position(), 100).outcomes() == root.outcomes()
    True
    """
    ruleset, players, state = read_position(position)
    node = tree_for(ruleset, players, give_up).node(state.array)
    return node.before_drawing() if is_turned_up else node
