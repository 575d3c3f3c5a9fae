"""All languages can say the same, or none of them is used."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.material.boxes import copy_of_the_boxes, rewrite

from dicetown.errors import MaterialError
from dicetown.material import LANGUAGES
from dicetown.material.catalogue import catalogue, load_catalogues, plural_form


@pytest.fixture
def languages(tmp_path) -> Path:
    return copy_of_the_boxes(tmp_path) / "lang"


def complaint(folder: Path) -> str:
    with pytest.raises(MaterialError) as caught:
        load_catalogues(folder)
    return str(caught.value)


def test_the_catalogues_of_the_package_agree():
    keys = [set(catalogue(language).templates) for language in LANGUAGES]
    assert keys[0] == keys[1] == keys[2]


BROKEN = {
    "a key missing": ("es.toml", 'bank = "banca"\n', "", 'es.toml, "term.bank"', "missing", "en.toml has it"),
    "a key too many": (
        "de.toml",
        "[term]\n",
        '[term]\ntown = "Stadt"\n',
        'de.toml, "term.town"',
        "en.toml does not have it",
    ),
    "a table missing": ("de.toml", '[dice]\nsame = "mit gleich vielen Würfeln"\n', "[dice]\n", '"dice.same"'),
    "an empty text": ("es.toml", '"banca"', '" "', 'es.toml, "term.bank"', "empty"),
    "a number for a text": ("es.toml", '"banca"', "3", 'es.toml, "term.bank"', "must be a table in { }"),
    "a form missing": ("de.toml", '{ one = "Münze", other = "Münzen" }', '{ one = "Münze" }', "one, other"),
    "a form nobody uses": (
        "de.toml",
        'other = "Münzen" }',
        'other = "Münzen", few = "x" }',
        "few",
        "one, other",
    ),
    "no forms where another language has them": (
        "de.toml",
        '{ one = "Münze", other = "Münzen" }',
        '"Münze"',
        '"term.coin"',
        "only one of de.toml and en.toml",
    ),
    "a misspelt slot": (
        "es.toml",
        '"{when}, te paga {coins}{owner_if}."',
        '"{when}, te paga {coin}{owner_if}."',
        'es.toml, "effect.fee"',
        "{coin}",
        "{coins}",
    ),
    "a brace left open": ("es.toml", '"banca"', '"{banca"', 'es.toml, "term.bank"', "brace"),
    "no TOML": ("de.toml", "[term]\n", "[term\n", "de.toml: this is not valid TOML"),
}


@pytest.mark.parametrize("case", BROKEN.values(), ids=BROKEN)
def test_a_broken_catalogue_is_refused_in_a_sentence(languages, case):
    file, old, new, *words = case
    rewrite(languages / file, old, new)
    sentence = complaint(languages)
    for word in words:
        assert word in sentence


def test_a_missing_language_is_named(languages):
    (languages / "de.toml").unlink()
    assert complaint(languages).startswith("de.toml: this file cannot be read")


@pytest.mark.parametrize(("n", "form"), [(0, "other"), (1, "one"), (2, "other"), (12, "other")])
def test_one_is_one_and_everything_else_is_other(n, form):
    assert plural_form(n) == form
