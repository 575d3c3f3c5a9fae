"""Who plays whom, from which seat, with which dice.

A line-up says who sits together. Each game number is played in all rotations of all line-ups with the same
dice (common random numbers), so that luck with the dice and with the seats falls on everybody alike and
much of it cancels out of a comparison. Games are counted through: rotation by rotation, line-up by
line-up, game number by game number.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations

Lineup = tuple[int, ...]  # the number of a contestant for each seat


@cache
def line_up(contestants: int, players: int) -> tuple[Lineup, ...]:
    """Who sits together: the last named fills the seats left; too many take turns, evenly.

    >>> line_up(2, 4)
    ((0, 1, 1, 1),)
    >>> line_up(3, 2)
    ((0, 1), (0, 2), (1, 2))
    """
    if contestants <= players:
        last = contestants - 1
        return (tuple(min(seat, last) for seat in range(players)),)
    return tuple(combinations(range(contestants), players))


@dataclass(frozen=True)
class Entry:
    """One game of a schedule: its line-up, how far the seats are rotated, and the number of its dice."""

    lineup: int
    rotation: int
    game: int


@dataclass(frozen=True)
class Schedule:
    """All games of a tournament in order.

    >>> schedule = Schedule(2, 2)
    >>> [schedule.seats(schedule.entry(n)) for n in range(2)]
    [(0, 1), (1, 0)]
    >>> schedule.entry(0).game == schedule.entry(1).game == 0
    True
    """

    contestants: int
    players: int

    @property
    def lineups(self) -> tuple[Lineup, ...]:
        """Who sits together."""
        return line_up(self.contestants, self.players)

    @property
    def round_length(self) -> int:
        """Games with the same dice: all rotations of all line-ups."""
        return len(self.lineups) * self.players

    def entry(self, number: int) -> Entry:
        """The game of a number."""
        game, rest = divmod(number, self.round_length)
        return Entry(rest // self.players, rest % self.players, game)

    def number(self, entry: Entry) -> int:
        """The number of a game."""
        return entry.game * self.round_length + entry.lineup * self.players + entry.rotation

    def seats(self, entry: Entry) -> Lineup:
        """The contestant at each seat of a game."""
        lineup = self.lineups[entry.lineup]
        return lineup[entry.rotation :] + lineup[: entry.rotation]

    def numbers(self, lineup: int, rotation: int, first: int, games: int) -> slice:
        """Where the games of one table stand among all: `games` of them from game number `first` on."""
        begin = self.number(Entry(lineup, rotation, first))
        return slice(begin, begin + games * self.round_length, self.round_length)

    def games_of(self, lineup: int, rotation: int, total: int) -> int:
        """How many of the first `total` games are played at this table."""
        offset = lineup * self.players + rotation
        return max(0, -(-(total - offset) // self.round_length))
