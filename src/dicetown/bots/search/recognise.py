"""Who plays by which list: an opponent's city often gives their strategy away.

A search that takes everybody for a greedy player misjudges those who follow a plan. Cities are public, and a
scripted strategy leaves a clear trace: it owns no card that is not on its list, nothing further down the list
while something before it could have been bought for less, and no other landmark while anything on the list
is to be had. Whoever's city fits a known list is expected to go on with it.
"""

from __future__ import annotations

from typing import Any

from dicetown.bots.rules.scripts import Script, scripts_for
from dicetown.bots.view import View
from dicetown.game.notation import numbers_of
from dicetown.rules import codes as c

#: So many purchases before a city says anything. A first one is only a hint, but who waits for more answers
#: too late: three furniture players have bought all forests by then. Measured: 77 instead of 60 % against
#: these, and no less against three greedy players, who are taken for others at first.
ENOUGH = 1


def recognise(view: View, seat: int) -> Script | None:
    """The scripted strategy that a player seems to follow, if any."""
    fitting = [script for script in scripts_for(view.ruleset).values() if _fits(view, seat, script)]
    return max(fitting, key=lambda script: _fulfilled(view, seat, script), default=None)


def _fits(view: View, seat: int, script: Script) -> bool:
    """Whether everything in a city, and its order, can be the script's doing."""
    s, t = view.state, view.tables
    wants = _wants(view, script)
    bought = s.owned[seat][: t.cards] - t.start_city[: t.cards]
    if bought.clip(0).sum() + int(s.built[seat]).bit_count() < ENOUGH:
        return False
    most = {thing: copies for copies, thing in wants}
    if any(bought[card] > 0 and s.owned[seat, card] > most.get(card, 0) for card in range(int(t.cards))):
        return False
    lacking: list[int] = []  # prices of what comes first and is not there, though it is to be had
    for copies, thing in wants:
        owned, price = _owned(view, seat, thing)
        if owned and _is_bought(view, thing) and any(before <= price for before in lacking):
            return False
        if owned < copies and s.market[thing] > 0:
            lacking.append(price)
    listed = sum({1 << (thing - c.MAX_CARDS) for _, thing in wants if thing >= c.MAX_CARDS})
    return not (lacking and int(s.built[seat]) & ~listed)


def _fulfilled(view: View, seat: int, script: Script) -> float:
    """How much of a list has been bought."""
    wants = _wants(view, script)
    there = sum(min(copies, _owned(view, seat, thing)[0]) for copies, thing in wants)
    return there / max(1, sum(copies for copies, _ in wants))


def _wants(view: View, script: Script) -> list[tuple[int, int]]:
    numbers = numbers_of(view.ruleset)
    return [(copies, numbers[thing]) for copies, thing in script.wants() if thing in numbers]


def _owned(view: View, seat: int, thing: int) -> tuple[int, int]:
    """How many of a thing a player has, and what it costs."""
    s: Any = view.state
    if thing < c.MAX_CARDS:
        return int(s.owned[seat, thing]), int(view.tables.cost[thing])
    mark = thing - c.MAX_CARDS
    return int(s.built[seat]) >> mark & 1, int(view.tables.landmark_cost[mark, 0])


def _is_bought(view: View, thing: int) -> bool:
    """Whether a thing is not just there from the start."""
    return thing >= c.MAX_CARDS or int(view.tables.start_city[thing]) == 0
