"""The rules a second time, slowly: plain Python over names, from docs/rules.md and not from the engine.

It reads the same material but shares no line with `dicetown.rules`. A game is a generator: it yields a
question (what is asked, and the possible answers), takes an answer and goes on. Played in step with the
engine, the two must ask the same questions and own the same things after every answer; where they differ,
one of them has misread the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from itertools import product
from typing import Any, NamedTuple

from dicetown import Ruleset
from dicetown.material import Establishment, Landmark
from dicetown.material import model as m


class Question(NamedTuple):
    """What is asked; of chance, the answers come with their weights."""

    what: str
    answers: dict[str, int]


Play = Generator[Question, str, None]
Asked = Generator[Question, str, str]


def ask(what: str, answers: Iterable[str]) -> Asked:
    answer: str = yield Question(what, dict.fromkeys(answers, 1))
    return answer


def throw(word: str, dice: int) -> Generator[Question, str, tuple[int, ...]]:
    faces = [" ".join(map(str, throw)) for throw in product(range(1, 7), repeat=dice)]
    answer = yield from ask(word, [f"{word} {throw}" for throw in faces])
    return tuple(map(int, answer.split()[1:]))


@dataclass
class City:
    """What a player has."""

    coins: int
    cards: Counter[str]
    closed: Counter[str] = field(default_factory=Counter)
    marks: list[Landmark] = field(default_factory=list)
    invested: int = 0

    def open(self, card: str) -> int:
        return self.cards[card] - self.closed[card]


@dataclass
class Row:
    """A row of the market: how many different things it keeps face up, and which can lie in it."""

    target: int
    things: set[str]


#: In which order the cards of one total act; income is blue before green.
ORDER: tuple[tuple[type, ...], ...] = (
    (m.Fee,), (m.Loan,), (m.Demolish,), (m.Income, m.Tuna), (m.Move,), (m.CollectEach,), (m.CollectOne,),
    (m.Swap,), (m.Tax,), (m.Renovate,), (m.Startup,), (m.Convention,), (m.Share,),
)  # fmt: skip
COLOURS = ("red", "blue", "green", "purple")


class Town:
    """A game at its table."""

    def __init__(self, ruleset: Ruleset, players: int) -> None:
        self.rules, self.edition, self.players = ruleset.rules, ruleset.edition, players
        self.to_win = ruleset.landmarks_to_win
        self.cards: dict[str, Establishment] = {card.id: card for card in ruleset.cards}
        self.marks: dict[str, Landmark] = {mark.id: mark for mark in ruleset.landmarks}
        self.help = 1 if self.rules.city_hall else 0
        start = self.edition.starting_cards
        self.cities = [City(self.rules.start_coins, Counter(start)) for _ in range(players)]
        self.rows = self._lay_rows()
        supply = {card.id: ruleset.copies(card, players) for card in ruleset.cards}
        if self.edition.shared_landmarks:
            supply |= dict.fromkeys(self.marks, 1)
        in_rows = {thing for row in self.rows for thing in row.things}
        self.deck = Counter({thing: copies for thing, copies in supply.items() if thing in in_rows})
        self.market = Counter({thing: copies for thing, copies in supply.items() if thing not in in_rows})
        self.seat = 0
        self.turns = 0
        self.winner: int | None = None
        self.received = False

    def _lay_rows(self) -> list[Row]:
        cards = self.cards.values()
        low = {card.id for card in cards if card.rolls[-1] <= 6}
        high, purple = set(self.cards) - low, {card.id for card in cards if card.major}
        rows = {
            "stacks": [],
            "line10": [Row(10, low | high)],
            "rows552": [Row(5, low - purple), Row(5, high - purple), Row(2, purple)],
            "rows555": [Row(5, low), Row(5, high)],
        }[self.rules.market]
        return [*rows, Row(5, set(self.marks))] if rows and self.edition.shared_landmarks else rows

    # ------------------------------------------------------------------------ course of the game

    def play(self) -> Play:
        yield from self._refill(set(range(len(self.rows))))
        for _ in range(self.rules.start_rounds):  # R52
            for seat in range(self.players):
                self.seat = seat
                yield from self._build(landmarks=False)
        self.seat = 0  # after complete rounds it is the first player's turn
        extra = 0
        while True:
            extra += min((yield from self._turn()), self.rules.max_extra_turns)
            if self.winner is not None:
                return
            self.turns += 1
            if self.turns == self.rules.max_turns:
                return
            if extra:
                extra -= 1
            else:
                self.seat = (self.seat + 1) % self.players

    def _turn(self) -> Generator[Question, str, int]:
        """One turn; returns the extra turns it earned."""
        two = self.edition.free_dice or self._power(self.seat, m.TwoDice)
        answer = yield from ask("roll", ["roll 1", "roll 2"] if two else ["roll 1"])
        dice = yield from throw("dice", int(answer[-1]))
        if self._power(self.seat, m.Reroll):  # R1
            counts = ([1, 2] if two else [1]) if self.rules.reroll_may_change_dice else [len(dice)]
            answer = yield from ask("reroll", ["keep", *(f"reroll {count}" for count in counts)])
            if answer != "keep":
                dice = yield from throw("dice", int(answer[-1]))
        total = sum(dice)
        for harbor in self._power(self.seat, m.AddToTotal):  # R2, R3
            if isinstance(harbor.effect, m.AddToTotal) and total >= harbor.effect.least:
                answer = yield from ask("add_two", ["add_two yes", "add_two no"])
                total += harbor.effect.amount if answer.endswith("yes") else 0
        doubles = len(dice) == 2 and dice[0] == dice[1]
        earned = int(doubles and bool(self._power(self.seat, m.DoublesTurn)))  # R5: fixed at the roll
        self.received = False
        yield from self._resolve(total)
        yield from self._landmarks_act(total, dice, doubles)
        if not self.rules.extra_turn_fixed_at_roll and not self._power(self.seat, m.DoublesTurn):
            earned = 0
        me = self.cities[self.seat]
        if me.coins == 0:  # R34, R66
            me.coins += self.help
        built = yield from self._build(landmarks=True)
        if self.winner is not None:
            return 0
        if isinstance(built, Landmark) and isinstance(built.effect, m.ExtraTurn):
            earned += 1
        yield from self._close(built is None)
        return earned

    def _close(self, idle: bool) -> Play:
        """Airport and investment (R24, R25, R35, R67)."""
        me = self.cities[self.seat]
        airports = [mark.effect for mark in self._power(self.seat, m.IdlePay)] if idle else []
        pay = sum(effect.amount for effect in airports if isinstance(effect, m.IdlePay))
        if self.rules.airport_before_invest:
            me.coins += pay
        startups = [card for card, one in self.cards.items() if isinstance(one.effect, m.Startup)]
        if me.coins and any(me.cards[card] for card in startups):
            if (yield from ask("invest", ["invest yes", "invest no"])) == "invest yes":
                me.coins -= 1
                me.invested += 1
        if not self.rules.airport_before_invest:
            me.coins += pay

    # ---------------------------------------------------------------------- looking at cities

    def _power(self, seat: int, kind: type) -> list[Landmark]:
        """The landmarks of a kind that serve a player: their own, and those of anybody that serve all."""
        own = [mark for mark in self.cities[seat].marks if mark.reach == "own"]
        shared = [mark for city in self.cities for mark in city.marks if mark.reach == "all"]
        return [mark for mark in own + shared if isinstance(mark.effect, kind)]

    def _bonus(self, seat: int, card: Establishment) -> int:
        """R14, R59."""
        effects = [mark.effect for mark in self._power(seat, m.Bonus)]
        return sum(e.amount for e in effects if isinstance(e, m.Bonus) and card.icon in e.icons)

    def _times(self, per: m.Per | None, owner: int, payer: int) -> int:
        """What a payment is multiplied by; closed cards count (R22)."""
        if per is None:
            return 1
        if per.landmarks:
            return len(self.cities[payer].marks)
        whose = {"own": [owner], "everyone": range(self.players), "theirs": [payer]}[per.of]
        counted = {card for card, one in self.cards.items() if one.icon in per.icons or card in per.cards}
        return sum(self.cities[seat].cards[card] for seat in whose for card in counted)

    def _owner_can(self, seat: int, needs: m.OwnerNeeds | None) -> bool:
        if needs is None:
            return True
        marks = [mark.id for mark in self.cities[seat].marks]
        if needs.landmark is not None and needs.landmark not in marks:
            return False
        return needs.landmarks_below is None or len(marks) < needs.landmarks_below

    def _others(self) -> list[int]:
        """The opponents of who is on turn, counter-clockwise (R12)."""
        return [(self.seat - step) % self.players for step in range(1, self.players)]

    def _pay(self, payer: int | None, receiver: int | None, owed: int) -> int:
        """R12: what a purse cannot pay is lost. R56: paying nothing is not receiving."""
        paid = owed if payer is None else min(owed, self.cities[payer].coins)
        if payer is not None:
            self.cities[payer].coins -= paid
        if receiver is not None:
            self.cities[receiver].coins += paid
            self.received |= receiver == self.seat and paid > 0
        return paid

    def _reopen(self, seat: int, card: str, closed: int, met: bool = True) -> None:
        """R16, R17."""
        if met or self.rules.closed_reopens_unmet:
            self.cities[seat].closed[card] -= closed

    # ------------------------------------------------------------------------ resolving a roll

    def _resolve(self, total: int) -> Play:
        """The cards of a total act, one type after the other; the roller's open copies are fixed (R7)."""
        ids = sorted((card for card in self.cards if total in self.cards[card].numbers), key=self._place)
        due = {card: self.cities[self.seat].open(card) for card in ids}
        while ids:
            first = [ids[0], *self._partners(ids, due)]
            if len(first) > 1 and self.rules.choose_order:
                answer = yield from ask("order", [f"first {card}" for card in first])
                card = answer.split()[1]
            else:
                card = ids[0]
            ids.remove(card)
            yield from self._act(card, due[card])

    def _place(self, card: str) -> tuple[int, int]:
        one = self.cards[card]
        step = next(step for step, kinds in enumerate(ORDER) if isinstance(one.effect, kinds))
        return step, COLOURS.index(one.colour)

    def _partners(self, ids: list[str], due: dict[str, int]) -> list[str]:
        """docs/rules.md, "When order matters": what may come before the first, on 4 and on 8."""
        effect, later = self.cards[ids[0]].effect, [card for card in ids[1:] if due[card]]
        if not due[ids[0]]:
            return []
        if isinstance(effect, m.Tax):
            return [card for card in later if isinstance(self.cards[card].effect, m.Renovate)]
        if not isinstance(effect, m.Demolish) or not self.cities[self.seat].marks:
            return []
        found = []
        for card in later:
            income = self.cards[card].effect
            if isinstance(income, m.Income) and (
                income.owner_needs or self._bonus(self.seat, self.cards[card])
            ):
                found.append(card)
        return found

    def _act(self, card: str, copies: int, host: bool = False) -> Play:
        """A type acts; with a host, for them alone (R47)."""
        one, effect = self.cards[card], self.cards[card].effect
        if isinstance(effect, m.Fee):
            if not host:
                self._charge(one, effect)
        elif isinstance(effect, m.Income):
            all_seats = one.colour == "blue" and not host
            for seat in range(self.players) if all_seats else [self.seat]:
                self._earn(seat, one, effect)
        elif isinstance(effect, m.Tuna):
            yield from self._fish(card, effect, [self.seat] if host else list(range(self.players)))
        else:
            me = self.cities[self.seat]
            self._reopen(self.seat, card, me.closed[card])
            yield from self._act_alone(card, effect, copies)

    def _charge(self, card: Establishment, effect: m.Fee) -> None:
        needed = effect.roller_needs.landmarks_at_least if effect.roller_needs else 0
        for seat in self._others():
            city = self.cities[seat]
            copies, closed = city.open(card.id), city.closed[card.id]
            met = self._owner_can(seat, effect.owner_needs) and len(self.cities[self.seat].marks) >= needed
            if copies and met:
                if effect.amount == "all":  # R15
                    self._pay(self.seat, seat, self.cities[self.seat].coins)
                else:
                    self._pay(self.seat, seat, (effect.amount + self._bonus(seat, card)) * copies)
            self._reopen(seat, card.id, closed, met)

    def _earn(self, seat: int, card: Establishment, effect: m.Income) -> None:
        city, earned = self.cities[seat], 0
        copies, closed = city.open(card.id), city.closed[card.id]
        met = self._owner_can(seat, effect.owner_needs)
        if copies and met:
            each = (effect.amount + self._bonus(seat, card)) * self._times(effect.per, seat, seat)
            earned = self._pay(None, seat, each * copies)
        self._reopen(seat, card.id, closed, met)
        if effect.then == "close" and (earned or self.rules.winery_closes_without_vineyard):  # R20
            city.closed[card.id] += copies

    def _fish(self, card: str, effect: m.Tuna, seats: list[int]) -> Play:
        """R32: one throw for all boats, if any boat can sail."""
        boats = {
            seat: self.cities[seat].open(card) * self._owner_can(seat, effect.owner_needs) for seat in seats
        }
        dice = (yield from throw("tuna", 2)) if any(boats.values()) else ()
        for seat in seats:
            self._pay(None, seat, sum(dice) * boats[seat])
            self._reopen(
                seat, card, self.cities[seat].closed[card], self._owner_can(seat, effect.owner_needs)
            )

    def _act_alone(self, card: str, effect: m.Effect, copies: int) -> Play:
        """Loan Office, Moving and Demolition Company, and the purple cards: for who is on turn."""
        if isinstance(effect, m.Loan):
            self._pay(self.seat, None, effect.pay * copies)  # R9
        if isinstance(effect, m.Move):
            self._pay(None, self.seat, effect.amount * copies)  # R39: the coins first
        for _ in range(copies):
            match effect:
                case m.CollectEach():
                    self._collect(effect.amount, effect.per)
                case m.Tax():
                    self._tax()
                case m.Startup():
                    self._collect(self.cities[self.seat].invested, None)
                case m.Share():
                    self._share()
                case m.Demolish():
                    yield from self._demolish(effect)
                case m.Move():
                    yield from self._give_away()
                case m.CollectOne():
                    answer = yield from ask("player", [f"player {seat}" for seat in self._others()])
                    self._pay(int(answer.split()[1]), self.seat, effect.amount)
                case m.Swap():
                    yield from self._swap(effect.any)
                case m.Renovate():
                    yield from self._renovate(effect)
                case m.Convention():
                    yield from self._convene(card)

    def _collect(self, amount: int, per: m.Per | None) -> None:
        for seat in self._others():
            self._pay(seat, self.seat, amount * self._times(per, self.seat, seat))

    def _tax(self) -> None:
        """R31, R65."""
        for seat in self._others():
            if self.cities[seat].coins >= self.rules.tax_threshold:
                self._pay(seat, self.seat, self.cities[seat].coins // 2)

    def _share(self) -> None:
        """R30."""
        share = -(-sum(city.coins for city in self.cities) // self.players)
        self.received |= share > self.cities[self.seat].coins
        for city in self.cities:
            city.coins = share

    # ----------------------------------------------------------------------------- choices

    def _demolish(self, effect: m.Demolish) -> Play:
        """R41."""
        me = self.cities[self.seat]
        if me.marks:
            answer = yield from ask("landmark", [f"landmark {mark.id}" for mark in me.marks])
            me.marks.remove(self.marks[answer.split()[1]])
            self._pay(None, self.seat, effect.amount)

    def _movable(self, seat: int, verb: str, purple_too: bool) -> list[str]:
        """R21, R38: what may change hands, open and closed copies apart."""
        city = self.cities[seat]
        cards = [card for card in self.cards if purple_too or not self.cards[card].major]
        return [f"{verb} {card}" for card in cards if city.open(card)] + [
            f"{verb} {card} closed" for card in cards if city.closed[card]
        ]

    def _hand_over(self, giver: int, receiver: int, answer: str) -> None:
        _, card, *closed = answer.split()
        self.cities[giver].cards[card] -= 1
        self.cities[receiver].cards[card] += 1
        if closed:
            self.cities[giver].closed[card] -= 1
            self.cities[receiver].closed[card] += 1

    def _give_away(self) -> Play:
        """Moving Company (R38-R40): the card, then the receiver."""
        gifts = self._movable(self.seat, "give", purple_too=False)
        if gifts:
            gift = yield from ask("give", gifts)
            answer = yield from ask("player", [f"player {seat}" for seat in self._others()])
            self._hand_over(self.seat, int(answer.split()[1]), gift)

    def _swap(self, purple_too: bool) -> Play:
        """Business Center (R50, R51, R63, R64): give, then take."""
        gifts = self._movable(self.seat, "give", purple_too)
        partners = [seat for seat in self._others() if self._movable(seat, "take", purple_too)]
        if not gifts or not partners:
            return
        optional = ["decline"] if self.rules.business_center_optional else []
        gift = yield from ask("give", gifts + optional)
        if gift == "decline":
            return
        answer = yield from ask("player", [f"player {seat}" for seat in partners])
        partner = int(answer.split()[1])
        taken = yield from ask("take", self._movable(partner, "take", purple_too))
        self._hand_over(self.seat, partner, gift)
        self._hand_over(partner, self.seat, taken)

    def _renovate(self, effect: m.Renovate) -> Play:
        """R18, R19."""
        answer = yield from ask("card", [f"card {card}" for card in self.cards if not self.cards[card].major])
        card = answer.split()[1]
        for seat, city in enumerate(self.cities):
            newly = city.open(card)
            city.closed[card] += newly
            if self.rules.renovation_payer == "bank":
                self._pay(None, self.seat, effect.amount * newly)
            elif seat != self.seat:
                self._pay(seat, self.seat, effect.amount * newly)

    def _convene(self, center: str) -> Play:
        """R47, R48."""
        me = self.cities[self.seat]
        own = [card for card in self.cards if me.cards[card] and not self.cards[card].major]
        if not own:
            return
        answer = yield from ask("card", ["decline", *(f"card {card}" for card in own)])
        if answer != "decline":
            card = answer.split()[1]
            yield from self._act(card, me.open(card), host=True)
            me.cards[center] -= 1
            self.market[center] += 1

    def _landmarks_act(self, total: int, dice: tuple[int, ...], doubles: bool) -> Play:
        """Machi Koro 2's fifth step (R56, R57, R60)."""
        for mark in self._power(self.seat, m.TotalPay):
            if isinstance(mark.effect, m.TotalPay) and mark.effect.total == total:
                self._pay(None, self.seat, mark.effect.amount)
        for mark in self._power(self.seat, m.DoublesCollect) if doubles else []:
            if isinstance(mark.effect, m.DoublesCollect):
                self._collect(mark.effect.amount, None)
        for mark in self._power(self.seat, m.Console) if len(dice) == 2 and not self.received else []:
            if isinstance(mark.effect, m.Console):
                self._pay(None, self.seat, mark.effect.amount)
        gifts = self._movable(self.seat, "give", purple_too=True)
        if doubles and gifts and self._power(self.seat, m.DoublesGive):
            gift = yield from ask("give", gifts)
            self._hand_over(self.seat, (self.seat - 1) % self.players, gift)

    # ------------------------------------------------------------------------ building, market

    def _price(self, mark: Landmark) -> int:
        """R53."""
        cost = mark.cost[min(len(self.cities[self.seat].marks), len(mark.cost) - 1)]
        for other in self._power(self.seat, m.Discount):
            if isinstance(other.effect, m.Discount) and other.effect.landmark in (None, mark.id):
                cost -= other.effect.amount
        return max(cost, 0)

    def _buildable(self, landmarks: bool) -> list[str]:
        me, limit = self.cities[self.seat], self.rules.major_limit
        found = [
            card
            for card, one in self.cards.items()
            if self.market[card] and one.cost <= me.coins
            and not (one.major and limit != "none" and me.cards[card] >= limit)
        ]  # fmt: skip
        others = [self.cities[seat].marks for seat in self._others()]
        for mark in self.marks.values() if landmarks else ():
            free = self.market[mark.id] if self.edition.shared_landmarks else mark not in me.marks
            alone = not me.marks and all(others)  # R54
            if free and self._price(mark) <= me.coins and (alone or not mark.needs):
                found.append(mark.id)
        return found

    def _build(self, landmarks: bool) -> Generator[Question, str, Establishment | Landmark | None]:
        """The build step; a landmark may win (R26, R55), or act at once."""
        me = self.cities[self.seat]
        options = [f"build {thing}" for thing in self._buildable(landmarks)]
        answer = yield from ask("build", ["pass", *options])
        if answer == "pass":
            return None
        thing = answer.split()[1]
        built: Establishment | Landmark = self.cards[thing] if thing in self.cards else self.marks[thing]
        if isinstance(built, Landmark):
            self._pay(self.seat, None, self._price(built))
            me.marks.append(built)
            if self.edition.shared_landmarks:
                self.market[thing] -= 1
            if len(me.marks) >= self.to_win or isinstance(built.effect, m.Win):
                self.winner = self.seat
                return built
            self._act_at_once(built)
        else:
            self._pay(self.seat, None, built.cost)
            me.cards[thing] += 1
            self.market[thing] -= 1
            if isinstance(built.effect, m.Loan):
                self._pay(None, self.seat, built.effect.on_build)  # R37
        rows = {place for place, row in enumerate(self.rows) if thing in row.things}
        yield from self._refill(rows | self._discard_dead())
        return built

    def _act_at_once(self, mark: Landmark) -> None:
        if mark.reach != "once":
            return
        match mark.effect:
            case m.CollectEach():
                self._collect(mark.effect.amount, mark.effect.per)
            case m.Tax():
                self._tax()
            case m.Share():
                self._share()

    def _refill(self, wanting: set[int]) -> Play:
        """R43, R46: rows are topped up one after the other, from their own decks."""
        while wanting:
            row = self.rows[min(wanting)]
            lying = sum(self.market[thing] > 0 for thing in row.things)
            left = {thing: self.deck[thing] for thing in row.things if self.deck[thing]}
            if lying >= row.target or not left:
                wanting.remove(min(wanting))
                continue
            drawn = yield Question("draw", {f"draw {thing}": copies for thing, copies in left.items()})
            thing = drawn.split()[1]
            self.deck[thing] -= 1
            self.market[thing] += 1
            wanting |= self._discard_dead()

    def _discard_dead(self) -> set[int]:
        """R44: what nobody may build any more leaves its row; returns the rows that lost something."""
        rows, limit = set(), self.rules.major_limit
        if self.rules.discard_dead_majors and limit != "none":
            for place, row in enumerate(self.rows):
                for card in row.things & set(self.cards):
                    dead = all(city.cards[card] >= limit for city in self.cities)
                    if self.cards[card].major and self.market[card] and dead:
                        self.market[card] = 0
                        rows.add(place)
        return rows


# ------------------------------------------------------------------------------ comparing


def board_of(town: Town) -> dict[str, Any]:
    """What lies where, in the words of `Game`."""
    return {
        "coins": [city.coins for city in town.cities],
        "invested": [city.invested for city in town.cities],
        "cards": [dict(+city.cards) for city in town.cities],
        "closed": [dict(+city.closed) for city in town.cities],
        "landmarks": [{mark.id for mark in city.marks} for city in town.cities],
        "market": {thing: copies for thing, copies in town.market.items() if copies and thing in town.cards},
        "landmark_market": {thing for thing, copies in town.market.items() if copies and thing in town.marks},
        "deck": dict(+town.deck),
        "winner": town.winner,
        "turns": town.turns,
    }
