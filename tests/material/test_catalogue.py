"""All languages can say the same, or none of them is used."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.material.boxes import copy_of_the_languages, rewrite

from dicetown.errors import MaterialError
from dicetown.languages import LANGUAGES
from dicetown.material.catalogue import catalogue, load_catalogues, plural_form


@pytest.fixture
def languages(tmp_path) -> Path:
    return copy_of_the_languages(tmp_path)


def complaint(folder: Path) -> str:
    with pytest.raises(MaterialError) as caught:
        load_catalogues("cards", folder)
    return str(caught.value)


def test_the_catalogues_of_the_package_agree():
    keys = [set(catalogue("cards", language).templates) for language in LANGUAGES]
    assert keys[0] == keys[1] == keys[2]


BROKEN = {
    "a key missing": (
        "es",
        'bank = "banca"\n',
        "",
        'es/cards.toml, "term.bank"',
        "missing",
        "en/cards.toml has it",
    ),
    "a key too many": (
        "de",
        "[term]\n",
        '[term]\ntown = "Stadt"\n',
        'de/cards.toml, "term.town"',
        "en/cards.toml does not have it",
    ),
    "a table missing": (
        "de",
        '[dice]\nsame = "mit gleich vielen Würfeln"\n',
        "[dice]\n",
        '"dice.same"',
    ),
    "an empty text": ("es", '"banca"', '" "', 'es/cards.toml, "term.bank"', "empty"),
    "a number for a text": (
        "es",
        '"banca"',
        "3",
        'es/cards.toml, "term.bank"',
        "must be a table in { }",
    ),
    "a form missing": (
        "de",
        '{ one = "Münze", other = "Münzen" }',
        '{ one = "Münze" }',
        "one, other",
    ),
    "a form nobody uses": (
        "de",
        'other = "Münzen" }',
        'other = "Münzen", few = "x" }',
        "few",
        "one, other",
    ),
    "no forms where another language has them": (
        "de",
        '{ one = "Münze", other = "Münzen" }',
        '"Münze"',
        '"term.coin"',
        "only one of de/cards.toml and en/cards.toml",
    ),
    "a misspelt slot": (
        "es",
        '"{when}, te paga {coins}{owner_if}."',
        '"{when}, te paga {coin}{owner_if}."',
        'es/cards.toml, "effect.fee"',
        "{coin}",
        "{coins}",
    ),
    "a slot missing": (
        "es",
        '"{when}, te paga {coins}{owner_if}."',
        '"{when}, te paga {coins}."',
        'es/cards.toml, "effect.fee"',
        "{owner_if} is missing",
    ),
    "a brace left open": ("es", '"banca"', '"{banca"', 'es/cards.toml, "term.bank"', "brace"),
    "no TOML": ("de", "[term]\n", "[term\n", "de/cards.toml: this is not valid TOML"),
}


@pytest.mark.parametrize("case", BROKEN.values(), ids=BROKEN)
def test_a_broken_catalogue_is_refused_in_a_sentence(languages, case):
    language, old, new, *words = case
    rewrite(languages / language / "cards.toml", old, new)
    sentence = complaint(languages)
    for word in words:
        assert word in sentence


def test_a_missing_language_is_named(languages):
    (languages / "de/cards.toml").unlink()
    assert complaint(languages).startswith("de/cards.toml: this file cannot be read")


@pytest.mark.parametrize(("n", "form"), [(0, "other"), (1, "one"), (2, "other"), (12, "other")])
def test_one_is_one_and_everything_else_is_other(n, form):
    assert plural_form(n) == form
