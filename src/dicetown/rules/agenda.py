"""Resolving a roll: which cards act, in which order, and where somebody must choose.

When the total is final the agenda is fixed: the cards of that number in the order red, blue and
green, purple (``tables.agenda``). Entries resolve one after the other; a card whose copies need a
choice holds the agenda up until the choice is made.
"""

from __future__ import annotations

from dicetown.rules.city import landmarks_with, open_copies, power
from dicetown.rules.codes import (
    ACTIVATION,
    AFTERMATH,
    BANK,
    CARD,
    COLLECT_ONE,
    CONSTRUCTION,
    CONVENTION,
    DEMOLISH,
    EVENT_DEMOLISH,
    EVENT_EXTRA_TURN,
    EVENT_RETURN,
    GIVE,
    INCOME,
    LANDMARK,
    MAX_CARDS,
    MOVE,
    NOTHING,
    ORDER,
    PLAYER,
    POWER_CONSOLE,
    POWER_DOUBLES_COLLECT,
    POWER_DOUBLES_GIVE,
    POWER_DOUBLES_TURN,
    POWER_TOTAL_PAY,
    PURPLE,
    RENOVATE,
    SWAP,
    TAKE,
    TAX,
    TUNA,
    TUNA_EFFECT,
)
from dicetown.rules.effects import activate, collect_from_each, land_catch
from dicetown.rules.kernel import kernel
from dicetown.rules.layout import Log, State, Tables
from dicetown.rules.ledger import close, hand_over, pay, tell
from dicetown.rules.market import lay_down


@kernel
def is_doubles(s: State) -> bool:
    """Two dice with the same face; adding two later does not change that (R3)."""
    return s.dice == 2 and s.die == s.other_die


@kernel
def open_agenda(t: Tables, s: State, log: Log) -> None:
    """The total is final: freeze what acts (R7) and whether doubles earn a turn (R5)."""
    total = int(s.total)
    roller = int(s.turn)
    for k in range(int(t.n_agenda[total])):
        s.due[k] = open_copies(s, roller, int(t.agenda[total, k]))
    s.received = 0
    if is_doubles(s):
        parks = landmarks_with(t, s, roller, POWER_DOUBLES_TURN)
        if parks:
            s.extra_earned = int(s.extra_earned) + 1
    s.phase = INCOME


@kernel
def resolve(t: Tables, s: State, log: Log) -> None:
    """Work the agenda off until somebody must choose, dice must fall, or nothing is left."""
    while s.phase == INCOME or s.phase == ACTIVATION:
        if s.phase == ACTIVATION:
            copies = int(s.left)
            s.left = 0
            s.phase = INCOME
            activate(t, s, log, int(s.acting), copies)
        elif s.left > 0:
            ask_for_next_copy(t, s)
        elif s.hosting > 0:
            end_convention(t, s, log)
        else:
            take_up_next_entry(t, s)


@kernel
def put_up(s: State, card: int, copies: int) -> None:
    """A card type is to be activated next."""
    s.acting = card
    s.left = copies
    s.phase = ACTIVATION


@kernel
def take_up_next_entry(t: Tables, s: State) -> None:
    """Activate the first entry not yet done, or ask which comes first."""
    total = int(s.total)
    entries = int(t.n_agenda[total])
    done = int(s.done)
    k = 0
    while k < entries and (done >> k) & 1:
        k += 1
    if k == entries:
        s.phase = AFTERMATH if t.landmarks_act else CONSTRUCTION
    elif t.choose_order and order_matters(t, s, k):
        s.phase = ORDER
    else:
        s.done = done | (1 << k)
        put_up(s, int(t.agenda[total, k]), int(s.due[k]))


@kernel
def order_matters(t: Tables, s: State, k: int) -> bool:
    """Whether the active player may put another due entry before entry k (R8, R10, R11)."""
    held_up = int(t.effect[int(t.agenda[int(s.total), k])])
    if s.due[k] == 0 or (held_up != TAX and held_up != DEMOLISH):
        return False
    for j in range(k + 1, int(t.n_agenda[int(s.total)])):
        if may_come_before(t, s, j, k):
            return True
    return False


@kernel
def may_come_before(t: Tables, s: State, j: int, k: int) -> bool:
    """Whether entry j is due and its order against entry k changes anything."""
    total = int(s.total)
    if (int(s.done) >> j) & 1 or s.due[j] == 0:
        return False
    held_up = int(t.effect[int(t.agenda[total, k])])
    card = int(t.agenda[total, j])
    if held_up == TAX:
        return int(t.effect[card]) == RENOVATE
    built = int(s.built[int(s.turn)])
    if built == 0:
        return False
    # What a landmark's fall may change: conditions on landmarks, and a Mall's extra coin (R10).
    if t.needs_built[card] or t.needs_below[card] <= t.landmarks:
        return True
    return (built & int(t.bonus_own[card])) != 0


