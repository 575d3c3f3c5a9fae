"""What a tournament came to: shares, ratings, who beat whom, and what went wrong."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from typing import Any

import numpy as np

from dicetown.arena.contests.ratings import Elo, Skill, fit_elo, rate_openskill
from dicetown.arena.contests.scores import DRAWN, TAKEN_OVER
from dicetown.arena.contests.tournament import Outcome
from dicetown.intervals import wilson


@dataclass(frozen=True)
class Line:
    """What one bot did."""

    bot: str
    games: int  # it took part in
    wins: int  # by any of its copies
    expected: float  # the share it would have by chance: its seats
    elo: Elo
    skill: Skill
    faults: dict[str, int]  # how often each sentence had to be said
    games_with_fault: int
    seconds_per_choice: float | None  # None where nobody took the time

    @property
    def share(self) -> float:
        """Won games."""
        return self.wins / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share."""
        return wilson(self.wins, self.games)

    def as_dict(self) -> dict[str, Any]:
        """The line, for JSON."""
        low, high = self.interval
        return {
            "bot": self.bot,
            "games": self.games,
            "wins": self.wins,
            "share": self.share,
            "low": low,
            "high": high,
            "expected": self.expected,
            "elo": self.elo.elo,
            "elo_low": self.elo.low,
            "elo_high": self.elo.high,
            "openskill": {"mu": self.skill.mu, "sigma": self.skill.sigma},
            "losses_by_fault": self.games_with_fault,
            "faults": self.faults,
            "seconds_per_choice": self.seconds_per_choice,
        }


@dataclass(frozen=True)
class Pair:
    """Two bots that sat at the same table: how often one of them won, and how often the other."""

    bot: str
    against: str
    games: int
    wins: int
    losses: int

    @property
    def share(self) -> float:
        """How often the first was ahead; where neither won, they were level."""
        return (self.wins + (self.games - self.wins - self.losses) / 2) / self.games if self.games else 0.5

    def as_dict(self) -> dict[str, Any]:
        """The pair, for JSON."""
        return {
            "bot": self.bot,
            "against": self.against,
            "games": self.games,
            "wins": self.wins,
            "losses": self.losses,
            "share": self.share,
        }


class Standings:
    """The figures of a tournament."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.tournament = outcome.tournament
        self.sheet = outcome.sheet
        self.names = [contestant.name for contestant in outcome.tournament.contestants]
        self._games, self._wins = outcome.sheet.games_by_lineup(), outcome.sheet.wins_by_lineup()

    @property
    def games(self) -> int:
        """Games played."""
        return self.sheet.count

    @property
    def draws(self) -> int:
        """Games that nobody won."""
        return int(np.isin(self.sheet.winners, (DRAWN, TAKEN_OVER)).sum())

    @property
    def mean_turns(self) -> float:
        """Turns of a game on average."""
        return float(self.sheet.turns[self.sheet.played].mean()) if self.games else 0.0

    @cached_property
    def lines(self) -> list[Line]:
        """Each bot's figures, in the order in which they were named."""
        elos, skills = fit_elo(self.sheet), rate_openskill(self.sheet)
        return [self._line(number, elos[number], skills[number]) for number in range(len(self.names))]

    def _line(self, contestant: int, elo: Elo, skill: Skill) -> Line:
        taken = self.sheet.seats[:, contestant]
        games = int(self._games[taken > 0].sum())
        seats = int((self._games * taken).sum())
        failures = [
            (number, failure.reason)
            for number, found in self.sheet.failures.items()
            for failure in found
            if failure.contestant == contestant
        ]
        return Line(
            bot=self.names[contestant],
            games=games,
            wins=int(self._wins[:, contestant].sum()),
            expected=seats / games / self.tournament.players if games else 0.0,
            elo=elo,
            skill=skill,
            faults=dict(Counter(reason for _, reason in failures).most_common()),
            games_with_fault=len({number for number, _ in failures}),
            seconds_per_choice=self._pace(contestant),
        )

    def _pace(self, contestant: int) -> float | None:
        seconds, choices = 0.0, 0
        for seats in self.sheet.thinking.values():
            for one, thought, chosen in seats:
                if one == contestant:
                    seconds += thought
                    choices += chosen
        return seconds / choices if choices else None

    @cached_property
    def cross(self) -> list[Pair]:
        """Every bot against every other."""
        there = self.sheet.seats > 0
        pairs = []
        for one, other in permutations(range(len(self.names)), 2):
            met = there[:, one] & there[:, other]
            won, lost = (int(self._wins[met, who].sum()) for who in (one, other))
            games = int(self._games[met].sum())
            pairs.append(Pair(self.names[one], self.names[other], games, won, lost))
        return pairs

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        tournament, outcome = self.tournament, self.outcome
        lineups = tournament.schedule.lineups
        return {
            **tournament.ruleset.as_dict(),
            "players": tournament.players,
            "bots": [contestant.spec for contestant in tournament.contestants],
            "seed": tournament.seed,
            "games": self.games,
            "games_asked": tournament.games,
            "interrupted": outcome.interrupted,
            "draws": self.draws,
            "mean_turns": self.mean_turns,
            "results": [line.as_dict() for line in self.lines],
            "cross_table": [pair.as_dict() for pair in self.cross],
            "sprt": outcome.verdict.as_dict() if outcome.verdict else None,
            "lineups": [[self.names[one] for one in lineup] for lineup in lineups],
            "seconds": outcome.seconds,
        }
