"""From the text that names a bot to a bot at a seat.

Dicetown's own bots think in this process. Those of other packages, and programs, get a process of their
own: whatever they do there, they can be stopped.
"""

from __future__ import annotations

from dicetown.bots.bot import Bot
from dicetown.bots.programs.pipe import PIPE, PipeBot
from dicetown.bots.roster import BOTS, known_bots, make_bot

#: Who takes over where a bot fails: the first of these that there is.
STAND_INS = ("normal", "greedy")


def is_own(spec: str) -> bool:
    """Whether a text names one of Dicetown's own bots.

    >>> is_own("greedy:slips=50"), is_own("pipe:python3 my_bot.py")
    (True, False)
    """
    return spec.partition(":")[0].strip() in BOTS


def seat_bot(spec: str, seconds: float | None = None) -> Bot:
    """The bot that a text names; the seconds are for those that have a process of their own.

    >>> seat_bot("greedy").name
    'greedy'
    """
    if spec.startswith(PIPE):
        return PipeBot.read(spec, seconds)
    if not is_own(spec) and spec.partition(":")[0].strip() in known_bots():
        return PipeBot.serving(spec, seconds)
    return make_bot(spec)


def stand_in(failed: str = "") -> str:
    """The name of the bot that takes over where another fails.

    >>> stand_in("pipe:python3 my_bot.py") in BOTS
    True
    """
    return next(name for name in STAND_INS if name in BOTS and name != failed)
