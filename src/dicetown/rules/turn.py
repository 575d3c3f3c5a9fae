"""The course of a turn: roll, income, build, and what closes it."""

from __future__ import annotations

from dicetown.rules.agenda import close_agenda, confirm_extra_turn, lowest, open_agenda
from dicetown.rules.city import landmarks_of, landmarks_with, power, price
from dicetown.rules.codes import (
    ADD_TWO,
    BANK,
    BUILD,
    CAUSE_HELP,
    CAUSE_PRICE,
    CLOSING,
    DICE,
    EVENT_BUILD,
    EVENT_DICE,
    EVENT_DRAWN,
    EVENT_EXTRA_TURN,
    EVENT_PASS,
    EVENT_TOTAL,
    EVENT_TURN,
    EVENT_WIN,
    INVEST,
    MAX_CARDS,
    NOBODY,
    NOTHING,
    OVER,
    POWER_ADD,
    POWER_COLLECT_EACH,
    POWER_EXTRA_TURN,
    POWER_IDLE_PAY,
    POWER_REROLL,
    POWER_SHARE,
    POWER_TAX,
    POWER_WIN,
    REACH_ONCE,
    REFILL,
    REROLL,
    ROLL,
)
from dicetown.rules.effects import collect_from_each, collect_tax, share_coins
from dicetown.rules.kernel import kernel
from dicetown.rules.layout import Log, State, Tables
from dicetown.rules.ledger import pay, set_aside, tell
from dicetown.rules.market import discard_dead_majors, lay_out, pick_up


@kernel
def set_up(t: Tables, s: State, log: Log) -> None:
    """A new game, from a zeroed state: cities, purses, market; rows are then dealt by chance."""
    for seat in range(int(t.players)):
        s.coins[seat] = t.start_coins
        for card in range(int(t.cards)):
            s.owned[seat, card] = t.start_city[card]
    s.start_left = int(t.start_rounds) * int(t.players)
    s.winner = NOBODY
    s.acting = NOTHING
    s.host = NOTHING
    s.turn = NOBODY  # nobody's turn yet: the market is being dealt
    lay_out(t, s)
    s.phase = REFILL


@kernel
def begin_turn(t: Tables, s: State, log: Log, seat: int, extra: int) -> None:
    """A player's turn begins; in the start rounds it is only a build (R52)."""
    s.turn = seat
    s.dice = 0
    s.die = 0
    s.other_die = 0
    s.total = 0
    s.rerolled = 0
    s.extra_earned = 0
    s.received = 0
    s.built_now = 0
    s.phase = BUILD if s.start_left > 0 else ROLL
    tell(log, EVENT_TURN, seat, extra, 0, 0, 0, 0)


# --------------------------------------------------------------------------- dice


@kernel
def throw(s: State, dice: int) -> None:
    """One die or two are about to fall."""
    s.dice = dice
    s.phase = DICE


@kernel
def dice_fall(t: Tables, s: State, log: Log, die: int, other: int) -> None:
    """The dice lie; a Radio Tower may roll them again, once per turn (R1)."""
    s.die = die
    s.other_die = other
    s.total = die + other
    tell(log, EVENT_DICE, int(s.turn), die, other, 0, 0, 0)
    if s.rerolled == 0 and landmarks_with(t, s, int(s.turn), POWER_REROLL):
        s.phase = REROLL
    else:
        keep_dice(t, s, log)


@kernel
def keep_dice(t: Tables, s: State, log: Log) -> None:
    """R2: the dice stand; only now may a Harbor raise the total."""
    harbors = landmarks_with(t, s, int(s.turn), POWER_ADD)
    if harbors and s.total >= t.landmark_number[lowest(harbors)]:
        s.phase = ADD_TWO
    else:
        open_agenda(t, s, log)


@kernel
def add_to_total(t: Tables, s: State, log: Log, yes: int) -> None:
    """R3: the old number no longer exists for anybody."""
    if yes:
        added = power(t, s, int(s.turn), POWER_ADD)
        s.total = int(s.total) + added
        tell(log, EVENT_TOTAL, int(s.turn), int(s.total), added, 0, 0, 0)
    open_agenda(t, s, log)


# -------------------------------------------------------------------------- build


@kernel
def begin_construction(t: Tables, s: State, log: Log) -> None:
    """Income is over; who has nothing gets help (R34, R66)."""
    confirm_extra_turn(t, s, log)
    roller = int(s.turn)
    if t.help and s.coins[roller] == 0:
        pay(s, log, BANK, roller, int(t.help), CAUSE_HELP, 1)
    close_agenda(t, s)
    s.phase = BUILD


@kernel
def build_card(t: Tables, s: State, log: Log, card: int) -> None:
    """An establishment joins the city; a Loan Office pays its builder at once (R37)."""
    seat = int(s.turn)
    cost = int(t.cost[card])
    pay(s, log, seat, BANK, cost, CAUSE_PRICE, 1)
    pick_up(t, s, card, 1)
    s.owned[seat, card] = int(s.owned[seat, card]) + 1
    s.built_now = 1
    tell(log, EVENT_BUILD, seat, card, cost, 0, 0, 0)
    if t.on_build[card]:
        pay(s, log, BANK, seat, int(t.on_build[card]), card, 1)
    top_up_after(t, s, log, card)


