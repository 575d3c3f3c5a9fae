"""How to roll: one die or two, whether to roll again, whether to reach two further.

All three compare what rolls bring the roller now: own cards that would act, less what restaurants
would take.
"""

from __future__ import annotations

from dicetown.bots.rules.odds import ROLLS, ways_with_harbor, ways_with_one, ways_with_two
from dicetown.bots.rules.worth import copy_brings, is_ready
from dicetown.rules.agenda import is_doubles, lowest
from dicetown.rules.city import bonus, landmarks_of, landmarks_with, open_copies, power
from dicetown.rules.codes import (
    ADD,
    ADD_NOT,
    ALL_COINS,
    KEEP,
    POWER_ADD,
    POWER_CONSOLE,
    POWER_DOUBLES_COLLECT,
    POWER_DOUBLES_GIVE,
    POWER_DOUBLES_TURN,
    POWER_TOTAL_PAY,
    RED,
    ROLL_AGAIN,
    ROLL_DICE,
)
from dicetown.rules.kernel import kernel
from dicetown.rules.layout import Choices, State, Tables

DOUBLES = 6  # ways of 36
UNTHINKABLE = -(1 << 40)


@kernel(apart=True)
def fees_due(t: Tables, s: State, card: int) -> int:
    """What the roller would pay all restaurants of a type."""
    roller = int(s.turn)
    least = int(t.roller_least[card])
    purse = int(s.coins[roller])
    if purse == 0 or (least and landmarks_of(s, roller) < least):
        return 0
    due = 0
    for owner in range(int(t.players)):
        if owner != roller and s.owned[owner, card] > 0:
            copies = open_copies(s, owner, card)
            if copies > 0 and is_ready(t, s, owner, card):
                fee = int(t.amount[card])
                due += purse if fee == ALL_COINS else copies * (fee + bonus(t, s, owner, card))
    return due if due < purse else purse


@kernel
def stake(t: Tables, s: State, card: int) -> int:
    """What a card brings the roller if its number comes up now; restaurants cost."""
    if t.colour[card] == RED:
        return -fees_due(t, s, card)
    roller = int(s.turn)
    if s.owned[roller, card] == 0:
        return 0
    copies = open_copies(s, roller, card)
    if copies == 0 or not is_ready(t, s, roller, card):
        return 0
    return copies * copy_brings(t, s, roller, card, 0)


@kernel(apart=True)
def expected(t: Tables, s: State) -> tuple[int, int]:
    """What a roll with one die and one with two dice bring the roller, in 36ths of a coin."""
    roller = int(s.turn)
    one = 0
    two = 0
    paid_by_one = 0
    paid_by_two = 0
    for card in range(int(t.cards)):
        coins = stake(t, s, card)
        if coins:
            first = int(t.first_roll[card])
            last = int(t.last_roll[card])
            if coins > 0:
                one += coins * ways_with_one(first, last)
                two += coins * ways_with_harbor(t, s, roller, first, last)
            else:
                paid_by_one -= coins * ways_with_one(first, last)
                paid_by_two -= coins * ways_with_two(first, last)
    two += expected_from_landmarks(t, s, roller, two)
    # Who never rolls the numbers of their own cards for fear of restaurants stays poor for ever; and
    # where nobody earns anything, fees at least keep the coins moving.
    if one > 0 and two > 0:
        return one - paid_by_one, two - paid_by_two
    if one > 0:
        return one - paid_by_one, UNTHINKABLE
    if two > 0:
        return UNTHINKABLE, two - paid_by_two
    return 0, 0


@kernel(apart=True)
def expected_from_landmarks(t: Tables, s: State, roller: int, two: int) -> int:
    """What landmarks add to a roll with two dice, in 36ths of a coin."""
    more = DOUBLES * doubles_bring(t, s, roller, two)
    if t.shared_landmarks:
        lucky = landmarks_with(t, s, roller, POWER_TOTAL_PAY)
        if lucky:
            mark = lowest(lucky)
            number = int(t.landmark_number[mark])
            more += ways_with_two(number, number) * int(t.landmark_amount[mark])
        # A consolation is paid on perhaps every third roll.
        more += ROLLS // 3 * power(t, s, roller, POWER_CONSOLE)
    return more


@kernel(apart=True)
def doubles_bring(t: Tables, s: State, roller: int, two: int) -> int:
    """What doubles bring by themselves, in coins; `two` is what a roll brings, in 36ths."""
    coins = 0
    if landmarks_with(t, s, roller, POWER_DOUBLES_TURN):
        coins += two // ROLLS
    if t.shared_landmarks:
        coins += (int(t.players) - 1) * power(t, s, roller, POWER_DOUBLES_COLLECT)
        if landmarks_with(t, s, roller, POWER_DOUBLES_GIVE):
            coins -= 1
    return coins


@kernel(apart=True)
def total_brings(t: Tables, s: State, total: int) -> int:
    """What a total brings the roller."""
    coins = 0
    for k in range(int(t.n_agenda[total])):
        coins += stake(t, s, int(t.agenda[total, k]))
    return coins


@kernel(apart=True)
def choose_dice(t: Tables, s: State) -> int:
    """One die or two, whichever is expected to bring more."""
    one, two = expected(t, s)
    return ROLL_DICE + 1 if two >= one else ROLL_DICE


@kernel(apart=True)
def choose_reroll(t: Tables, s: State, choices: Choices) -> int:
    """Roll again if that is expected to bring more than what lies there."""
    one, two = expected(t, s)
    roller = int(s.turn)
    total = int(s.total)
    lying = total_brings(t, s, total)
    harbors = landmarks_with(t, s, roller, POWER_ADD)
    if harbors and total >= int(t.landmark_number[lowest(harbors)]):
        raised = total_brings(t, s, total + power(t, s, roller, POWER_ADD))
        if raised > lying:
            lying = raised
    if is_doubles(s):
        lying += doubles_bring(t, s, roller, two)
    best_action = KEEP
    best = lying * ROLLS
    for k in range(int(choices.count)):
        action = int(choices.action[k])
        if action != KEEP:
            hoped = two if action == ROLL_AGAIN + 1 else one
            if hoped > best:
                best = hoped
                best_action = action
    return best_action


@kernel(apart=True)
def choose_raise(t: Tables, s: State) -> int:
    """Raise the total where the higher one brings more."""
    raised = int(s.total) + power(t, s, int(s.turn), POWER_ADD)
    return ADD if total_brings(t, s, raised) > total_brings(t, s, int(s.total)) else ADD_NOT
