"""The market: rows that keep a number of different cards face up, and decks they are dealt from.

A deck is only a promise about future draws, so it is kept as counts and drawn from by chance (R43-R49).
"""

from __future__ import annotations

from dicetown.rules.codes import (
    CLOSING,
    DRAW,
    EVENT_DISCARD,
    EVENT_DRAW,
    MAX_ROWS,
    MAX_THINGS,
    NOTHING,
)
from dicetown.rules.kernel import kernel
from dicetown.rules.layout import Log, State, Tables
from dicetown.rules.ledger import tell


@kernel
def count_rows(t: Tables, s: State) -> None:
    """Count what lies in each row and its deck; afterwards every move of a card keeps count."""
    for row in range(MAX_ROWS):
        s.row_types[row] = 0
        s.row_deck[row] = 0
    for thing in range(MAX_THINGS):
        row = int(t.row_of[thing])
        if row >= 0:
            s.row_deck[row] = int(s.row_deck[row]) + int(s.deck[thing])
            if s.market[thing] > 0:
                s.row_types[row] = int(s.row_types[row]) + 1


@kernel
def lay_down(t: Tables, s: State, thing: int) -> None:
    """A thing comes to lie in the market, beside others or on its own stack."""
    row = int(t.row_of[thing])
    if s.market[thing] == 0 and row >= 0:
        s.row_types[row] = int(s.row_types[row]) + 1
    s.market[thing] = int(s.market[thing]) + 1


@kernel
def pick_up(t: Tables, s: State, thing: int, copies: int) -> None:
    """Copies of a thing leave the market."""
    row = int(t.row_of[thing])
    s.market[thing] = int(s.market[thing]) - copies
    if s.market[thing] == 0 and row >= 0:
        s.row_types[row] = int(s.row_types[row]) - 1


@kernel
def row_to_refill(t: Tables, s: State) -> int:
    """The next row that wants a card and can get one, or NOTHING; rows that are full are ticked off."""
    row = 0
    while int(s.refill) >> row:
        if (int(s.refill) >> row) & 1:
            if s.row_types[row] < t.row_target[row] and s.row_deck[row] > 0:
                return row
            s.refill = int(s.refill) & ~(1 << row)
        row += 1
    return NOTHING


@kernel
def refill(t: Tables, s: State) -> None:
    """Wait for a draw, or go on once all rows are full or their decks empty (R43, R46)."""
    s.phase = CLOSING if row_to_refill(t, s) == NOTHING else DRAW


@kernel
def draw(t: Tables, s: State, log: Log, thing: int) -> None:
    """A drawn card joins its row, or its stack if that type lies there already."""
    row = int(t.row_of[thing])
    s.deck[thing] = int(s.deck[thing]) - 1
    s.row_deck[row] = int(s.row_deck[row]) - 1
    lay_down(t, s, thing)
    tell(log, EVENT_DRAW, thing, row, 0, 0, 0, 0)
    discard_dead_majors(t, s, log)
    refill(t, s)


@kernel
def discard_dead_majors(t: Tables, s: State, log: Log) -> None:
    """R44: a purple stack that no player may build from leaves its row, which is refilled."""
    for k in range(int(t.n_mortal)):
        card = int(t.mortal[k])
        if s.market[card] > 0 and is_dead(t, s, card):
            tell(log, EVENT_DISCARD, card, int(s.market[card]), 0, 0, 0, 0)
            pick_up(t, s, card, int(s.market[card]))
            s.refill = int(s.refill) | (1 << int(t.row_of[card]))


@kernel
def is_dead(t: Tables, s: State, card: int) -> bool:
    """Whether every player has as many copies as one may build."""
    for seat in range(int(t.players)):
        if s.owned[seat, card] < t.limit[card]:
            return False
    return True


@kernel
def lay_out(t: Tables, s: State) -> None:
    """Before the game: open stacks lie out, everything else is in its deck, all rows are to be dealt."""
    for thing in range(MAX_THINGS):
        if t.row_of[thing] < 0:
            s.market[thing] = t.supply[thing]
        else:
            s.deck[thing] = t.supply[thing]
    s.refill = (1 << int(t.rows)) - 1
    count_rows(t, s)
