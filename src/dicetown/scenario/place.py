"""Reading plain values out of a document, each with a sentence for what does not fit.

A :class:`Place` knows where in which file it is, so every complaint names file, scenario and step.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from dicetown.errors import ScenarioError
from dicetown.suggestions import did_you_mean

_brief = reprlib.Repr()
_brief.maxstring = _brief.maxother = 60


def brief(value: object) -> str:
    """A value as a sentence can quote it: short, whatever it is.

    >>> brief("cafe"), brief(True), brief([1, 2, 3, 4, 5, 6, 7, 8])
    ('"cafe"', 'true', '[1, 2, 3, 4, 5, 6, ...]')
    """
    if isinstance(value, str):
        return '"' + _brief.repr(value)[1:-1] + '"'
    if value is None or isinstance(value, bool):
        return {None: "empty", True: "true", False: "false"}[value]
    return _brief.repr(value)


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a scenario file; its methods check what stands there."""

    where: str

    def inside(self, part: str) -> Place:
        """A place within this one."""
        return Place(f"{self.where}, {part}")

    def wrong(self, sentence: str) -> ScenarioError:
        """The error to raise here."""
        return ScenarioError(f"{self.where}: {sentence}.")

    def mapping(self, value: object, what: str, known: Iterable[str]) -> dict[str, Any]:
        """A mapping with no other keys than these."""
        if not isinstance(value, dict):
            raise self.wrong(f"{what} is {brief(value)}; it must be a mapping with {', '.join(known)}")
        for key in value:
            if key not in known:
                raise self.wrong(f"{what} has a key {brief(key)}; {did_you_mean(key, known)}")
        return value

    def given(self, value: object, what: str, known: Iterable[str]) -> dict[str, Any]:
        """A mapping with no other keys than these; those without a value are left out."""
        parts = self.mapping(value, what, known)
        return {key: part for key, part in parts.items() if part is not None}

    def listing(self, value: object, what: str) -> list[Any]:
        """A list."""
        if not isinstance(value, list):
            raise self.wrong(f"{what} is {brief(value)}; it must be a list in [ ]")
        return value

    def text(self, value: object, what: str) -> str:
        """A text that says something, in one line."""
        line = " ".join(value.split()) if isinstance(value, str) else ""
        if not line or not line.isprintable():
            raise self.wrong(f"{what} is {brief(value)}; it must be a text")
        return line

    def truth(self, value: object, what: str) -> bool:
        """True or false."""
        if not isinstance(value, bool):
            raise self.wrong(f"{what} is {brief(value)}; it must be true or false")
        return value

    def number(self, value: object, what: str, least: int, most: int) -> int:
        """A whole number within limits."""
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise self.wrong(f"{what} is {brief(value)}; it must be a whole number from {least} to {most}")
        return value

    def dice(self, value: object, what: str, fewest: int = 1) -> tuple[int, ...]:
        """What dice show."""
        faces = self.listing(value, what)
        if not fewest <= len(faces) <= 2:
            shape = "[a, b]" if fewest == 2 else "[a] or [a, b]"
            raise self.wrong(f"{what} is {brief(value)}; it must be {shape}, one face per die")
        return tuple(self.number(face, f"a die of {what}", 1, 6) for face in faces)

    def choice(self, value: object, what: str, known: Sequence[str]) -> str:
        """One of some words."""
        if not isinstance(value, str) or value not in known:
            raise self.wrong(f"{what} is {brief(value)}; {did_you_mean(value, known)}")
        return value
