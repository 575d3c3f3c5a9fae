"""Which language is spoken, and its catalogue of templates."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from dicetown.errors import MaterialError
from dicetown.material import LANGUAGES
from dicetown.material.catalogue import Catalogue, load_catalogues

_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


@cache
def _packaged() -> dict[str, Catalogue]:
    return load_catalogues(files("dicetown.words"))


def catalogue_for(language: str) -> Catalogue:
    """The words of a language.

    >>> catalogue_for("de").say("part.coins", 3)
    '3 Münzen'
    """
    if language not in LANGUAGES:
        raise MaterialError(f'There is no language "{language}"; known: {", ".join(LANGUAGES)}.')
    return _packaged()[language]


def language_of_system(environment: Mapping[str, str] | None = None) -> str:
    """The language the user's system is set to, or English.

    >>> language_of_system({"LANG": "de_AT.UTF-8"}), language_of_system({"LC_ALL": "C", "LANG": "es_ES"})
    ('de', 'en')
    """
    variables = os.environ if environment is None else environment
    chosen = next((variables[name] for name in _VARIABLES if variables.get(name)), "")
    language = chosen.partition(".")[0].partition("_")[0].lower()
    return language if language in LANGUAGES else "en"
