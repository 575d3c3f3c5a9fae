"""Looking at a city: how many landmarks, which powers, what a card counts and whether it may act."""

from __future__ import annotations

from dicetown.rules.codes import (
    PER_EVERYONE,
    PER_NONE,
    PER_OWN,
    PER_THEIR_LANDMARKS,
    POWER_DISCOUNT,
)
from dicetown.rules.kernel import kernel
from dicetown.rules.layout import State, Tables


@kernel
def bits(mask: int) -> int:
    """How many bits are set."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@kernel
def landmarks_of(s: State, seat: int) -> int:
    """How many landmarks a player has built; City Hall never counts (R33)."""
    return bits(int(s.built[seat]))


@kernel
def skyline(t: Tables, s: State) -> int:
    """All landmarks that stand in any city, as bits."""
    standing = 0
    for seat in range(int(t.players)):
        standing |= int(s.built[seat])
    return standing


@kernel
def landmarks_with(t: Tables, s: State, seat: int, power: int) -> int:
    """The landmarks that give a player a power, as bits: own ones, and those that serve all."""
    serving = int(s.built[seat]) & int(t.power_own[power])
    for_all = int(t.power_all[power])
    if for_all:
        serving |= skyline(t, s) & for_all
    return serving


@kernel
def total_amount(t: Tables, landmarks: int) -> int:
    """The amounts of these landmarks added up."""
    amount = 0
    landmark = 0
    while landmarks:
        if landmarks & 1:
            amount += int(t.landmark_amount[landmark])
        landmarks >>= 1
        landmark += 1
    return amount


@kernel
def power(t: Tables, s: State, seat: int, kind: int) -> int:
    """How much of a power a player enjoys: 0 without it."""
    return total_amount(t, landmarks_with(t, s, seat, kind))


@kernel
def bonus(t: Tables, s: State, owner: int, card: int) -> int:
    """What landmarks add to each payment of a card (R14, R59)."""
    raising = int(t.bonus_own[card]) & int(s.built[owner])
    if t.shared_bonus and t.bonus_all[card]:
        raising |= skyline(t, s) & int(t.bonus_all[card])
    if raising == 0:
        return 0
    return total_amount(t, raising)


@kernel
def open_copies(s: State, owner: int, card: int) -> int:
    """Copies that can act."""
    return int(s.owned[owner, card]) - int(s.closed[owner, card])


@kernel
def count_cards(t: Tables, s: State, seat: int, thing: int) -> int:
    """How many cards of a city a thing counts; closed ones count, too (R22)."""
    count = 0
    k = 0
    while t.counted[thing, k] >= 0:  # a list that ends; one with a length would be unrolled, and long
        count += int(s.owned[seat, int(t.counted[thing, k])])
        k += 1
    return count


@kernel
def multiplier(t: Tables, s: State, owner: int, other: int, thing: int) -> int:
    """By what the amount of a thing's effect is multiplied; `other` is the one who pays."""
    per = int(t.per[thing])
    if per == PER_NONE:
        return 1
    if per == PER_THEIR_LANDMARKS:
        return landmarks_of(s, other)
    first = owner if per == PER_OWN else other
    last = first
    if per == PER_EVERYONE:
        first = 0
        last = int(t.players) - 1
    count = 0
    for seat in range(first, last + 1):
        count += count_cards(t, s, seat, thing)
    return count


@kernel
def condition_met(t: Tables, s: State, owner: int, card: int) -> bool:
    """Whether owner and roller have what the card asks for (R15, R33)."""
    if t.conditional[card] == 0:
        return True
    needed = int(t.needs_built[card])
    if needed and (int(s.built[owner]) & needed) != needed:
        return False
    if landmarks_of(s, owner) >= int(t.needs_below[card]):
        return False
    return landmarks_of(s, int(s.turn)) >= int(t.roller_least[card])


@kernel
def price(t: Tables, s: State, seat: int, landmark: int) -> int:
    """What a landmark costs a player now: by the number of their own, less discounts (R53)."""
    own = landmarks_of(s, seat)
    if own > 2:
        own = 2
    cost = int(t.landmark_cost[landmark, own])
    discounts = landmarks_with(t, s, seat, POWER_DISCOUNT)
    other = 0
    while discounts:
        if discounts & 1:
            target = int(t.landmark_target[other])
            if target < 0 or target == landmark:
                cost -= int(t.landmark_amount[other])
        discounts >>= 1
        other += 1
    return cost if cost > 0 else 0


@kernel
def alone_without_landmarks(t: Tables, s: State, seat: int) -> bool:
    """R54: the player has no landmark and every opponent has one."""
    if int(s.built[seat]):
        return False
    for other in range(int(t.players)):
        if other != seat and int(s.built[other]) == 0:
            return False
    return True


@kernel
def may_build_landmark(t: Tables, s: State, seat: int, landmark: int) -> bool:
    """Whether a landmark is to be had and within the player's means (the market is checked elsewhere)."""
    if (int(s.built[seat]) >> landmark) & 1:
        return False
    if t.landmark_alone[landmark] and not alone_without_landmarks(t, s, seat):
        return False
    return price(t, s, seat, landmark) <= int(s.coins[seat])
