"""``dicetown languages``: which languages there are, and what one still lacks."""

from __future__ import annotations

from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated

import typer

from dicetown.console import make_console
from dicetown.errors import DicetownError
from dicetown.languages import LANGUAGES, folder_of_languages
from dicetown.words.completeness import Completeness, compare_with_reference
from dicetown.words.language import facts_of

_CHECK = "check"


def run(
    check: Annotated[
        str | None, typer.Argument(help="Say what is missing or too much.", metavar="check")
    ] = None,
    which: Annotated[
        str | None,
        typer.Argument(help="A language, by its code or its folder; else all.", show_default=False),
    ] = None,
) -> None:
    """List the languages; or say what is missing in one: keys, forms, slots.

    A check exits with 0 when nothing is missing, and with 1 when something is.

    For example: dicetown languages check de

    Or: dicetown languages check src/dicetown/languages/fr
    """
    if check not in (None, _CHECK):
        raise DicetownError(f'"{check}" cannot be done to languages; leave it out, or say {_CHECK}.')
    folders = [_folder(which)] if which else [folder_of_languages() / language for language in LANGUAGES]
    if check is None:
        _list(folders)
    elif _say_faults(folders):
        raise typer.Exit(1)


def _folder(which: str) -> Traversable | Path:
    packaged = folder_of_languages() / which
    if which.isidentifier() and packaged.is_dir():
        return packaged
    if Path(which).is_dir():
        return Path(which).resolve()
    known = ", ".join(LANGUAGES)
    raise DicetownError(f'There is no language "{which}", and no such folder; known: {known}.')


def _list(folders: list[Traversable | Path]) -> None:
    for folder in folders:
        print(f"{folder.name}  {facts_of(folder.name).name}: {_in_words(compare_with_reference(folder))}.")


def _say_faults(folders: list[Traversable | Path]) -> bool:
    """Whether there are any."""
    console = make_console()
    compared = {folder.name: compare_with_reference(folder) for folder in folders}
    for name, found in compared.items():
        for fault in found.faults:
            console.print(fault, soft_wrap=True, markup=False, highlight=False)
        print(f"{name}: {_in_words(found)}, {len(found.faults)} faults.")
    return any(found.faults for found in compared.values())


def _in_words(found: Completeness) -> str:
    return f"{found.there} of {found.texts} texts, {found.same} as in English"
