"""The judge's school: for each kind of game, games are watched and what they teach is learned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dicetown.bots.learning.fit import Learner
from dicetown.bots.learning.lessons import Lessons, gather
from dicetown.bots.rules.scripts import GAMES, scripts_for
from dicetown.errors import BotError
from dicetown.rules.ruleset import Ruleset

#: The ruleset in which each kind of game is learned: one that up to five can play.
SCHOOLS: dict[str, tuple[str, list[str] | None]] = {
    "base": ("ciudad", ["base"]),
    "harbor": ("ciudad", None),
    "millionaires_row": ("deluxe", None),
    "neue_stadt": ("neue_stadt", None),
}
EPOCHS = 5
#: One position in so many is kept aside to see how well was learned.
ASIDE = 50

Say = Callable[[str], None]
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Schooling:
    """What was learned, and how surprised the judge still is, by number of players."""

    game: str
    ruleset: Ruleset
    net: Any
    surprise: dict[int, float]  # nats a position, on positions it has not seen
    guessing: dict[int, float]  # the same for who knows only the number of players


def teach(
    game: str, positions: int, seed: int = 1, say: Say | None = None, progress: Progress | None = None
) -> Schooling:
    """Let the judge learn a kind of game from so many positions, over all numbers of players."""
    if game not in SCHOOLS:
        raise BotError(f'There is no kind of game "{game}"; known: {", ".join(GAMES)}.')
    edition, sets = SCHOOLS[game]
    ruleset = Ruleset(edition, sets=sets)
    bots = ["greedy", *scripts_for(ruleset)]
    seats = range(ruleset.min_players, ruleset.max_players + 1)
    courses, exams = [], {}
    for players in seats:
        if say is not None:
            say(f"Watching games of {players} players …")
        lessons = gather(ruleset, players, bots, positions // len(seats), seed)
        course, exams[players] = _set_aside(lessons, seed)
        courses.append(course)
    learner = Learner(seed)
    learner.fit(courses, EPOCHS, progress)
    surprise = {players: learner.loss(exam) for players, exam in exams.items()}
    guessing = {players: float(np.log(players)) for players in seats}
    return Schooling(game, ruleset, learner.net(), surprise, guessing)


def _set_aside(lessons: Lessons, seed: int) -> tuple[Lessons, Lessons]:
    """Lessons to learn from, and some to be examined by."""
    order = np.random.default_rng(seed).permutation(len(lessons.winner))
    exam, course = np.split(order, [len(order) // ASIDE])
    return tuple(Lessons(lessons.inputs[part], lessons.winner[part]) for part in (course, exam))  # type: ignore[return-value]
