"""Whether a state can be: for positions that come from outside, before anything is played on them."""

from __future__ import annotations

from dicetown.rules import codes as c
from dicetown.rules.agenda import has_card_to_move, order_matters
from dicetown.rules.choices import may_roll_two
from dicetown.rules.city import landmarks_of, landmarks_with, power
from dicetown.rules.layout import State, Tables
from dicetown.rules.market import row_to_refill
from dicetown.rules.turn import may_invest

_DIE = 6
_MOST_TURNS = 1_000_000_000


def find_flaw(t: Tables, s: State) -> str | None:
    """What is wrong with a state, as part of a sentence; None if nothing is."""
    return (
        _flaw_in_material(t, s)
        or _flaw_in_numbers(t, s)
        or _flaw_in_dice(t, s)
        or _flaw_in_agenda(t, s)
        or _flaw_in_phase(t, s)
        or _flaw_in_ending(t, s)
    )


def _flaw_in_material(t: Tables, s: State) -> str | None:
    for card in range(t.cards):
        out = int(s.owned[:, card].sum()) + int(s.market[card]) + int(s.deck[card])
        if out > int(t.supply[card]) + t.players * int(t.start_city[card]):
            return f"there are {out} copies of card {card}, more than the box holds"
        if t.row_of[card] < 0 and s.deck[card]:
            return "open stacks have no deck"
        if t.colour[card] == c.PURPLE and s.closed[:, card].any():
            return "a purple card is closed"
    for landmark in range(t.landmarks):
        built = sum(int(s.built[seat]) >> landmark & 1 for seat in range(t.players))
        thing = c.MAX_CARDS + landmark
        if built + int(s.market[thing]) + int(s.deck[thing]) > int(t.supply[thing]):
            return f"landmark {landmark} is there more often than the box holds it"
        if not t.shared_landmarks and built + int(s.market[thing]) != int(t.supply[thing]):
            return f"landmark {landmark} must be built or in the market once for each player"
        if t.row_of[thing] < 0 and s.deck[thing]:
            return "open landmarks have no deck"
    return None


def _flaw_in_numbers(t: Tables, s: State) -> str | None:
    limits = {
        "turn": (0, t.players - 1),
        "rerolled": (0, 1),
        "received": (0, 1),
        "built_now": (0, 1),
        "given_closed": (0, 1),
        "extra_earned": (0, 2),
        "extra_left": (0, 99),
        "start_left": (0, t.start_rounds * t.players),
        "acting": (c.NOTHING, c.MAX_CARDS + t.landmarks - 1),
        "host": (c.NOTHING, t.cards - 1),
        "given": (0, t.cards - 1),
        "partner": (0, t.players - 1),
        "left": (0, c.NO_LIMIT),
        "hosting": (0, c.NO_LIMIT),
        "winner": (c.NOBODY, t.players - 1),
        "turns": (0, _MOST_TURNS),
        "refill": (0, (1 << t.rows) - 1),
        "done": (0, (1 << c.MAX_AGENDA) - 1),
    }
    if s.phase == c.DRAW:
        limits["turn"] = (c.NOBODY, t.players - 1)  # the market may still be dealt
    for name, (least, most) in limits.items():
        if not least <= getattr(s, name) <= most:
            return f"{name} is {getattr(s, name)}, which must be {least} to {most}"
    if t.cards <= s.acting < c.MAX_CARDS:
        return f"acting is {s.acting}, which is no card"
    return None


def _resolves(s: State) -> bool:
    """Whether a roll is being resolved."""
    return c.ORDER <= s.phase <= c.LANDMARK or s.phase == c.TUNA


def _flaw_in_agenda(t: Tables, s: State) -> str | None:
    """Only the resolution of a roll leaves anything on the agenda."""
    entries = int(t.n_agenda[s.total])
    if any(s.due[k] for k in range(entries, c.MAX_AGENDA)) or s.done >> entries:
        return "cards are due that do not act on this total"
    if not _resolves(s) and (s.left or s.hosting or s.done or s.due.any() or s.acting != c.NOTHING):
        return "cards are acting while no roll is being resolved"
    if s.phase in (c.ROLL, c.DICE, c.REROLL, c.ADD_TWO) and s.extra_earned:
        return "an extra turn is earned before the dice are final"
    return None


def _flaw_in_dice(t: Tables, s: State) -> str | None:
    if not (0 <= s.dice <= 2 and 0 <= s.die <= _DIE and 0 <= s.other_die <= _DIE):
        return "the dice show no faces that dice have"
    if not 0 <= s.total <= c.MAX_TOTAL:
        return f"the total is {s.total}"
    if _resolves(s) or s.phase in (c.REROLL, c.ADD_TWO):
        if s.dice == 0 or s.die == 0 or (s.dice == 2) != (s.other_die > 0):
            return "income is being resolved, but no dice lie"
        raised = s.total - s.die - s.other_die
        may_raise = _resolves(s) and landmarks_with(t, s, s.turn, c.POWER_ADD)
        if raised and (raised < 0 or not may_raise):
            return f"the total is {s.total}, but the dice show {s.die + s.other_die}"
    if s.phase == c.DICE and s.dice == 0:
        return "dice are about to fall, but it is not said how many"
    if s.phase == c.DICE and s.dice == 2 and not may_roll_two(t, s) and not s.rerolled:
        return "the roller may not roll two dice"
    return None