@kernel
def resolve_first(t: Tables, s: State, card: int) -> None:
    """The active player's choice of order."""
    total = int(s.total)
    for k in range(int(t.n_agenda[total])):
        if int(t.agenda[total, k]) == card:
            s.done = int(s.done) | (1 << k)
            put_up(s, card, int(s.due[k]))


# ------------------------------------------------------------ copies that need a choice


@kernel
def ask_for_next_copy(t: Tables, s: State) -> None:
    """Wait for what the next copy of the acting card needs; let it lapse where nothing can be chosen."""
    roller = int(s.turn)
    effect = int(t.effect[int(s.acting)])
    if effect == DEMOLISH:
        # R41: surplus copies do nothing.
        if s.built[roller]:
            s.phase = LANDMARK
        else:
            s.left = 0
    elif effect == TUNA_EFFECT:
        s.phase = TUNA
    elif effect == COLLECT_ONE:
        s.phase = PLAYER
    elif effect == RENOVATE:
        s.phase = CARD
    elif effect == CONVENTION:
        if has_card_to_move(t, s, roller, 0):
            s.phase = CARD
        else:
            s.left = 0
    else:
        ask_for_card_to_give(t, s)


@kernel
def ask_for_card_to_give(t: Tables, s: State) -> None:
    """Moving Company and Business Center: an own card goes."""
    roller = int(s.turn)
    majors = int(t.swaps_any[int(s.acting)])
    possible = has_card_to_move(t, s, roller, majors)
    if possible and int(t.effect[int(s.acting)]) == SWAP:
        # "Give, then take": where nobody has a card that may be taken, the right lapses.
        possible = False
        for seat in range(int(t.players)):
            if seat != roller and has_card_to_move(t, s, seat, majors):
                possible = True
    if possible:
        s.phase = GIVE
    else:
        s.left = 0


@kernel
def has_card_to_move(t: Tables, s: State, seat: int, majors: int) -> bool:
    """Whether a city has a card that may change hands; purple ones only where `majors`."""
    for card in range(int(t.cards)):
        if s.owned[seat, card] > 0 and (majors or t.colour[card] != PURPLE):
            return True
    return False


@kernel
def copy_has_acted(s: State) -> None:
    """One copy less to act; the agenda goes on."""
    s.left = int(s.left) - 1
    s.phase = INCOME


@kernel
def demolish(t: Tables, s: State, log: Log, landmark: int) -> None:
    """R41: a landmark is turned back and its owner gets coins."""
    roller = int(s.turn)
    card = int(s.acting)
    s.built[roller] = int(s.built[roller]) & ~(1 << landmark)
    lay_down(t, s, MAX_CARDS + landmark)
    tell(log, EVENT_DEMOLISH, roller, landmark, card, 0, 0, 0)
    pay(s, log, BANK, roller, int(t.amount[card]), card, 1)
    copy_has_acted(s)


@kernel
def catch_tuna(t: Tables, s: State, log: Log, catch: int) -> None:
    """The tuna dice have fallen."""
    land_catch(t, s, log, int(s.acting), catch)
    copy_has_acted(s)


@kernel
def choose_player(t: Tables, s: State, log: Log, seat: int) -> None:
    """Take coins from a player, hand the chosen card to them, or trade with them."""
    roller = int(s.turn)
    card = int(s.acting)
    effect = int(t.effect[card])
    if effect == COLLECT_ONE:
        pay(s, log, seat, roller, int(t.amount[card]), card, 1)
        copy_has_acted(s)
    elif effect == MOVE:
        hand_over(s, log, roller, seat, int(s.given), int(s.given_closed), card)
        copy_has_acted(s)
    else:
        s.partner = seat
        s.phase = TAKE


@kernel
def take_card(s: State, log: Log, card: int, closed: int) -> None:
    """Business Center: both cards change hands."""
    roller = int(s.turn)
    partner = int(s.partner)
    hand_over(s, log, roller, partner, int(s.given), int(s.given_closed), int(s.acting))
    hand_over(s, log, partner, roller, card, closed, int(s.acting))
    copy_has_acted(s)


