"""What the balance of cards is reckoned from: sums over games, gathered batch by batch.

Winning is judged against what was to be expected at a seat: to sit first is worth something, and so is being
the stronger bot. What players came to *beyond* that is 1 less their seat's share for the winner, and 0 less
their seat's share for everybody else.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from dicetown.lab.findings.clusters import SUMS, Clustered
from dicetown.lab.record.folder import Recorded
from dicetown.lab.record.query import batches, database

if TYPE_CHECKING:
    import duckdb

#: Who bought more copies than this is counted among those who bought so many.
MOST_COPIES = 6
#: Purchases are early in the first third of a usual game's own turns.
EARLY = 1 / 3
#: Own turns at which a new group of purchases begins, to see what buying late brings.
TURN_GROUPS = (0, 4, 7, 10, 13, 17, 22)

Key: TypeAlias = tuple[int, ...]
Found: TypeAlias = dict[Key, Clustered]


def _nothing() -> Found:
    return defaultdict(Clustered)


@dataclass
class Sums:
    """Sums by things, or by things and something else."""

    shares: tuple[float, ...]  # of games won, seat by seat
    early: int  # the last own turn that is early
    games: int
    owners: Found = field(default_factory=_nothing)  # x: beyond what was expected
    early_owners: Found = field(default_factory=_nothing)
    by_copies: Found = field(default_factory=_nothing)  # and number of copies bought, none included
    expected: Found = field(default_factory=_nothing)  # x: wins that were expected of owners
    earned: Found = field(default_factory=_nothing)  # m: copies, x: coins they brought
    returned: Found = field(default_factory=_nothing)  # m: their prices, x: coins they brought
    paid_back: Found = field(default_factory=_nothing)  # m: copies, x: those that brought their price
    by_turn: Found = field(default_factory=_nothing)  # and group of turns; m: prices, x: coins
    coins: dict[int, Counter[float]] = field(default_factory=lambda: defaultdict(Counter))  # how often

    @property
    def players(self) -> int:
        """How many sat at a table."""
        return len(self.shares)

    @property
    def things(self) -> list[int]:
        """What was bought at all."""
        return sorted(thing for (thing,) in self.owners)

    def bought(self, thing: int) -> Clustered:
        """Copies bought in a game."""
        copies = self.earned[(thing,)]
        return Clustered(self.games, copies.m, copies.mm, copies.m, self.games)

    def quantile(self, thing: int, share: float) -> float:
        """The coins that this share of the copies did not exceed, to half a coin."""
        coins = self.coins[thing]
        wanted, reached = share * coins.total(), 0
        for amount in sorted(coins):
            reached += coins[amount]
            if reached >= wanted:
                return amount
        return 0.0


def sum_up(recorded: Recorded) -> Sums:
    """Go through a sample once."""
    with database() as asked:
        sums = Sums(_seat_shares(asked, recorded), _early(asked, recorded), recorded.count)
        seats = ", ".join(f"({seat}::TINYINT, {share!r}::DOUBLE)" for seat, share in enumerate(sums.shares))
        asked.execute(
            f"CREATE TEMP TABLE seats AS SELECT * FROM (VALUES {seats}) AS of_seats(seat, expected)"
        )
        for parts in batches(recorded):
            _add_batch(asked, recorded, parts, sums)
    return sums


def _seat_shares(asked: duckdb.DuckDBPyConnection, recorded: Recorded) -> tuple[float, ...]:
    found = asked.execute(
        "SELECT avg(won::INT) FROM read_parquet(?) GROUP BY seat ORDER BY seat", [recorded.players]
    ).fetchall()
    return tuple(share for (share,) in found)


def _early(asked: duckdb.DuckDBPyConnection, recorded: Recorded) -> int:
    found = asked.execute("SELECT avg(own_turns) FROM read_parquet(?)", [recorded.players]).fetchall()
    return max(1, round(float(found[0][0]) * EARLY))


def _add_batch(
    asked: duckdb.DuckDBPyConnection, recorded: Recorded, parts: Iterable[int], sums: Sums
) -> None:
    files = [recorded.file("purchases", part) for part in parts]
    games = [recorded.file("games", part) for part in parts]
    asked.execute(
        """CREATE OR REPLACE TEMP TABLE owners AS
           SELECT game, thing, count(*)::INT AS copies, min(turn) AS since,
                  any_value(expected) AS expected, any_value(won)::INT - any_value(expected) AS beyond
           FROM read_parquet($1) JOIN seats USING (seat) GROUP BY game, seat, thing""",
        [files],
    )
    asked.execute(
        """CREATE OR REPLACE TEMP TABLE copies AS
           SELECT game, thing, count(*)::INT AS copies, sum(earned) AS earned, sum(price)::INT AS price,
                  count_if(earned >= price)::INT AS paid_back
           FROM read_parquet($1) GROUP BY game, thing""",
        [files],
    )
    _add_owners(asked, sums)
    _add_those_without(asked, games, sums)
    for found, m, x in (
        (sums.earned, "copies", "earned"),
        (sums.returned, "price", "earned"),
        (sums.paid_back, "copies", "paid_back"),
    ):
        _add(asked, found, f"SELECT thing, {m} AS m, {x} AS x FROM copies")
    _add_turns_and_coins(asked, files, sums)


def _add(asked: duckdb.DuckDBPyConnection, found: Found, games: str, keys: str = "thing") -> None:
    """Add the sums of a table that has, for each game and key, how many things came to how much."""
    for row in asked.execute(f"SELECT {keys}, {SUMS} FROM ({games}) GROUP BY {keys}").fetchall():
        key, summed = tuple(row[:-5]), row[-5:]
        found[key] += Clustered(*summed)


def _add_owners(asked: duckdb.DuckDBPyConnection, sums: Sums) -> None:
    for found, x, some in (
        (sums.owners, "beyond", ""),
        (sums.expected, "expected", ""),
        (sums.early_owners, "beyond", f"WHERE since <= {sums.early}"),
    ):
        _add(
            asked,
            found,
            f"SELECT thing, count(*) AS m, sum({x}) AS x FROM owners {some} GROUP BY game, thing",
        )
    _add(
        asked,
        sums.by_copies,
        f"""SELECT thing, number, count(*) AS m, sum(beyond) AS x
            FROM (SELECT game, thing, beyond, least(copies, {MOST_COPIES}) AS number FROM owners)
            GROUP BY game, thing, number""",
        "thing, number",
    )


def _add_those_without(asked: duckdb.DuckDBPyConnection, games: list[str], sums: Sums) -> None:
    """Who bought none of a thing: everybody at the table, less its owners."""
    asked.execute(
        f"""CREATE OR REPLACE TEMP TABLE tables AS
            SELECT game, (winner >= 0)::INT - {sum(sums.shares)!r} AS beyond FROM read_parquet($1)""",
        [games],
    )
    having = "SELECT game, thing, count(*) AS m, sum(beyond) AS x FROM owners GROUP BY game, thing"
    _add(
        asked,
        sums.by_copies,
        f"""SELECT thing, 0 AS number, {sums.players} - coalesce(m, 0) AS m, beyond - coalesce(x, 0) AS x
            FROM tables CROSS JOIN (SELECT DISTINCT thing FROM owners)
            LEFT JOIN ({having}) USING (game, thing)""",
        "thing, number",
    )


def _add_turns_and_coins(asked: duckdb.DuckDBPyConnection, files: list[str], sums: Sums) -> None:
    listed = ", ".join(f"'{file}'" for file in (name.replace("'", "''") for name in files))
    purchases = f"read_parquet([{listed}])"
    groups = " + ".join(f"(turn >= {begin})::INT" for begin in TURN_GROUPS[1:])
    _add(
        asked,
        sums.by_turn,
        f"""SELECT thing, part, sum(price) AS m, sum(earned) AS x
            FROM (SELECT game, thing, {groups} AS part, price, earned FROM {purchases})
            GROUP BY game, thing, part""",
        "thing, part",
    )
    counted = f"SELECT thing, round(earned * 2) / 2 AS coins, count(*) FROM {purchases} GROUP BY thing, coins"
    for thing, coins, times in asked.execute(counted).fetchall():
        sums.coins[thing][coins] += times
