"""The glossary is kept: what it says is not said occurs in no catalogue."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from dicetown.languages import LANGUAGES

ROOT = Path(__file__).parents[2]
GLOSSARY = ROOT / "docs" / "glossary.md"
LANGUAGES_FOLDER = ROOT / "src" / "dicetown" / "languages"
#: Of the names only what is ours: cards and symbols are called as they are printed.
PRINTED = ("icon", "classic", "second")


def avoided() -> list[tuple[str, str]]:
    """The words of the glossary's last column, each with its language."""
    rows = [
        line.strip("|").split("|") for line in GLOSSARY.read_text("utf-8").splitlines() if line[:1] == "|"
    ]
    return [
        (entry.partition(":")[0].strip(), word.strip())
        for row in rows
        if ":" in row[-1]
        for entry in row[-1].split(";")
        for word in entry.partition(":")[2].split(",")
    ]


def texts(value: object) -> Iterator[str]:
    """All texts below a table of a TOML file."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for inner in value.values() for text in texts(inner))
    elif isinstance(value, list):
        yield from (text for inner in value for text in texts(inner))


def said(language: str) -> list[tuple[str, str]]:
    """Everything a language says: where, and what."""
    return [
        (path.relative_to(LANGUAGES_FOLDER).as_posix(), text)
        for path in sorted((LANGUAGES_FOLDER / language).rglob("*.toml"))
        for text in texts(ours(tomllib.loads(path.read_text("utf-8"))))
    ]


def ours(tables: dict[str, object]) -> dict[str, object]:
    """The tables of a file without those of names that are printed."""
    return {name: table for name, table in tables.items() if name not in PRINTED}


def occurs(word: str, text: str) -> bool:
    """Whether a word stands in a text as a whole; "Mini-Markt" is another word than "Markt"."""
    return re.search(rf"(?<![\w-]){re.escape(word)}(?!\w)", text, re.IGNORECASE) is not None


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_catalogue_is_read(language: str) -> None:
    assert len({place for place, _ in said(language)}) > 20
    assert len(said(language)) > 900


def test_the_glossary_names_words_to_avoid() -> None:
    assert {language for language, _ in avoided()} <= set(LANGUAGES)
    assert {("es", "mercado"), ("de", "Markt"), ("de", "gedeckt")} <= set(avoided())
    assert all(word for _, word in avoided())


@pytest.mark.parametrize(("language", "word"), avoided())
def test_a_word_that_the_glossary_avoids_is_not_said(language: str, word: str) -> None:
    assert [(place, text) for place, text in said(language) if occurs(word, text)] == []
