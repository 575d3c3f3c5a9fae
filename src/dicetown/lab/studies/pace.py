"""How games go: how long they take, who sits well, whether one can come back, and how long the end takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from dicetown.lab.findings.figures import style_of
from dicetown.lab.findings.section import (
    Cell,
    Chart,
    Column,
    Estimate,
    Section,
    Table,
    mean_estimate,
    share_estimate,
)
from dicetown.lab.record.folder import Recorded
from dicetown.lab.record.query import database
from dicetown.lab.studies.labels import labels_for
from dicetown.lab.studies.study import words_of
from dicetown.material.catalogue import Catalogue

if TYPE_CHECKING:
    import duckdb

#: Columns of a histogram, at most; turns come in groups where there are more.
BINS = 60
#: The shortest and the longest games are left out of the picture.
TAIL = 0.002
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class Pace:
    """How the games of a sample went."""

    games: int
    decided: int  # games that somebody won
    turns: Estimate
    decisions: Estimate
    quantiles: tuple[float, ...]  # of the turns
    endgame: Estimate | None
    wins: tuple[int, ...]  # seat by seat
    winners_by_rank: tuple[int, ...]  # how many winners were first, second, … at half-time

    @property
    def shares(self) -> tuple[Estimate, ...]:
        """The share of games that each seat won, of those that somebody won."""
        return tuple(share_estimate(won, self.decided) for won in self.wins)

    @property
    def comebacks(self) -> Estimate:
        """How often the winner did not lead at half-time."""
        return share_estimate(self.decided - self.winners_by_rank[0], self.decided)

    @property
    def from_last(self) -> Estimate:
        """How often the winner was last at half-time."""
        return share_estimate(self.winners_by_rank[-1], self.decided)


def study(recorded: Sequence[Recorded], language: str) -> Section:
    """Turns and decisions, seats, half-time and the end-game."""
    words, labels = words_of("pace", language), labels_for(recorded, language)
    paces = [pace_of(one) for one in recorded]
    names = [label or words.say("pace.all") for label in labels]
    alike = [len(set(one.bots)) == 1 for one in recorded]
    tables = [
        _lengths(paces, names, words),
        _course(paces, names, words),
        _seats(paces, names, alike, words),
        _half_time(paces, names, words),
        _turns(recorded, names, words),
    ]
    several = len(recorded) > 1
    return Section(
        key="pace",
        title=words.say("pace.title"),
        question=words.say("pace.question"),
        answer=_answer(paces, labels, alike, words),
        tables=tuple(table for table in tables if table.rows),
        charts=tuple(chart for chart in _charts(several, words) if _has_rows(chart, tables)),
        notes=tuple(words.say(f"note.{key}") for key in ("turns", "seats", "half", "endgame")),
    )


# ------------------------------------------------------------------------------ counting


def pace_of(recorded: Recorded) -> Pace:
    """What the games of a sample come to."""
    with database() as connection:
        found = connection.execute(
            """SELECT count(*), sum(turns)::DOUBLE, sum(turns::DOUBLE * turns), sum(decisions)::DOUBLE,
                      sum(decisions::DOUBLE * decisions), quantile_cont(turns, $2),
                      count(*) FILTER (endgame >= 0), sum(endgame) FILTER (endgame >= 0)::DOUBLE,
                      sum(endgame::DOUBLE * endgame) FILTER (endgame >= 0)
               FROM read_parquet($1)""",
            [recorded.games, list(QUANTILES)],
        ).fetchall()[0]
        wins = _count(connection.execute("SELECT winner FROM read_parquet(?)", [recorded.games]), recorded)
        ranks = _count(
            connection.execute(
                "SELECT half_rank_of_winner FROM read_parquet(?) WHERE winner >= 0", [recorded.games]
            ),
            recorded,
        )
    games, turns, turns_squared, decisions, decisions_squared, quantiles, ends, end, end_squared = found
    return Pace(
        games=games,
        decided=sum(wins),
        turns=mean_estimate(games, turns, turns_squared) or Estimate(0, 0, 0),
        decisions=mean_estimate(games, decisions, decisions_squared) or Estimate(0, 0, 0),
        quantiles=tuple(quantiles),
        endgame=mean_estimate(ends, end or 0.0, end_squared or 0.0),
        wins=wins,
        winners_by_rank=ranks,
    )


def _count(asked: duckdb.DuckDBPyConnection, recorded: Recorded) -> tuple[int, ...]:
    """How often each of as many numbers as there are seats occurs in what was asked for, from 0 on."""
    numbers = next(iter(asked.fetchnumpy().values()))
    return tuple(int((numbers == number).sum()) for number in range(recorded.seats))


def _turn_counts(recorded: Recorded) -> list[tuple[int, int]]:
    """How many games took so many turns."""
    with database() as connection:
        return connection.execute(
            "SELECT turns, count(*) FROM read_parquet(?) GROUP BY turns ORDER BY turns", [recorded.games]
        ).fetchall()


# -------------------------------------------------------------------------------- tables


def _lengths(paces: Sequence[Pace], names: Sequence[str], words: Catalogue) -> Table:
    within = (
        Column(f"within{percent}", words.say("column.within", percent=percent), "count")
        for percent in (round(100 * quantile) for quantile in QUANTILES)
    )
    columns = (
        Column("sample", words.say("column.sample"), "name"),
        Column("turns", words.say("column.turns"), "number"),
        Column("rounds", words.say("column.rounds"), "number", 1),
        *within,
        Column("decisions", words.say("column.decisions"), "number"),
        Column("games", words.say("column.games"), "count"),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            name,
            pace.turns,
            pace.turns.value / len(pace.wins),
            *(round(quantile) for quantile in pace.quantiles),
            pace.decisions,
            pace.games,
        )
        for name, pace in zip(names, paces, strict=True)
    )
    return Table("pace", words.say("table.pace"), columns, rows)


def _course(paces: Sequence[Pace], names: Sequence[str], words: Catalogue) -> Table:
    columns = (
        Column("sample", words.say("column.sample"), "name"),
        Column("comebacks", words.say("column.comebacks"), "share"),
        Column("from_last", words.say("column.from_last"), "share"),
        Column("endgame", words.say("column.endgame"), "number"),
        Column("undecided", words.say("column.undecided"), "share"),
    )
    rows = tuple(
        (name, pace.comebacks, pace.from_last, pace.endgame, 1 - pace.decided / pace.games)
        for name, pace in zip(names, paces, strict=True)
    )
    return Table("course", words.say("table.course"), columns, rows)


def _seats(paces: Sequence[Pace], names: Sequence[str], alike: Sequence[bool], words: Catalogue) -> Table:
    """What each seat wins, where the same bot sits on all of them."""
    columns = (
        Column("sample", words.say("column.sample"), "name"),
        Column("seat", words.say("column.seat"), "name"),
        Column("won", words.say("column.won"), "share"),
        Column("ahead", words.say("column.ahead"), "points"),
    )
    rows = []
    for name, pace, is_alike in zip(names, paces, alike, strict=True):
        for seat, share in enumerate(pace.shares if is_alike else (), start=1):
            fair = 1 / len(pace.wins)
            ahead = Estimate(share.value - fair, share.low - fair, share.high - fair)
            rows.append((name, words.say("seat.number", number=seat), share, ahead))
    return Table("seats", words.say("table.seats"), columns, tuple(rows))


def _half_time(paces: Sequence[Pace], names: Sequence[str], words: Catalogue) -> Table:
    """Where winners stood at half-time."""
    columns = (
        Column("sample", words.say("column.sample"), "name"),
        Column("rank", words.say("column.rank"), "name"),
        Column("share", words.say("column.winners"), "share"),
    )
    rows = tuple(
        (name, words.say("rank.number", number=rank), share_estimate(winners, pace.decided))
        for name, pace in zip(names, paces, strict=True)
        for rank, winners in enumerate(pace.winners_by_rank, start=1)
    )
    return Table("half", words.say("table.half"), columns, rows)


def _turns(recorded: Sequence[Recorded], names: Sequence[str], words: Catalogue) -> Table:
    """How many games took how long, for the picture: turns in groups, the tails cut off."""
    counts = [_turn_counts(one) for one in recorded]
    ends = [end for found in counts for end in _ends(found)]
    least, most = min(ends, default=0), max(ends, default=0)
    step = max(1, -(-(most - least + 1) // BINS))
    columns = (
        Column("sample", words.say("column.sample"), "name"),
        Column("turns", words.say("column.turns"), "number"),
        Column("share", words.say("column.share"), "share"),
    )
    rows = []
    for name, found in zip(names, counts, strict=True):
        games = sum(times for _, times in found)
        for begin in range(least, most + 1, step):
            share = sum(times for turns, times in found if begin <= turns < begin + step) / games
            rows.append((name, begin + (step - 1) / 2, share))
    return Table("turns", words.say("table.turns"), columns, tuple(rows), shown=False)


def _ends(counts: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The turns between which all but the tails lie.

    >>> _ends([(10, 1), (20, 998), (90, 1)])
    (20, 20)
    """
    games, seen, inside = sum(times for _, times in counts), 0, []
    for turns, times in counts:
        seen += times
        if TAIL * games < seen and seen - times < (1 - TAIL) * games:
            inside.append(turns)
    return inside[0], inside[-1]