@kernel
def build_landmark(t: Tables, s: State, log: Log, landmark: int) -> None:
    """A landmark is built; it may win the game, which ends everything at once (R26, R55)."""
    seat = int(s.turn)
    cost = price(t, s, seat, landmark)
    thing = MAX_CARDS + landmark
    pay(s, log, seat, BANK, cost, CAUSE_PRICE, 1)
    pick_up(t, s, thing, 1)
    s.built[seat] = int(s.built[seat]) | (1 << landmark)
    s.built_now = 1
    tell(log, EVENT_BUILD, seat, thing, cost, 0, 0, 0)
    if int(t.power[landmark]) == POWER_WIN or landmarks_of(s, seat) >= t.landmarks_to_win:
        s.winner = seat
        s.phase = OVER
        tell(log, EVENT_WIN, seat, 0, 0, 0, 0, 0)
        return
    if int(t.reach[landmark]) == REACH_ONCE:
        act_once(t, s, log, landmark)
    top_up_after(t, s, log, thing)


@kernel
def act_once(t: Tables, s: State, log: Log, landmark: int) -> None:
    """Turquoise landmarks of Machi Koro 2 act on being built."""
    thing = MAX_CARDS + landmark
    kind = int(t.power[landmark])
    if kind == POWER_COLLECT_EACH:
        collect_from_each(t, s, log, thing, int(t.landmark_amount[landmark]))
    elif kind == POWER_TAX:
        collect_tax(t, s, log, thing)
    elif kind == POWER_SHARE:
        share_coins(t, s, log, thing)
    elif kind == POWER_EXTRA_TURN:
        s.extra_earned = int(s.extra_earned) + 1
        if s.extra_earned <= t.max_extra_turns:  # R61: it may be earned in vain
            tell(log, EVENT_EXTRA_TURN, int(s.turn), thing, 0, 0, 0, 0)


@kernel
def top_up_after(t: Tables, s: State, log: Log, thing: int) -> None:
    """The row a card has left is topped up to its target."""
    row = int(t.row_of[thing])
    if row >= 0:
        s.refill = 1 << row
    discard_dead_majors(t, s, log)
    s.phase = REFILL


@kernel
def build_nothing(s: State, log: Log) -> None:
    """The build step ends unused."""
    tell(log, EVENT_PASS, int(s.turn), 0, 0, 0, 0, 0)
    s.phase = CLOSING


# ------------------------------------------------------------------------- closing


@kernel
def close_turn(t: Tables, s: State, log: Log) -> None:
    """The build step is over: Airport, investment, and on to the next turn."""
    if s.turn == NOBODY:
        begin_turn(t, s, log, 0, 0)  # the market has been dealt
    elif s.start_left > 0:
        end_start_build(t, s, log)
    else:
        if t.airport_before_invest:
            pay_idle(t, s, log)  # R25
        if may_invest(t, s):
            s.phase = INVEST
        else:
            end_turn(t, s, log)


@kernel
def end_start_build(t: Tables, s: State, log: Log) -> None:
    """R52: each player builds once per start round; then normal turns begin."""
    s.start_left = int(s.start_left) - 1
    begin_turn(t, s, log, (int(s.turn) + 1) % int(t.players), 0)


@kernel
def may_invest(t: Tables, s: State) -> bool:
    """R24: who has a Tech Startup and a coin may put it there."""
    startup = int(t.startup)
    seat = int(s.turn)
    return startup != NOTHING and s.owned[seat, startup] > 0 and s.coins[seat] > 0


@kernel
def invest(t: Tables, s: State, log: Log, yes: int) -> None:
    """R24, R27: one coin leaves the game for good and works there."""
    seat = int(s.turn)
    if yes:
        set_aside(s, log, seat, 1)
    end_turn(t, s, log)


@kernel
def pay_idle(t: Tables, s: State, log: Log) -> None:
    """R35, R67: nothing built this turn, and an Airport pays."""
    seat = int(s.turn)
    if s.built_now == 0:
        airports = landmarks_with(t, s, seat, POWER_IDLE_PAY)
        if airports:
            cause = MAX_CARDS + lowest(airports)
            pay(s, log, BANK, seat, power(t, s, seat, POWER_IDLE_PAY), cause, 1)


@kernel
def end_turn(t: Tables, s: State, log: Log) -> None:
    """Extra turns first (R4, R61), else the next player."""
    if t.airport_before_invest == 0:
        pay_idle(t, s, log)
    s.turns = int(s.turns) + 1
    if t.max_turns and s.turns >= t.max_turns:
        s.phase = OVER
        tell(log, EVENT_DRAWN, 0, 0, 0, 0, 0, 0)
        return
    earned = int(s.extra_earned)
    if earned > t.max_extra_turns:
        earned = int(t.max_extra_turns)
    waiting = int(s.extra_left) + earned
    if waiting > 0:
        s.extra_left = waiting - 1
        begin_turn(t, s, log, int(s.turn), 1)
    else:
        begin_turn(t, s, log, (int(s.turn) + 1) % int(t.players), 0)
