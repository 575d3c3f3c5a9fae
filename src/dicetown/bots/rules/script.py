"""Scripted strategies: a shopping list in order of priority, then landmarks, the cheapest first.

This is what people recommend to each other ("buy ranches, then cheese factories"), as data: the lists are
in ``scripts.toml``. Whatever the list does not settle is chosen as the greedy bot chooses.

Where cards come out of a deck, one day something wanted always lies out; there a list says how many cards
are enough, and then goes on to landmarks.
"""

from __future__ import annotations

from dicetown.bots.mind import Mind
from dicetown.bots.rules.build import choose_build
from dicetown.bots.rules.greedy import play_greedily
from dicetown.rules.city import price
from dicetown.rules.codes import BUILD, BUILD_IT, INCOME_EFFECT, MAX_CARDS, PASS, ROLL, ROLL_DICE
from dicetown.rules.kernel import kernel
from dicetown.rules.layout import Choices, State, Tables
from dicetown.rules.rng import Rng

_DEAR = 1 << 20


@kernel(apart=True)
def play_script(mind: Mind, t: Tables, s: State, choices: Choices, rng: Rng) -> int:
    """What the script says; where it says nothing, what is greedy."""
    if s.phase == BUILD:
        return build_by_list(mind, t, s, choices)
    if s.phase == ROLL and mind.dice:
        last = int(choices.count) - 1
        return ROLL_DICE + (int(mind.dice) - 1 if int(mind.dice) - 1 < last else last)
    return play_greedily(t, s, choices, rng)


@kernel(apart=True)
def build_by_list(mind: Mind, t: Tables, s: State, choices: Choices) -> int:
    """The first thing on the list that is still wanted and affordable.

    While something wanted lies out but costs too much, save for it; when nothing wanted is to be had,
    build landmarks. A city that nothing on the list has brought an income yet takes what it can get: all
    might wait for ever for each other to clear the market.
    """
    seat = int(s.turn)
    saving = False
    full = 0 < int(mind.enough) <= cards_in_city(t, s, seat)
    for k in range(int(mind.wants)):
        thing = int(mind.thing[k])
        if full and thing < MAX_CARDS:
            continue
        if is_wanted(t, s, seat, thing, int(mind.copies[k])):
            if is_offered(choices, BUILD_IT + thing):
                return BUILD_IT + thing
            saving = True
    if not earns(t, s, seat):
        return choose_build(t, s, choices)
    if saving:
        return PASS
    return cheapest_landmark(t, s, seat, choices)


@kernel
def is_wanted(t: Tables, s: State, seat: int, thing: int, copies: int) -> bool:
    """Whether the city lacks a thing that lies in the market."""
    if s.market[thing] <= 0:
        return False
    if thing < MAX_CARDS:
        return int(s.owned[seat, thing]) < copies and s.owned[seat, thing] < t.limit[thing]
    return (int(s.built[seat]) >> (thing - MAX_CARDS)) & 1 == 0 and s.start_left == 0


@kernel
def cards_in_city(t: Tables, s: State, seat: int) -> int:
    """How many cards a city has."""
    count = 0
    for card in range(int(t.cards)):
        count += int(s.owned[seat, card])
    return count


@kernel
def earns(t: Tables, s: State, seat: int) -> bool:
    """Whether a city has a card that the bank pays for and that asks for nothing."""
    for card in range(int(t.cards)):
        if s.owned[seat, card] > 0 and int(t.effect[card]) == INCOME_EFFECT and t.conditional[card] == 0:
            return True
    return False


@kernel
def is_offered(choices: Choices, action: int) -> bool:
    """Whether an action is legal."""
    for k in range(int(choices.count)):
        if choices.action[k] == action:
            return True
    return False


@kernel
def cheapest_landmark(t: Tables, s: State, seat: int, choices: Choices) -> int:
    """The cheapest landmark that can be built; nothing without one."""
    best = PASS
    least = _DEAR
    for k in range(int(choices.count)):
        thing = int(choices.action[k]) - BUILD_IT
        if thing >= MAX_CARDS:
            cost = price(t, s, seat, thing - MAX_CARDS)
            if cost < least:
                least = cost
                best = BUILD_IT + thing
    return best
