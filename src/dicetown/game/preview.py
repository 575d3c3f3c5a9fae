"""What a roll would bring: each player's gain or loss for a total, and what one more card would change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dicetown.errors import IllegalAction
from dicetown.game.past import Desk
from dicetown.rules import codes as c
from dicetown.rules.agenda import close_agenda, open_agenda
from dicetown.rules.choices import find_choices, may_roll_two
from dicetown.rules.city import power
from dicetown.rules.layout import copy
from dicetown.rules.step import befall, take, work_on

#: The tuna dice bring 7 on average: shown as 3 and 4.
_AVERAGE_CATCH = 3 * c.TWO_DICE_BASE + 4
DIE = 6
TWO_DICE = 2 * DIE
#: Where a roll is tried, and within it a choice; games are played on a desk of their own.
_trial, _further = Desk(), Desk()


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
    trial, log = _trial.lay(s), _trial.log
    log.count = 0
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
    return Preview(total, _gains(_trial.told(), t.players), chose, sailed)


def _faces(total: int) -> tuple[int, ...]:
    """Dice that show a total, not doubles where that can be; a Harbor's 13 and 14 count as 12."""
    if total <= DIE:
        return (total,)
    high = min(DIE, total - 1)
    low = min(DIE, total - high)
    return (high - 1, low + 1) if high == low and high + low < TWO_DICE else (high, low)


def _best_choice(t: Any, s: Any) -> tuple[int, int]:
    """The choice that leaves the roller with the most coins, and among how many."""
    choices = _trial.choices
    find_choices(t, s, choices)
    options = choices.action[: choices.count].tolist()
    if s.phase not in (c.PLAYER, c.CARD, c.LANDMARK):
        return options[0], len(options)  # which card changes hands moves no coin

    def coins_after(action: int) -> int:
        further = _further.lay(s)
        take(t, further, _further.deaf, action)
        return int(further.coins[further.turn])

    return max(options, key=coins_after), len(options)


def _gains(told: list[int], players: int) -> tuple[int, ...]:
    gains = [0] * players
    for at in range(0, len(told), 1 + c.EVENT_FIELDS):
        kind, payer, receiver, coins, cause = told[at : at + 5]
        if kind == c.EVENT_PAY and cause != c.CAUSE_HELP:
            if payer != c.BANK:
                gains[payer] -= coins
            if receiver != c.BANK:
                gains[receiver] += coins
    return tuple(gains)


# ------------------------------------------------------------------------- what a card earns


def chance_with_one(total: int) -> float:
    """How likely a total is with one die.

    >>> chance_with_one(6) == 1 / 6, chance_with_one(7)
    (True, 0.0)
    """
    return 1 / DIE if 1 <= total <= DIE else 0.0


def chance_with_two(total: int) -> float:
    """How likely a total is with two dice.

    >>> chance_with_two(7) == 1 / 6, chance_with_two(1), chance_with_two(12) == 1 / 36
    (True, 0.0, True)
    """
    return max(DIE - abs(total - DIE - 1), 0) / DIE**2


def reachable_totals(t: Any, s: Any) -> range:
    """The totals that the player on turn can reach; a Harbor reaches beyond two dice."""
    if s.start_left:
        return range(0)
    if not may_roll_two(t, s):
        return range(1, DIE + 1)
    return range(1, TWO_DICE + power(t, s, max(s.turn, 0), c.POWER_ADD) + 1)


def worth_of_copy(t: Any, s: Any, thing: int, seat: int) -> tuple[float, float]:
    """What one more copy of a thing would earn a player in a round, with one die and with two."""
    with_it = copy(s)
    if thing < c.MAX_CARDS:
        with_it.owned[seat, thing] += 1
    else:
        with_it.built[seat] |= 1 << (thing - c.MAX_CARDS)
    one_die = two_dice = 0.0
    for roller, total in _rolls_that_matter(t, thing):
        before, after = copy(s), copy(with_it)
        before.turn = after.turn = roller
        seen = (look_ahead(t, state, total).gains[seat] for state in (before, after))
        gain = -next(seen) + next(seen)
        one_die += gain * chance_with_one(total)
        two_dice += gain * chance_with_two(total)
    return one_die, two_dice


def _rolls_that_matter(t: Any, thing: int) -> Iterator[tuple[int, int]]:
    """The rollers and totals for which a thing may make a difference."""
    totals = set(range(1, TWO_DICE + 1)) if thing >= c.MAX_CARDS else _totals_that_matter(t, thing)
    for total in sorted(totals):
        if total <= TWO_DICE:
            yield from ((roller, total) for roller in range(int(t.players)))


def _totals_that_matter(t: Any, card: int) -> set[int]:
    """The totals on which a card acts, or another that counts it."""
    cards = [card] + [one for one in range(int(t.cards)) if card in t.counted[one, : int(t.n_counted[one])]]
    return {total for one in cards for total in range(int(t.first_roll[one]), int(t.last_roll[one]) + 1)}
