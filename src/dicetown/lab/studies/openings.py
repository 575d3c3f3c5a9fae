"""What to buy first: how often players win who began in one way or another.

A player is held against what the same seat and bot won in the whole sample. So 0 means "no better than
anybody else", whatever the number of players, and a first seat's luck is not taken for a good opening.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dicetown.bots import find_bot
from dicetown.bots.programs.pipe import PIPE
from dicetown.lab.findings.clusters import SUMS, Clustered, share_of_sums
from dicetown.lab.findings.figures import style_of
from dicetown.lab.findings.section import Cell, Chart, Column, Estimate, Section, Table
from dicetown.lab.findings.together import widened, z_among
from dicetown.lab.record.folder import Recorded
from dicetown.lab.record.query import batches, database
from dicetown.lab.record.sample import Sample
from dicetown.lab.studies.labels import labels_for
from dicetown.lab.studies.study import Wish, usual_samples, words_of
from dicetown.material.catalogue import Catalogue
from dicetown.rules.codes import MAX_CARDS

if TYPE_CHECKING:
    import duckdb

#: An opening that fewer players choose is put together with others like it …
RARE = 0.005
#: … and so are those that hardly any player at all chose, and those beyond so many.
LEAST = 50
MOST = 20
#: The best first landmark is one that many build: some are first only for who is rich already.
COMMON = 0.05
#: How bots are made to begin otherwise than they would, by the option they have for it.
STRAYING = {"slips": "slips=100", "temperature": "temperature=4"}
_BASE = 128  # things in a key: more than there are

#: What an opening is: how its key is made of a player's row, and when there is one.
_FIRST = "first", "first >= 0"
_PAIR = f"least(first, second)::INT * {_BASE} + greatest(first, second)", "second >= 0"
_LOW, _HIGH = "least(first, second, third)::INT", "greatest(first, second, third)::INT"
_THREE = (
    f"({_LOW} * {_BASE} + (first::INT + second + third - {_LOW} - {_HIGH})) * {_BASE} + {_HIGH}",
    "third >= 0",
)
_LANDMARK = f"first_landmark::INT + {MAX_CARDS}", "first_landmark >= 0"
KINDS: Mapping[str, tuple[str, str]] = {
    "first": _FIRST,
    "pair": _PAIR,
    "three": _THREE,
    "landmark": _LANDMARK,
}


@dataclass(frozen=True)
class Opening:
    """How one way to begin went; without things it is all the rare ones together."""

    things: tuple[int, ...]
    players: int  # who began so
    share: float  # of all players
    won: Estimate  # like the next, as one of all openings of a sample: the best may be picked
    ahead: Estimate  # of what was expected of them


def samples_for(wish: Wish) -> tuple[Sample, ...]:
    """The usual samples, but bots that can stray do so now and then: else nearly all would begin alike."""
    lineups = tuple(tuple(map(straying, lineup)) for lineup in wish.lineups)
    return usual_samples(replace(wish, lineups=lineups))


def straying(bot: str) -> str:
    """A bot that slips one time in ten, or chooses freely among what it likes, if nothing else is said.

    >>> straying("greedy"), straying("greedy:slips=5"), straying("cheese"), straying("champion")
    ('greedy:slips=100', 'greedy:slips=5', 'cheese', 'champion:temperature=4')
    """
    name, *settings = bot.split(":")
    options = () if name == PIPE.rstrip(":") else find_bot(name).options
    ways = [way for option, way in STRAYING.items() if option in options and option not in "".join(settings)]
    return ":".join([bot, *ways])


def study(recorded: Sequence[Recorded], language: str) -> Section:
    """First purchase, first two, first three and first landmark, against the games won."""
    words, labels = words_of("openings", language), labels_for(recorded, language)
    found = {kind: [openings(one, kind) for one in recorded] for kind in KINDS}
    tables = tuple(_table(kind, found[kind], recorded, labels, words) for kind in KINDS)
    return Section(
        key="openings",
        title=words.say("openings.title"),
        question=words.say("openings.question"),
        answer=_answer(found, recorded, labels, words),
        tables=tables,
        charts=tuple(_chart(table, labels, words) for table in tables if table.key in ("first", "landmark")),
        notes=tuple(words.say(f"note.{key}") for key in ("expected", "slips", "luck", "rare", "interval")),
    )


# ------------------------------------------------------------------------------ counting


def openings(recorded: Recorded, kind: str) -> list[Opening]:
    """The openings of a sample, the most frequent first, the rare ones together at the end."""
    key, condition = KINDS[kind]
    won: dict[int, Clustered] = {}
    ahead: dict[int, Clustered] = {}
    with database() as connection:
        expect(connection, recorded, condition)
        for parts in batches(recorded):
            files = [recorded.file("players", part) for part in parts]
            connection.execute(
                f"""CREATE OR REPLACE TEMP TABLE began AS
                SELECT game, {key} AS opening, count(*) AS m, sum(won::INT) AS w,
                       sum(won::INT - expected) AS d
                FROM read_parquet($1) JOIN expectations USING (seat, bot)
                WHERE {condition} GROUP BY ALL""",
                [files],
            )
            for sums, figure in ((won, "w"), (ahead, "d")):
                rows = connection.execute(
                    f"SELECT opening, {SUMS} FROM (SELECT opening, m, {figure} AS x FROM began) GROUP BY ALL"
                ).fetchall()
                for opening, *numbers in rows:
                    sums[opening] = sums.get(opening, Clustered()) + Clustered(*numbers)
    return _gather(won, ahead, things=2 if kind == "pair" else 3 if kind == "three" else 1)


def expect(connection: duckdb.DuckDBPyConnection, recorded: Recorded, where: str = "TRUE") -> None:
    """What each seat with its bot won in the whole sample, if something holds, as a table `expectations`."""
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE expectations AS SELECT seat, bot, avg(won::INT) AS expected "
        f"FROM read_parquet($1) WHERE {where} GROUP BY ALL",
        [recorded.players],
    )


def _gather(won: Mapping[int, Clustered], ahead: Mapping[int, Clustered], things: int) -> list[Opening]:
    """Openings by how often they were chosen; those that are rare become one."""
    total = sum(sums.m for sums in won.values())
    by_size = sorted(won, key=lambda key: (-won[key].m, key))
    kept = [key for key in by_size[:MOST] if won[key].m >= max(LEAST, RARE * total)]
    groups: list[tuple[tuple[int, ...], list[int]]] = [(_things(key, things), [key]) for key in kept]
    if rest := by_size[len(kept) :]:
        groups.append(((), rest))
    found = []
    for names, keys in groups:
        wins, lead = (sum((sums[key] for key in keys), Clustered()) for sums in (won, ahead))
        share = share_of_sums(wins, z_among(len(groups)))
        if wins.m >= LEAST and share is not None and lead.estimate is not None:
            ahead_by = widened(lead.estimate, len(groups))
            found.append(Opening(names, round(wins.m), wins.m / total, share, ahead_by))
    return found


def _things(key: int, things: int) -> tuple[int, ...]:
    """The things that a key is made of.

    >>> _things(1 * 128 + 5, 2)
    (1, 5)
    """
    return tuple(key // _BASE**place % _BASE for place in reversed(range(things)))


# ------------------------------------------------------------------------------- telling


def _table(
    kind: str,
    found: Sequence[Sequence[Opening]],
    recorded: Sequence[Recorded],
    labels: Sequence[str],
    words: Catalogue,
) -> Table:
    """The openings of all samples, the best first."""
    several = len(recorded) > 1
    columns = (
        Column("opening", words.say(f"column.{kind}"), "name"),
        *([Column("sample", words.say("column.sample"), "name")] if several else []),
        Column("ahead", words.say("column.ahead"), "points"),
        Column("won", words.say("column.won"), "share"),
        Column("share", words.say("column.share"), "share", 1),
        Column("players", words.say("column.players"), "count"),
    )
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    for one, label, begun in zip(recorded, labels, found, strict=True):
        for opening in begun:
            name = name_opening(opening, one, words)
            figures = (opening.ahead, opening.won, opening.share, opening.players)
            rows.append((name, (name, label, *figures) if several else (name, *figures)))
    rows.sort(key=_by_lead(rows, words.say("opening.others"), place=2 if several else 1))
    return Table(kind, words.say(f"table.{kind}"), columns, tuple(row for _, row in rows))


def _by_lead(
    rows: Sequence[tuple[str, tuple[Cell, ...]]], others: str, place: int
) -> Callable[[tuple[str, tuple[Cell, ...]]], tuple[bool, float, str]]:
    """Sort names by how far they are ahead on average over the samples; the others come last."""
    leads: dict[str, list[float]] = {}
    for name, row in rows:
        cell = row[place]
        leads.setdefault(name, []).append(cell.value if isinstance(cell, Estimate) else 0.0)
    mean = {name: sum(values) / len(values) for name, values in leads.items()}
    return lambda row: (row[0] == others, -mean[row[0]], row[0])


def name_opening(opening: Opening, recorded: Recorded, words: Catalogue) -> str:
    """The things of an opening by name, a double one as ×2."""
    if not opening.things:
        return words.say("opening.others")
    names = [recorded.thing_name(thing, words.language) for thing in opening.things]
    counted = {name: names.count(name) for name in names}
    return " + ".join(name if copies == 1 else f"{name} ×{copies}" for name, copies in counted.items())


def _chart(table: Table, labels: Sequence[str], words: Catalogue) -> Chart:
    return Chart(
        kind="dots",
        title=words.say(f"chart.{table.key}"),
        table=table.key,
        x="ahead",
        y="opening",
        colour="sample" if len(labels) > 1 else None,
        line_at=0.0,
    )


def _answer(
    found: Mapping[str, Sequence[Sequence[Opening]]],
    recorded: Sequence[Recorded],
    labels: Sequence[str],
    words: Catalogue,
) -> str:
    """The best first purchase and the best first landmark, sample by sample."""
    style, told = style_of(words.language), []
    for kind in ("first", "landmark"):
        parts = []
        for one, label, begun in zip(recorded, labels, found[kind], strict=True):
            if (best := best_of(begun, least=RARE if kind == "first" else COMMON)) is None:
                continue
            thing = name_opening(best, one, words)
            if label:
                lead = style.signed(100 * best.ahead.value)
                parts.append(words.say("answer.of_sample", sample=label, thing=thing, lead=lead))
            else:
                won, lead = style.share_of(best.won), style.points_of(best.ahead)
                parts.append(words.say("answer.alone", thing=thing, won=won, lead=lead))
        said = words.say(f"answer.{kind}", parts="; ".join(parts)) if parts else words.say(f"alike.{kind}")
        told.append(said)
    return " ".join(told)


def best_of(begun: Sequence[Opening], least: float = RARE) -> Opening | None:
    """The opening ahead by most, of those that are not too rare; None where none is surely ahead at all."""
    ahead = [one for one in begun if one.things and one.share >= least and one.ahead.low > 0]
    return max(ahead, key=lambda one: one.ahead.low, default=None)
