"""Docstrings as Markdown: examples become blocks of code, and references to other things plain names."""

from __future__ import annotations

import re
from typing import Any

import griffe

_ROLE = re.compile(r":(?:class|func|meth|mod|attr):`~?([\w.]+)`")
_EXAMPLE = re.compile(r"^( *)>>> .*\n?(?:^\1\S.*\n?)*", re.MULTILINE)
_INDENTED = re.compile(r"::\n\n((?: {4}.*\n?|\n)+)")


def to_markdown(text: str) -> str:
    r"""A docstring as Markdown.

    >>> to_markdown("See :class:`Game`.\n\n>>> 1 + 1\n2")
    'See `Game`.\n\n```pycon\n>>> 1 + 1\n2\n```\n'
    """
    text = _ROLE.sub(r"`\1`", text)
    text = _INDENTED.sub(lambda code: f":\n\n{code[1]}", text)
    return _EXAMPLE.sub(lambda example: f"```pycon\n{example[0].rstrip()}\n```\n", text)


class Docstrings(griffe.Extension):
    """What mkdocstrings calls for everything it finds."""

    def on_object(self, *, obj: griffe.Object, **others: Any) -> None:
        """Rewrite its docstring, if it has one."""
        if obj.docstring:
            obj.docstring.value = to_markdown(obj.docstring.value)
