"""The glossary is kept: what it says is not said occurs in no catalogue."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from dicetown.material import LANGUAGES

ROOT = Path(__file__).parents[2]
SOURCES, PAGE = ROOT / "src" / "dicetown", ROOT / "web" / "src"
GLOSSARY = ROOT / "docs" / "glossary.md"
#: One file for each language.
CATALOGUES = ("words", "server/wire/words", "server/wire/words/boxes", "material/lang", "lab/studies/lang/*")
#: Files in which every text has all languages; of the boxes only what is ours, names are as printed.
SHARED = ("bots/rules/scripts.toml", "lab/studies/claims.toml", "material/editions.toml")


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


def in_language(value: object, language: str) -> Iterator[str]:
    """The texts of one language where each text has them all."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from texts(inner) if key == language else in_language(inner, language)
    elif isinstance(value, list):
        yield from (text for inner in value for text in in_language(inner, language))


def read(path: Path) -> object:
    return tomllib.loads(path.read_text("utf-8"))


def said(language: str) -> list[tuple[str, str]]:
    """Everything a language says: where, and what."""
    found = [
        (path.relative_to(ROOT).as_posix(), text)
        for folder in CATALOGUES
        for path in SOURCES.glob(f"{folder}/{language}.toml")
        for text in texts(read(path))
    ]
    found += [(name, text) for name in SHARED for text in in_language(read(SOURCES / name), language)]
    for path in [PAGE / "look" / "words.ts", *sorted((PAGE / "words").glob("*.ts"))]:
        block = re.search(rf"\n  {language}: \{{\n(.*?)\n  \}},", path.read_text("utf-8"), re.DOTALL)
        found += [(path.name, line.strip()) for line in block[1].splitlines()] if block else []
    return found


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
