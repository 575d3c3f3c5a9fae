"""What must hold in every game of every edition. Each check raises AssertionError with a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

import numpy as np

from dicetown.game import Game
from dicetown.game import events as e
from dicetown.material.model import Convention
from dicetown.rules import codes as c
from dicetown.rules.ruleset import Ruleset
from dicetown.testing.mirror import Mirror
from dicetown.testing.play import random_move


def check_game(game: Game, seed: int = 0, steps: int = 1000) -> None:
    """Play a game at random, to its end or for so many moves, and check everything after each.

    The game must be at its beginning: what lies in the box is counted from there.
    """
    rng = Random(seed)
    mirror = Mirror(game)
    for _ in range(steps):
        if game.over:
            break
        mirror.hear(game.play(random_move(game, rng)))
        if differences := mirror.differences(game):
            raise AssertionError(f"After {game.moves[-1]}: {'; '.join(differences)}.")
        check_purses(game)
        check_cities(game)
        check_market(game)
        check_material(game)


def check_purses(game: Game) -> None:
    """Nobody ever has less than nothing, on hand or invested (R12)."""
    for seat in range(game.players):
        _hold(game.coins(seat) >= 0, f"Player {seat} has {game.coins(seat)} coins.")
        _hold(game.invested(seat) >= 0, f"Player {seat} has invested {game.invested(seat)} coins.")


def check_cities(game: Game) -> None:
    """Only what is owned is closed, and nothing purple ever is (R23)."""
    purple = {card.id for card in game.ruleset.cards if card.major}
    for seat in range(game.players):
        owned = game.cards(seat)
        for card, copies in game.closed(seat).items():
            _hold(copies <= owned.get(card, 0), f"Player {seat} has more copies of {card} closed than owned.")
            _hold(card not in purple, f"Player {seat} has closed the purple {card}.")


def check_market(game: Game) -> None:
    """Each row holds its number of different things unless its deck is empty (R43, R46).

    A Convention Center that came back may make one more (R48); the winning build is not refilled.
    For games played from their beginning: a position from outside may lie as it likes.
    """
    if game.state.phase == c.DRAW or game.winner is not None:
        return
    t, names = game.tables, game.notation.things
    for row in range(t.rows):
        things = [thing for thing in names if t.row_of[thing] == row]
        lying = [names[thing] for thing in things if game.state.market[thing] > 0]
        left = sum(int(game.state.deck[thing]) for thing in things)
        target = int(t.row_target[row])
        _hold(
            len(lying) >= target or left == 0,
            f"Row {row} holds {len(lying)} different things instead of {target}, and {left} can be drawn.",
        )
        spare = sum(
            1 for card in game.ruleset.cards if card.id in lying and isinstance(card.effect, Convention)
        )
        _hold(
            len(lying) <= target + spare,
            f"Row {row} holds {len(lying)} different things; {target} are enough.",
        )


def check_material(game: Game) -> None:
    """Every card that was in the box still is in a city, the market or the deck, or was discarded (R44)."""
    there = material_in(game) + discarded_in(game.events)
    box = material_of(game.ruleset, game.players)
    _hold(there == box, f"The cards are not those of the box: {(there - box) or ''} {(box - there) or ''}.")


def material_of(ruleset: Ruleset, players: int) -> Counter[str]:
    """What the box holds for so many players: supply, starting cities and landmarks.

    >>> material_of(Ruleset("deluxe", sets=["base"]), 3)["wheat_field"]
    9
    """
    box = Counter({card.id: ruleset.copies(card, players) for card in ruleset.cards})
    box.update(dict.fromkeys(ruleset.edition.starting_cards, players))
    shared = ruleset.edition.shared_landmarks
    box.update({f"+{mark.id}": 1 if shared else players for mark in ruleset.landmarks})
    return +box


def material_in(game: Game) -> Counter[str]:
    """What lies anywhere in a game, landmarks under their id with a ``+``."""
    s, found = game.state, Counter[str]()
    for number, card in enumerate(game.ruleset.cards):
        found[card.id] += sum(int(s.owned[seat, number]) for seat in range(game.players))
        found[card.id] += int(s.market[number]) + int(s.deck[number])
    for bit, mark in enumerate(game.ruleset.landmarks):
        found[f"+{mark.id}"] += sum(int(s.built[seat]) >> bit & 1 for seat in range(game.players))
        found[f"+{mark.id}"] += int(s.market[c.MAX_CARDS + bit]) + int(s.deck[c.MAX_CARDS + bit])
    return +found


def discarded_in(events: Iterable[e.Event]) -> Counter[str]:
    """The purple cards that left the game."""
    gone = Counter[str]()
    for event in events:
        if isinstance(event, e.Discarded):
            gone[event.card] += event.copies
    return gone


def _hold(holds: bool, sentence: str) -> None:
    if not holds:
        raise AssertionError(sentence)


def differing_fields(one: Any, other: Any) -> list[str]:
    """The fields in which two records of a layout differ; the bytes between fields mean nothing.

    >>> from dicetown.rules.layout import STATE, copy, new
    >>> state = new(STATE)
    >>> again = copy(state)
    >>> again.coins[1] = 5
    >>> differing_fields(state, again), differing_fields(state, copy(state))
    (['coins'], [])
    """
    if (one.array == other.array).all():
        return []
    names = one.layout.names or ()
    return [name for name in names if not np.array_equal(one.array[name], other.array[name])]
