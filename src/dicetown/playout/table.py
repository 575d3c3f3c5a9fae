"""A compiled game table: what one thread needs to play games, made once and used again and again."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicetown.bots import ChampionBot, make_bot, minds_for
from dicetown.bots.mind import MIND
from dicetown.errors import BotError
from dicetown.playout.in_step import TableInStep
from dicetown.playout.whole_game import RESULT, play_games
from dicetown.readiness import Say, get_ready
from dicetown.rules.kernel import cache_folder, compiled, is_on_disk
from dicetown.rules.layout import CHOICES, LOG, STATE, new, record_class
from dicetown.rules.rng import RNG, halves
from dicetown.rules.ruleset import Ruleset
from dicetown.rules.tables import tables_for

ABOUT_SECONDS = 20
#: Beside the compiled code: how long making it took, for who asks when it is there already.
_TIMING = "compile_seconds"


@dataclass(frozen=True)
class Readiness:
    """How compiled play became ready."""

    seconds: float  # until the first call could be made, this time
    cached: bool  # the compiled code lay on disk already
    compile_seconds: float | None  # what compiling took, now or back then; None if nobody knows


def ready(say: Say | None = None) -> Readiness:
    """Make compiled play ready, saying so first if that takes a while."""
    begun = time.perf_counter()
    cached = get_ready("the rules", ABOUT_SECONDS, play_games, say=say)
    seconds = time.perf_counter() - begun
    if not cached:
        _note(seconds)
        return Readiness(seconds, cached, seconds)
    return Readiness(seconds, cached, _noted())


def _note(seconds: float) -> None:
    """Write down what compiling took; games are played even where that cannot be written."""
    note = cache_folder(play_games) / _TIMING
    with suppress(OSError):
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(f"{seconds:.1f}\n")


def _noted() -> float | None:
    """What compiling took back then, if that was written down whole: a full disk leaves an empty file."""
    try:
        return float((cache_folder(play_games) / _TIMING).read_text())
    except (OSError, ValueError):
        return None


def is_ready() -> bool:
    """Whether the compiled games are there already: all of them, not just some kernel of the rules."""
    return is_on_disk(play_games)


def bots_for(names: Sequence[str], players: int) -> list[str]:
    """A bot for each seat: as named, or one for all.

    >>> bots_for(["greedy"], 3)
    ['greedy', 'greedy', 'greedy']
    """
    for name in names:
        make_bot(name)
    if len(names) == 1:
        return [names[0]] * players
    if len(names) != players:
        raise BotError(
            f"{len(names)} bots are named for {players} players; name one for each seat, or one for all."
        )
    return list(names)


class BotTable:
    """Seats taken by bots, who play game after game of a ruleset and a seed.

    What a thread needs for that is made once; so a table is for one thread.
    """

    def __init__(self, ruleset: Ruleset, bots: Sequence[str], seed: int) -> None:
        self.tables = tables_for(ruleset, len(bots))
        self.minds = minds_for(bots, ruleset)
        self._seed = halves(seed)
        self._states = np.zeros(2, STATE)
        self._log, self._choices, self._rng = new(LOG), new(CHOICES), new(RNG)

    def play(self, first: int, games: int) -> NDArray[Any]:
        """Play some games, compiled; the interpreter's lock is free meanwhile."""
        results = np.zeros(games, RESULT)
        records = (record.array[0] for record in (self._log, self._choices, self._rng))
        play = compiled(play_games)
        play(self.tables.array[0], self._states, *records, self.minds, *self._seed, first, results)
        return results

    def play_interpreted(self, first: int, games: int) -> NDArray[Any]:
        """Play the same games without compiling, some hundred times slower."""
        results = np.zeros(games, RESULT).view(np.recarray)
        states, records = _InterpretedStates(), (self._log, self._choices, self._rng)
        minds = [record_class(MIND)(self.minds[seat : seat + 1]) for seat in range(len(self.minds))]
        play_games(self.tables, states, *records, minds, *self._seed, first, results)
        return results.view(np.ndarray)


def has_network(bots: Sequence[str]) -> bool:
    """Whether some of the bots choose by a network, for many games at once."""
    return any(isinstance(make_bot(bot), ChampionBot) for bot in bots)


def table_for(ruleset: Ruleset, bots: Sequence[str], seed: int) -> BotTable | TableInStep:
    """The table at which these bots play thousands of games."""
    return TableInStep(ruleset, [bots], seed) if has_network(bots) else BotTable(ruleset, bots, seed)


class _InterpretedStates:
    """Two states that copy on assignment, as an array of them does in compiled code."""

    def __init__(self) -> None:
        self._records = [new(STATE), new(STATE)]

    def __getitem__(self, place: int) -> Any:
        return self._records[place]

    def __setitem__(self, place: int, state: Any) -> None:
        self._records[place].array[:] = state.array
