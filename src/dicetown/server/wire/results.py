"""After a game, as it travels: results, a moment looked at again, the review."""

from __future__ import annotations

from typing import Literal

from dicetown.server.wire.base import Message
from dicetown.server.wire.events import GameEvent
from dicetown.server.wire.game import Line, Scene
from dicetown.server.wire.tables import Fairness


class Moment(Message, frozen=True, kw_only=True):
    """A moment of the past: the scene, and the lines that led to it."""

    scene: Scene
    lines: list[Line]
    events: list[GameEvent]


class CardIncome(Message, frozen=True, kw_only=True):
    """What a card brought a player over the game (negative: what its owner paid for it)."""

    thing: str
    coins: int
    times: int


class PlayerResult(Message, frozen=True, kw_only=True):
    """How a player ended."""

    seat: int
    name: str
    place: int  # 1 is the winner
    coins: int
    landmarks: int
    income: list[CardIncome]  # the greatest first
    paid_to_others: int
    taken_from_others: int


class DiceCount(Message, frozen=True, kw_only=True):
    """How often a total fell, and how often it was to be expected of the dice rolled."""

    total: int
    fell: int
    expected: float


class Result(Message, frozen=True, kw_only=True):
    """A finished game in figures."""

    winner: int | None
    won_with: str | None  # the landmark that won the game by itself (R55)
    rounds: int
    seconds: float
    players: list[PlayerResult]  # the winner first
    turns: list[int]  # the moments (moves) at which turns ended: the x axis of the series
    coins: list[list[int]]  # for each seat, at each of them
    landmarks: list[list[int]]
    wealth: list[list[int]]  # coins plus the cost of everything built
    dice: list[DiceCount]
    fairness: Fairness


class ReviewMoment(Message, frozen=True, kw_only=True):
    """A decision or a roll, and what it changed."""

    moves: int  # the moment it belongs to, for the replay
    round: int
    seat: int
    kind: Literal["choice", "luck"]
    text: str  # in words
    better: str | None = None  # the best alternative, where a choice was a mistake
    loss: float = 0.0
    before: list[float]
    after: list[float]


class ReviewPlayer(Message, frozen=True, kw_only=True):
    """What luck and choices did to a player's chance to win."""

    name: str
    luck: float
    choice: float
    others: float
    adjusted: float  # the result without luck; who chose badly enough may be below 0
    decisions: int
    mistakes: int
    average_loss: float | None  # of a decision; None: there was nothing to decide
    grade: str | None  # that in a word


class Review(Message, frozen=True, kw_only=True):
    """A review, or how far it is. All chances are chances to win.

    The first picture is what a network sees at a glance; the exact one, which replaces it, was thought about.
    """

    ready: bool  # there is something to see
    exact: bool = False  # and it will not get better
    ahead: int = 0  # how many were asked for before, while it has not begun
    done: int
    total: int
    players: list[ReviewPlayer] = []
    moments: list[ReviewMoment] = []
    turning_points: list[int] = []  # indices into moments: the three greatest
    ahead_without_luck: int | None = None  # the seat that choices alone would have put first
