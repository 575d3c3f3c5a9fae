"""Names of players: which are accepted, and how two of the same are told apart."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from random import SystemRandom

from dicetown.letters import JOINERS, alike, seen
from dicetown.server.wire.base import LONGEST_NAME
from dicetown.server.wire.refusals import Refused

#: What bots are called where nobody gives them a name; the same in every language.
BOT_NAMES = (
    "Ada", "Basil", "Clio", "Dora", "Emil", "Flora", "Gus", "Hilda", "Igor", "Juno", "Kim", "Luna",
    "Milo", "Nora", "Otto", "Pia", "Rufus", "Stella", "Theo", "Uma", "Vito", "Wanda", "Yuri", "Zoe",
)  # fmt: skip


def check_name(name: str) -> str:
    """A name as it will be shown: trimmed, one line, something that can be seen.

    >>> check_name("  Ana  María ")
    'Ana María'
    """
    if seen(name, "") != name:
        raise Refused("bad_name", most=LONGEST_NAME)
    shown = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= len(shown) <= LONGEST_NAME or not any(_is_ink(letter) for letter in shown):
        raise Refused("bad_name", most=LONGEST_NAME)
    return shown


def _is_ink(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "LNPS" and not unicodedata.name(letter, "").endswith("FILLER")


def told_apart(name: str, others: Iterable[str]) -> str:
    """The name, with a number if somebody else at the table is called so.

    >>> told_apart("Ana", ["Ben", "ana", "Ana 2"])
    'Ana 3'
    """
    taken = {alike(other) for other in others}
    number, apart = 1, name
    while alike(apart) in taken:
        number += 1
        ending = f" {number}"
        apart = name[: LONGEST_NAME - len(ending)].rstrip(" " + JOINERS) + ending
    return apart


def name_bot(others: Iterable[str]) -> str:
    """A name for a bot that nobody else at the table has."""
    taken = {alike(other) for other in others}
    free = [name for name in BOT_NAMES if alike(name) not in taken]
    return SystemRandom().choice(free)


def clean_line(text: str) -> str:
    r"""What somebody says, as one line without anything that cannot be seen.

    >>> clean_line(" hello\n\x00 there ")
    'hello there'
    """
    return " ".join(unicodedata.normalize("NFC", seen(text, " ")).split())