#: Which effects can wait in which phase.
_ACTING = {
    c.PLAYER: (c.COLLECT_ONE, c.MOVE, c.SWAP),
    c.GIVE: (c.MOVE, c.SWAP),
    c.TAKE: (c.SWAP,),
    c.CARD: (c.RENOVATE, c.CONVENTION),
    c.LANDMARK: (c.DEMOLISH,),
    c.TUNA: (c.TUNA_EFFECT,),
}


def _flaw_in_phase(t: Tables, s: State) -> str | None:
    phase, turn = s.phase, s.turn
    if s.start_left and phase not in (c.BUILD, c.DRAW, c.OVER):
        return "only building is possible in the start rounds"
    if phase in _ACTING:
        return _flaw_in_acting(t, s)
    if phase == c.ORDER:
        if s.left or s.hosting:
            return "copies of a card are still to act, so no order is chosen yet"
        entries = int(t.n_agenda[s.total])
        k = next((k for k in range(entries) if not s.done >> k & 1), entries)
        if k == entries or not order_matters(t, s, k):
            return "there is no order to choose"
    if phase == c.INVEST and not may_invest(t, s):
        return "the player on turn cannot invest"
    if phase == c.DRAW and row_to_refill(t, s) == c.NOTHING:
        return "a draw is due, but no row needs one"
    if phase == c.REROLL and (s.rerolled or not landmarks_with(t, s, turn, c.POWER_REROLL)):
        return "the roller may not reroll"
    if phase == c.ADD_TWO:
        harbors = landmarks_with(t, s, turn, c.POWER_ADD)
        least = max(
            (int(t.landmark_number[bit]) for bit in range(t.landmarks) if harbors >> bit & 1), default=99
        )
        if s.total < least or s.total + power(t, s, turn, c.POWER_ADD) > c.MAX_TOTAL:
            return "nothing may be added to the total"
    return None


def _flaw_in_acting(t: Tables, s: State) -> str | None:
    if s.left < 1:
        return "no card is left to act"
    if s.acting >= c.MAX_CARDS:
        given = s.phase == c.GIVE and int(t.power[s.acting - c.MAX_CARDS]) == c.POWER_DOUBLES_GIVE
        return None if given and has_card_to_move(t, s, s.turn, 1) else "that landmark does not act now"
    if s.acting < 0 or int(t.effect[s.acting]) not in _ACTING[s.phase]:
        return "the card said to act does not wait for this"
    return _flaw_in_hosting(t, s) or _flaw_in_exchange(t, s)


def _flaw_in_hosting(t: Tables, s: State) -> str | None:
    if s.hosting and (
        s.host < 0 or int(t.effect[s.host]) != c.CONVENTION or s.owned[s.turn, s.host] < s.hosting
    ):
        return "the convention has no host"
    return None


def _flaw_in_exchange(t: Tables, s: State) -> str | None:
    majors = int(t.swaps_any[s.acting])
    effect = int(t.effect[s.acting])
    if s.phase == c.LANDMARK and not s.built[s.turn]:
        return "there is no landmark to demolish"
    if effect in (c.MOVE, c.SWAP):
        if not has_card_to_move(t, s, s.turn, majors):
            return "the player on turn has no card to give"
        givers = range(t.players) if effect == c.SWAP else ()
        if givers and not any(has_card_to_move(t, s, seat, majors) for seat in givers if seat != s.turn):
            return "nobody has a card to trade"
        if s.phase in (c.PLAYER, c.TAKE):
            held = s.closed if s.given_closed else s.owned - s.closed
            if held[s.turn, s.given] < 1 or (t.colour[s.given] == c.PURPLE and not majors):
                return "the card said to be given is not there to give"
        if s.phase == c.TAKE and (s.partner == s.turn or not has_card_to_move(t, s, s.partner, majors)):
            return "the player said to trade has no card to take"
    return None


def _flaw_in_ending(t: Tables, s: State) -> str | None:
    won = [
        seat
        for seat in range(t.players)
        if landmarks_of(s, seat) >= t.landmarks_to_win or int(s.built[seat]) & int(t.power_own[c.POWER_WIN])
    ]
    if s.phase != c.OVER and (won or s.winner != c.NOBODY):
        return f"player {won[0] if won else s.winner} has won already"
    if t.max_turns and s.phase != c.OVER and s.turns >= t.max_turns:
        return "the last turn has been played"
    drawn = s.winner == c.NOBODY and t.max_turns and s.turns >= t.max_turns
    if s.phase == c.OVER and s.winner not in won and not drawn:
        return "the game is over, but nobody has won and no limit has been reached"
    return None
