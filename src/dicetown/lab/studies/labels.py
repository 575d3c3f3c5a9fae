"""What samples are called beside each other: by what sets them apart, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from dicetown.lab.record.folder import Recorded
from dicetown.lab.studies.study import words_of


def labels_for(recorded: Sequence[Recorded], language: str) -> list[str]:
    """A label for each sample, as short as they can be told apart; empty where there is but one."""
    told = [_tell(one, language) for one in recorded]
    differing = [len(set(column)) > 1 for column in zip(*told, strict=True)]
    return [
        ", ".join(word for word, differs in zip(words, differing, strict=True) if differs and word)
        for words in told
    ]


def _tell(recorded: Recorded, language: str) -> tuple[str, ...]:
    """Everything about a sample that a reader may want to know, from the box to the bots."""
    words = words_of("labels", language)
    ruleset = recorded.ruleset
    house = ", ".join(f"{rule}={value}" for rule, value in ruleset.house.items())
    changes = ", ".join(recorded.manifest.changes)
    bots = recorded.bots[:1] if len(set(recorded.bots)) == 1 else recorded.bots
    return (
        ruleset.edition.name[language],
        " + ".join(part.name[language] for part in ruleset.sets),
        words.say("label.players", recorded.seats),
        " · ".join(bots),
        words.say("label.house", rules=house) if house else "",
        words.say("label.changed", changes=changes) if changes else "",
    )
