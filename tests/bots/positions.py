"""Positions to ask a bot about, written with the game's own words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from dicetown import Game, Ruleset
from dicetown.bots import View, make_bot
from dicetown.rules import codes as c
from dicetown.rules.layout import copy

Seat = Mapping[str, Any]  # coins, cards, closed, landmarks, invested


def position(ruleset: Ruleset, seats: Sequence[Seat], market: Mapping[str, int] | None = None) -> Game:
    """A game in which it is the first seat's turn to roll, and dice fall as the test says."""
    dealt = Game(ruleset, players=len(seats), seed=1)
    s, numbers = copy(dealt.state), dealt.notation.numbers
    for number, seat in enumerate(seats):
        s.coins[number] = seat.get("coins", 0)
        s.invested[number] = seat.get("invested", 0)
        s.owned[number] = 0
        for card, copies in seat.get("cards", {}).items():
            s.owned[number, numbers[card]] = copies
        for card, copies in seat.get("closed", {}).items():
            s.closed[number, numbers[card]] = copies
        for landmark in seat.get("landmarks", ()):
            s.built[number] |= 1 << (numbers[landmark] - c.MAX_CARDS)
            s.market[numbers[landmark]] = max(0, int(s.market[numbers[landmark]]) - 1)
    if market is not None:
        s.market[: c.MAX_CARDS] = 0
        for thing, copies in market.items():
            s.market[numbers[thing]] = copies
            s.deck[numbers[thing]] = 0
    s.start_left, s.turn, s.phase = 0, 0, c.ROLL
    return Game.from_state(ruleset, len(seats), s, seed=1, chance="manual")


def after(game: Game, *moves: str) -> Game:
    """The game some moves later."""
    for move in moves:
        game.play(move)
    return game


def choice(game: Game, bot: str = "greedy") -> str:
    """What a bot does now, in notation."""
    return str(make_bot(bot).choose(View.of(game), Random(1)))
