"""From what an agent sees back to a position: if it goes on as the real one does, nothing was hidden."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from dicetown.rules import codes as c
from dicetown.rules.layout import STATE, new
from dicetown.rules.market import count_rows
from dicetown.sight.spec import Spec

_OF_THE_TURN = (
    "dice", "die", "other_die", "total", "rerolled", "extra_earned", "extra_left", "received",
    "start_left", "built_now",
)  # fmt: skip


class Sheet:
    """An observation by the names of its fields."""

    def __init__(self, spec: Spec, numbers: NDArray[Any]) -> None:
        self.fields = {
            field.name: numbers[field.at : field.at + field.size].tolist() for field in spec.fields
        }

    def many(self, name: str) -> list[int]:
        """All numbers of a field; none where the ruleset does not have it."""
        return self.fields.get(name, [])

    def one(self, name: str) -> int:
        """The number of a field that has just one."""
        return self.fields[name][0] if name in self.fields else 0

    def which(self, name: str) -> int | None:
        """Which entry of a field is marked, if any."""
        marked = self.many(name)
        assert sum(marked) <= 1, f"{name} marks several"
        return marked.index(1) if any(marked) else None


def rebuild(spec: Spec, numbers: NDArray[Any], me: int, turns: int = 0) -> Any:
    """The position that a seat sees. How many turns have passed is not seen where there is no limit."""
    sheet, t, s = Sheet(spec, numbers), spec.tables, new(STATE)
    for k in range(spec.players):
        _rebuild_city(sheet, s, "me" if k == 0 else f"player+{k}", (me + k) % spec.players)
    _rebuild_market(sheet, spec, s)
    phase, roller = sheet.which("phase"), sheet.which("turn")
    assert phase is not None
    assert roller is not None
    s.phase, s.turn, s.winner = phase, (me + roller) % spec.players, c.NOBODY
    for name in _OF_THE_TURN:
        setattr(s, name, sheet.one(name))
    if phase == c.REROLL:  # there is no total yet, only what the dice show
        s.total = s.die + s.other_die
    s.turns = t.max_turns - sheet.one("turns_left") if spec.sight.limited else turns
    s.acting = s.host = c.NOTHING
    if c.ORDER <= phase <= c.LANDMARK:
        _rebuild_deal(sheet, spec, s, me)
    count_rows(t, s)
    return s


def _rebuild_city(sheet: Sheet, s: Any, who: str, seat: int) -> None:
    s.coins[seat] = sheet.one(f"{who}.coins")
    s.invested[seat] = sheet.one(f"{who}.invested_coins")
    for name in ("owned", "closed"):
        for card, copies in enumerate(sheet.many(f"{who}.{name}")):
            getattr(s, name)[seat, card] = copies
    s.built[seat] = sum(1 << bit for bit, stands in enumerate(sheet.many(f"{who}.built")) if stands)


def _rebuild_market(sheet: Sheet, spec: Spec, s: Any) -> None:
    t = spec.tables
    for name in ("market", "deck"):
        lying = sheet.many(name)
        getattr(s, name)[: len(lying[: t.cards])] = lying[: t.cards]
        marks = lying[t.cards :]
        getattr(s, name)[c.MAX_CARDS : c.MAX_CARDS + len(marks)] = marks
    if not spec.sight.landmark_market:  # everybody's own: what is not built
        for mark in range(t.landmarks):
            built = sum(int(s.built[seat]) >> mark & 1 for seat in range(spec.players))
            s.market[c.MAX_CARDS + mark] = int(t.supply[c.MAX_CARDS + mark]) - built


def _rebuild_deal(sheet: Sheet, spec: Spec, s: Any, me: int) -> None:
    t = spec.tables
    acting = sheet.which("acting")
    if acting is not None:
        things = [thing for thing in range(c.MAX_THINGS) if spec.sight.actor[thing] == acting]
        (s.acting,) = things
        s.left, s.hosting = sheet.one("copies_left"), sheet.one("conventions_left")
    if s.hosting:
        s.host = next(card for card in range(t.cards) if t.effect[card] == c.CONVENTION)
    given, partner = sheet.which("given"), sheet.which("partner")
    if given is not None:
        s.given, s.given_closed = given, sheet.one("given_closed")
    if s.phase == c.TAKE:  # who is traded with sees nobody marked
        s.partner = me if partner is None else (me + partner + 1) % spec.players
    _rebuild_agenda(sheet, spec, s)


def _rebuild_agenda(sheet: Sheet, spec: Spec, s: Any) -> None:
    """An entry of which no copy is shown has acted; or it is still to come, and the roller has none of it."""
    t = spec.tables
    due = sheet.many("due")
    cards = t.agenda[s.total, : t.n_agenda[s.total]].tolist()
    acts = s.host if s.hosting else s.acting
    first = cards.index(acts) if acts in cards else len(cards)
    waiting = [k for k, copies in enumerate(due) if copies]
    first = min([first, *waiting])
    for k, card in enumerate(cards):
        s.due[k] = due[k]
        mine = int(s.owned[s.turn, card]) - int(s.closed[s.turn, card])
        if not due[k] and (k < first or card == acts or mine):
            s.done |= 1 << k
