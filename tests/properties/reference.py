"""The rules a second time, slowly: plain Python over names, written from RULES.md and not from the engine.

It reads the same material, but shares no line with `dicetown.rules`; where the two disagree, one is wrong.
`legal_texts` says what a player may do; `income` says what a roll brings where nobody has to choose.
"""

from __future__ import annotations

from dataclasses import dataclass

from dicetown import Game
from dicetown.material import Establishment, Landmark
from dicetown.material import model as m
from dicetown.rules import codes as c

# ------------------------------------------------------------------------- cities


def landmarks_for(game: Game, seat: int, kind: type) -> list[Landmark]:
    """The landmarks of a kind that serve a player: their own, and those of anybody that serve all."""
    found = []
    for mark in game.ruleset.landmarks:
        owners = [other for other in range(game.players) if mark.id in game.landmarks(other)]
        serves = bool(owners) if mark.reach == "all" else mark.reach == "own" and seat in owners
        if isinstance(mark.effect, kind) and serves:
            found.append(mark)
    return found


def cards_by_id(game: Game) -> dict[str, Establishment]:
    return {card.id: card for card in game.ruleset.cards}


def price(game: Game, seat: int, mark: Landmark) -> int:
    """R53: by one's own number of landmarks, less discounts."""
    cost = mark.cost[min(len(game.landmarks(seat)), len(mark.cost) - 1)]
    for other in landmarks_for(game, seat, m.Discount):
        assert isinstance(other.effect, m.Discount)
        if other.effect.landmark in (None, mark.id):
            cost -= other.effect.amount
    return max(cost, 0)


# --------------------------------------------------------------------- what is legal


def legal_texts(game: Game) -> set[str]:
    """What the player to move may do, in notation."""
    seat, s, rules = game.turn, game.state, game.ruleset.rules
    match s.phase:
        case c.ROLL:
            two = game.ruleset.edition.free_dice or landmarks_for(game, seat, m.TwoDice)
            return {"roll 1", "roll 2"} if two else {"roll 1"}
        case c.REROLL:
            two = game.ruleset.edition.free_dice or landmarks_for(game, seat, m.TwoDice)
            counts = ([1, 2] if two else [1]) if rules.reroll_may_change_dice else [s.dice]
            return {"keep"} | {f"reroll {dice}" for dice in counts}
        case c.ADD_TWO:
            return {"add_two yes", "add_two no"}
        case c.BUILD:
            return _builds(game, seat)
        case c.INVEST:
            return {"invest yes", "invest no"}
        case c.PLAYER | c.GIVE | c.TAKE | c.CARD | c.LANDMARK | c.ORDER:
            return _choices(game, seat)
    return set()


def _builds(game: Game, seat: int) -> set[str]:
    legal = {"pass"}
    limit = game.ruleset.rules.major_limit
    for card in game.ruleset.cards:
        full = card.major and limit != "none" and game.cards(seat).get(card.id, 0) >= limit
        if card.id in game.market and card.cost <= game.coins(seat) and not full:
            legal.add(f"build {card.id}")
    if game.state.start_left:  # R52: establishments only
        return legal
    shared = game.ruleset.edition.shared_landmarks
    for mark in game.ruleset.landmarks:
        lies = mark.id in game.landmark_market if shared else mark.id not in game.landmarks(seat)
        others = [game.landmarks(other) for other in range(game.players) if other != seat]
        alone = not game.landmarks(seat) and all(others)  # R54
        if lies and price(game, seat, mark) <= game.coins(seat) and (alone or mark.needs is None):
            legal.add(f"build {mark.id}")
    return legal


def _choices(game: Game, seat: int) -> set[str]:
    s = game.state
    cards = cards_by_id(game)
    acting = game.notation.things[s.acting] if s.phase != c.ORDER else None
    effect = cards[acting].effect if acting in cards else None
    purple_too = effect is None or (isinstance(effect, m.Swap) and effect.any)
    others = [other for other in range(game.players) if other != seat]
    match s.phase:
        case c.PLAYER:
            if isinstance(effect, m.Swap):
                others = [other for other in others if _copies(game, other, purple_too, "take")]
            return {f"player {other}" for other in others}
        case c.GIVE:
            may_decline = isinstance(effect, m.Swap) and game.ruleset.rules.business_center_optional
            return _copies(game, seat, purple_too, "give") | ({"decline"} if may_decline else set())
        case c.TAKE:
            return _copies(game, s.partner, purple_too, "take")
        case c.CARD:
            plain = {card.id for card in game.ruleset.cards if not card.major}
            if isinstance(effect, m.Convention):
                return {f"card {card}" for card in plain & set(game.cards(seat))} | {"decline"}
            return {f"card {card}" for card in plain}  # R18
        case c.LANDMARK:
            return {f"landmark {mark}" for mark in game.landmarks(seat)}
    return _orders(game, seat)


def _copies(game: Game, seat: int, purple_too: bool, verb: str) -> set[str]:
    """R21: open and closed copies apart."""
    texts = set()
    for card, copies in game.cards(seat).items():
        if purple_too or not cards_by_id(game)[card].major:
            closed = game.closed(seat).get(card, 0)
            texts |= {f"{verb} {card}"} if copies > closed else set()
            texts |= {f"{verb} {card} closed"} if closed else set()
    return texts


