"""The planner: what a build would leave behind, weighed by what many games have taught.

Like the greedy bot it asks how far the last landmark is, but it reckons with more: that cities grow
until then, that a rival may be there first, that coins on hand and numbers that often come up have a value of
their own. How much each of that counts are weights, whole numbers that belong to its mind; they
are in ``planner.toml``, and ``dicetown tune`` finds them.

A build is tried in place: the state is changed, looked at, and put back as it was. So nothing is copied, and
what a landmark does to all cards of a city need not be reckoned separately.
"""

from __future__ import annotations

from dicetown.bots.mind import Mind
from dicetown.bots.rules.build import POCKET_MONEY, choose_build, idle_pay
from dicetown.bots.rules.greedy import play_greedily
from dicetown.bots.rules.landmarks import is_left, landmark_rebate, road_ahead, wins
from dicetown.bots.rules.odds import (
    QUARTERS,
    ROLLS,
    habits_of_all,
    may_roll_two_dice,
    mixed,
    ways_of_others,
    ways_with_harbor,
    ways_with_one,
    ways_with_two,
)
from dicetown.bots.rules.roll import expected
from dicetown.bots.rules.worth import (
    LATER,
    PARTS,
    copy_brings,
    copy_worth,
    fees_per_round,
    prospects,
    takes_coins,
    with_spite,
)
from dicetown.rules.city import landmarks_of, open_copies, price, total_amount
from dicetown.rules.codes import (
    BLUE,
    BUILD,
    BUILD_IT,
    MAX_CARDS,
    PASS,
    POWER_DOUBLES_TURN,
    POWER_IDLE_PAY,
    POWER_REROLL,
    POWER_TWO_DICE,
    PURPLE,
    REACH_ALL,
    RED,
    ROLL,
    ROLL_DICE,
)
from dicetown.rules.kernel import kernel
from dicetown.rules.layout import Choices, State, Tables
from dicetown.rules.rng import Rng

#: A weight of so much leaves what it weighs as it is.
WHOLE = 64
#: Time is counted in so many ticks to the round.
TICKS = 256
_AGES = 1 << 40

# The weights, by their place in a mind.
GROWTH = 0  # parts a round that a city is taken to grow by until the end: what is bought pays shorter
HURRY = 1  # the same, the nearer a rival's end is
FAR = 2  # coins that victory costs beyond its landmarks
BUILDS = 3  # rounds that each landmark to build takes at least
SHORTER = 4  # of coins and builds the longer counts whole, the shorter by this
OTHERS = 5  # what others' rolls bring
FEES = 6  # what restaurants bring
MAJORS = 7  # what purple cards bring
ROLL_AGAIN = 8  # a second chance at the dice
DOUBLES = 9  # a second turn after doubles
IDLE = 10  # pay for building nothing
LONG_ROAD = 11  # coins from victory up to which the dice are reckoned with that suit the city now
BEFORE_STATION = 12  # how far one die is reckoned with on a long road, before there is a Train Station
SPREAD = 13  # ticks that a city gains which earns on every roll
NEXT = 14  # time until the next landmark can be paid
DENIAL = 15  # the last copy of what a rival would like
SHARED = 16  # what a landmark brings that serves everybody
TWO_DICE = 17  # 36ths of a coin by which two dice are preferred
LANDMARK = 18  # ticks that a landmark gains by being built now
HIGH = 19  # what cards of numbers above 6 bring
WEIGHTS = 20


@kernel
def weight_of(mind: Mind, t: Tables, which: int) -> int:
    """One of a planner's weights, for so many players as there are."""
    return int(mind.weights[int(t.players), which])


@kernel(apart=True)
def play_plan(mind: Mind, t: Tables, s: State, choices: Choices, rng: Rng) -> int:
    """The build that leaves the best city behind, the dice that suit it; all else as greedy."""
    if choices.count > 1:
        if s.phase == BUILD:
            return plan_build(mind, t, s, choices)
        if s.phase == ROLL:
            one, two = expected(t, s)
            return ROLL_DICE + 1 if two + weight_of(mind, t, TWO_DICE) >= one else ROLL_DICE
    return play_greedily(t, s, choices, rng)


