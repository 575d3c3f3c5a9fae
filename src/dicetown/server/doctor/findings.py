"""What was found: a check, how it ended, and a sentence about it in the language of who asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from dicetown.material.catalogue import catalogue

State = Literal["right", "wrong", "unknown"]
FILE = "doctor"


@dataclass(frozen=True)
class Finding:
    """What one check has found; ``what`` tells apart what else may be wrong with the same thing."""

    check: str
    state: State
    what: str
    slots: dict[str, Any] = field(default_factory=dict)

    def sentence(self, language: str) -> str:
        """What it means.

        >>> right("page").sentence("de")
        'Die Seite ist da, mit all ihren Dateien.'
        """
        return catalogue(FILE, language).say(f"{self.check}.{self.what}", None, **self.slots)

    def as_data(self, language: str) -> dict[str, str]:
        """The same for programs."""
        return {
            "check": self.check,
            "state": self.state,
            "what": self.what,
            "sentence": self.sentence(language),
        }


def right(check: str, what: str = "right", **slots: Any) -> Finding:
    """Something is as it should be."""
    return Finding(check, "right", what, slots)


def wrong(check: str, what: str = "wrong", **slots: Any) -> Finding:
    """Something is not."""
    return Finding(check, "wrong", what, slots)


def unknown(check: str, what: str = "unknown", **slots: Any) -> Finding:
    """Something cannot be seen from here, which is nobody's fault."""
    return Finding(check, "unknown", what, slots)
