"""The review: luck told apart from choice, for every player.

Every position has one value, everybody's chance to win. A decision changes it by what was lost to the best
option, chance by the rest. So for each player

    chance at the end = chance at the beginning + luck + own choices + the others' choices

holds to the last digit, by the way it is computed: backwards, from the end of the game. What a choice lost
is counted only where it is more than the noise of the estimates; else many small losses that are none would
add up to one. What is left of the chance at the end without luck is the result adjusted for luck.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dicetown.errors import IllegalAction
from dicetown.game import Game
from dicetown.game.notation import Action
from dicetown.review.advice import Option
from dicetown.review.chances import Progress, estimate, estimate_at_a_glance, find_option
from dicetown.review.grades import grade_of
from dicetown.review.moments import (
    Chances,
    Decision,
    Moment,
    Stroke,
    error_between,
    is_clear,
    measured_loss,
)
from dicetown.review.replay import Happening, Replayed, replay

#: Who reviews at a glance.
GLANCE = "champion"


@dataclass(frozen=True)
class Player:
    """How a player fared: ``finish = start + luck + choice + others``."""

    name: str
    start: float
    finish: float
    luck: float  # of all dice and draws, the others' too
    choice: float  # what own mistakes cost: 0 or less
    others: float  # what the others' mistakes brought
    decisions: int
    mistakes: int
    players: int  # who play, all together

    @property
    def accuracy(self) -> float | None:
        """The share of decisions that were no mistakes; None where there was nothing to decide."""
        return 1 - self.mistakes / self.decisions if self.decisions else None

    @property
    def average_loss(self) -> float | None:
        """What a decision lost on average; None where there was nothing to decide."""
        return max(0.0, -self.choice) / self.decisions if self.decisions else None

    @property
    def grade(self) -> str | None:
        """That in a word; None where there was nothing to decide."""
        return None if self.average_loss is None else grade_of(self.average_loss, self.players)

    @property
    def adjusted(self) -> float:
        """The result without luck, by choices alone: who chose badly enough may be below 0."""
        return self.start + self.choice + self.others

    def as_dict(self) -> dict[str, Any]:
        """The player, for JSON."""
        return {
            "name": self.name,
            "start": self.start,
            "finish": self.finish,
            "luck": self.luck,
            "choice": self.choice,
            "others": self.others,
            "decisions": self.decisions,
            "mistakes": self.mistakes,
            "accuracy": self.accuracy,
            "average_loss": self.average_loss,
            "grade": self.grade,
            "adjusted": self.adjusted,
        }


@dataclass(frozen=True)
class Review:
    """A game looked back on."""

    game: Game  # as it stands in the end
    bot: str
    moments: list[Moment]  # decisions among several options, and strokes of chance
    start: Chances
    finish: Chances
    only: int | None = None  # whose decisions are shown; None: everything that happened

    @property
    def players(self) -> list[Player]:
        """Everybody, by seat."""
        return [self._player(seat) for seat in range(self.game.players)]

    def _player(self, seat: int) -> Player:
        decisions = [one for one in self.moments if isinstance(one, Decision)]
        own = [one for one in decisions if one.seat == seat]
        return Player(
            name=self.game.names[seat],
            start=self.start[seat],
            finish=self.finish[seat],
            luck=sum(one.change[seat] for one in self.moments if isinstance(one, Stroke)),
            choice=sum(one.change[seat] for one in own),
            others=sum(one.change[seat] for one in decisions if one.seat != seat),
            decisions=len(own),
            mistakes=sum(one.is_mistake for one in own),
            players=self.game.players,
        )

    @property
    def shown(self) -> list[Moment]:
        """The moments that the reader wants to see: all of them, or the decisions of one player."""
        if self.only is None:
            return self.moments
        return [one for one in self.moments if isinstance(one, Decision) and one.seat == self.only]

    def turning_points(self, most: int = 3) -> list[Moment]:
        """Of the moments shown those that changed most, the greatest first."""
        moved = [one for one in self.shown if one.swing > 0]
        return sorted(moved, key=lambda one: -one.swing)[:most]

    @property
    def ahead_without_luck(self) -> int | None:
        """Whose result is the best once luck is taken out; None where two share it."""
        first, second, *_ = sorted((player.adjusted for player in self.players), reverse=True)
        return None if first == second else [player.adjusted for player in self.players].index(first)

    def as_dict(self) -> dict[str, Any]:
        """The review, for JSON."""
        return {
            "players": [player.as_dict() for player in self.players],
            "winner": self.game.winner,
            "over": self.game.over,
            "turns": self.game.turns,
            "bot": self.bot,
            "exact": self.bot != GLANCE,
            "turning_points": [one.number for one in self.turning_points()],
            "ahead_without_luck": self.ahead_without_luck,
            "moments": [one.as_dict() for one in self.shown],
        }


def review(
    source: str | os.PathLike[str], bot: str, seed: int = 0, progress: Progress | None = None
) -> Review:
    """Look back on a saved game; one that is not over is looked at as far as it goes."""
    replayed = replay(source)
    check_reviewable(replayed)
    return judge_moments(replayed, estimate(replayed, bot, seed, progress), bot)


def review_at_a_glance(source: str | os.PathLike[str]) -> Review:
    """The first picture: what the champion's network sees, without thinking; it may refuse the table."""
    replayed = replay(source)
    check_reviewable(replayed)
    return judge_moments(replayed, estimate_at_a_glance(replayed), GLANCE)


