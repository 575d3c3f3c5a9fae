"""What a roll would bring: each player's gain or loss for a total, before it is rolled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dicetown.errors import IllegalAction
from dicetown.rules import codes as c
from dicetown.rules.agenda import close_agenda, open_agenda
from dicetown.rules.choices import find_choices
from dicetown.rules.layout import CHOICES, copy, listening_log, new
from dicetown.rules.step import befall, take, work_on

#: The tuna dice bring 7 on average: shown as 3 and 4.
_AVERAGE_CATCH = 3 * c.TWO_DICE_BASE + 4
_DIE = 6


@dataclass(frozen=True, slots=True)
class Preview:
    """Coins each player would gain (or lose, negative) on a total, before anything is built.

    ``choice``: the roller would have to choose on the way; the most coins for them is assumed.
    ``average``: tuna boats would sail; seven is assumed.
    """

    total: int
    gains: tuple[int, ...]
    choice: bool = False
    average: bool = False


def look_ahead(t: Any, s: Any, total: int, dice: tuple[int, ...] | None = None) -> Preview:
    """Resolve a total on a copy of the position, as the player on turn's roll."""
    if not 1 <= total <= c.MAX_TOTAL:
        raise IllegalAction(f"There is no total of {total}; dice show 1 to {c.MAX_TOTAL}.")
    trial, log = copy(s), listening_log()
    faces = dice or _faces(total)
    close_agenda(t, trial)  # the present roll, if it is being resolved, is not this one
    trial.left = trial.hosting = 0
    trial.turn = max(s.turn, 0)
    trial.dice, trial.die, trial.other_die = len(faces), faces[0], faces[1] if len(faces) > 1 else 0
    trial.total, trial.extra_earned = total, 0
    open_agenda(t, trial, log)
    work_on(t, trial, log)
    chose = sailed = False
    while trial.phase not in (c.BUILD, c.OVER):
        if trial.phase == c.TUNA:
            sailed = True
            befall(t, trial, log, _AVERAGE_CATCH)
        else:
            action, options = _best_choice(t, trial)
            chose = chose or options > 1
            take(t, trial, log, action)
        work_on(t, trial, log)
    return Preview(total, _gains(log, t.players), chose, sailed)


def _faces(total: int) -> tuple[int, ...]:
    """Dice that show a total, not doubles where that can be; a Harbor's 13 and 14 count as 12."""
    if total <= _DIE:
        return (total,)
    high = min(_DIE, total - 1)
    low = min(_DIE, total - high)
    return (high - 1, low + 1) if high == low and high + low < 2 * _DIE else (high, low)


def _best_choice(t: Any, s: Any) -> tuple[int, int]:
    """The choice that leaves the roller with the most coins, and among how many."""
    choices = new(CHOICES)
    find_choices(t, s, choices)
    options = choices.action[: choices.count].tolist()
    if s.phase not in (c.PLAYER, c.CARD, c.LANDMARK):
        return options[0], len(options)  # which card changes hands moves no coin

    def coins_after(action: int) -> int:
        trial = copy(s)
        take(t, trial, _SILENCE, action)
        return int(trial.coins[trial.turn])

    return max(options, key=coins_after), len(options)


def _gains(log: Any, players: int) -> tuple[int, ...]:
    gains = [0] * players
    for kind, payer, receiver, coins, cause, *_ in log.rows[: log.count].tolist():
        if kind == c.EVENT_PAY and cause != c.CAUSE_HELP:
            if payer != c.BANK:
                gains[payer] -= coins
            if receiver != c.BANK:
                gains[receiver] += coins
    return tuple(gains)


_SILENCE: Any = new(listening_log().layout)
