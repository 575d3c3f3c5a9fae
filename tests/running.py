"""What a command printed and how it ended."""

from collections.abc import Callable
from typing import NamedTuple


class Ran(NamedTuple):
    """A command that has run."""

    status: int
    out: str
    err: str


Run = Callable[..., Ran]
