"""A report: sections, what was played for them, and how anybody can make it again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from dicetown import __version__
from dicetown.lab.findings.figures import style_of
from dicetown.lab.findings.section import Column, Section, Table
from dicetown.lab.record.folder import Recorded
from dicetown.lab.record.manifest import commit_of_package
from dicetown.lab.studies.study import words_of
from dicetown.material.catalogue import Catalogue

PLOTS = "plots"
#: Studies that choose their own games, whatever edition is asked for.
COMPARING = {"editions", "claims"}


@dataclass(frozen=True)
class Report:
    """Everything that a page says, in one language; how it looks is said elsewhere."""

    language: str
    title: str
    lead: str
    sections: tuple[Section, ...]
    played: Table
    made: tuple[tuple[str, str], ...]  # what, and its value: date, version, commit, command, seed
    notes: tuple[str, ...]

    @property
    def words(self) -> Catalogue:
        """What the frame around the sections says."""
        return words_of("report", self.language)


def compose(
    sections: Sequence[Section],
    recorded: Sequence[Recorded],
    language: str,
    command: str,
    date: str | None = None,
) -> Report:
    """A report of sections that were made from what was recorded; `date` is today if not given."""
    words, style = words_of("report", language), style_of(language)
    games = sum(one.count for one in recorded)
    told = words.say("report.games", games, count=style.count(games))
    notes = [words.say("made.note")]
    if not all(one.is_whole for one in recorded):
        notes.append(words.say("made.partial"))
    return Report(
        language=language,
        title=_title(sections, recorded, words),
        lead=words.say("report.lead", games=told),
        sections=tuple(sections),
        played=_played(recorded, words),
        made=_made(recorded, words, command, date or datetime.now(UTC).date().isoformat()),
        notes=tuple(notes),
    )


def _title(sections: Sequence[Section], recorded: Sequence[Recorded], words: Catalogue) -> str:
    """Named after the first game, which is the one that was asked for; not where all of them are compared."""
    if not recorded or {section.key for section in sections} <= COMPARING:
        return words.say("report.title_many")
    ruleset = recorded[0].ruleset
    edition = ruleset.edition.name[words.language]
    if len(ruleset.sets) < len(ruleset.edition.sets):
        edition += f" ({', '.join(part.name[words.language] for part in ruleset.sets)})"
    return words.say("report.title", edition=edition)


def _made(
    recorded: Sequence[Recorded], words: Catalogue, command: str, date: str
) -> tuple[tuple[str, str], ...]:
    """When, by what and how: enough to make it again."""
    versions = {one.manifest.dicetown for one in recorded} | {__version__}
    commits = {one.manifest.commit for one in recorded} | {commit_of_package()}
    seeds = sorted({one.manifest.seed for one in recorded})
    return (
        (words.say("made.date"), date),
        (words.say("made.version"), ", ".join(sorted(versions))),
        (words.say("made.commit"), ", ".join(sorted(filter(None, commits))) or words.say("made.unknown")),
        (words.say("made.command"), command),
        (words.say("made.seed"), ", ".join(map(str, seeds)) or words.say("made.unknown")),
    )


def _played(recorded: Sequence[Recorded], words: Catalogue) -> Table:
    """The samples, one in a row."""
    style = style_of(words.language)

    def games(one: Recorded) -> str:
        count = style.count(one.count)
        if one.is_whole:
            return count
        return words.say("played.of_asked", count=count, asked=style.count(one.manifest.games))

    columns = (
        Column("rules", words.say("played.rules"), "name"),
        Column("players", words.say("played.players"), "count"),
        Column("bots", words.say("played.bots"), "name"),
        Column("games", words.say("played.games"), "name"),
    )
    rows = tuple((rules_of(one), one.seats, bots_of(one, words), games(one)) for one in recorded)
    return Table("played", words.say("report.played"), columns, rows)


def rules_of(one: Recorded) -> str:
    """A ruleset in a few words: what it is asked for by."""
    parts = [one.manifest.edition, *one.manifest.sets]
    parts += [f"{rule}={_value(value)}" for rule, value in one.manifest.house.items()]
    return ", ".join([*parts, *one.manifest.changes])


def _value(value: object) -> str:
    return "+".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def bots_of(one: Recorded, words: Catalogue) -> str:
    """Who sat where."""
    if len(set(one.bots)) == 1:
        return words.say("played.all_seats", bot=one.bots[0])
    return ", ".join(one.bots)


def in_short(section: Section) -> str:
    """The first line of an answer, which can stand alone."""
    return section.answer.partition("\n")[0]


def plot_name(section: Section, number: int) -> str:
    """The file of a section's chart; charts count from 1."""
    return f"{section.key}-{number}.svg"
