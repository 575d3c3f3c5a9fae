"""What people write after a command: lists, bots, house rules, a language; and how to write it again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from dicetown.bots.programs.pipe import PIPE
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


def read_bots(values: Sequence[str]) -> list[str]:
    """The bots that options name: lists with commas, or a program after ``pipe:``, taken whole.

    >>> read_bots(["greedy,random", "pipe:my_bot --lucky 3,4"])
    ['greedy', 'random', 'pipe:my_bot --lucky 3,4']
    """
    found: list[str] = []
    for value in values:
        found += [value.strip()] if value.strip().startswith(PIPE) else split(value)
    return found


def read_ruleset(edition: str, sets: str | None, house: Sequence[str]) -> Ruleset:
    """The ruleset that options name; without sets, all of the edition's."""
    return Ruleset(edition, sets=None if sets is None else split(sets), house=read_rules(house))


def read_language(language: str | None) -> str:
    """The language named, or the system's."""
    chosen = language or language_of_system()
    return catalogue_for(chosen).language


def same_again(command: str, options: Mapping[str, object]) -> str:
    """What to type for the same again: options with their values, as often as they have one.

    >>> same_again("lab pace", {"--sets": None, "--bots": ("greedy", "pipe:my bot"), "--seconds": 2.0})
    "dicetown lab pace --bots greedy --bots 'pipe:my bot' --seconds 2"
    """
    words = ["dicetown", *command.split()]
    for option, given in options.items():
        for value in given if isinstance(given, list | tuple) else [given]:
            if value is not None:
                words += [option, f"{value:g}" if isinstance(value, float) else str(value)]
    return shlex.join(words)
