"""What to build: whatever brings the last landmark nearest.

With `income` coins a round and `missing` coins for the landmarks still to build, the end is
missing / income rounds away, and never nearer than one round per landmark, since a turn builds one
thing. A card makes more coins missing and raises the income; a landmark costs nothing that would not
have to be paid anyway. What leaves the fewest rounds is built, so a card is bought as long as it pays
for itself in time, and landmarks when no card does.
"""

from __future__ import annotations

from dicetown.bots.rules.landmarks import landmark_rebate, landmark_worth, road_ahead, wins
from dicetown.bots.rules.odds import QUARTERS, habits_of_all, may_roll_two_dice, mixed, with_habit
from dicetown.bots.rules.worth import PARTS, city_worth, copy_worth, partners_worth
from dicetown.rules.city import landmarks_of, open_copies, power, price
from dicetown.rules.codes import BUILD_IT, INCOME_EFFECT, MAX_CARDS, PASS, POWER_IDLE_PAY, POWER_TWO_DICE
from dicetown.rules.kernel import kernel
from dicetown.rules.layout import Choices, State, Tables

#: So many coins from victory a city of high numbers pays; nearer, what suits the city now.
#: Measured: on the base game's 52 coins one die wins, on the 84 with Harbor two.
LONG_ROAD = 60
#: Quarters of own rolls reckoned with one die on a long road, before there is a Train Station.
BEFORE_STATION = 1
#: Even an empty city finds a coin now and then.
POCKET_MONEY = PARTS // 4
NOT_YET = -1
FOR_EVER = 1 << 32


@kernel(apart=True)
def choose_build(t: Tables, s: State, choices: Choices) -> int:
    """Build what brings the end nearest; nothing if everything would only cost."""
    seat = int(s.turn)
    habits = habits_of_all(t, s)
    one, two, others = city_worth(t, s, seat, habits)
    own = landmarks_of(s, seat)
    toll, builds, dearest = road_ahead(t, s, seat, own)
    missing = toll - int(s.coins[seat])
    habits = with_habit(habits, seat, own_habit(t, s, seat, one, two, missing))
    income = mixed(habits, seat, one, two) + others + POCKET_MONEY
    # On a short road a card may change which dice suit the city; on a long one that is settled.
    settled = is_long_road(t, missing) or not may_roll_two_dice(t, s, seat)
    # Who earns nothing must build something, whatever it is: waiting would never end. And without help
    # for the poor it must be something that the bank pays, or all might sit there without a coin.
    penniless = income == POCKET_MONEY
    best = PASS
    best_cost = FOR_EVER if penniless else (missing - idle_pay(t, s, seat)) * PARTS
    best_income = income
    best_builds = builds
    # All there is to build is gone through in the order in which it is offered, and what is not offered
    # is passed over: on a GPU, neighbours then weigh the same card at the same time.
    at = 1 if choices.action[0] == PASS else 0  # passing is what all else is compared with
    for k in range(int(t.cards)):
        card = int(t.by_cost[k])
        if int(choices.action[at]) != BUILD_IT + card or at >= choices.count:
            continue
        at += 1
        more = card_adds(t, s, seat, card, one, two, habits, settled)
        if penniless and t.help == 0 and int(t.effect[card]) != INCOME_EFFECT:
            more = 0
        more = max(income + more, 1)
        if t.on_build[card] and more < PARTS:
            continue  # a loan that could not be paid back
        cost = (missing + int(t.cost[card]) - int(t.on_build[card])) * PARTS
        if is_sooner(cost, more, builds, best_cost, best_income, best_builds):
            best = BUILD_IT + card
            best_cost = cost
            best_income = more
            best_builds = builds
    after = NOT_YET
    builds_after = builds - 1
    for landmark in range(int(t.landmarks)):
        thing = MAX_CARDS + landmark
        if int(choices.action[at]) != BUILD_IT + thing or at >= choices.count:
            continue
        at += 1
        if wins(t, s, seat, landmark):
            return BUILD_IT + thing
        coins = missing - landmark_rebate(t, s, seat, landmark, one if one > two else two)
        asked = price(t, s, seat, landmark)
        if t.shared_landmarks:
            if after == NOT_YET:
                after, builds_after, _ = road_ahead(t, s, seat, own + 1)
            coins += asked + after - toll
        elif asked > dearest:
            coins += asked - dearest  # it takes the place of a cheaper one
        more = max(income + landmark_worth(t, s, seat, landmark, one, two, habits), 1)
        if is_sooner(coins * PARTS, more, builds_after, best_cost, best_income, best_builds):
            best = BUILD_IT + thing
            best_cost = coins * PARTS
            best_income = more
            best_builds = builds_after
    return best


@kernel
def card_adds(
    t: Tables,
    s: State,
    seat: int,
    card: int,
    one: int,
    two: int,
    habits: int,
    settled: bool,
) -> int:
    """Parts that one more copy of a card adds to a city that brings `one` or `two` by so many dice."""
    by_one, by_two, more = copy_worth(t, s, seat, card, open_copies(s, seat, card), habits)
    if t.counted_by[card, 0] >= 0:
        partners_by_one, partners_by_two = partners_worth(t, s, seat, card)
        by_one += partners_by_one
        by_two += partners_by_two
    if settled:
        return more + mixed(habits, seat, by_one, by_two)
    return more + max(one + by_one, two + by_two) - max(one, two)


@kernel
def is_long_road(t: Tables, missing: int) -> bool:
    """Whether a city of high numbers has the time to pay."""
    return t.free_dice != 0 or missing > LONG_ROAD


@kernel
def own_habit(t: Tables, s: State, seat: int, one: int, two: int, missing: int) -> int:
    """What dice to reckon with: on a short road those that suit the city now, on a long one two."""
    long = is_long_road(t, missing)
    if may_roll_two_dice(t, s, seat):
        return 0 if long or two > one else QUARTERS
    if long and t.power_own[POWER_TWO_DICE]:
        return BEFORE_STATION
    return QUARTERS


@kernel
def idle_pay(t: Tables, s: State, seat: int) -> int:
    """What building nothing brings (Airport); not in the start rounds."""
    return power(t, s, seat, POWER_IDLE_PAY) if s.start_left == 0 else 0


@kernel
def is_sooner(cost: int, income: int, builds: int, old_cost: int, old_income: int, old_builds: int) -> bool:
    """Whether one way to the end is shorter than another; what it costs and what it brings are in parts.

    Of equal ones the later is taken: landmarks come last, and what is built cannot be taken.
    """
    # Rounds are cost / income, but at least builds; compared by multiplying crosswise.
    by_builds = cost < builds * income
    old_by_builds = old_cost < old_builds * old_income
    if by_builds and old_by_builds and builds != old_builds:
        return builds < old_builds
    if by_builds and not old_by_builds:
        return builds * old_income <= old_cost
    if old_by_builds and not by_builds:
        return cost <= old_builds * income
    return cost * old_income <= old_cost * income
