"""What to build: whatever brings the last landmark nearest.

With `income` coins a round and `missing` coins for the landmarks still to build, the end is
missing / income rounds away, and never nearer than one round per landmark, since a turn builds one
thing. A card makes more coins missing and raises the income; a landmark costs nothing that would not
have to be paid anyway. What leaves the fewest rounds is built.
"""

from __future__ import annotations

from dicetown.bots.odds import (
    QUARTERS,
    habits_of_all,
    may_roll_two_dice,
    ways_of_one,
    ways_of_others,
    ways_with_one,
    ways_with_two,
    with_habit,
)
from dicetown.bots.worth import (
    LATER,
    PARTS,
    city_worth,
    copy_worth,
    from_others,
    from_sharing,
    from_taxes,
    partners_worth,
    prospects,
)
from dicetown.rules.agenda import lowest
from dicetown.rules.city import landmarks_of, multiplier, open_copies, power, price
from dicetown.rules.codes import (
    BLUE,
    BUILD_IT,
    MAX_CARDS,
    PASS,
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
from dicetown.rules.layout import Choices, State, Tables

#: Quarters of own rolls reckoned with one die: before there is a Train Station, and with it.
WITHOUT_STATION = 1
SUITS_ONE = 2
LONG_ROAD = 50
SUITS_TWO = 0

#: Even an empty city finds a coin now and then.
POCKET_MONEY = PARTS // 4
#: Rounds in which an Airport pays, of 4.
IDLE_QUARTERS = 1
#: A roll again brings this much of a roll's worth, in quarters.
REROLL_QUARTERS = 1
DEAR_LANDMARK = 22


@kernel
def wins(t: Tables, s: State, seat: int, landmark: int) -> bool:
    """Whether building a landmark ends the game (R26, R55)."""
    return int(t.power[landmark]) == POWER_WIN or landmarks_of(s, seat) + 1 >= int(t.landmarks_to_win)


@kernel(apart=True)
def road_ahead(t: Tables, s: State, seat: int, own: int) -> tuple[int, int, int]:
    """What victory takes for a player with `own` landmarks: coins, builds, and the dearest of them."""
    wanted = int(t.landmarks_to_win) - own
    coins = 0
    dearest = 0
    found = 0
    discount = power(t, s, seat, POWER_DISCOUNT) if t.shared_landmarks else 0
    for landmark in range(int(t.landmarks)):  # sorted by price
        if found == wanted:
            break
        if (int(s.built[seat]) >> landmark) & 1 or t.landmark_alone[landmark]:
            continue
        if int(t.power[landmark]) == POWER_WIN:
            continue
        thing = MAX_CARDS + landmark
        if s.market[thing] == 0 and s.deck[thing] == 0:
            continue
        place = own + found
        dearest = int(t.landmark_cost[landmark, place if place < 2 else 2])
        coins += dearest
        found += 1
    coins += (wanted - found) * DEAR_LANDMARK
    if discount:
        coins -= 2 * wanted
    shortcut = int(t.power_own[POWER_WIN])
    if shortcut:
        pad = lowest(shortcut)
        if s.market[MAX_CARDS + pad] > 0:
            toll = price(t, s, seat, pad) if own == landmarks_of(s, seat) else int(t.landmark_cost[pad, own if own < 2 else 2])
            if toll < coins:
                return toll, 1, toll
    return coins, wanted, dearest


@kernel(apart=True)
def bonus_worth(t: Tables, s: State, seat: int, landmark: int, habits: int) -> int:
    """Parts that a landmark adds by raising cards (Shopping Mall)."""
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
        each = int(t.landmark_amount[landmark]) * open_copies(s, seat, card)
        parts += ways * each * multiplier(t, s, seat, seat, card) * prospects(t, s, seat, card) // 2
    return parts


@kernel(apart=True)
def unlocked_worth(t: Tables, s: State, seat: int, landmark: int, habits: int) -> int:
    """Parts that cards bring which have waited for a landmark (Harbor)."""
    parts = 0
    for card in range(int(t.cards)):
        if s.owned[seat, card] > 0 and (int(t.needs_built[card]) >> landmark) & 1:
            parts += copy_worth(t, s, seat, card, 0, habits) * int(s.owned[seat, card])
    return parts


@kernel(apart=True)
def landmark_worth(
    t: Tables, s: State, seat: int, landmark: int, one: int, two: int, habits: int
) -> int:
    """Parts that a landmark adds to a round's income; `one` and `two` are what own rolls bring."""
    kind = int(t.power[landmark])
    best = two if two > one and may_roll_two_dice(t, s, seat) else one
    if kind == POWER_BONUS:
        parts = bonus_worth(t, s, seat, landmark, habits)
        # What serves everybody is worth half.
        return parts // 2 if int(t.reach[landmark]) == REACH_ALL else parts
    if kind == POWER_TWO_DICE:
        return (two - one) * QUARTERS if two > one else 0
    if int(t.reach[landmark]) == REACH_OWN:
        if kind == POWER_REROLL:
            return best * REROLL_QUARTERS
        if kind == POWER_DOUBLES_TURN:
            return two * QUARTERS // 6
        if kind == POWER_IDLE_PAY:
            return int(t.landmark_amount[landmark]) * IDLE_QUARTERS * 36
        if kind == POWER_ADD:
            return unlocked_worth(t, s, seat, landmark, habits)
    return 0


@kernel(apart=True)
def landmark_rebate(t: Tables, s: State, seat: int, landmark: int, best: int) -> int:
    """Coins that come back at once from building a landmark, or are saved on later ones."""
    kind = int(t.power[landmark])
    thing = MAX_CARDS + landmark
    amount = int(t.landmark_amount[landmark])
    if kind == POWER_COLLECT_EACH:
        return from_others(t, s, seat, thing, amount, 0)
    if kind == POWER_TAX:
        return from_taxes(t, s, seat, 0)
    if kind == POWER_SHARE:
        after = from_sharing(t, s, seat, 0) + price(t, s, seat, landmark)
        return after if after > 0 else 0
    if kind == POWER_EXTRA_TURN:
        return best // 36 + LATER
    if kind == POWER_DISCOUNT and int(t.reach[landmark]) == REACH_OWN:
        return amount * 2
    return 0


@kernel(apart=True)
def own_habit(t: Tables, s: State, seat: int, one: int, two: int, missing: int) -> int:
    """What dice to reckon with: on a short road what suits the city now, on a long one rather two."""
    if may_roll_two_dice(t, s, seat):
        if two > one:
            return SUITS_TWO
        return SUITS_ONE if t.free_dice or missing > LONG_ROAD else QUARTERS
    if missing > LONG_ROAD and t.power_own[POWER_TWO_DICE]:
        return WITHOUT_STATION
    return QUARTERS


@kernel(apart=True)
def choose_build(t: Tables, s: State, choices: Choices) -> int:
    """Build what brings the end nearest; nothing if everything would only cost."""
    seat = int(s.turn)
    purse = int(s.coins[seat])
    habits = habits_of_all(t, s)
    one, two, others, counters = city_worth(t, s, seat, habits)
    own = landmarks_of(s, seat)
    toll, builds, dearest = road_ahead(t, s, seat, own)
    missing = toll - purse
    habits = with_habit(habits, seat, own_habit(t, s, seat, one, two, missing))
    income = ways_of_one(habits, seat, one, two) + others + POCKET_MONEY
    idle = power(t, s, seat, POWER_IDLE_PAY) if s.start_left == 0 else 0
    best_action = PASS
    best_coins = (missing - idle) * PARTS
    best_income = income
    best_builds = builds
    for k in range(int(choices.count)):
        action = int(choices.action[k])
        if action == PASS:
            continue
        thing = action - BUILD_IT
        if thing < MAX_CARDS:
            have = open_copies(s, seat, thing)
            more = copy_worth(t, s, seat, thing, have, habits)
            if counters:
                more += partners_worth(t, s, seat, thing, counters, habits)
            coins = missing + int(t.cost[thing]) - int(t.on_build[thing])
            left = builds
        else:
            landmark = thing - MAX_CARDS
            if wins(t, s, seat, landmark):
                return action
            more = landmark_worth(t, s, seat, landmark, one, two, habits)
            coins = missing - landmark_rebate(t, s, seat, landmark, one if one > two else two)
            cost = price(t, s, seat, landmark)
            if t.shared_landmarks:
                after, left, _ = road_ahead(t, s, seat, own + 1)
                coins += cost + after - toll
            else:
                left = builds - 1
                if cost > dearest:
                    coins += cost - dearest
        coins *= PARTS
        more += income
        if more < 1:
            more = 1
        if is_sooner(coins, more, left, best_coins, best_income, best_builds):
            best_action = action
            best_coins = coins
            best_income = more
            best_builds = left
    return best_action


@kernel
def is_sooner(coins: int, income: int, builds: int, old_coins: int, old_income: int, old_builds: int) -> bool:
    """Whether one way to the end is shorter than another; of equal ones the later, landmarks last."""
    by_builds = coins < builds * income
    old_by_builds = old_coins < old_builds * old_income
    if by_builds and old_by_builds:
        if builds != old_builds:
            return builds < old_builds
        return coins * old_income <= old_coins * income
    if by_builds:
        return builds * old_income <= old_coins
    if old_by_builds:
        return coins <= old_builds * income
    return coins * old_income <= old_coins * income
