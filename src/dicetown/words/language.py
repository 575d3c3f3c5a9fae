"""Which language is spoken, what is particular about it, and its catalogue of templates."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec

from dicetown.languages import LANGUAGES, folder_of_languages
from dicetown.material.catalogue import Catalogue, catalogue
from dicetown.material.reading import read, read_toml

#: The file that says what is particular about a language; all others are catalogues.
FACTS = "language"
_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


class Numbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a language writes numbers."""

    point: str
    thousands: str
    percent: str
    grouped_from: int  # the first number that is written in groups


class LanguageFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A language itself: its name, the box of a first game, names for people, and how numbers are written."""

    name: str
    edition: str
    friendly_names: list[str]
    numbers: Numbers


def catalogue_for(language: str) -> Catalogue:
    """The words of a language.

    >>> catalogue_for("de").say("part.coins", 3)
    '3 Münzen'
    """
    return catalogue("game", language)


@cache
def facts_of(language: str) -> LanguageFacts:
    """What is particular about a language.

    >>> facts_of("es").name
    'Español'
    """
    return read_facts(folder_of_languages() / language)


def read_facts(folder: Traversable | Path) -> LanguageFacts:
    """What the folder of a language says about the language itself."""
    place = f"{folder.name}/{FACTS}.toml"
    return read(LanguageFacts, read_toml(folder / f"{FACTS}.toml", place), place)


def language_of_system(environment: Mapping[str, str] | None = None) -> str:
    """The language the user's system is set to, or English.

    >>> language_of_system({"LANG": "de_AT.UTF-8"}), language_of_system({"LC_ALL": "C", "LANG": "es_ES"})
    ('de', 'en')
    """
    variables = os.environ if environment is None else environment
    chosen = next((variables[name] for name in _VARIABLES if variables.get(name)), "")
    language = chosen.partition(".")[0].partition("_")[0].lower()
    return language if language in LANGUAGES else "en"
