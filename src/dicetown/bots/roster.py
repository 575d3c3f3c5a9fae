"""The bots by name and number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from dicetown.bots.greedy import play_greedily
from dicetown.bots.uniform import play_anything
from dicetown.errors import BotError
from dicetown.rules.kernel import kernel
from dicetown.rules.layout import Choices, State, Tables
from dicetown.rules.rng import Rng

RANDOM = 0
GREEDY = 1

Policy = Callable[[Tables, State, Choices, Rng], int]


@dataclass(frozen=True)
class Bot:
    """A player made of rules: it sees the state, which holds no secrets, and names a legal action."""

    name: str
    number: int  # how compiled play knows it
    description: dict[str, str]  # by language
    policy: Policy  # a kernel

    def choose(self, t: Any, s: Any, choices: Any, rng: Any) -> int:
        """The action the bot takes, one of ``choices``; interpreted, so there is no waiting."""
        return self.policy(t, s, choices, rng)


BOTS: dict[str, Bot] = {
    bot.name: bot
    for bot in (
        Bot(
            "random",
            RANDOM,
            {
                "en": "Plays anything that is allowed.",
                "es": "Juega cualquier cosa permitida.",
                "de": "Spielt irgendetwas Erlaubtes.",
            },
            play_anything,
        ),
        Bot(
            "greedy",
            GREEDY,
            {
                "en": "Weighs the income of the next round against the price, and builds landmarks in time.",
                "es": "Compara los ingresos de la próxima ronda con el precio y construye a tiempo.",
                "de": "Wägt das Einkommen der nächsten Runde gegen den Preis und baut rechtzeitig.",
            },
            play_greedily,
        ),
    )
}


def find_bot(name: str) -> Bot:
    """The bot of a name.

    >>> find_bot("greedy").number
    1
    >>> find_bot("gredy")
    Traceback (most recent call last):
    dicetown.errors.BotError: There is no bot "gredy"; did you mean "greedy"? Known: random, greedy.
    """
    if name in BOTS:
        return BOTS[name]
    near = get_close_matches(str(name), BOTS, n=1)
    hint = f'did you mean "{near[0]}"? Known' if near else "known"
    raise BotError(f'There is no bot "{name}"; {hint}: {", ".join(BOTS)}.')


@kernel(apart=True)
def choose_as(bot: int, t: Tables, s: State, choices: Choices, rng: Rng) -> int:
    """The action a bot takes, by its number: for compiled play with a bot in each seat."""
    if bot == GREEDY:
        return play_greedily(t, s, choices, rng)
    return play_anything(t, s, choices, rng)
