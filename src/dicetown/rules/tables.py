"""A ruleset as arrays: everything the kernels need to know, looked up once.

The kernels never see a name or an edition. What makes one edition different from another is in these
tables, so one compiled engine serves them all.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, assert_never

from dicetown.errors import RulesetError
from dicetown.material import Establishment, House, Landmark
from dicetown.material import model as m
from dicetown.rules import codes as c
from dicetown.rules.layout import TABLES, new, plain, record_class
from dicetown.rules.ruleset import Ruleset

EFFECTS: dict[type, int] = {
    m.Fee: c.FEE,
    m.Loan: c.LOAN,
    m.Demolish: c.DEMOLISH,
    m.Income: c.INCOME_EFFECT,
    m.Tuna: c.TUNA_EFFECT,
    m.Move: c.MOVE,
    m.CollectEach: c.COLLECT_EACH,
    m.CollectOne: c.COLLECT_ONE,
    m.Swap: c.SWAP,
    m.Tax: c.TAX,
    m.Renovate: c.RENOVATE,
    m.Startup: c.STARTUP,
    m.Convention: c.CONVENTION,
    m.Share: c.SHARE,
}

POWERS: dict[type, int] = {
    m.TwoDice: c.POWER_TWO_DICE,
    m.Bonus: c.POWER_BONUS,
    m.DoublesTurn: c.POWER_DOUBLES_TURN,
    m.Reroll: c.POWER_REROLL,
    m.AddToTotal: c.POWER_ADD,
    m.IdlePay: c.POWER_IDLE_PAY,
    m.DoublesCollect: c.POWER_DOUBLES_COLLECT,
    m.DoublesGive: c.POWER_DOUBLES_GIVE,
    m.TotalPay: c.POWER_TOTAL_PAY,
    m.Console: c.POWER_CONSOLE,
    m.Discount: c.POWER_DISCOUNT,
    m.Win: c.POWER_WIN,
    m.ExtraTurn: c.POWER_EXTRA_TURN,
    m.CollectEach: c.POWER_COLLECT_EACH,
    m.Tax: c.POWER_TAX,
    m.Share: c.POWER_SHARE,
}

COLOURS = {"blue": c.BLUE, "green": c.GREEN, "red": c.RED, "purple": c.PURPLE}
REACHES = {"own": c.REACH_OWN, "all": c.REACH_ALL, "once": c.REACH_ONCE}
WHOSE = {"own": c.PER_OWN, "everyone": c.PER_EVERYONE, "theirs": c.PER_THEIRS}

#: Whose cards those count that count their owner's, too.
_OWN_AMONG_THEM = (c.PER_OWN, c.PER_EVERYONE)

#: Powers that act once a roll's income is paid.
_AFTER_INCOME = (c.POWER_TOTAL_PAY, c.POWER_DOUBLES_COLLECT, c.POWER_CONSOLE, c.POWER_DOUBLES_GIVE)

#: Different cards each market keeps face up, row by row; a shared landmark row comes after them.
ROW_TARGETS: dict[str, tuple[int, ...]] = {
    "stacks": (),
    "line10": (10,),
    "rows552": (5, 5, 2),
    "rows555": (5, 5),
}
LANDMARK_ROW_TARGET = 5
LAST_LOW_NUMBER = 6
_HIGHEST_ROLL = 12
#: A bit no landmark has: a condition on a landmark that is not in use is never met.
UNBUILDABLE = 1 << 30


@lru_cache(maxsize=64)
def tables_for(ruleset: Ruleset, players: int) -> Any:
    """The tables of a ruleset for a number of players; shared, so never written to.

    >>> tables = tables_for(Ruleset("deluxe", sets=["base"]), 4)
    >>> tables.cards, tables.landmarks
    (15, 4)
    """
    ruleset.check_players(players)
    t = new(TABLES)
    t.players, t.cards, t.landmarks = players, len(ruleset.cards), len(ruleset.landmarks)
    t.counted[:] = t.counted_by[:] = c.NOTHING
    for number, card in enumerate(ruleset.cards):
        _write_card(t, ruleset, number, card)
        t.supply[number] = ruleset.copies(card, players)
    for number, landmark in enumerate(ruleset.landmarks):
        _write_landmark(t, ruleset, number, landmark)
        t.supply[c.MAX_CARDS + number] = 1 if ruleset.edition.shared_landmarks else players
    _write_counters(t, ruleset)
    _write_least_prices(t)
    _write_market(t, ruleset)
    _write_agenda(t, ruleset)
    _write_house(t, ruleset)
    t.array.flags.writeable = False
    return record_class(TABLES)(t.array)  # a new face: the old one's views could still be written through


@lru_cache(maxsize=64)
def plain_tables_for(ruleset: Ruleset, players: int) -> Any:
    """The same tables, as interpreted kernels read them fastest.

    >>> plain_tables_for(Ruleset("deluxe", sets=["base"]), 4).cost[1]
    1
    """
    return plain(tables_for(ruleset, players))


# -------------------------------------------------------------------- establishments


def _write_card(t: Any, ruleset: Ruleset, number: int, card: Establishment) -> None:
    t.cost[number] = card.cost
    t.colour[number] = COLOURS[card.colour]
    t.icon[number] = list(ruleset.game.icons).index(card.icon)
    limit = ruleset.rules.major_limit
    t.limit[number] = min(limit, c.NO_LIMIT) if card.major and limit != "none" else c.NO_LIMIT
    t.first_roll[number], t.last_roll[number] = card.rolls[0], card.rolls[-1]
    t.start_city[number] = ruleset.edition.starting_cards.count(card.id)
    t.effect[number] = EFFECTS[type(card.effect)]
    t.needs_below[number] = c.NO_LIMIT
    for bit, landmark in enumerate(ruleset.landmarks):
        if isinstance(landmark.effect, m.Bonus) and card.icon in landmark.effect.icons:
            raised = t.bonus_all if landmark.reach == "all" else t.bonus_own
            raised[number] |= 1 << bit
    _write_effect(t, ruleset, number, card.effect)
    needs = t.needs_built[number], t.roller_least[number], t.needs_below[number] < c.NO_LIMIT
    t.conditional[number] = any(needs)


def _write_effect(t: Any, ruleset: Ruleset, number: int, effect: m.Effect) -> None:
    match effect:
        case m.Income():
            t.amount[number] = effect.amount
            t.then_closes[number] = effect.then == "close"
            _write_per(t, ruleset, number, effect.per)
            _write_owner_needs(t, ruleset, number, effect.owner_needs)
        case m.Fee():
            t.amount[number] = c.ALL_COINS if effect.amount == "all" else effect.amount
            _write_owner_needs(t, ruleset, number, effect.owner_needs)
            if effect.roller_needs:
                t.roller_least[number] = effect.roller_needs.landmarks_at_least
        case m.CollectEach():
            t.amount[number] = effect.amount
            _write_per(t, ruleset, number, effect.per)
        case m.CollectOne() | m.Demolish() | m.Move() | m.Renovate():
            t.amount[number] = effect.amount
        case m.Loan():
            t.amount[number], t.on_build[number] = effect.pay, effect.on_build
        case m.Swap():
            t.swaps_any[number] = effect.any
        case m.Tuna():
            _write_owner_needs(t, ruleset, number, effect.owner_needs)
        case m.Tax() | m.Share() | m.Startup() | m.Convention():
            pass
        case _:
            assert_never(effect)


def _write_per(t: Any, ruleset: Ruleset, thing: int, per: m.Per | None) -> None:
    if per is None:
        return
    t.per[thing] = c.PER_THEIR_LANDMARKS if per.landmarks else WHOSE[per.of]
    counted = [
        number for number, card in enumerate(ruleset.cards) if card.icon in per.icons or card.id in per.cards
    ]
    if len(counted) > c.MAX_COUNTED:
        raise RulesetError(
            f"One effect counts {len(counted)} different cards; at most {c.MAX_COUNTED} are possible."
        )
    t.n_counted[thing] = len(counted)
    t.counted[thing][: len(counted)] = counted


def _write_counters(t: Any, ruleset: Ruleset) -> None:
    """For each card those that count it in a city: the same as `counted`, from the other side."""
    for number, card in enumerate(ruleset.cards):
        counters = [
            one for one in range(t.cards) if t.per[one] in _OWN_AMONG_THEM and number in t.counted[one]
        ]
        if len(counters) > c.MAX_COUNTERS:
            raise RulesetError(
                f"{len(counters)} different cards count {card.id}; at most {c.MAX_COUNTERS} are possible."
            )
        t.counted_by[number][: len(counters)] = counters


def _write_owner_needs(t: Any, ruleset: Ruleset, number: int, needs: m.OwnerNeeds | None) -> None:
    if needs is None:
        return
    if needs.landmark is not None:
        t.needs_built[number] = UNBUILDABLE
        for bit, landmark in enumerate(ruleset.landmarks):
            if landmark.id == needs.landmark:
                t.needs_built[number] = 1 << bit
    if needs.landmarks_below is not None:
        t.needs_below[number] = needs.landmarks_below


# ------------------------------------------------------------------------ landmarks


def _write_landmark(t: Any, ruleset: Ruleset, number: int, landmark: Landmark) -> None:
    costs = ruleset.edition.costs.get(landmark.id)
    prices = landmark.cost if costs is None else (costs,)
    t.landmark_cost[number] = prices if len(prices) > 1 else prices * 3
    t.landmark_alone[number] = landmark.needs == "alone_without"
    t.landmark_target[number] = c.NOTHING
    t.landmark_amount[number] = 1
    kind = POWERS[type(landmark.effect)]
    t.power[number] = kind
    t.reach[number] = REACHES[landmark.reach]
    if landmark.reach == "all":
        t.power_all[kind] |= 1 << number
    elif landmark.reach == "own":
        t.power_own[kind] |= 1 << number
    _write_power(t, ruleset, number, landmark.effect)


def _write_power(t: Any, ruleset: Ruleset, number: int, effect: m.LandmarkEffect) -> None:
    match effect:
        case m.AddToTotal():
            t.landmark_amount[number], t.landmark_number[number] = effect.amount, effect.least
        case m.TotalPay():
            t.landmark_amount[number], t.landmark_number[number] = effect.amount, effect.total
        case m.Discount():
            t.landmark_amount[number] = effect.amount
            if effect.landmark is not None:
                ids = [mark.id for mark in ruleset.landmarks]
                # A discount on a landmark that is not in use touches none: a number no landmark has.
                target = ids.index(effect.landmark) if effect.landmark in ids else c.MAX_LANDMARKS
                t.landmark_target[number] = target
        case m.CollectEach():
            t.landmark_amount[number] = effect.amount
            _write_per(t, ruleset, c.MAX_CARDS + number, effect.per)
        case m.Bonus() | m.IdlePay() | m.Help() | m.DoublesCollect() | m.Console():
            t.landmark_amount[number] = effect.amount
        case m.TwoDice() | m.DoublesTurn() | m.Reroll() | m.DoublesGive() | m.ExtraTurn() | m.Win():
            pass
        case m.Tax() | m.Share():
            pass
        case _:
            assert_never(effect)


def _write_least_prices(t: Any) -> None:
    """What each landmark costs with every discount there is."""
    discounts = [bit for bit in range(t.landmarks) if t.power[bit] == c.POWER_DISCOUNT]
    for bit in range(t.landmarks):
        off = sum(
            int(t.landmark_amount[one]) for one in discounts if t.landmark_target[one] in (c.NOTHING, bit)
        )
        t.landmark_least[bit] = max(0, int(t.landmark_cost[bit].min()) - off)


# ---------------------------------------------------------------- market and agenda


def _write_market(t: Any, ruleset: Ruleset) -> None:
    market = ruleset.rules.market
    targets = list(ROW_TARGETS[market])
    t.row_of[:] = c.NOTHING
    if targets:
        for number, card in enumerate(ruleset.cards):
            t.row_of[number] = _row(market, card)
        if ruleset.edition.shared_landmarks:
            for number in range(len(ruleset.landmarks)):
                t.row_of[c.MAX_CARDS + number] = len(targets)
            targets.append(LANDMARK_ROW_TARGET)
    t.rows = len(targets)
    t.row_target[: len(targets)] = targets
    t.shared_landmarks = ruleset.edition.shared_landmarks
    if ruleset.rules.discard_dead_majors:
        mortal = [n for n in range(t.cards) if t.limit[n] < c.NO_LIMIT and t.row_of[n] >= 0]
        t.n_mortal = len(mortal)
        t.mortal[: len(mortal)] = mortal
    by_cost = sorted(range(len(ruleset.cards)), key=lambda number: ruleset.cards[number].cost)
    t.by_cost[: len(by_cost)] = by_cost


def _row(market: str, card: Establishment) -> int:
    if market == "line10":
        return 0
    if market == "rows552" and card.major:
        return 2
    return 0 if card.rolls[-1] <= LAST_LOW_NUMBER else 1


def _write_agenda(t: Any, ruleset: Ruleset) -> None:
    """For each total the cards it activates, in the order in which they resolve."""
    for total in range(1, c.MAX_TOTAL + 1):
        active = [number for number, card in enumerate(ruleset.cards) if total in card.numbers]
        if len(active) > c.MAX_AGENDA:
            raise RulesetError(
                f"{len(active)} different cards act on {total}; at most {c.MAX_AGENDA} are possible."
            )
        active.sort(key=lambda number: _turn_to_act(ruleset.cards[number]))
        t.n_agenda[total] = len(active)
        t.agenda[total][: len(active)] = active


def _turn_to_act(card: Establishment) -> tuple[int, int]:
    """Effects by their order of resolution; among income, blue before green (R8)."""
    effect = EFFECTS[type(card.effect)]
    if effect == c.TUNA_EFFECT:
        effect = c.INCOME_EFFECT
    return effect, COLOURS[card.colour]


# ---------------------------------------------------------------------- house rules


def _write_house(t: Any, ruleset: Ruleset) -> None:
    rules = ruleset.rules
    startups = [number for number, card in enumerate(ruleset.cards) if isinstance(card.effect, m.Startup)]
    if len(startups) > 1:
        names = ", ".join(ruleset.cards[number].id for number in startups)
        raise RulesetError(f"Only one card can take investments, but {names} do; leave one of them.")
    t.startup = startups[0] if startups else c.NOTHING
    _check_raised_total(t)
    t.shared_bonus = bool(t.bonus_all.any())
    t.landmarks_act = any(t.power_own[power] | t.power_all[power] for power in _AFTER_INCOME)
    t.free_dice = ruleset.edition.free_dice
    for name in House.__struct_fields__:  # a house rule that kernels ask for has a column of its name
        if name in (TABLES.names or ()) and name != "landmarks_to_win":
            setattr(t, name, getattr(rules, name))
    t.landmarks_to_win = ruleset.landmarks_to_win
    t.renovation_by_bank = rules.renovation_payer == "bank"
    t.help = _help_amount(ruleset)


def _check_raised_total(t: Any) -> None:
    """What a Harbor makes of twelve must still be a total that cards can have."""
    harbors = [bit for bit in range(t.landmarks) if t.power[bit] == c.POWER_ADD]
    if len(harbors) > 1:
        raise RulesetError(
            f"Only one landmark can raise the total, but {len(harbors)} do; leave one of them."
        )
    if any(_HIGHEST_ROLL + t.landmark_amount[bit] > c.MAX_TOTAL for bit in harbors):
        raise RulesetError(f"A landmark raises the total beyond {c.MAX_TOTAL}, where no card can act.")


def _help_amount(ruleset: Ruleset) -> int:
    """The coins for who has none: City Hall's, or 1 where the help is built in (R66)."""
    if not ruleset.rules.city_hall:
        return 0
    hall = ruleset.city_hall
    return hall.effect.amount if hall and isinstance(hall.effect, m.Help) else 1