@kernel(apart=True)
def plan_build(mind: Mind, t: Tables, s: State, choices: Choices) -> int:
    """What leaves the shortest road to the end; nothing if nothing shortens it."""
    seat = int(s.turn)
    habits = habits_of_all(t, s)
    one, two, others, _ = weighed_city(mind, t, s, seat, habits)
    if one <= 0 and two <= 0 and others <= 0:
        return choose_build(t, s, choices)  # who earns nothing has nothing to plan with
    growth = POCKET_MONEY + weight_of(mind, t, GROWTH) + hurry(mind, t, s, seat, habits)
    income = weighed_income(mind, t, s, seat, one, two, others)
    s.coins[seat] += idle_pay(t, s, seat)
    shortest = road(mind, t, s, seat, habits, growth, 0, 0, WHOLE)
    s.coins[seat] -= idle_pay(t, s, seat)
    best = PASS
    for k in range(int(choices.count)):
        thing = int(choices.action[k]) - BUILD_IT
        if thing < 0:
            continue  # to pass, which all else is compared with
        if thing < MAX_CARDS:
            time = try_card(mind, t, s, seat, thing, habits, growth)
        else:
            if wins(t, s, seat, thing - MAX_CARDS):
                return BUILD_IT + thing
            time = try_landmark(mind, t, s, seat, thing - MAX_CARDS, habits, growth, income)
        # Of equal ones the later is taken: landmarks come last, and what is built cannot be taken.
        if time <= shortest:
            shortest = time
            best = BUILD_IT + thing
    return best


# ---------------------------------------------------------------- trying a build in place


@kernel(apart=True)
def try_card(mind: Mind, t: Tables, s: State, seat: int, card: int, habits: int, growth: int) -> int:
    """The road ahead once a card is built."""
    gain = 0
    if weight_of(mind, t, DENIAL) and int(s.market[card]) + int(s.deck[card]) == 1:
        gain = missed_most(t, s, seat, card, habits) * TICKS // PARTS * weight_of(mind, t, DENIAL) // WHOLE
    coins = int(s.coins[seat])
    s.owned[seat, card] += 1
    s.coins[seat] = coins - int(t.cost[card]) + int(t.on_build[card])
    time = road(mind, t, s, seat, habits, growth, 0, 0, WHOLE)
    if t.on_build[card]:
        one, two, others, _ = weighed_city(mind, t, s, seat, habits)
        if weighed_income(mind, t, s, seat, one, two, others) < PARTS:
            time = _AGES  # a loan that could not be paid back
    s.owned[seat, card] -= 1
    s.coins[seat] = coins
    return time - gain


@kernel(apart=True)
def try_landmark(
    mind: Mind, t: Tables, s: State, seat: int, landmark: int, habits: int, growth: int, income: int
) -> int:
    """The road ahead once a landmark is built, in a city that brings so much without it."""
    coins = int(s.coins[seat])
    built = int(s.built[seat])
    share = WHOLE
    if int(t.reach[landmark]) == REACH_ALL:
        share = weight_of(mind, t, SHARED)
    rebate = landmark_rebate(t, s, seat, landmark, income)
    s.coins[seat] = coins - price(t, s, seat, landmark)
    s.built[seat] = built | (1 << landmark)
    s.market[MAX_CARDS + landmark] -= 1
    time = road(mind, t, s, seat, habits, growth, rebate, income, share)
    s.market[MAX_CARDS + landmark] += 1
    s.built[seat] = built
    s.coins[seat] = coins
    return time - weight_of(mind, t, LANDMARK)


@kernel(apart=True)
def missed_most(t: Tables, s: State, seat: int, card: int, habits: int) -> int:
    """Parts that a card would bring the rival who would like it most."""
    most = 0
    for rival in range(int(t.players)):
        if rival != seat and s.owned[rival, card] < t.limit[card]:
            one, two, others = copy_worth(t, s, rival, card, open_copies(s, rival, card), habits)
            parts = mixed(habits, rival, one, two) + others
            if parts > most:
                most = parts
    return most


# ------------------------------------------------------------------------ the road ahead


@kernel(apart=True)
def road(
    mind: Mind,
    t: Tables,
    s: State,
    seat: int,
    habits: int,
    growth: int,
    rebate: int,
    before: int,
    share: int,
) -> int:
    """How long a city takes to the end, in ticks; the shorter, the better.

    Of what it brings more than `before`, a share counts. `rebate` coins are still to come.
    """
    one, two, others, cover = weighed_city(mind, t, s, seat, habits)
    income = weighed_income(mind, t, s, seat, one, two, others)
    if share != WHOLE:
        income = before + (income - before) * share // WHOLE
    income += growth
    if income < 1:
        income = 1
    toll, builds, _ = road_ahead(t, s, seat, landmarks_of(s, seat))
    coins = int(s.coins[seat]) + rebate
    longer = (toll - coins + weight_of(mind, t, FAR)) * PARTS * TICKS // income
    if longer < 0:
        longer = 0
    shorter = builds * weight_of(mind, t, BUILDS) * TICKS // WHOLE
    if shorter > longer:
        longer, shorter = shorter, longer
    time = longer + shorter * weight_of(mind, t, SHORTER) // WHOLE
    time -= cover * weight_of(mind, t, SPREAD) // ROLLS
    lacking = next_price(t, s, seat) - coins
    if lacking > 0:
        time += lacking * PARTS * TICKS // income * weight_of(mind, t, NEXT) // WHOLE
    return time


