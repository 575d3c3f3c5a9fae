"""What others have written about the game, put to the test: figure, interval and verdict for each claim.

The claims and the games that test them are data (``claims.toml``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dicetown.errors import LabError
from dicetown.lab.findings.figures import style_of
from dicetown.lab.findings.section import Chart, Column, Estimate, Kind, Section, Table
from dicetown.lab.record.folder import Recorded
from dicetown.lab.record.sample import Sample
from dicetown.lab.studies.claims_measures import Found, measure
from dicetown.lab.studies.claims_plan import SAID, Claim, Claims, Trial, load_claims, sample_name
from dicetown.lab.studies.claims_rules import ALONE, Verdict, over_all
from dicetown.lab.studies.study import Wish, words_of
from dicetown.material import load
from dicetown.material.catalogue import Catalogue

#: Games on which each test rests: all claims take a minute or two.
USUAL_GAMES = 20_000
#: Of many figures a table names the best.
_NAMED = 4
_STRATEGIES = ("seven-2p", "seven-4p")


@dataclass(frozen=True)
class Tried:
    """What one trial of a claim found."""

    trial: Trial
    played: Mapping[str, str]  # how, in each language
    found: Found
    verdict: Verdict
    games: int


@dataclass(frozen=True)
class Judged:
    """A claim with all its trials."""

    claim: Claim
    tried: tuple[Tried, ...]

    @property
    def verdict(self) -> Verdict:
        """The verdict over all trials."""
        return over_all([one.verdict for one in self.tried])


def samples_for(wish: Wish) -> tuple[Sample, ...]:
    """All games that the claims need; they have their own rules, whatever the wish says about those."""
    return load_claims().all_samples(wish.games, wish.seed)


def study(recorded: Sequence[Recorded], language: str) -> Section:
    """Every claim with its verdict."""
    words, claims = words_of("claims", language), load_claims()
    judged = judge_all(claims, recorded)
    tables = [_verdicts(judged, claims, words), _trials(judged, words), _strategies(judged, claims, words)]
    charts = [
        Chart("dots", words.say("chart.strategies"), "strategies", "share", "strategy", colour="players"),
    ]
    return Section(
        key="claims",
        title=words.say("claims.title"),
        question=words.say("claims.question"),
        answer=_answer(judged, words),
        tables=tuple(table for table in tables if table.rows),
        charts=tuple(charts) if tables[-1].rows else (),
        notes=(
            *(words.say(f"note.{key}") for key in ("rules", "overall", "picked", "field", "bots", "slips")),
            words.say("note.sources", sources="; ".join(_sources(judged, claims))),
        ),
        figures={"claims": [_as_dict(one) for one in judged]},
    )


# ------------------------------------------------------------------------------- judging


def judge_all(claims: Claims, recorded: Sequence[Recorded]) -> list[Judged]:
    """Every claim that there are games for; without games for any, there is nothing to say."""
    there = {one.name: one for one in recorded}
    groups = {name: _samples(claims, name, there) for name in claims.samples}
    judged = []
    for claim in claims.claims:
        trials = [trial for trial in claim.trials if all(groups[name] for name in trial.samples)]
        if trials:
            judged.append(Judged(claim, tuple(_try(claims, claim, trial, groups) for trial in trials)))
    if not judged:
        raise LabError("None of these games test a claim; dicetown lab claims plays those that do.")
    return judged


def _samples(claims: Claims, name: str, there: Mapping[str, Recorded]) -> list[Recorded]:
    """The samples of a plan, if all of them are there."""
    wanted = [sample_name(name, number) for number in range(1, len(claims.samples[name].lineups()) + 1)]
    return [there[one] for one in wanted] if all(one in there for one in wanted) else []


def _try(claims: Claims, claim: Claim, trial: Trial, groups: Mapping[str, list[Recorded]]) -> Tried:
    used = [groups[name] for name in trial.samples]
    found = measure(trial.measure, used)
    games = sum(one.count for group in used for one in group)
    played = claims.samples[trial.samples[0]].played
    return Tried(trial, played, found, claim.rule.judge(found.figures), games)


def _as_dict(judged: Judged) -> dict[str, object]:
    return {
        "id": judged.claim.id,
        "source": judged.claim.source,
        "statement": judged.claim.statement["en"],
        "verdict": judged.verdict.value,
        "tests": [
            {
                "samples": one.trial.samples,
                "measure": one.trial.measure.kind,
                "played": one.played["en"],
                "games": one.games,
                "verdict": one.verdict.value,
                "figures": {name or "figure": figure.as_dict() for name, figure in one.found.figures.items()},
            }
            for one in judged.tried
        ],
    }


# ------------------------------------------------------------------------------- telling


def _verdicts(judged: Sequence[Judged], claims: Claims, words: Catalogue) -> Table:
    columns = (
        Column("claim", words.say("column.claim"), "name"),
        Column("said", words.say("column.said"), "name"),
        Column("found", words.say("column.found"), "name"),
        Column("verdict", words.say("column.verdict"), "name"),
        Column("source", words.say("column.source"), "name"),
    )
    rows = tuple(
        (
            one.claim.statement[words.language],
            one.claim.said[words.language],
            _span(one, words),
            words.say(f"verdict.{one.verdict.value}"),
            _source(one.claim, claims, words),
        )
        for one in judged
    )
    return Table("verdicts", words.say("table.verdicts"), columns, rows)


def _source(claim: Claim, claims: Claims, words: Catalogue) -> str:
    """Who said so, as they call it themselves; or that it is only said."""
    return words.say("source.said") if claim.source == SAID else claims.sources[claim.source].name


def _sources(judged: Sequence[Judged], claims: Claims) -> list[str]:
    """The sources of these claims with their addresses, each once."""
    used = dict.fromkeys(one.claim.source for one in judged if one.claim.source != SAID)
    named = [claims.sources[name] for name in used]
    return [f"{source.name}, {source.address.removeprefix('https://')}" for source in named]


def _span(judged: Judged, words: Catalogue) -> str:
    """What was found in a few words: a figure, the smallest and the largest of several, or who came first."""
    style, kind = style_of(words.language), judged.tried[0].found.kind
    if ALONE not in judged.tried[0].found.figures:
        best = [max(one.found.figures.items(), key=lambda figure: figure[1].value)[0] for one in judged.tried]
        return ", ".join(dict.fromkeys(_shown(name, judged.tried[0], words) for name in best))
    figures = sorted((one.found.figures[ALONE] for one in judged.tried), key=lambda figure: figure.value)
    if len(figures) == 1:
        return _written(figures[0], kind, words)
    column = Column("found", "", kind)
    return " … ".join(style.value(column, figure, 1) for figure in (figures[0], figures[-1]))


def _trials(judged: Sequence[Judged], words: Catalogue) -> Table:
    columns = (
        Column("claim", words.say("column.claim"), "name"),
        Column("played", words.say("column.played"), "name"),
        Column("said", words.say("column.said"), "name"),
        Column("found", words.say("column.found"), "name"),
        Column("verdict", words.say("column.verdict"), "name"),
        Column("games", words.say("column.games"), "count"),
    )
    rows = tuple(
        (
            one.claim.statement[words.language],
            tried.played[words.language],
            one.claim.said[words.language],
            _found(tried, words),
            words.say(f"verdict.{tried.verdict.value}"),
            tried.games,
        )
        for one in judged
        for tried in one.tried
    )
    return Table("tests", words.say("table.tests"), columns, rows)


def _found(tried: Tried, words: Catalogue) -> str:
    """A figure with its interval, or the best of several."""
    figures, kind = tried.found.figures, tried.found.kind
    what = words.say(f"measure.{tried.trial.measure.kind}", bot=tried.trial.measure.bot)
    if ALONE in figures:
        return f"{what} {_written(figures[ALONE], kind, words)}"
    best = sorted(figures.items(), key=lambda one: -one[1].value)[:_NAMED]
    return f"{what} " + ", ".join(
        f"{_shown(name, tried, words)} {_written(figure, kind, words)}" for name, figure in best
    )


def _written(figure: Estimate, kind: Kind, words: Catalogue) -> str:
    style = style_of(words.language)
    write = {"share": style.share_of, "points": style.points_of, "signed": style.signed_of}
    return write.get(kind, style.number_of)(figure)


def _shown(name: str, tried: Tried, words: Catalogue) -> str:
    """What a card is called; bots are called by their names."""
    if tried.trial.measure.kind != "first_purchases":
        return name
    material = load().games["classic"]
    return (material.establishments.get(name) or material.landmarks[name]).name[words.language]


def _strategies(judged: Sequence[Judged], claims: Claims, words: Catalogue) -> Table:
    """What each strategy of the field wins, with two players and with four, the best first."""
    columns = (
        Column("strategy", words.say("column.strategy"), "name"),
        Column("players", words.say("column.players"), "name"),
        Column("share", words.say("column.share"), "share"),
    )
    rows = [
        (bot, words.say("column.of_players", n=claims.samples[tried.trial.samples[0]].players), share)
        for one in judged
        for tried in one.tried
        if tried.trial.samples[0] in _STRATEGIES and tried.trial.measure.kind == "bot_shares"
        for bot, share in tried.found.figures.items()
    ]
    overall = {row[0]: sum(share.value for bot, _, share in rows if bot == row[0]) for row in rows}
    best_first = sorted(rows, key=lambda row: -overall[row[0]])
    return Table("strategies", words.say("table.strategies"), columns, tuple(best_first))


def _answer(judged: Sequence[Judged], words: Catalogue) -> str:
    """How many claims hold, and below that which."""
    counts = Counter(one.verdict for one in judged)
    kinds = [verdict for verdict in Verdict if counts[verdict]]
    parts = ", ".join(words.say(f"count.{verdict.value}", counts[verdict]) for verdict in kinds)
    lines = [words.say("answer.count", len(judged), parts=parts)]
    for verdict in kinds:
        which = " ".join(one.claim.statement[words.language] for one in judged if one.verdict == verdict)
        lines.append(f"{words.say(f'verdict.{verdict.value}')}: {which}")
    return "\n".join(lines)
