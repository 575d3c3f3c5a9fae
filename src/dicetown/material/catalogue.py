"""The words of each language, as templates that are filled with data.

A catalogue is a TOML file of templates with ``{slots}``; where a number decides the form of a noun, a
template has the forms ``one`` and ``other``. Every language must offer the same templates, so that a
sentence that can be said in one can be said in all.
"""

from __future__ import annotations

import string
from collections.abc import Iterator
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypeAlias

from dicetown.errors import MaterialError
from dicetown.languages import LANGUAGES, REFERENCE, folder_of_languages
from dicetown.material.checks import refuse
from dicetown.material.model import Names
from dicetown.material.reading import listed, read, read_toml

Template: TypeAlias = str | dict[str, str]
FORMS = ("one", "other")
#: What forms may be called in any language: a table of nothing else is a template, not a table of templates.
_NAMES_OF_FORMS = {"zero", "one", "two", "few", "many", "other"}


class Catalogue:
    """What can be said in one language."""

    def __init__(self, language: str, templates: dict[str, Template]) -> None:
        self.language = language
        self.templates = templates

    def say(self, key: str, n: int | None = None, **slots: object) -> str:
        """Fill a template; ``n`` chooses the form of one that has forms, and fills ``{n}``.

        >>> words = catalogue("cards", "es")
        >>> words.say("part.coins", 1), words.say("part.coins", 3)
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


def catalogue(name: str, language: str) -> Catalogue:
    """One of the catalogues of a language, by the name of its file: ``cards``, ``lab/dice``."""
    if language not in LANGUAGES:
        raise MaterialError(f'There is no language "{language}"; known: {listed(LANGUAGES)}.')
    return _packaged(name)[language]


def in_all_languages(name: str, key: str) -> Names:
    """A text of a catalogue in every language; nothing, where there is no such text.

    >>> in_all_languages("names", "icon.bread")
    {'en': 'bread', 'es': 'pan', 'de': 'Brot'}
    """
    found = {language: words.templates.get(key) for language, words in _packaged(name).items()}
    return {language: text for language, text in found.items() if isinstance(text, str)}


@cache
def _packaged(name: str) -> dict[str, Catalogue]:
    return load_catalogues(name, folder_of_languages())


def load_catalogues(name: str, folder: Traversable | Path) -> dict[str, Catalogue]:
    """Read a catalogue in every language, and check that all of them can say the same."""
    read_in = {language: read_templates(name, folder / language) for language in LANGUAGES}
    known = place_of(name, REFERENCE)
    for language, templates in read_in.items():
        for fault in find_faults(templates, place_of(name, language), read_in[REFERENCE], known):
            raise fault
    return {language: Catalogue(language, templates) for language, templates in read_in.items()}


# ---------------------------------------------------------------------- the files of a language


def place_of(name: str, language: str) -> str:
    """What a file of a language is called in a sentence."""
    return f"{language}/{name}.toml"


def read_templates(name: str, folder: Traversable | Path) -> dict[str, Template]:
    """The templates of a file as they stand there: ``income`` of ``[effect]`` is ``effect.income``."""
    return dict(_entries(read_toml(folder.joinpath(f"{name}.toml"), place_of(name, folder.name))))


def find_faults(
    mine: dict[str, Template], file: str, reference: dict[str, Template], known: str
) -> Iterator[MaterialError]:
    """Everything because of which a file of a language cannot say what that of the reference says."""
    for key in reference:
        if key not in mine:
            yield refuse(f'{file}, "{key}"', f"it is missing, but {known} has it; translate it")
    for key, template in mine.items():
        place = f'{file}, "{key}"'
        try:
            _check_template(template, place)
            if key not in reference:
                raise refuse(place, f"{known} does not have it; add it there or leave it out")
            _check_same(template, reference[key], place, file, known)
        except MaterialError as fault:
            yield fault


def _entries(table: dict[str, object], above: str = "") -> Iterator[tuple[str, Template]]:
    for name, entry in table.items():
        if isinstance(entry, dict) and not (entry and _NAMES_OF_FORMS.issuperset(entry)):
            yield from _entries(entry, f"{above}{name}.")
        else:
            yield f"{above}{name}", entry  # type: ignore[misc]  # whether it is a template is checked later


def _check_template(template: Template, place: str) -> None:
    if not isinstance(template, str):
        read(dict[str, str], template, place)
        if tuple(sorted(template)) != FORMS:
            raise refuse(place, f"its forms are {listed(template)}, accepted are {listed(FORMS)}")
    for text in template.values() if isinstance(template, dict) else (template,):
        if not text.strip():
            raise refuse(place, "it is empty; give it a text")
    _slots(template, place)


def _check_same(template: Template, reference: Template, place: str, file: str, known: str) -> None:
    """Compare a template with that of the reference: both have forms or none, and the same slots.

    A form may do without the number: "a coin".
    """
    if isinstance(template, dict) != isinstance(reference, dict):
        raise refuse(
            place, f"only one of {file} and {known} has the forms {listed(FORMS)}; give them to both"
        )
    mine, wanted = _slots(template, place), _slots(reference, place)
    for slot in sorted(mine - wanted):
        accepted = listed(f"{{{one}}}" for one in sorted(wanted)) or "none"
        raise refuse(place, f"{known} has no slot {{{slot}}} here, accepted are {accepted}")
    for slot in sorted(wanted - mine - {"n"}):
        raise refuse(place, f"the slot {{{slot}}} is missing, but {known} has it here")


def _slots(template: Template, place: str) -> set[str]:
    """Collect the names in braces."""
    text = " ".join(template.values()) if isinstance(template, dict) else template
    try:
        return {slot for _, slot, _, _ in string.Formatter().parse(text) if slot is not None}
    except ValueError:
        raise refuse(place, "a brace { or } stands alone; close it") from None