@kernel
def renovate(t: Tables, s: State, log: Log, card: int) -> None:
    """R18, R19: the type closes everywhere; newly closed copies bring coins."""
    roller = int(s.turn)
    cause = int(s.acting)
    amount = int(t.amount[cause])
    for seat in range(int(t.players)):
        copies = open_copies(s, seat, card)
        if copies > 0:
            close(s, log, seat, card, copies, cause)
            if t.renovation_by_bank:
                pay(s, log, BANK, roller, amount * copies, cause, copies)
            elif seat != roller:
                pay(s, log, seat, roller, amount * copies, cause, copies)
    copy_has_acted(s)


@kernel
def hold_convention(s: State, card: int) -> None:
    """R47: all own copies of a type act as if rolled, for the host alone."""
    s.hosting = int(s.left)
    s.host = int(s.acting)
    put_up(s, card, open_copies(s, int(s.turn), card))


@kernel
def end_convention(t: Tables, s: State, log: Log) -> None:
    """R48: the Convention Center goes back to the market, beside what lies there."""
    roller = int(s.turn)
    center = int(s.host)
    s.owned[roller, center] = int(s.owned[roller, center]) - 1
    lay_down(t, s, center)
    tell(log, EVENT_RETURN, roller, center, 0, 0, 0, 0)
    s.acting = center
    s.left = int(s.hosting) - 1
    s.hosting = 0
    s.host = NOTHING


# ------------------------------------------------------------------ after the agenda


@kernel
def let_landmarks_act(t: Tables, s: State, log: Log) -> None:
    """Machi Koro 2's fifth step: landmarks that serve whoever rolls (R56, R57, R60)."""
    roller = int(s.turn)
    lucky = landmarks_with(t, s, roller, POWER_TOTAL_PAY)
    landmark = 0
    while lucky:
        if lucky & 1 and s.total == t.landmark_number[landmark]:
            pay(s, log, BANK, roller, int(t.landmark_amount[landmark]), MAX_CARDS + landmark, 1)
        lucky >>= 1
        landmark += 1
    if is_doubles(s):
        temples = landmarks_with(t, s, roller, POWER_DOUBLES_COLLECT)
        landmark = 0
        while temples:
            if temples & 1:
                collect_from_each(t, s, log, MAX_CARDS + landmark, int(t.landmark_amount[landmark]))
            temples >>= 1
            landmark += 1
    if s.dice == 2 and s.received == 0:
        consolation = power(t, s, roller, POWER_CONSOLE)
        if consolation:
            cause = MAX_CARDS + lowest(landmarks_with(t, s, roller, POWER_CONSOLE))
            pay(s, log, BANK, roller, consolation, cause, 1)
    s.phase = CONSTRUCTION
    if is_doubles(s):
        movers = landmarks_with(t, s, roller, POWER_DOUBLES_GIVE)
        if movers and has_card_to_move(t, s, roller, 1):
            s.acting = MAX_CARDS + lowest(movers)
            s.left = 1
            s.phase = GIVE


@kernel
def lowest(mask: int) -> int:
    """The position of the lowest bit set."""
    position = 0
    while not mask & 1:
        mask >>= 1
        position += 1
    return position


@kernel
def give_card(t: Tables, s: State, log: Log, card: int, closed: int) -> None:
    """An own card is chosen; a landmark's gift goes to the previous player at once (R60)."""
    s.given = card
    s.given_closed = closed
    if s.acting >= MAX_CARDS:
        roller = int(s.turn)
        previous = roller - 1 if roller > 0 else int(t.players) - 1
        hand_over(s, log, roller, previous, card, closed, int(s.acting))
        s.left = 0
        s.phase = CONSTRUCTION
    else:
        s.phase = PLAYER


@kernel
def confirm_extra_turn(t: Tables, s: State, log: Log) -> None:
    """Income is over: under the house rule, the park must still stand (R5)."""
    roller = int(s.turn)
    if s.extra_earned > 0:
        parks = landmarks_with(t, s, roller, POWER_DOUBLES_TURN)
        if t.extra_turn_fixed_at_roll == 0 and parks == 0:
            s.extra_earned = 0
        elif t.max_extra_turns > 0:
            cause = MAX_CARDS + lowest(parks) if parks else NOTHING
            tell(log, EVENT_EXTRA_TURN, roller, cause, 0, 0, 0, 0)


@kernel
def close_agenda(t: Tables, s: State) -> None:
    """Forget the roll, so that equal positions are equal however they came about."""
    for k in range(int(t.n_agenda[int(s.total)])):
        s.due[k] = 0
    s.done = 0
    s.received = 0
    s.acting = NOTHING
    s.host = NOTHING
    s.given = 0
    s.given_closed = 0
    s.partner = 0
