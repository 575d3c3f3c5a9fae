"""What two samples of the same games differ in: sums over games, gathered batch by batch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dicetown.errors import LabError
from dicetown.lab.findings.clusters import Clustered
from dicetown.lab.findings.pairs import Paired
from dicetown.lab.record.folder import Recorded
from dicetown.lab.record.query import batches, database

if TYPE_CHECKING:
    import duckdb

#: What is told of a game, in SQL over its row.
COURSE = {
    "turns": "turns",
    "decisions": "decisions",
    "endgame": "greatest(endgame, 0)",
    "comeback": "(half_rank_of_winner > 0)::INT",
    "drawn": "(winner < 0)::INT",
}


@dataclass
class Differences:
    """Two samples, side by side."""

    games: int = 0
    course: dict[str, Paired] = field(default_factory=lambda: defaultdict(Paired))
    seats: dict[int, Paired] = field(default_factory=lambda: defaultdict(Paired))
    copies: dict[str, Paired] = field(default_factory=lambda: defaultdict(Paired))  # bought in a game
    owners: dict[str, Paired] = field(default_factory=lambda: defaultdict(Paired))  # won beyond expectation


def compare(original: Recorded, changed: Recorded) -> Differences:
    """Go through the games that both samples have."""
    found = Differences()
    common = set(original.parts) & set(changed.parts)
    if not common:
        raise LabError(f"{original.name} and {changed.name} have no games in common yet; --resume plays on.")
    with database() as asked:
        for name, one in (("original", original), ("changed", changed)):
            _note_names(asked, name, one)
            _note_seats(asked, name, one)
        for parts in batches(original):
            if both := [part for part in parts if part in common]:
                _add_batch(asked, (original, changed), both, found)
    order = [*original.things.values(), *changed.things.values()]
    found.copies = {thing: found.copies[thing] for thing in dict.fromkeys(order) if thing in found.copies}
    return found


def _note_names(asked: duckdb.DuckDBPyConnection, name: str, recorded: Recorded) -> None:
    """A change may shift the numbers of cards, which follow from rolls and prices; their names stay."""
    names = ", ".join(f"({thing}::TINYINT, '{word}')" for thing, word in recorded.things.items())
    asked.execute(
        f"CREATE TEMP TABLE names_{name} AS SELECT * FROM (VALUES {names}) AS of_things(thing, name)"
    )


def _note_seats(asked: duckdb.DuckDBPyConnection, name: str, recorded: Recorded) -> None:
    asked.execute(
        f"""CREATE TEMP TABLE seats_{name} AS
            SELECT seat, avg(won::INT) AS expected FROM read_parquet(?) GROUP BY seat""",
        [recorded.players],
    )


def _add_batch(
    asked: duckdb.DuckDBPyConnection,
    both: tuple[Recorded, Recorded],
    parts: Sequence[int],
    found: Differences,
) -> None:
    for name, one in zip(("original", "changed"), both, strict=True):
        files = {table: [one.file(table, part) for part in parts] for table in ("games", "purchases")}
        asked.execute(f"CREATE OR REPLACE TEMP TABLE games_{name} AS FROM read_parquet(?)", [files["games"]])
        asked.execute(
            f"""CREATE OR REPLACE TEMP TABLE owners_{name} AS
                SELECT game, name, count(*) AS m, sum(beyond) AS x, sum(copies) AS copies FROM (
                    SELECT game, name, count(*) AS copies,
                           any_value(won)::INT - any_value(expected) AS beyond
                    FROM read_parquet(?) JOIN names_{name} USING (thing) JOIN seats_{name} USING (seat)
                    GROUP BY game, seat, name
                ) GROUP BY game, name""",
            [files["purchases"]],
        )
    _add_games(asked, both[0].seats, found)
    _add_owners(asked, found)


def _add_games(asked: duckdb.DuckDBPyConnection, seats: int, found: Differences) -> None:
    measures = {**COURSE, **{f"seat{seat}": f"(winner = {seat})::INT" for seat in range(seats)}}
    told = ", ".join(f"({sql})::DOUBLE AS {measure}" for measure, sql in measures.items())
    sums = ", ".join(
        f"sum(a.{one}), sum(b.{one}), sum(a.{one} ** 2), sum(b.{one} ** 2), sum(a.{one} * b.{one})"
        for one in measures
    )
    row = asked.execute(
        f"""SELECT count(*), {sums} FROM (SELECT game, {told} FROM games_original) a
            JOIN (SELECT game, {told} FROM games_changed) b USING (game)"""
    ).fetchall()[0]
    games, figures = row[0], row[1:]
    for place, measure in enumerate(measures):
        a, b, aa, bb, ab = figures[5 * place : 5 * place + 5]
        paired = Paired.of_games(games, (a, b), (aa, bb), ab)
        if measure in COURSE:
            found.course[measure] += paired
        else:
            found.seats[place - len(COURSE)] += paired
    for paired_copies in _add_copies(asked, games):
        thing, paired = paired_copies
        found.copies[thing] += paired
    found.games += games


def _add_copies(asked: duckdb.DuckDBPyConnection, games: int) -> list[tuple[str, Paired]]:
    """Copies of each card in a game; where a game has none, the row is missing and counts as 0."""
    rows = asked.execute(
        """SELECT coalesce(a.name, b.name), coalesce(sum(a.copies), 0), coalesce(sum(b.copies), 0),
                  coalesce(sum(a.copies ** 2), 0), coalesce(sum(b.copies ** 2), 0),
                  coalesce(sum(a.copies * b.copies), 0)
           FROM owners_original a FULL JOIN owners_changed b USING (game, name) GROUP BY ALL"""
    ).fetchall()
    return [
        (thing, Paired.of_games(games, (float(a), float(b)), (aa, bb), float(ab)))
        for thing, a, b, aa, bb, ab in rows
    ]


def _add_owners(asked: duckdb.DuckDBPyConnection, found: Differences) -> None:
    """What owners won beyond expectation, in both samples and game by game."""
    rows = asked.execute(
        """SELECT coalesce(a.name, b.name),
                  sum(a.m), sum(a.x), sum(a.x * a.x), sum(a.x * a.m), sum(a.m * a.m),
                  sum(b.m), sum(b.x), sum(b.x * b.x), sum(b.x * b.m), sum(b.m * b.m),
                  sum(a.x * b.x), sum(a.x * b.m), sum(a.m * b.x), sum(a.m * b.m)
           FROM owners_original a FULL JOIN owners_changed b USING (game, name) GROUP BY ALL"""
    ).fetchall()
    for thing, *sums in rows:
        figures = [float(one or 0) for one in sums]
        found.owners[thing] += Paired(Clustered(*figures[:5]), Clustered(*figures[5:10]), *figures[10:])