# ------------------------------------------------------------------------------- telling


def _charts(several: bool, words: Catalogue) -> list[Chart]:
    by_sample = "sample" if several else None
    return [
        Chart("histogram", words.say("chart.turns"), "turns", "turns", "share", colour=by_sample),
        Chart("dots", words.say("chart.seats"), "seats", "seat", "ahead", colour=by_sample, line_at=0.0),
        Chart("dots", words.say("chart.half"), "half", "rank", "share", colour=by_sample),
    ]


def _has_rows(chart: Chart, tables: Sequence[Table]) -> bool:
    return any(table.key == chart.table and table.rows for table in tables)


def _answer(paces: Sequence[Pace], labels: Sequence[str], alike: Sequence[bool], words: Catalogue) -> str:
    """How long games are, who sits best, how often who is behind still wins; of several samples, the ends."""
    everybody = list(zip(paces, labels, strict=True))
    seated = [one for one, is_alike in zip(everybody, alike, strict=True) if is_alike]
    many = [one for one in everybody if len(one[0].wins) > 2]
    told = [words.say("answer.turns", turns=_span(everybody, lambda pace: pace.turns, "number", words))]
    if seated:
        first = _span(seated, lambda pace: pace.shares[0], "share", words)
        last = _span(seated, lambda pace: pace.shares[-1], "share", words)
        told.append(words.say("answer.seats", first=first, last=last))
    comebacks = _span(everybody, lambda pace: pace.comebacks, "share", words)
    told.append(words.say("answer.comebacks", share=comebacks))
    if many:
        from_last = _span(many, lambda pace: pace.from_last, "share", words)
        told.append(words.say("answer.from_last", share=from_last))
    return "; ".join(told) + "."


def _span(
    paces: Sequence[tuple[Pace, str]],
    figure: Callable[[Pace], Estimate],
    kind: Literal["number", "share"],
    words: Catalogue,
) -> str:
    """A figure with its interval; of several samples the smallest and the largest, and whose they are."""
    style = style_of(words.language)
    ends = sorted(((figure(pace), label) for pace, label in paces), key=lambda one: one[0].value)
    if len(ends) == 1:
        return style.number_of(ends[0][0]) if kind == "number" else style.share_of(ends[0][0])
    write = style.number if kind == "number" else style.share
    (least, whose), (most, others) = ends[0], ends[-1]
    return words.say(
        "answer.span", least=write(least.value), whose=whose, most=write(most.value), others=others
    )
