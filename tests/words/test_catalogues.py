"""The catalogues: all languages say the same, and everything in them is said somewhere."""

import re
import string
from pathlib import Path

import pytest

from dicetown import DicetownError
from dicetown.languages import LANGUAGES
from dicetown.words import catalogue_for, language_of_system

SOURCES = Path(__file__).parents[2] / "src" / "dicetown"
#: Keys that are put together: ``f"help.{key}"``.
PUT_TOGETHER = ("action.", "fault.", "grade.", "help.", "setup.", "verify.")


def slots(template: str | dict[str, str]) -> set[str]:
    text = template if isinstance(template, str) else " ".join(template.values())
    return {slot for _, slot, _, _ in string.Formatter().parse(text) if slot is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_keys_forms_and_slots(language: str) -> None:
    english, other = catalogue_for("en").templates, catalogue_for(language).templates
    assert set(english) == set(other)
    for key, template in english.items():
        assert isinstance(template, str) == isinstance(other[key], str), key
        assert slots(template) - {"n"} == slots(other[key]) - {"n"}, key


def said_in_the_code() -> set[str]:
    text = "\n".join(
        path.read_text(encoding="utf-8")
        for folder in ("words", "terminal", "text", "review", "commands")
        for path in sorted((SOURCES / folder).glob("*.py"))
    )
    return set(re.findall(r'["\']([a-z]+\.[a-z_]+)["\']', text))


def test_every_key_said_in_the_code_exists_and_every_key_is_said() -> None:
    keys = set(catalogue_for("en").templates)
    sections = {key.partition(".")[0] for key in keys}
    said = {key for key in said_in_the_code() if key.partition(".")[0] in sections}
    assert said <= keys
    assert {key for key in keys - said if not key.startswith(PUT_TOGETHER)} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_fits_a_small_screen(language: str) -> None:
    words = catalogue_for(language)
    for key in words.templates:
        if key.startswith("help."):
            assert len(words.say(key, 4)) <= 80, key


@pytest.mark.parametrize(
    ("language", "one", "many"),
    [("en", "1 coin", "2 coins"), ("es", "1 moneda", "0 monedas"), ("de", "1 Münze", "12 Münzen")],
)
def test_coins_have_a_singular_and_a_plural(language: str, one: str, many: str) -> None:
    words = catalogue_for(language)
    assert words.say("part.coins", 1) == one
    assert words.say("part.coins", int(many.split(maxsplit=1)[0])) == many


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "es_MX.UTF-8"}, "es"),
        ({"LANG": "de"}, "de"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "es_ES", "LC_ALL": "de_DE.UTF-8"}, "de"),
        ({"LANG": "es_ES", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANG": "es_ES", "LC_ALL": ""}, "es"),
        ({"LC_ALL": "C.UTF-8", "LANG": "de_DE"}, "en"),
    ],
)
def test_the_language_is_that_of_the_system(environment: dict[str, str], language: str) -> None:
    assert language_of_system(environment) == language


def test_an_unknown_language_is_refused_by_name() -> None:
    with pytest.raises(DicetownError, match='no language "fr"; known: en, es, de'):
        catalogue_for("fr")
