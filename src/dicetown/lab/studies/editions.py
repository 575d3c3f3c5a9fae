"""The editions side by side: the same bots play each of them, and a good one meets careless ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from dicetown.arena.contests.ladder import set_choices
from dicetown.bots import find_bot
from dicetown.intervals import Z
from dicetown.lab.findings.clusters import share_of_sums, summed
from dicetown.lab.findings.figures import style_of
from dicetown.lab.findings.section import Chart, Column, Estimate, Section, Table
from dicetown.lab.findings.together import widened, z_among
from dicetown.lab.record.folder import Recorded
from dicetown.lab.record.query import database
from dicetown.lab.record.sample import Sample, name_sample
from dicetown.lab.studies.pace import Pace, pace_of
from dicetown.lab.studies.study import Wish, words_of
from dicetown.material.catalogue import Catalogue
from dicetown.rules.codes import MAX_CARDS
from dicetown.rules.ruleset import Ruleset

#: Who knows nothing about the game.
UNSKILLED = "random"
#: What makes a bot careless: one choice in four at random.
CARELESS = "slips=250"
_SKILLED = "greedy"
#: Games of each edition; the tables where skill is measured need fewer.
USUAL_GAMES = 20_000
_FEWER = 4


@dataclass(frozen=True)
class EditionFigures:
    """What the games of one edition with its sets come to."""

    name: str
    bot: str
    pace: Pace
    rounds: Estimate  # turns of each player; like care, as one of all editions: the ends may be picked
    cards: Estimate | None  # bought by each player
    income: Estimate | None  # coins earned in a turn of one's own
    skill: Estimate | None  # how often the bot wins where half the seats are unskilled …
    care: Estimate | None  # … and where they are its careless self


def samples_for(wish: Wish) -> tuple[Sample, ...]:
    """Each edition with one bot on all seats, and with somebody worse on every other seat."""
    bot = next((lineup[0] for lineup in wish.lineups if len(lineup) == 1), _SKILLED)
    samples = []
    for ruleset in rulesets():
        players = min(max(wish.players), ruleset.max_players)
        samples.append(name_sample(ruleset, players, [bot], wish.seed, wish.games))
        for other in worse_than(bot):
            samples += [
                name_sample(ruleset, players, lineup, wish.seed, ceil(wish.games / _FEWER))
                for lineup in alternating(bot, other, players)
            ]
    return tuple(samples)


def worse_than(bot: str) -> list[str]:
    """Who shows what skill is worth: chance, and the same bot with slips, if it can slip.

    >>> worse_than("greedy"), worse_than("cheese"), worse_than("random")
    (['random', 'greedy:slips=250'], ['random'], [])
    """
    if bot == UNSKILLED:
        return []
    can_slip = "slips" in find_bot(bot.partition(":")[0]).options and "slips" not in bot
    return [UNSKILLED, f"{bot}:{CARELESS}"] if can_slip else [UNSKILLED]


def rulesets() -> list[Ruleset]:
    """Deluxe from its base game to the whole box, and the other boxes as they are sold."""
    others = ("ciudad", "grossstadt", "neue_stadt")
    return [Ruleset("deluxe", sets=sets) for sets in set_choices("deluxe")] + [Ruleset(one) for one in others]


def alternating(one: str, other: str, players: int) -> list[list[str]]:
    """Two line-ups of two bots in turn; over both, each bot sits on every seat once.

    >>> alternating("greedy", "random", 3)
    [['greedy', 'random', 'greedy'], ['random', 'greedy', 'random']]
    """
    return [[(one, other)[(seat + shift) % 2] for seat in range(players)] for shift in (0, 1)]


def study(recorded: Sequence[Recorded], language: str) -> Section:
    """Length, seats, comebacks, purchases and skill, edition by edition."""
    words = words_of("editions", language)
    found = editions_in(recorded, language)
    bot = found[0].bot if found else _SKILLED
    tables = (_games(found, words), _cities(found, words))
    charts = (
        Chart("dots", words.say("chart.rounds"), "games", "rounds", "edition"),
        Chart("dots", words.say("chart.care", bot=bot), "cities", "care", "edition", line_at=0.5),
        Chart("dots", words.say("chart.first"), "games", "first", "edition", line_at=0.0),
        Chart("dots", words.say("chart.comebacks"), "games", "comebacks", "edition"),
    )
    drawn = [chart for chart in charts if any(_cells(tables, chart))]
    notes = ("rounds", "skill", "interval", "bots")
    return Section(
        key="editions",
        title=words.say("editions.title"),
        question=words.say("editions.question"),
        answer=_answer(found, words),
        tables=tables,
        charts=tuple(drawn),
        notes=tuple(words.say(f"note.{key}", bot=bot) for key in notes),
    )


def _cells(tables: Sequence[Table], chart: Chart) -> list[bool]:
    """Whether there is anything to draw, row by row."""
    return [cell is not None for table in tables if table.key == chart.table for cell in table.cells(chart.x)]


# ------------------------------------------------------------------------------ counting


def editions_in(recorded: Sequence[Recorded], language: str) -> list[EditionFigures]:
    """The figures of each ruleset among the samples."""
    by_rules: dict[Ruleset, list[Recorded]] = {}
    for one in recorded:
        by_rules.setdefault(one.ruleset, []).append(one)
    found = []
    for ruleset, samples in by_rules.items():
        alike = [one for one in samples if len(set(one.bots)) == 1]
        if alike:
            bot, pace = alike[0].bots[0], pace_of(alike[0])
            found.append(
                EditionFigures(
                    name=_name(ruleset, list(by_rules), language),
                    bot=bot,
                    pace=pace,
                    rounds=widened(_line(pace.turns, 1 / len(pace.wins)), len(by_rules)),
                    cards=_purchases(alike[0]),
                    income=_income(alike[0]),
                    skill=_skill(samples, bot, UNSKILLED),
                    care=_skill(samples, bot, f"{bot}:{CARELESS}", z_among(len(by_rules))),
                )
            )
    return found


def _name(ruleset: Ruleset, others: Sequence[Ruleset], language: str) -> str:
    """The edition's name; with its sets where it is there more than once."""
    name = ruleset.edition.name[language]
    if sum(one.edition.id == ruleset.edition.id for one in others) == 1:
        return name
    if len(ruleset.sets) == len(ruleset.edition.sets) > 1:
        return f"{name}: {words_of('editions', language).say('editions.everything')}"
    return f"{name}: {' + '.join(part.name[language] for part in ruleset.sets)}"


