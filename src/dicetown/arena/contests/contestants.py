"""Who takes part in a tournament."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from dicetown.bots import Bot, ChampionBot, RuleBot
from dicetown.bots.programs.pipe import PipeBot
from dicetown.bots.seats import is_own, seat_bot


@dataclass(frozen=True)
class Contestant:
    """A bot by its text, under a name that nobody else in the tournament has."""

    name: str
    spec: str
    seconds: float | None  # for bots that say no budget of their own
    is_own: bool  # thinks in this process
    in_bulk: bool  # follows rules, or chooses for many games at once
    threads: int  # that it thinks with

    def sit_down(self) -> Bot:
        """A bot for one seat."""
        return seat_bot(self.spec, self.seconds)


def enter(specs: Sequence[str], seconds: float | None = None) -> tuple[Contestant, ...]:
    """The contestants that texts name; who is named twice gets a number.

    >>> [contestant.name for contestant in enter(["greedy", "random", "greedy"])]
    ['greedy', 'random', 'greedy (2)']
    """
    contestants: list[Contestant] = []
    seen: Counter[str] = Counter()
    for spec in specs:
        bot = seat_bot(spec, seconds)
        if isinstance(bot, PipeBot):
            bot.check()
        threads = max(1, int(getattr(bot, "threads", 1)))
        bot.close()
        seen[spec] += 1
        name = spec if seen[spec] == 1 else f"{spec} ({seen[spec]})"
        in_bulk = isinstance(bot, RuleBot | ChampionBot)
        contestants.append(Contestant(name, spec, seconds, is_own(spec), in_bulk, threads))
    return tuple(contestants)
