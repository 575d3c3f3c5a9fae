"""What people write after a command: lists, house rules, a language."""

from __future__ import annotations

from collections.abc import Sequence

from dicetown.errors import DicetownError
from dicetown.rules.ruleset import Ruleset
from dicetown.rules.typed_rules import read_rules
from dicetown.words import catalogue_for, language_of_system


class UsageProblem(DicetownError):
    """An option whose value cannot be used."""


def split(text: str) -> list[str]:
    """A list with commas.

    >>> split("base, harbor")
    ['base', 'harbor']
    """
    return [word.strip() for word in text.split(",") if word.strip()]


def read_ruleset(edition: str, sets: str | None, house: Sequence[str]) -> Ruleset:
    """The ruleset that options name; without sets, all of the edition's."""
    return Ruleset(edition, sets=None if sets is None else split(sets), house=read_rules(house))


def read_language(language: str | None) -> str:
    """The language named, or the system's."""
    chosen = language or language_of_system()
    return catalogue_for(chosen).language