def check_reviewable(replayed: Replayed) -> None:
    """Refuse a game in which nobody has decided anything yet."""
    if not replayed.happenings:
        raise IllegalAction("Nothing has been decided in this game yet; there is nothing to review.")


def judge_moments(replayed: Replayed, estimates: Sequence[list[Option]], bot: str) -> Review:
    """Go through a game backwards: the value of a position follows from the one after it."""
    happenings = replayed.happenings
    options = dict(zip((k for k, one in enumerate(happenings) if one.view), estimates, strict=False))
    taken = {k: _taken(happenings[k], of) for k, of in options.items()}
    finish = later = _finish(replayed, estimates, taken)
    moments: list[Moment] = []
    for k in reversed(range(len(happenings))):
        one = happenings[k]
        place = one.number, one.turn, one.seat
        if one.view is None:  # a decision came before: what it led to is what was to be expected
            before = taken[k - 1].chances
            moments.append(Stroke(*place, before, later, one.events, one.moves))
        else:
            before = _before(later, options[k], taken[k], one.seat)
            if len(options[k]) > 1:
                moments.append(Decision(*place, before, later, one.events, options[k], taken[k]))
        later = before
    return Review(replayed.game, bot, moments[::-1], later, finish)


def _taken(one: Happening, options: Sequence[Option]) -> Option:
    (action,) = one.moves
    assert isinstance(action, Action)
    return find_option(options, action)


def _finish(replayed: Replayed, estimates: Sequence[list[Option]], taken: dict[int, Option]) -> Chances:
    """How it stands in the end: decided, or as far as anybody can tell."""
    game = replayed.game
    if game.over:
        return tuple(float(seat == game.winner) for seat in range(game.players))
    if replayed.end is not None:
        return estimates[-1][0].chances
    return taken[max(taken)].chances  # chance is due: what is to be expected of it


def _before(after: Chances, options: Sequence[Option], taken: Option, seat: int) -> Chances:
    """The value of a position in which somebody decided: that after it, and what a mistake lost."""
    best = options[0]
    if not is_clear(measured_loss(options, taken, seat), error_between(best, taken)):
        return after
    lost = zip(after, best.chances, taken.chances, strict=True)
    return tuple(min(1.0, max(0.0, now + could - did)) for now, could, did in lost)
