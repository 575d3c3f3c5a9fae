"""What a language lacks is said, all of it, before anybody sees it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.material.boxes import copy_of_the_languages, rewrite

from dicetown.languages import LANGUAGES
from dicetown.words.completeness import compare_with_reference
from dicetown.words.language import facts_of


@pytest.fixture
def german(tmp_path) -> Path:
    return copy_of_the_languages(tmp_path) / "de"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_is_complete(dicetown, language: str) -> None:
    ran = dicetown("languages", "check", language)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith(f"{language}: ")
    assert "0 faults" in ran.out


def test_the_languages_are_listed_with_how_complete_they_are(dicetown) -> None:
    lines = dicetown("languages").out.splitlines()
    assert [line.split()[:2] for line in lines] == [
        ["en", "English:"],
        ["es", "Español:"],
        ["de", "Deutsch:"],
    ]
    texts = compare_with_reference(Path(__file__).parents[2] / "src/dicetown/languages/es").texts
    assert all(f"{texts} of {texts} texts" in line for line in lines)


def test_every_fault_is_said_at_once(dicetown, german: Path) -> None:
    rewrite(german / "page" / "look.toml", 'built = "gebaut"\n', 'bilt = "gebaut"\n')
    rewrite(german / "cards.toml", '{ one = "Münze", other = "Münzen" }', '{ one = "Münze" }')
    rewrite(german / "service.toml", "[refuse]\n", '[refuse]\nextra = "Zu viel."\n')
    rewrite(german / "language.toml", 'name = "Deutsch"', 'nom = "Deutsch"')
    (german / "lab" / "dice.toml").unlink()
    (german / "more.toml").write_text('word = "Wort"\n', encoding="utf-8")
    ran = dicetown("languages", "check", str(german))
    assert ran.status == 1
    *faults, last = ran.out.splitlines()
    wanted = [
        ('de/language.toml: there is no field "nom"', "name"),
        ('de/cards.toml, "term.coin": its forms are one', "one, other"),
        ("de/lab/dice.toml: it is missing", "en/lab/dice.toml"),
        ('de/page/look.toml, "built": it is missing', "translate it"),
        ('de/page/look.toml, "bilt": en/page/look.toml does not have it', "leave it out"),
        ('de/service.toml, "refuse.extra": en/service.toml does not have it', "leave it out"),
        ("de/more.toml: en has no such file", "leave it out"),
    ]
    assert len(faults) == len(wanted)
    for fault, (beginning, end) in zip(faults, wanted, strict=True):
        assert fault.startswith(beginning)
        assert end in fault
    assert last.endswith("7 faults.")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["chek"], '"chek" cannot be done to languages'),
        (["check", "yy"], 'There is no language "yy", and no such folder; known: en, es, de.'),
    ],
)
def test_what_cannot_be_checked_is_refused(dicetown, arguments: list[str], sentence: str) -> None:
    ran = dicetown("languages", *arguments)
    assert ran.status == 2
    assert sentence in ran.err


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_proposes_a_box_and_names_that_fit_a_seat(language: str) -> None:
    from dicetown.material import load

    facts = facts_of(language)
    assert facts.edition in load().editions
    assert len(set(facts.friendly_names)) >= 8
    assert all(len(name) <= 8 for name in facts.friendly_names)