def _purchases(recorded: Recorded) -> Estimate | None:
    """Establishments that a player buys."""
    return _mean(
        recorded.purchases,
        f"""SELECT {recorded.seats} AS m, count_if(thing < {MAX_CARDS}) AS x
            FROM read_parquet($1) GROUP BY game""",
    )


def _income(recorded: Recorded) -> Estimate | None:
    """Coins that a player earns for each turn of their own, the others' turns in between included."""
    return _mean(
        recorded.players, "SELECT sum(own_turns) AS m, sum(earned) AS x FROM read_parquet($1) GROUP BY game"
    )


def _mean(files: str, by_game: str) -> Estimate | None:
    with database() as connection:
        return summed(connection, by_game, [files]).estimate


def _skill(samples: Sequence[Recorded], bot: str, other: str, z: float = Z) -> Estimate | None:
    """How often the bot wins where another sits on half of the seats; both line-ups have the same dice."""
    mixed = [one for one in samples if set(one.bots) == {bot, other}]
    if not mixed:
        return None
    parts, files = [], []
    for number, one in enumerate(mixed, start=1):
        seats = ", ".join(str(seat) for seat, name in enumerate(one.bots) if name == bot)
        parts.append(
            f"SELECT game, winner IN ({seats}) AS won FROM read_parquet(${number}) WHERE winner >= 0"
        )
        files.append(one.games)
    tables = " UNION ALL ".join(parts)
    with database() as connection:
        by_game = f"SELECT count(*) AS m, count_if(won) AS x FROM ({tables}) GROUP BY game"
        return share_of_sums(summed(connection, by_game, files), z)


# ------------------------------------------------------------------------------- telling


def _games(found: Sequence[EditionFigures], words: Catalogue) -> Table:
    columns = (
        Column("edition", words.say("column.edition"), "name"),
        Column("rounds", words.say("column.rounds"), "number"),
        Column("turns", words.say("column.turns"), "number"),
        Column("decisions", words.say("column.decisions"), "number"),
        Column("first", words.say("column.first"), "points"),
        Column("comebacks", words.say("column.comebacks"), "share"),
        Column("from_last", words.say("column.from_last"), "share"),
        Column("endgame", words.say("column.endgame"), "number"),
    )
    rows = tuple(
        (
            one.name,
            one.rounds,
            one.pace.turns,
            one.pace.decisions,
            _line(one.pace.shares[0], 1, -1 / len(one.pace.wins)),
            one.pace.comebacks,
            one.pace.from_last,
            one.pace.endgame,
        )
        for one in found
    )
    return Table("games", words.say("table.games"), columns, rows)


def _cities(found: Sequence[EditionFigures], words: Catalogue) -> Table:
    columns = (
        Column("edition", words.say("column.edition"), "name"),
        Column("cards", words.say("column.cards"), "number"),
        Column("income", words.say("column.income"), "number"),
        Column("skill", words.say("column.skill"), "share"),
        Column("care", words.say("column.care"), "share"),
        Column("undecided", words.say("column.undecided"), "share", 2),
        Column("games", words.say("column.games"), "count"),
    )
    rows = tuple(
        (
            one.name,
            one.cards,
            one.income,
            one.skill,
            one.care,
            1 - one.pace.decided / one.pace.games,
            one.pace.games,
        )
        for one in found
    )
    return Table("cities", words.say("table.cities"), columns, rows)


def _line(estimate: Estimate, factor: float, plus: float = 0.0) -> Estimate:
    """An estimate on another scale."""
    return Estimate(*(factor * one + plus for one in (estimate.value, estimate.low, estimate.high)))


def _answer(found: Sequence[EditionFigures], words: Catalogue) -> str:
    """The quickest and the slowest, and where skill counts most and least."""
    style = style_of(words.language)
    by_rounds = sorted(found, key=lambda one: one.rounds.value)
    if len(by_rounds) < 2:
        return words.say("answer.few")
    quick, slow = by_rounds[0], by_rounds[-1]
    few, many = (style.number_of(one.rounds) for one in (quick, slow))
    told = [words.say("answer.pace", quick=quick.name, few=few, slow=slow.name, many=many)]
    by_skill = sorted(
        ((one.care, one.name) for one in found if one.care is not None), key=lambda one: one[0].value
    )
    if len(by_skill) > 1:
        (least, luckiest), (most, hardest) = by_skill[0], by_skill[-1]
        told.append(
            words.say(
                "answer.skill",
                bot=found[0].bot,
                hardest=hardest,
                most=style.share_of(most),
                luckiest=luckiest,
                least=style.share_of(least),
            )
        )
    return " ".join(told)
