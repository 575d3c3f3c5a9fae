"""The languages, each a folder: everything that people read stands in it, and nothing else does.

====================  ==========================================================================
``language.toml``     what the language is called, and how it writes numbers
``names.toml``        what cards, landmarks, symbols, sets and editions are called
``cards.toml``        patterns that the sentences on cards are composed from
``game.toml``         events, questions, the terminal, advice and review
``boxes.toml``        what the service says about sets, house rules and bots
``bots.toml``         each bot in a sentence
``service.toml``      what the service itself says
``doctor.toml``       what is right or wrong with a running installation
``claims.toml``       what others have written about the game
``lab/``              what the lab's studies say, a file each
``page/``             what the browser's page says, a file for each area
====================  ==========================================================================

Texts are templates with ``{slots}``; :mod:`dicetown.material.catalogue` reads and compares them. Another
language is another folder, and its code in one line below; ``dicetown languages check`` says what is missing.
"""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Literal, TypeAlias, get_args

Language: TypeAlias = Literal["en", "es", "de"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
REFERENCE: Language = "en"  # the others are translated from it


def folder_of_languages() -> Traversable:
    """Where the folders of the languages are."""
    return files(__name__)