@kernel
def next_price(t: Tables, s: State, seat: int) -> int:
    """What the cheapest landmark costs that a city can still build; 0 if there is none."""
    for landmark in range(int(t.landmarks)):  # sorted by price
        if is_left(t, s, seat, landmark):
            return price(t, s, seat, landmark)
    return 0


@kernel(apart=True)
def hurry(mind: Mind, t: Tables, s: State, seat: int, habits: int) -> int:
    """Parts to reckon with because a rival may end first: the nearer the nearest one's end, the more."""
    weight = weight_of(mind, t, HURRY)
    if weight == 0:
        return 0
    nearest = _AGES
    for rival in range(int(t.players)):
        if rival != seat:
            time = road(mind, t, s, rival, habits, POCKET_MONEY, 0, 0, WHOLE)
            if time < nearest:
                nearest = time
    if nearest < TICKS:
        nearest = TICKS
    return PARTS * TICKS // nearest * weight // WHOLE


# ------------------------------------------------------------------------------- income


@kernel
def weighed_income(mind: Mind, t: Tables, s: State, seat: int, one: int, two: int, others: int) -> int:
    """Parts a round brings a city, by the dice it is expected to roll and the landmarks it has."""
    toll, _, _ = road_ahead(t, s, seat, landmarks_of(s, seat))
    long = t.free_dice != 0 or toll - int(s.coins[seat]) > weight_of(mind, t, LONG_ROAD)
    rolls = one
    if may_roll_two_dice(t, s, seat):
        if long or two > one:
            rolls = two
    elif long and t.power_own[POWER_TWO_DICE]:
        rolls = two + (one - two) * weight_of(mind, t, BEFORE_STATION) // WHOLE
    built = int(s.built[seat])
    more = 0
    if built & int(t.power_own[POWER_REROLL]):
        more += rolls * weight_of(mind, t, ROLL_AGAIN) // WHOLE
    if built & int(t.power_own[POWER_DOUBLES_TURN]):
        more += two * weight_of(mind, t, DOUBLES) // (6 * WHOLE)
    paid_idle = built & int(t.power_own[POWER_IDLE_PAY])
    if paid_idle:
        more += total_amount(t, paid_idle) * PARTS * weight_of(mind, t, IDLE) // WHOLE
    return rolls + others + more


@kernel(apart=True)
def weighed_city(mind: Mind, t: Tables, s: State, seat: int, habits: int) -> tuple[int, int, int, int]:
    """Parts a city brings in a round, each kind of card by its weight; and how many rolls bring anything.

    By own rolls if all are made with one die, or with two; and by the others' rolls.
    """
    one = 0
    two = 0
    others = 0
    cover = 0
    covered = -1  # cards are sorted by number: a number is counted once
    for card in range(int(t.cards)):
        if s.owned[seat, card] == 0:
            continue
        copies = open_copies(s, seat, card)
        likely = prospects(t, s, seat, card)
        if likely == 0 or copies == 0:
            continue
        first = int(t.first_roll[card])
        last = int(t.last_roll[card])
        weight = likely * (weight_of(mind, t, HIGH) if first > 6 else WHOLE)
        if t.colour[card] == RED:
            fees = with_spite(t, fees_per_round(t, s, seat, card, 0, copies, habits))
            others += fees * weight // WHOLE * weight_of(mind, t, FEES) // WHOLE
            continue
        brings = copy_brings(t, s, seat, card, LATER) * copies * weight
        if t.colour[card] == PURPLE:
            brings = brings * weight_of(mind, t, MAJORS) // WHOLE
            if takes_coins(int(t.effect[card])):
                brings = with_spite(t, brings)
        by_one = ways_with_one(first, last)
        by_two = ways_with_two(first, last)
        one += by_one * brings
        two += ways_with_harbor(t, s, seat, first, last) * brings
        if t.colour[card] == BLUE:
            ways = ways_of_others(t, habits, seat, by_one, by_two)
            others += ways * brings // WHOLE * weight_of(mind, t, OTHERS) // WHOLE
        if first > covered and brings > 0:
            covered = last
            cover += by_two if may_roll_two_dice(t, s, seat) else by_one
    half = 2 * WHOLE
    return one * QUARTERS // half, two * QUARTERS // half, others // 2, cover
