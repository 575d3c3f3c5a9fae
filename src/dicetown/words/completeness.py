"""How much of a language is there, and what is missing or too much: for those who translate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path

from dicetown.errors import MaterialError
from dicetown.languages import REFERENCE, folder_of_languages
from dicetown.material.catalogue import find_faults, place_of, read_templates
from dicetown.words.language import FACTS, read_facts

_ENDING = ".toml"


@dataclass(frozen=True)
class Completeness:
    """How a folder of texts compares with that of the reference."""

    texts: int  # of the reference
    there: int  # of these
    same: int  # of those that are there, word for word as in the reference
    faults: tuple[str, ...]


def compare_with_reference(folder: Traversable | Path) -> Completeness:
    """Compare all files of a language with those of English.

    >>> compare_with_reference(folder_of_languages() / "de").faults
    ()
    """
    reference = folder_of_languages() / REFERENCE
    texts = there = same = 0
    files = files_of(folder)
    faults = [str(fault) for fault in _faults_of_facts(folder)]
    for name in sorted(files_of(reference)):
        wanted, file = read_templates(name, reference), place_of(name, folder.name)
        texts += len(wanted)
        if name not in files:
            faults.append(f"{file}: it is missing, but {place_of(name, REFERENCE)} is there; translate it.")
            continue
        try:
            mine = read_templates(name, folder)
        except MaterialError as fault:
            faults.append(str(fault))
            continue
        faults += map(str, find_faults(mine, file, wanted, place_of(name, REFERENCE)))
        there += len(wanted.keys() & mine.keys())
        same += sum(mine.get(key) == text for key, text in wanted.items())
    for name in sorted(files - files_of(reference)):
        faults.append(f"{place_of(name, folder.name)}: {REFERENCE} has no such file; leave it out.")
    return Completeness(texts, there, same, tuple(faults))


def _faults_of_facts(folder: Traversable | Path) -> Iterator[MaterialError]:
    try:
        read_facts(folder)
    except MaterialError as fault:
        yield fault


def files_of(folder: Traversable | Path, above: str = "") -> set[str]:
    """The catalogues in a folder and in those below it, by name."""
    found = set()
    for entry in folder.iterdir():
        if entry.is_dir():
            found |= files_of(entry, f"{above}{entry.name}/")
        elif entry.name.endswith(_ENDING) and (above or entry.name != FACTS + _ENDING):
            found.add(above + entry.name.removesuffix(_ENDING))
    return found