def _orders(game: Game, seat: int) -> set[str]:
    """RULES.md, "When order matters": what the active player may put first, on 4 and on 8."""
    due = {
        card.id: card
        for card in game.ruleset.cards
        if game.state.total in card.numbers and _still_due(game, card.id)
    }
    taxes = {card for card, one in due.items() if isinstance(one.effect, m.Tax)}
    renovations = {card for card, one in due.items() if isinstance(one.effect, m.Renovate)}
    if taxes and renovations:
        return {f"first {card}" for card in taxes | renovations}
    demolitions = {card for card, one in due.items() if isinstance(one.effect, m.Demolish)}
    mall = {
        icon
        for mark in landmarks_for(game, seat, m.Bonus)
        if isinstance(mark.effect, m.Bonus)
        for icon in mark.effect.icons
    }
    partners = {
        card
        for card, one in due.items()
        if isinstance(one.effect, m.Income) and (one.effect.owner_needs or one.icon in mall)
    }
    return {f"first {card}" for card in demolitions | partners}


def _still_due(game: Game, card: str) -> bool:
    """Whether a card of the roller was open when the total became final and has not acted yet."""
    number = game.notation.numbers[card]
    agenda = game.tables.agenda[game.state.total].tolist()
    entry = agenda.index(number)
    return bool(game.state.due[entry] > 0 and not game.state.done >> entry & 1)


# ---------------------------------------------------------------------- what a roll brings


@dataclass
class Income:
    """What a roll did: purses and closed copies afterwards."""

    coins: list[int]
    closed: list[dict[str, int]]


class Choice(Exception):
    """Somebody has to choose, or other dice have to fall: the reference does not go there."""


def income(game: Game, total: int, dice: tuple[int, ...]) -> Income:
    """Purses and closed copies after a final total, before the help and the build step."""
    return _Roll(game, total, dice).resolve()


