"""One die or two: what players choose when they may, when they begin to choose two, and who wins with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dicetown.lab.findings.clusters import SUMS, Clustered, share_of_sums
from dicetown.lab.findings.figures import style_of
from dicetown.lab.findings.section import Chart, Column, Estimate, Section, Table, mean_estimate
from dicetown.lab.findings.together import widened
from dicetown.lab.record.folder import Recorded
from dicetown.lab.record.query import batches, database
from dicetown.lab.studies.labels import labels_for
from dicetown.lab.studies.openings import expect
from dicetown.lab.studies.study import words_of
from dicetown.material.catalogue import Catalogue

if TYPE_CHECKING:
    import duckdb

#: Own turns up to which the beginning is followed.
TURNS = 30
#: Games that are looked at turn by turn and card by card: enough for intervals below half a point.
CLOSELY = 50_000
#: High cards need so much: more than one die can show.
HIGH = 7
#: From so many high cards on, cities are one group.
MANY_HIGH = 6
#: Where two dice are chosen less often than this, there is nothing to draw.
SELDOM = 0.005
#: Players or choices that make a group worth a figure.
LEAST = 100
#: Groups of players by how often they chose two dice; quarters between never and always.
HABITS = ("never", "seldom", "less", "more", "mostly", "always")
_HABIT = """CASE WHEN two_dice = 0 THEN 0 WHEN two_dice = could_choose THEN 5
            ELSE 1 + least(3, 4 * two_dice // could_choose) END"""


@dataclass(frozen=True)
class Dice:
    """How the players of a sample chose their dice. Without any choice, there is nothing but zeros."""

    choices: float  # turns in which one could choose, per player
    two: Estimate | None  # how often it was two
    first: Estimate | None  # own turn of the first two, of those who ever chose them
    begun: tuple[Estimate, ...]  # the share of players who had chosen two by each own turn, from 1 on
    by_habit: tuple[tuple[int, float, Estimate], ...]  # group, share of players, won against expectation
    by_city: tuple[tuple[int, float, Estimate], ...]  # high cards bought, share of players, how often two


def study(recorded: Sequence[Recorded], language: str) -> Section:
    """One die or two, by turn, by city, and by who wins."""
    words, labels = words_of("dice", language), labels_for(recorded, language)
    names = [label or words.say("dice.all") for label in labels]
    found = [dice_of(one) for one in recorded]
    tables = (
        _overview(found, names, words),
        _habits(found, names, words),
        _cities(found, names, words),
        _begun(found, names, words),
    )
    by_sample = "sample" if len(recorded) > 1 else None
    charts = (
        Chart("lines", words.say("chart.begun"), "begun", "turn", "share", colour=by_sample),
        Chart("dots", words.say("chart.cities"), "cities", "high", "two", colour=by_sample),
        Chart("dots", words.say("chart.habits"), "habits", "habit", "ahead", colour=by_sample, line_at=0.0),
    )
    return Section(
        key="dice",
        title=words.say("dice.title"),
        question=words.say("dice.question"),
        answer=_answer(found, labels, words),
        tables=tuple(table for table in tables if table.rows),
        charts=charts if _worth_drawing(found) else (),
        notes=tuple(words.say(f"note.{key}") for key in ("choice", "cities", "habits", "interval")),
    )


def _worth_drawing(found: Sequence[Dice]) -> bool:
    """Whether anybody chooses two dice more than once in a while."""
    return any(dice.two is not None and dice.two.value >= SELDOM for dice in found)


# ------------------------------------------------------------------------------ counting


def dice_of(recorded: Recorded) -> Dice:
    """What the players of a sample chose."""
    with database() as connection:
        choices, players, count, total, squares = connection.execute(
            """SELECT sum(could_choose), count(*), count(*) FILTER (first_two_dice > 0),
                      coalesce(sum(first_two_dice), 0)::DOUBLE,
                      coalesce(sum(first_two_dice::DOUBLE * first_two_dice), 0)
               FROM read_parquet($1)""",
            [recorded.players],
        ).fetchall()[0]
        if not choices:
            return Dice(0.0, None, None, (), (), ())
        return Dice(
            choices=choices / players,
            two=_two_dice(connection, recorded),
            first=mean_estimate(count, total, squares),
            begun=_begun_by_turn(connection, recorded),
            by_habit=_by_habit(connection, recorded),
            by_city=_by_city(connection, recorded),
        )


def _sums(
    connection: duckdb.DuckDBPyConnection, by_game: str, files: list[str], **more: object
) -> dict[int, Clustered]:
    """Sums over games of a query that gives `key`, and `m` and `x` for each game."""
    rows = connection.execute(
        f"SELECT key, {SUMS} FROM ({by_game}) GROUP BY key", {"files": files, **more}
    ).fetchall()
    return {key: Clustered(*numbers) for key, *numbers in rows}


def _over_batches(
    connection: duckdb.DuckDBPyConnection, recorded: Recorded, by_game: str
) -> dict[int, Clustered]:
    """The same, for all games of a sample, some at a time."""
    found: dict[int, Clustered] = {}
    for parts in batches(recorded):
        files = [recorded.file("players", part) for part in parts]
        for key, sums in _sums(connection, by_game, files).items():
            found[key] = found.get(key, Clustered()) + sums
    return found


def _closely(recorded: Recorded, table: str) -> list[str]:
    """The files of the games that are looked at closely."""
    parts = recorded.parts[: max(1, CLOSELY // recorded.manifest.games_per_part)]
    return [recorded.file(table, part) for part in parts]


def _two_dice(connection: duckdb.DuckDBPyConnection, recorded: Recorded) -> Estimate | None:
    found = _over_batches(
        connection,
        recorded,
        """SELECT 0 AS key, sum(could_choose) AS m, sum(two_dice) AS x
           FROM read_parquet($files) GROUP BY game HAVING m > 0""",
    )
    return share_of_sums(found[0])


def _begun_by_turn(connection: duckdb.DuckDBPyConnection, recorded: Recorded) -> tuple[Estimate, ...]:
    """The share of all players who had chosen two dice by each own turn."""
    found = _sums(
        connection,
        """SELECT turn AS key, count(*) AS m, count_if(first_two_dice BETWEEN 1 AND turn) AS x
           FROM read_parquet($files), range(1, $turns + 1) AS turns(turn) GROUP BY game, turn""",
        _closely(recorded, "players"),
        turns=TURNS,
    )
    return tuple(share for turn in range(1, TURNS + 1) if (share := share_of_sums(found[turn])) is not None)


def _by_habit(
    connection: duckdb.DuckDBPyConnection, recorded: Recorded
) -> tuple[tuple[int, float, Estimate], ...]:
    """Who could choose: won games against those of all who could, by how often they chose two."""
    expect(connection, recorded, "could_choose > 0")
    found = _over_batches(
        connection,
        recorded,
        f"""SELECT {_HABIT} AS key, count(*) AS m, sum(won::INT - expected) AS x
            FROM read_parquet($files) JOIN expectations USING (seat, bot)
            WHERE could_choose > 0 GROUP BY game, key""",
    )
    groups = _groups(found, lambda sums: sums.estimate)
    return tuple((key, share, widened(figure, len(groups))) for key, share, figure in groups)


def _by_city(
    connection: duckdb.DuckDBPyConnection, recorded: Recorded
) -> tuple[tuple[int, float, Estimate], ...]:
    """How often two dice were chosen, by how many high cards a player bought."""
    high = [number for number, card in enumerate(recorded.ruleset.cards) if card.rolls[0] >= HIGH]
    connection.execute(
        """CREATE OR REPLACE TEMP TABLE cities AS SELECT game, seat, count(*) AS high
           FROM read_parquet($1) WHERE list_contains($2, thing::INT) GROUP BY game, seat""",
        [_closely(recorded, "purchases"), high],
    )
    files = _closely(recorded, "players")
    chosen = _sums(
        connection,
        """SELECT least(coalesce(high, 0), $many) AS key, sum(could_choose) AS m, sum(two_dice) AS x
           FROM read_parquet($files) LEFT JOIN cities USING (game, seat)
           WHERE could_choose > 0 GROUP BY game, key""",
        files,
        many=MANY_HIGH,
    )
    return _groups(chosen, share_of_sums)


def _groups(
    found: dict[int, Clustered], estimate: Callable[[Clustered], Estimate | None]
) -> tuple[tuple[int, float, Estimate], ...]:
    """Groups in order, each with its part of the whole; of the smallest nothing could be said."""
    whole = sum(sums.m for sums in found.values())
    return tuple(
        (key, found[key].m / whole, figure)
        for key in sorted(found)
        if found[key].m >= LEAST and (figure := estimate(found[key])) is not None
    )


# -------------------------------------------------------------------------------- tables


def _overview(found: Sequence[Dice], names: Sequence[str], words: Catalogue) -> Table:
    columns = (
        Column("sample", words.say("column.sample"), "name"),
        Column("choices", words.say("column.choices"), "number", 1),
        Column("two", words.say("column.two"), "share"),
        Column("first", words.say("column.first"), "number"),
        Column("ever", words.say("column.ever"), "share"),
    )
    rows = tuple(
        (name, dice.choices, dice.two, dice.first, dice.begun[-1] if dice.begun else None)
        for name, dice in zip(names, found, strict=True)
    )
    return Table("dice", words.say("table.dice"), columns, rows)


def _habits(found: Sequence[Dice], names: Sequence[str], words: Catalogue) -> Table:
    columns = (
        Column("sample", words.say("column.sample"), "name"),
        Column("habit", words.say("column.habit"), "name"),
        Column("ahead", words.say("column.ahead"), "points"),
        Column("share", words.say("column.players"), "share", 1),
    )
    rows = tuple(
        (name, words.say(f"habit.{HABITS[group]}"), ahead, share)
        for wanted in range(len(HABITS))
        for name, dice in zip(names, found, strict=True)
        for group, share, ahead in dice.by_habit
        if group == wanted
    )
    return Table("habits", words.say("table.habits"), columns, rows)


def _cities(found: Sequence[Dice], names: Sequence[str], words: Catalogue) -> Table:
    columns = (
        Column("sample", words.say("column.sample"), "name"),
        Column("high", words.say("column.high"), "name"),
        Column("two", words.say("column.two"), "share"),
        Column("share", words.say("column.turns"), "share", 1),
    )
    rows = tuple(
        (name, f"{high}" if high < MANY_HIGH else f"{high}+", two, share)
        for wanted in range(MANY_HIGH + 1)
        for name, dice in zip(names, found, strict=True)
        for high, share, two in dice.by_city
        if high == wanted
    )
    return Table("cities", words.say("table.cities"), columns, rows)


def _begun(found: Sequence[Dice], names: Sequence[str], words: Catalogue) -> Table:
    columns = (
        Column("sample", words.say("column.sample"), "name"),
        Column("turn", words.say("column.turn"), "number"),
        Column("share", words.say("column.begun"), "share"),
    )
    rows = tuple(
        (name, turn, share)
        for name, dice in zip(names, found, strict=True)
        for turn, share in enumerate(dice.begun, start=1)
    )
    return Table("begun", words.say("table.begun"), columns, rows, shown=False)


def _answer(found: Sequence[Dice], labels: Sequence[str], words: Catalogue) -> str:
    """How often two dice are chosen, from when on, and which habit wins; sample by sample."""
    style, parts = style_of(words.language), []
    for dice, label in zip(found, labels, strict=True):
        if dice.two is None:
            told = words.say("answer.none")
        else:
            share = style.share(dice.two.value) if label else style.share_of(dice.two)
            told = words.say("answer.two", share=share)
            if dice.first is not None:
                told += words.say("answer.first", turn=style.number(dice.first.value))
            if len(dice.by_habit) > 1 and not label:
                group, _, ahead = max(dice.by_habit, key=lambda one: one[2].low)
                habit = words.say(f"habit.{HABITS[group]}")
                told += words.say("answer.habit", habit=habit, lead=style.points_of(ahead))
        parts.append(f"{label}: {told}" if label else told)
    if not labels[0]:
        return f"{parts[0]}."
    return words.say("answer.several", parts="; ".join(parts))
