"""What landmarks are worth: per round, at once, and on the road to victory."""

from __future__ import annotations

from dicetown.bots.rules.odds import (
    QUARTERS,
    may_roll_two_dice,
    mixed,
    ways_of_one,
    ways_of_others,
    ways_with_one,
    ways_with_two,
)
from dicetown.bots.rules.worth import (
    LATER,
    PARTS,
    copy_worth,
    from_others,
    from_sharing,
    from_taxes,
    prospects,
)
from dicetown.rules.agenda import lowest
from dicetown.rules.city import landmarks_of, multiplier, open_copies, price
from dicetown.rules.codes import (
    BLUE,
    MAX_CARDS,
    POWER_ADD,
    POWER_BONUS,
    POWER_COLLECT_EACH,
    POWER_DISCOUNT,
    POWER_DOUBLES_TURN,
    POWER_EXTRA_TURN,
    POWER_IDLE_PAY,
    POWER_REROLL,
    POWER_SHARE,
    POWER_TAX,
    POWER_TWO_DICE,
    POWER_WIN,
    REACH_ALL,
    REACH_OWN,
    RED,
)
from dicetown.rules.kernel import kernel
from dicetown.rules.layout import State, Tables

#: A second chance at the dice adds half of what a roll brings.
REROLL_QUARTERS = 2
#: Quarters of the turns in which nothing is built, so that an Airport pays.
IDLE_QUARTERS = 1
#: What a landmark costs that does not even lie in a deck: more than most.
DEAR_LANDMARK = 22


@kernel
def wins(t: Tables, s: State, seat: int, landmark: int) -> bool:
    """Whether building a landmark ends the game (R26, R55)."""
    return int(t.power[landmark]) == POWER_WIN or landmarks_of(s, seat) + 1 >= int(t.landmarks_to_win)


# ------------------------------------------------------------------- the road ahead


@kernel(apart=True)
def road_ahead(t: Tables, s: State, seat: int, own: int) -> tuple[int, int, int]:
    """What victory takes for a player with `own` landmarks: coins, builds, and the dearest of them.

    The cheapest landmarks that are left are reckoned with, or the one that wins alone if that costs less.
    """
    wanted = int(t.landmarks_to_win) - own
    coins = 0
    dearest = 0
    found = 0
    for landmark in range(int(t.landmarks)):  # sorted by price
        if found == wanted:
            break
        if is_left(t, s, seat, landmark):
            dearest = cost_as_number(t, landmark, own + found)
            coins += dearest
            found += 1
    coins += (wanted - found) * DEAR_LANDMARK
    alone = int(t.power_own[POWER_WIN])
    if alone:
        shortcut = lowest(alone)
        if s.market[MAX_CARDS + shortcut] > 0:
            saved = cost_as_number(t, shortcut, landmarks_of(s, seat)) - price(t, s, seat, shortcut)
            toll = cost_as_number(t, shortcut, own) - saved
            if toll < coins:
                return toll, 1, toll
    return coins, wanted, dearest


@kernel
def is_left(t: Tables, s: State, seat: int, landmark: int) -> bool:
    """Whether a player can still hope to build a landmark on the common road."""
    if (int(s.built[seat]) >> landmark) & 1 or t.landmark_alone[landmark]:
        return False
    if int(t.power[landmark]) == POWER_WIN:
        return False
    thing = MAX_CARDS + landmark
    return int(s.market[thing]) + int(s.deck[thing]) > 0


@kernel
def cost_as_number(t: Tables, landmark: int, before: int) -> int:
    """What a landmark costs who has built so many before, discounts aside."""
    return int(t.landmark_cost[landmark, before if before < 2 else 2])


# ------------------------------------------------------------------------ per round


@kernel(apart=True)
def bonus_worth(t: Tables, s: State, seat: int, landmark: int, habits: int) -> int:
    """Parts a landmark adds by raising cards (Shopping Mall)."""
    parts = 0
    bit = 1 << landmark
    for card in range(int(t.cards)):
        if s.owned[seat, card] == 0 or ((int(t.bonus_own[card]) | int(t.bonus_all[card])) & bit) == 0:
            continue
        first = int(t.first_roll[card])
        last = int(t.last_roll[card])
        one = ways_with_one(first, last)
        two = ways_with_two(first, last)
        ways = 0
        if t.colour[card] != RED:
            ways = ways_of_one(habits, seat, one, two)
        if t.colour[card] == RED or t.colour[card] == BLUE:
            ways += ways_of_others(t, habits, seat, one, two)
        each = int(t.landmark_amount[landmark]) * multiplier(t, s, seat, seat, card)
        parts += ways * each * open_copies(s, seat, card) * prospects(t, s, seat, card) // 2
    return parts


@kernel(apart=True)
def unlocked_worth(t: Tables, s: State, seat: int, landmark: int, habits: int) -> int:
    """Parts that cards bring which have waited for a landmark (Harbor)."""
    parts = 0
    for card in range(int(t.cards)):
        if s.owned[seat, card] > 0 and (int(t.needs_built[card]) >> landmark) & 1:
            one, two, others = copy_worth(t, s, seat, card, 0, habits)
            parts += int(s.owned[seat, card]) * (mixed(habits, seat, one, two) + others)
    return parts


@kernel(apart=True)
def landmark_worth(t: Tables, s: State, seat: int, landmark: int, one: int, two: int, habits: int) -> int:
    """Parts a landmark adds to a round; `one` and `two` are the parts own rolls bring by so many dice."""
    kind = int(t.power[landmark])
    if kind == POWER_BONUS:
        parts = bonus_worth(t, s, seat, landmark, habits)
        # What serves everybody is worth half.
        return parts // 2 if int(t.reach[landmark]) == REACH_ALL else parts
    if kind == POWER_TWO_DICE:
        return two - one if two > one else 0
    if int(t.reach[landmark]) != REACH_OWN:
        return 0
    if kind == POWER_REROLL:
        best = two if two > one and may_roll_two_dice(t, s, seat) else one
        return best * REROLL_QUARTERS // QUARTERS
    if kind == POWER_DOUBLES_TURN:
        return two // 6
    if kind == POWER_IDLE_PAY:
        return int(t.landmark_amount[landmark]) * PARTS * IDLE_QUARTERS // QUARTERS
    if kind == POWER_ADD:
        return unlocked_worth(t, s, seat, landmark, habits)
    return 0


# -------------------------------------------------------------------------- at once


@kernel(apart=True)
def landmark_rebate(t: Tables, s: State, seat: int, landmark: int, roll: int) -> int:
    """Coins a landmark brings back on being built, or saves on later ones; a turn brings `roll` parts."""
    kind = int(t.power[landmark])
    amount = int(t.landmark_amount[landmark])
    if kind == POWER_COLLECT_EACH:
        return from_others(t, s, seat, MAX_CARDS + landmark, amount, 0)
    if kind == POWER_TAX:
        return from_taxes(t, s, seat, 0)
    if kind == POWER_SHARE:
        after = from_sharing(t, s, seat, 0) + price(t, s, seat, landmark)
        return after if after > 0 else 0
    if kind == POWER_EXTRA_TURN:
        return roll // PARTS + LATER
    if kind == POWER_DISCOUNT and int(t.reach[landmark]) == REACH_OWN:
        return amount * (int(t.landmarks_to_win) - 1)
    return 0
