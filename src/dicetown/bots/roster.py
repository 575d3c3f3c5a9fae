"""The bots by name: Dicetown's own, and those of other packages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import entry_points
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicetown.bots.bot import Bot, BotMaker
from dicetown.bots.mind import MIND
from dicetown.bots.rules.bots import RuleBot
from dicetown.errors import BotError
from dicetown.rules.ruleset import Ruleset
from dicetown.suggestions import did_you_mean

#: Where other packages name their bots.
GROUP = "dicetown.bots"

#: Dicetown's own, in the order in which they are listed; the package names them.
BOTS: dict[str, BotMaker] = {}


def register(*makers: BotMaker) -> None:
    """Make bots known by their names."""
    BOTS.update({maker.name: maker for maker in makers})


@cache
def bots_of_others() -> Mapping[str, Any]:
    """The entry points of other packages, by name; none of them is loaded before it is asked for."""
    return {entry.name: entry for entry in entry_points(group=GROUP) if entry.name not in BOTS}


def known_bots() -> list[str]:
    """All names that can be asked for."""
    return [*BOTS, *bots_of_others()]


def find_bot(name: str) -> BotMaker:
    """What makes the bot of a name.

    >>> find_bot("greedy").name
    'greedy'
    >>> find_bot("gredy")
    Traceback (most recent call last):
    dicetown.errors.BotError: There is no bot "gredy"; did you mean "greedy"? Known: random, greedy, ...
    """
    if name in BOTS:
        return BOTS[name]
    if name in bots_of_others():
        return _load(name)
    raise BotError(f'There is no bot "{name}"; {did_you_mean(name, known_bots())}.')


def _load(name: str) -> BotMaker:
    entry = bots_of_others()[name]
    try:
        kind = entry.load()
    except (ImportError, AttributeError) as problem:
        raise BotError(f'The bot "{name}" ({entry.value}) cannot be loaded: {problem}.') from None
    if not (isinstance(kind, type) and issubclass(kind, Bot)):
        raise BotError(f'The bot "{name}" ({entry.value}) is no subclass of dicetown.bots.Bot.')
    return BotMaker.of(kind)


def make_bot(spec: str) -> Bot:
    """The bot of a text: its name, and options after colons.

    >>> make_bot("greedy:slips=50").slips
    50
    >>> make_bot("greedy:slip=50")
    Traceback (most recent call last):
    dicetown.errors.BotError: The bot "greedy" has no option "slip"; it has: slips.
    """
    name, *settings = spec.split(":")
    maker = find_bot(name.strip())
    options: dict[str, Any] = {}
    for setting in settings:
        option, equals, value = (part.strip() for part in setting.partition("="))
        if option not in maker.options:
            known = f"it has: {', '.join(maker.options)}" if maker.options else "it has none"
            raise BotError(f'The bot "{maker.name}" has no option "{option}"; {known}.')
        if not equals:
            raise BotError(f'The option "{option}" of the bot "{maker.name}" has no value; write {option}=….')
        try:
            options[option] = maker.options[option].read(value)
        except BotError as problem:
            raise BotError(f'The option "{option}" of the bot "{maker.name}" {problem}.') from None
    return maker.make(**options)


def minds_for(bots: Sequence[str], ruleset: Ruleset) -> NDArray[Any]:
    """What compiled play must know of the bots, seat by seat; only bots that follow rules will do."""
    minds = np.zeros(len(bots), MIND)
    for seat, spec in enumerate(bots):
        minds[seat] = mind_of(make_bot(spec), ruleset).array[0]
    return minds


def mind_of(bot: Bot, ruleset: Ruleset) -> Any:
    """What compiled play must know of a bot."""
    if not isinstance(bot, RuleBot):
        raise BotError(
            f'The bot "{bot.name}" thinks, and cannot play thousands of games a second; '
            "let it play with: dicetown arena."
        )
    return bot.mind(ruleset)
