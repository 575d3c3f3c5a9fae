"""A sample: games of one ruleset, between the same bots, under one seed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dicetown.arena.contests.contestants import enter
from dicetown.bots.programs.pipe import PIPE
from dicetown.bots.seats import seat_bot
from dicetown.errors import LabError
from dicetown.playout.table import bots_for
from dicetown.rules.ruleset import Ruleset

_SAFE = re.compile(r"[a-z0-9][a-z0-9_.=-]*")
_LONGEST = 100  # letters of a name, which becomes a folder's


@dataclass(frozen=True)
class Sample:
    """Games to be played and looked at. Its name becomes the name of a folder."""

    name: str
    ruleset: Ruleset
    players: int
    bots: tuple[str, ...]  # one for each seat
    seed: int
    games: int
    changes: tuple[str, ...] = ()  # of cards, as ``cafe.cost=3``; the ruleset has them already

    def __post_init__(self) -> None:
        self.ruleset.check_players(self.players)
        if len(self.bots) != self.players:
            raise LabError(f"{len(self.bots)} bots sit at a table of {self.players}; name one for each seat.")
        if self.games < 1:
            raise LabError(f"The number of games is {self.games}; it must be at least 1.")
        if not _SAFE.fullmatch(self.name) or len(self.name) > _LONGEST:
            raise LabError(f'A sample cannot be called "{self.name}": it becomes the name of a folder.')

    @property
    def in_bulk(self) -> bool:
        """Whether all bots are such that games are played in bulk."""
        return all(bot.in_bulk for bot in enter(self.bots))


def name_sample(
    ruleset: Ruleset,
    players: int,
    lineup: Sequence[str],
    seed: int,
    games: int,
    changes: Sequence[str] = (),
) -> Sample:
    """A sample that is called after what is played; the line-up names a bot for each seat, or one for all.

    >>> sample = name_sample(Ruleset("deluxe", sets=["base"]), 2, ["greedy:slips=50"], 7, 1000)
    >>> sample.name, sample.bots
    ('deluxe-base-2p-greedy-slips=50', ('greedy:slips=50', 'greedy:slips=50'))
    """
    bots = _seat(lineup, players)
    shown = bots[:1] if len(set(bots)) == 1 else bots
    words = [ruleset.edition.id, "+".join(ruleset.set_ids), f"{players}p", *shown]
    words += [f"{rule}={value}" for rule, value in ruleset.house.items()]
    name = "-".join(_plain(word) for word in [*words, *changes])
    return Sample(name[:_LONGEST], ruleset, players, bots, seed, games, tuple(changes))


def _seat(lineup: Sequence[str], players: int) -> tuple[str, ...]:
    """A bot for each seat; programs, too."""
    if any(bot.startswith(PIPE) for bot in lineup):
        for bot in lineup:
            seat_bot(bot).close()
        return tuple(lineup) * players if len(lineup) == 1 else tuple(lineup)
    return tuple(bots_for(list(lineup), players))


def _plain(word: str) -> str:
    """A word with nothing in it that a folder's name should not have."""
    return re.sub(r"[^a-z0-9_.=]+", "-", word.lower()).strip("-.")
