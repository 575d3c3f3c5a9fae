"""What others claim, and how it is put to the test: ``claims.toml`` as structures."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from math import ceil
from typing import Annotated, Any

import msgspec

from dicetown.errors import LabError
from dicetown.lab.record.sample import Sample
from dicetown.lab.studies.claims_rules import Rule
from dicetown.material.catalogue import in_all_languages
from dicetown.material.reading import read, read_toml
from dicetown.rules.ruleset import Ruleset

Words = dict[str, str]  # the same in each language


class SamplePlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Games between the bots of a field."""

    edition: str
    sets: list[str]
    players: int
    field: Annotated[list[str], msgspec.Meta(min_length=1)]
    played: Words
    tables: list[list[int]] = []
    house: dict[str, Any] = {}
    games: float = 1.0

    def lineups(self) -> list[tuple[str, ...]]:
        """Who sits where: each table, with everybody's place moved on around the field.

        >>> plan = SamplePlan("deluxe", ["base"], 2, ["a", "b", "c"], {}, tables=[[0, 1]])
        >>> plan.lineups()
        [('a', 'b'), ('b', 'c'), ('c', 'a')]
        """
        size = len(self.field)
        if not self.tables:
            return [(self.field[0],) * self.players]
        return [
            tuple(self.field[(place + shift) % size] for place in table)
            for table in self.tables
            for shift in range(size)
        ]

    def samples(self, name: str, games: int, seed: int) -> list[Sample]:
        """The samples of this plan, one for each line-up; together they have as many games as it wants."""
        lineups = self.lineups()
        each = max(1, ceil(games * self.games / len(lineups)))
        ruleset = Ruleset(self.edition, self.sets, self.house)
        return [
            Sample(sample_name(name, number), ruleset, self.players, lineup, seed, each)
            for number, lineup in enumerate(lineups, start=1)
        ]


def sample_name(plan: str, number: int) -> str:
    """What the sample of a plan's line-up is called; line-ups count from 1."""
    return f"claim-{plan}-{number}"


class Measure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is measured, and of whom."""

    kind: str
    bot: str = ""
    landmark: str = ""


class Trial(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A measure taken of some samples; of two plans, the first against the second."""

    samples: list[str]
    measure: Measure


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who has said something, and where it can be read."""

    name: str
    address: str


#: What people say, without a source that could be named.
SAID = "said"


class Claim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that others have said about the game."""

    id: str
    source: str
    statement: Words
    said: Words
    rule: Rule
    trials: Annotated[list[Trial], msgspec.Meta(min_length=1)] = msgspec.field(name="test")


class Claims(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All claims, and the samples that test them by name."""

    samples: dict[str, SamplePlan]
    sources: dict[str, Source]
    claims: list[Claim] = msgspec.field(name="claim")

    def check(self) -> Claims:
        """Refuse claims whose source nobody names, and tests whose samples nobody plans."""
        for claim in self.claims:
            if claim.source != SAID and claim.source not in self.sources:
                raise LabError(f'claims.toml, {claim.id}: there is no source "{claim.source}".')
            for trial in claim.trials:
                for name in trial.samples:
                    if name not in self.samples:
                        raise LabError(f'claims.toml, {claim.id}: there is no sample "{name}".')
        return self

    def all_samples(self, games: int, seed: int) -> tuple[Sample, ...]:
        """Everything that has to be played."""
        return tuple(
            sample for name, plan in self.samples.items() for sample in plan.samples(name, games, seed)
        )


@cache
def load_claims() -> Claims:
    """The claims that come with Dicetown.

    >>> [claim.id for claim in load_claims().claims][:2]
    ['cheese-2p', 'cheese-4p']
    """
    file = files("dicetown.lab.studies") / "claims.toml"
    return read(Claims, _in_words(read_toml(file)), "claims.toml").check()


def _in_words(tables: dict[str, Any]) -> dict[str, Any]:
    """Join what the languages say to the plans and the claims."""
    for name, plan in tables["samples"].items():
        plan["played"] = in_all_languages("claims", f"played.{name}")
    for claim in tables["claim"]:
        for part in ("statement", "said"):
            claim[part] = in_all_languages("claims", f"{part}.{claim['id']}")
    return tables
