"""The ladder: who stands above whom, in every edition, with its sets, for every number of players."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from dicetown import __version__
from dicetown.arena.contests.contestants import enter
from dicetown.arena.contests.standings import Line, Standings
from dicetown.arena.contests.tournament import Tournament
from dicetown.arena.simulate import simulate
from dicetown.bots import BOTS
from dicetown.bots.rules.scripts import load_scripts
from dicetown.cores import usable_cores
from dicetown.material import load
from dicetown.rules.ruleset import Ruleset

#: Who stands on the ladder, as far as there is such a bot: the levels, those that follow rules, …
RUNGS = ("beginner", "easy", "normal", "hard", "master", "greedy", "planner")
#: … and so many of the scripted strategies that do best in a game.
SCRIPTS = 1
#: Games against greedy in which scripted strategies are compared.
_TRIALS = 500
_PREFACE = """\
How often each bot wins, with its 95 % interval, and in brackets its Elo, of which 0 is the average of its
column. All combinations of bots play, from every seat and with the same dice; where there are fewer bots than
seats, the last named fills those that are left. By chance a seat wins one game in as many as it has players.
`hard` is `champion`.
"""


@dataclass(frozen=True)
class Rung:
    """One table of the ladder: a ruleset, and how many play it."""

    ruleset: Ruleset
    players: int

    @property
    def title(self) -> str:
        """What is played.

        >>> Rung(Ruleset("deluxe", sets=["base", "harbor"]), 4).title
        'deluxe: base, harbor'
        """
        return f"{self.ruleset.edition.id}: {', '.join(self.ruleset.set_ids)}"


def set_choices(edition: str) -> list[tuple[str, ...]]:
    """The sets that are worth a table of their own: the base game, with Harbor, and everything.

    >>> set_choices("ciudad")
    [('base',), ('base', 'harbor')]
    """
    known = tuple(part.id for part in load().editions[edition].sets)
    choices = [known[:1], tuple(one for one in known if one in (known[0], "harbor")), known]
    return list(dict.fromkeys(choices))


def rungs(editions: Sequence[str], players: Sequence[int] = ()) -> Iterator[Rung]:
    """All tables of some editions; only those for these numbers of players, if there are any."""
    for edition in editions:
        for sets in set_choices(edition):
            ruleset = Ruleset(edition, sets=sets)
            for number in range(ruleset.min_players, ruleset.max_players + 1):
                if not players or number in players:
                    yield Rung(ruleset, number)


def climbers(rung: Rung, bots: Sequence[str] = ()) -> list[str]:
    """Who plays at a table: the bots named, or the whole ladder."""
    if bots:
        return list(bots)
    return [bot for bot in RUNGS if bot in BOTS] + best_scripts(rung, SCRIPTS)


def best_scripts(rung: Rung, count: int) -> list[str]:
    """The scripted strategies that win most often at a table of greedy bots."""
    wins = {
        name: simulate(
            rung.ruleset, rung.players, [name, *["greedy"] * (rung.players - 1)], _TRIALS, seed=1
        ).wins[0]
        for name in load_scripts()
    }
    return sorted(wins, key=lambda name: -wins[name])[:count]


def tournament_at(
    rung: Rung, bots: Sequence[str], games: int, seed: int, seconds: float | None
) -> Tournament:
    """The tournament of a table."""
    contestants = enter(climbers(rung, bots), seconds)
    return Tournament(rung.ruleset, rung.players, contestants, games, seed)


# ---------------------------------------------------------------------------- as text


def as_markdown(reports: Sequence[Standings], command: str) -> str:
    """The ladder as a page: a table for each edition with its sets, a column for each number of players."""
    titles = list(dict.fromkeys(_rung(report).title for report in reports))
    parts = ["# The ladder\n", _PREFACE]
    for title in titles:
        parts.append(f"## {title}\n")
        parts.append(_table([report for report in reports if _rung(report).title == title]))
    parts.append(f"Made by `{command}` with Dicetown {__version__} on {date.today()} ({machine()}).\n")
    return "\n".join(parts)


def machine() -> str:
    """What the games ran on, in a few words."""
    return f"{platform.system()} {platform.machine()}, {usable_cores()} cores"


def _rung(report: Standings) -> Rung:
    return Rung(report.tournament.ruleset, report.tournament.players)


def _table(reports: Sequence[Standings]) -> str:
    """The bots of one game, the best first."""
    columns = [{line.bot: line for line in report.lines} for report in reports]
    strengths: dict[str, list[float]] = {}
    for column in columns:
        for bot, line in column.items():
            strengths.setdefault(bot, []).append(line.elo.elo)
    order = sorted(strengths, key=lambda bot: -sum(strengths[bot]) / len(strengths[bot]))
    heads = [f"{report.tournament.players} players" for report in reports]
    rows = [f"| {bot} | " + " | ".join(_cell(column.get(bot)) for column in columns) + " |" for bot in order]
    rule = "|---|" + "---:|" * len(heads)
    games = ", ".join(f"{report.games:,}" for report in reports)
    return "\n".join([f"| bot | {' | '.join(heads)} |", rule, *rows, "", f"Games: {games}.", ""])


def _cell(line: Line | None) -> str:
    if line is None:
        return ""
    low, high = line.interval
    return f"{line.share:.1%} ({low:.1%} – {high:.1%}) [{round(line.elo.elo):+d}]"
