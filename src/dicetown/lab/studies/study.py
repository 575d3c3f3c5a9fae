"""What a study is, and which there are.

A study is a module of this package with a function ``study(recorded, language) -> Section``. One that cannot
use the samples everybody uses, because it compares editions or strategies, also has
``samples_for(wish) -> tuple[Sample, ...]``; one that wants more or fewer games than usual, ``USUAL_GAMES``.
Its words lie in ``lang/NAME/en.toml``, ``es.toml`` and ``de.toml``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, cast

from dicetown.lab.findings.section import Section
from dicetown.lab.record.folder import Recorded
from dicetown.lab.record.gather import Sample, name_sample
from dicetown.material.catalogue import Catalogue, catalogue
from dicetown.rules.ruleset import Ruleset

#: The studies of `lab all`, in the order in which a report tells them; `whatif` must be told what.
STUDIES = ("balance", "openings", "pace", "dice", "skill", "editions", "claims")


#: Games of each sample: a few seconds of play, and intervals of about a point.
USUAL_GAMES = 20_000


@dataclass(frozen=True)
class Wish:
    """What somebody wants to know something about."""

    ruleset: Ruleset
    players: tuple[int, ...]
    lineups: tuple[tuple[str, ...], ...]  # the bots of a table: one for each seat, or one for all
    games: int  # of each sample
    seed: int = 0
    changes: tuple[str, ...] = ()  # of cards, as `ruleset` has them already


class Study(Protocol):
    """Looks at what was recorded and says what it means, in a language."""

    def __call__(self, recorded: Sequence[Recorded], language: str) -> Section:
        """The section of a report."""


def find_study(key: str) -> Study:
    """The study of a key."""
    return cast(Study, import_module(f"dicetown.lab.studies.{key}").study)


def usual_games(key: str) -> int:
    """How many games of each sample a study looks at, if nobody says how many."""
    if key not in (*STUDIES, "whatif"):
        return USUAL_GAMES
    return int(getattr(import_module(f"dicetown.lab.studies.{key}"), "USUAL_GAMES", USUAL_GAMES))


def samples_for(key: str, wish: Wish) -> tuple[Sample, ...]:
    """The samples that a study looks at."""
    own: Callable[[Wish], tuple[Sample, ...]] | None
    own = getattr(import_module(f"dicetown.lab.studies.{key}"), "samples_for", None)
    return own(wish) if own is not None else usual_samples(wish)


def usual_samples(wish: Wish) -> tuple[Sample, ...]:
    """A sample for each number of players and each line-up that fits it.

    >>> wish = Wish(Ruleset("deluxe", sets=["base"]), (2, 4), (("greedy",), ("greedy", "random")), 1000)
    >>> [sample.name for sample in usual_samples(wish)]
    ['deluxe-base-2p-greedy', 'deluxe-base-2p-greedy-random', 'deluxe-base-4p-greedy']
    """
    return tuple(
        name_sample(wish.ruleset, players, lineup, wish.seed, wish.games, wish.changes)
        for players in wish.players
        for lineup in wish.lineups
        if len(lineup) in (1, players)
    )


def words_of(study: str, language: str) -> Catalogue:
    """What a study says, in a language."""
    return catalogue(f"lab/{study}", language)
