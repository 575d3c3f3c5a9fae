"""Bots that whoever starts the service brings along: ``dicetown serve --bot 'My agent=pipe:…'``.

Guests see their names beside the other bots and can give them seats. What a name stands for, a program or a
bot with its options, is said at the start and by nobody else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

from dicetown.bots import View, known_bots
from dicetown.bots.programs.pipe import PipeBot
from dicetown.bots.seats import seat_bot
from dicetown.errors import BotError, BotFault
from dicetown.game import Game
from dicetown.letters import alike
from dicetown.server.wire.names import check_name
from dicetown.server.wire.refusals import Refused
from dicetown.server.wire.texts import USUAL


def read_bots(texts: Iterable[str]) -> Mapping[str, str]:
    """What each name stands for; programs are started once, so that a bad one is refused at once.

    >>> read_bots(["Careless=greedy:slips=300"])
    {'Careless': 'greedy:slips=300'}
    >>> read_bots(["greedy=random"])
    Traceback (most recent call last):
    dicetown.errors.BotError: "greedy=random": a bot is called greedy already.
    """
    bots: dict[str, str] = {}
    taken = {alike(bot) for bot in known_bots()}
    for text in texts:
        name, equals, spec = text.partition("=")
        if not equals or not spec.strip():
            raise BotError(f'"{text}" names no bot; it reads like "My agent=pipe:python3 my_agent.py".')
        name = _read_name(name)
        if alike(name) in taken:
            raise BotError(f'"{text}": a bot is called {name} already.')
        _try_out(name, spec.strip())
        taken.add(alike(name))
        bots[name] = spec.strip()
    return bots


def _read_name(name: str) -> str:
    try:
        return check_name(name)
    except Refused as problem:
        raise BotError(f'A bot cannot be called "{name}": {problem.sentence(USUAL)}') from None


def _try_out(name: str, spec: str) -> None:
    """Refuse a bot that cannot be made, or a program that does not start."""
    bot = seat_bot(spec)
    try:
        if isinstance(bot, PipeBot):
            bot.check()
            if bot.failed_to_start:
                bot.choose(View.of(Game(seed=0)), Random(0))  # nobody is there to choose: it says why
    except BotFault as fault:
        raise BotError(f'The bot "{name}" does not start: {fault}') from None
    finally:
        bot.close()