class _Roll:
    def __init__(self, game: Game, total: int, dice: tuple[int, ...]) -> None:
        seats = range(game.players)
        self.game, self.total, self.dice, self.roller = game, total, dice, game.turn
        self.coins = [game.coins(seat) for seat in seats]
        self.owned = [game.cards(seat) for seat in seats]
        self.closed = [game.closed(seat) for seat in seats]
        self.counts = [len(game.landmarks(seat)) for seat in seats]
        self.received = False
        self.cards = [card for card in game.ruleset.cards if total in card.numbers]
        # R12: clockwise neighbours have the next number, so counter-clockwise counts down.
        self.others = [(self.roller - step) % game.players for step in range(1, game.players)]

    def resolve(self) -> Income:
        for kind in (m.Fee, m.Loan, m.Demolish, m.Income, m.Tuna, m.Move):
            self._each(kind)
        for purple in (
            m.CollectEach, m.CollectOne, m.Swap, m.Tax, m.Renovate, m.Startup, m.Convention, m.Share,
        ):  # fmt: skip
            self._each(purple)
        self._landmarks()
        closed = [{card: copies for card, copies in city.items() if copies} for city in self.closed]
        return Income(self.coins, closed)

    def _each(self, kind: type) -> None:
        for card in self.cards:
            if isinstance(card.effect, kind):
                getattr(self, f"_act_{kind.__name__.lower()}")(card, card.effect)

    # ------------------------------------------------------------- helpers

    def _move(self, payer: int | None, receiver: int | None, owed: int) -> int:
        paid = owed if payer is None else min(owed, self.coins[payer])
        if payer is not None:
            self.coins[payer] -= paid
        if receiver is not None:
            self.coins[receiver] += paid
            self.received = self.received or (receiver == self.roller and paid > 0)
        return paid

    def _open(self, seat: int, card: str) -> int:
        return self.owned[seat].get(card, 0) - self.closed[seat].get(card, 0)

    def _owns(self, seat: int, needs: m.OwnerNeeds | None) -> bool:
        if needs is None:
            return True
        if needs.landmark is not None and needs.landmark not in self.game.landmarks(seat):
            return False
        return needs.landmarks_below is None or self.counts[seat] < needs.landmarks_below

    def _reopen(self, seat: int, card: str, closed: int, condition: bool) -> None:
        """R17: where the edition says so, only if its condition holds."""
        if closed and (condition or self.game.ruleset.rules.closed_reopens_unmet):
            self.closed[seat][card] = self.closed[seat].get(card, 0) - closed

    def _bonus(self, seat: int, icon: str) -> int:
        return sum(
            mark.effect.amount
            for mark in landmarks_for(self.game, seat, m.Bonus)
            if isinstance(mark.effect, m.Bonus) and icon in mark.effect.icons
        )

    def _times(self, per: m.Per | None, owner: int, payer: int | None) -> int:
        if per is None:
            return 1
        if per.landmarks:
            assert payer is not None
            return self.counts[payer]
        cities = {"own": [owner], "everyone": range(self.game.players), "theirs": [payer]}[per.of]
        by_id = cards_by_id(self.game)
        return sum(
            copies
            for seat in cities
            if seat is not None
            for card, copies in self.owned[seat].items()  # R22: closed ones count
            if card in per.cards or by_id[card].icon in per.icons
        )

    # --------------------------------------------------------------- cards

    def _act_fee(self, card: Establishment, effect: m.Fee) -> None:
        for owner in self.others:
            copies, closed = self._open(owner, card.id), self.closed[owner].get(card.id, 0)
            needed = effect.roller_needs.landmarks_at_least if effect.roller_needs else 0
            met = self._owns(owner, effect.owner_needs) and self.counts[self.roller] >= needed
            if copies and met:
                if effect.amount == "all":
                    owed = self.coins[self.roller]
                else:
                    owed = (effect.amount + self._bonus(owner, card.icon)) * copies
                self._move(self.roller, owner, owed)
            self._reopen(owner, card.id, closed, met)

    def _act_loan(self, card: Establishment, effect: m.Loan) -> None:
        copies = self._open(self.roller, card.id)
        self._reopen(self.roller, card.id, self.closed[self.roller].get(card.id, 0), True)
        self._move(self.roller, None, effect.pay * copies)

    def _act_demolish(self, card: Establishment, effect: m.Demolish) -> None:
        if self._open(self.roller, card.id) and self.counts[self.roller]:
            raise Choice
        self._reopen(self.roller, card.id, self.closed[self.roller].get(card.id, 0), True)

    def _act_income(self, card: Establishment, effect: m.Income) -> None:
        for owner in range(self.game.players) if card.colour == "blue" else [self.roller]:
            copies, closed = self._open(owner, card.id), self.closed[owner].get(card.id, 0)
            met, earned = self._owns(owner, effect.owner_needs), 0
            if copies and met:
                each = (effect.amount + self._bonus(owner, card.icon)) * self._times(effect.per, owner, None)
                earned = self._move(None, owner, each * copies)
            self._reopen(owner, card.id, closed, met)
            always = self.game.ruleset.rules.winery_closes_without_vineyard  # R20
            if effect.then == "close" and copies and (earned or always):
                self.closed[owner][card.id] = self.closed[owner].get(card.id, 0) + copies

    def _act_tuna(self, card: Establishment, effect: m.Tuna) -> None:
        for owner in range(self.game.players):
            met = self._owns(owner, effect.owner_needs)
            if self._open(owner, card.id) and met:
                raise Choice
            self._reopen(owner, card.id, self.closed[owner].get(card.id, 0), met)

    def _act_move(self, card: Establishment, effect: m.Move) -> None:
        if self._open(self.roller, card.id):
            raise Choice
        self._reopen(self.roller, card.id, self.closed[self.roller].get(card.id, 0), True)

    def _act_collecteach(self, card: Establishment, effect: m.CollectEach) -> None:
        for _ in range(self.owned[self.roller].get(card.id, 0)):
            for victim in self.others:
                self._move(victim, self.roller, effect.amount * self._times(effect.per, self.roller, victim))

    def _asks(self, card: Establishment, effect: m.Effect) -> None:
        if self.owned[self.roller].get(card.id, 0):
            raise Choice

    _act_collectone = _act_swap = _act_renovate = _act_convention = _asks

    def _act_tax(self, card: Establishment, effect: m.Tax) -> None:
        for _ in range(self.owned[self.roller].get(card.id, 0)):
            for victim in self.others:
                if self.coins[victim] >= self.game.ruleset.rules.tax_threshold:  # R31, R65
                    self._move(victim, self.roller, self.coins[victim] // 2)

    def _act_startup(self, card: Establishment, effect: m.Startup) -> None:
        for _ in range(self.owned[self.roller].get(card.id, 0)):
            for victim in self.others:
                self._move(victim, self.roller, self.game.invested(self.roller))

    def _act_share(self, card: Establishment, effect: m.Share) -> None:
        if self.owned[self.roller].get(card.id, 0):
            share = -(-sum(self.coins) // len(self.coins))  # R30
            self.received = self.received or share > self.coins[self.roller]
            self.coins = [share] * len(self.coins)

    # ---------------------------------------------- landmarks that act (R56, R57, R60)

    def _landmarks(self) -> None:
        doubles = len(self.dice) == 2 and len(set(self.dice)) == 1
        for mark in landmarks_for(self.game, self.roller, m.TotalPay):
            if isinstance(mark.effect, m.TotalPay) and mark.effect.total == self.total:
                self._move(None, self.roller, mark.effect.amount)
        for mark in landmarks_for(self.game, self.roller, m.DoublesCollect):
            if doubles and isinstance(mark.effect, m.DoublesCollect):
                for victim in self.others:
                    self._move(victim, self.roller, mark.effect.amount)
        for mark in landmarks_for(self.game, self.roller, m.Console):
            if len(self.dice) == 2 and not self.received and isinstance(mark.effect, m.Console):
                self._move(None, self.roller, mark.effect.amount)
                break
        if doubles and landmarks_for(self.game, self.roller, m.DoublesGive) and self.owned[self.roller]:
            raise Choice
