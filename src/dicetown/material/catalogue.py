"""The words of each language, as templates that are filled with a card's data.

A catalogue is a TOML file of templates with ``{slots}``; where a number decides the form of a noun, a
template has the forms ``one`` and ``other``. All languages must offer the same templates, so that a
sentence that can be said in one can be said in all.
"""

from __future__ import annotations

import string
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypeAlias

from dicetown.errors import MaterialError
from dicetown.material.checks import refuse
from dicetown.material.model import LANGUAGES
from dicetown.material.reading import listed, read, read_toml

Template: TypeAlias = str | dict[str, str]
FORMS = ("one", "other")
REFERENCE = "en"  # the language the others are translated from


class Catalogue:
    """What can be said in one language."""

    def __init__(self, language: str, templates: dict[str, Template]) -> None:
        self.language = language
        self.templates = templates

    def say(self, key: str, n: int | None = None, **slots: object) -> str:
        """Fill a template; ``n`` chooses the form of one that has forms, and fills ``{n}``.

        >>> catalogue("es").say("part.coins", 1), catalogue("es").say("part.coins", 3)
        ('1 moneda', '3 monedas')
        """
        template = self.templates.get(key)
        if template is None:
            raise MaterialError(f'There is no text for "{key}" in {self.language}; every language needs one.')
        if isinstance(template, dict):
            template = template[plural_form(n)]
        return template.format(n=n, **slots)


def plural_form(n: int | None) -> str:
    """Choose the form for a number. English, Spanish and German agree: one, and everything else."""
    return "one" if n == 1 else "other"


def catalogue(language: str) -> Catalogue:
    """Return the words of one of the languages Dicetown speaks."""
    if language not in LANGUAGES:
        raise MaterialError(f'There is no language "{language}"; known are {listed(LANGUAGES)}.')
    return _packaged()[language]


@cache
def _packaged() -> dict[str, Catalogue]:
    return load_catalogues(files("dicetown.material") / "lang")


def load_catalogues(folder: Traversable | Path) -> dict[str, Catalogue]:
    """Read every language, and check that all of them can say the same."""
    read_in = {
        language: _templates(read_toml(folder / f"{language}.toml"), f"{language}.toml")
        for language in LANGUAGES
    }
    for language, templates in read_in.items():
        _check_same(templates, f"{language}.toml", read_in[REFERENCE], f"{REFERENCE}.toml")
    return {language: Catalogue(language, templates) for language, templates in read_in.items()}


def _templates(tables: dict[str, object], file: str) -> dict[str, Template]:
    """Flatten a file's tables: ``income`` of ``[effect]`` is ``effect.income``."""
    templates: dict[str, Template] = {}
    for table, entries in tables.items():
        for name, entry in read(dict[str, object], entries, f"{file}, [{table}]").items():
            key = f"{table}.{name}"
            place = f'{file}, "{key}"'
            template: Template = entry if isinstance(entry, str) else read(dict[str, str], entry, place)
            _check_template(template, place)
            templates[key] = template
    return templates


def _check_template(template: Template, place: str) -> None:
    if isinstance(template, dict) and tuple(sorted(template)) != FORMS:
        raise refuse(place, f"its forms are {listed(template)}, accepted are {listed(FORMS)}")
    for text in template.values() if isinstance(template, dict) else (template,):
        if not text.strip():
            raise refuse(place, "it is empty; give it a text")
    _slots(template, place)


def _check_same(mine: dict[str, Template], file: str, reference: dict[str, Template], other: str) -> None:
    """Compare a language with the reference: the same keys and forms, and no slot that it lacks."""
    for key in (key for key in reference if key not in mine):
        raise refuse(f'{file}, "{key}"', f"it is missing, but {other} has it; translate it")
    for key, template in mine.items():
        place = f'{file}, "{key}"'
        if key not in reference:
            raise refuse(place, f"{other} does not have it; add it there or leave it out")
        if isinstance(template, dict) != isinstance(reference[key], dict):
            raise refuse(
                place, f"only one of {file} and {other} has the forms {listed(FORMS)}; give them to both"
            )
        slots = _slots(reference[key], place)
        for slot in sorted(_slots(template, place) - slots):
            known = listed(f"{{{one}}}" for one in sorted(slots)) or "none"
            raise refuse(place, f"{other} has no slot {{{slot}}} here, accepted are {known}")


def _slots(template: Template, place: str) -> set[str]:
    """Collect the names in braces."""
    text = " ".join(template.values()) if isinstance(template, dict) else template
    try:
        return {slot for _, slot, _, _ in string.Formatter().parse(text) if slot is not None}
    except ValueError:
        raise refuse(place, "a brace { or } stands alone; close it") from None
