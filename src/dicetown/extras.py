"""Packages that not everybody needs: who asks for one that is missing is told in a sentence how to get it."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from dicetown.errors import MissingExtra


def need(extra: str, *modules: str, what: str) -> list[ModuleType]:
    """Import modules that an optional extra of Dicetown brings.

    `what` begins the sentence that says why: "The lab", "The environments".

    >>> [module.__name__ for module in need("lab", "json", what="The lab")]
    ['json']
    >>> need("lab", "no_such_module", what="The lab")
    Traceback (most recent call last):
    dicetown.errors.MissingExtra: The lab needs the package no_such_module: pip install 'dicetown[lab]'
    """
    found = []
    for name in modules:
        try:
            found.append(import_module(name))
        except ModuleNotFoundError as missing:
            if (missing.name or "").partition(".")[0] != name.partition(".")[0]:
                raise  # it is there, but something it needs itself is not
            raise MissingExtra(
                f"{what} needs the package {name.partition('.')[0]}: pip install 'dicetown[{extra}]'"
            ) from None
    return found
