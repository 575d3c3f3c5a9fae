"""The same games once more, through :class:`~dicetown.game.Game`, counted by plain means.

What the recorder sums up from the engine's log while it runs compiled is told here from typed events of the
interpreted game, with dictionaries and fractions, and with the state looked at after every move.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fractions import Fraction

from dicetown.bots import minds_for
from dicetown.bots.rules.choose import choose_as
from dicetown.game import Game
from dicetown.game.events import Built, Demolished, Event, HandedOver, Paid, Returned, TurnBegan
from dicetown.game.notation import numbers_of
from dicetown.lab.record.sample import Sample
from dicetown.material.model import Loan, Share
from dicetown.rules.chance import draw_outcome
from dicetown.rules.choices import find_choices
from dicetown.rules.kernel import compiled
from dicetown.rules.layout import CHOICES, new
from dicetown.rules.rng import seeded


@dataclass
class Purchase:
    seat: int
    thing: str
    turn: int
    copy: int
    price: int
    before: Fraction  # what a copy of its kind had brought its buyer by then


@dataclass
class Retold:
    """One game, told anew."""

    sample: Sample
    number: int
    decisions: int = 0
    roller: int = -1
    worths: list[list[int]] = field(default_factory=list)  # after 0, 1, 2, … turns
    nearly: int | None = None
    earned: Counter[int] = field(default_factory=Counter)
    paid: Counter[int] = field(default_factory=Counter)
    own_turns: Counter[int] = field(default_factory=Counter)
    rolls: Counter[int] = field(default_factory=Counter)
    could_choose: Counter[int] = field(default_factory=Counter)
    two_dice: Counter[int] = field(default_factory=Counter)
    first_two_dice: Counter[int] = field(default_factory=Counter)
    purchases: list[Purchase] = field(default_factory=list)
    brought: dict[tuple[int, str], Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    landmark_prices: dict[tuple[int, str], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        sample = self.sample
        self.numbers = numbers_of(sample.ruleset)
        self.effects: dict[str, object] = {card.id: card.effect for card in sample.ruleset.cards}
        self.effects |= {mark.id: mark.effect for mark in sample.ruleset.landmarks}
        self.costs = {card.id: card.cost for card in sample.ruleset.cards}
        self.game = Game(sample.ruleset, sample.players, chance="manual")
        self.cities = [Counter(self.game.cards(seat)) for seat in range(sample.players)]
        self._hear(list(self.game.events))
        self._play()

    def _play(self) -> None:
        game, rng = self.game, seeded(self.sample.seed, self.number)
        minds = minds_for(self.sample.bots, self.sample.ruleset)
        place = game.tables.array[0]
        while not game.over:
            state = game.state.array[0]
            if game.waits_for_chance:
                number = int(compiled(draw_outcome)(place, state, rng.array[0]))
                self._hear(game.play(game.notation.outcome(game.state.phase, number)))
                continue
            choices = new(CHOICES)
            find_choices(game.tables, game.state, choices)
            mind = minds[game.turn]
            action = int(compiled(choose_as)(mind, place, state, choices.array[0], rng.array[0]))
            self._decide(str(game.notation.action(action)), choices.count)

    def _decide(self, action: str, choices: int) -> None:
        seat = self.game.turn
        self.decisions += 1
        if action.startswith("roll "):
            self.own_turns[seat] += 1
            self.rolls[seat] += 1
            if choices > 1:
                self.could_choose[seat] += 1
                if action == "roll 2":
                    self.two_dice[seat] += 1
                    self.first_two_dice.setdefault(seat, self.own_turns[seat])
        elif action.startswith("reroll"):
            self.rolls[seat] += 1
        self._hear(self.game.play(action))

    def _hear(self, events: list[Event]) -> None:
        before = len(self.worths) - 1  # turns finished before this move
        for event in events:
            if isinstance(event, TurnBegan):
                self.roller = event.seat
            elif isinstance(event, Paid):
                self._paid(event)
            elif isinstance(event, Built):
                self._built(event)
            elif isinstance(event, HandedOver):
                self.cities[event.giver][event.card] -= 1
                self.cities[event.receiver][event.card] += 1
            elif isinstance(event, Returned):
                self.cities[event.seat][event.card] -= 1
            elif isinstance(event, Demolished):
                self.cities[event.seat][event.landmark] -= 1
        if self.nearly is None and any(
            isinstance(event, Built)
            and event.thing not in self.costs
            and len(self.game.landmarks(event.seat)) >= self.sample.ruleset.landmarks_to_win - 1
            for event in events
        ):
            self.nearly = before
        if self.game.turns == len(self.worths):
            self.worths.append([self._worth(seat) for seat in range(self.sample.players)])

    def _worth(self, seat: int) -> int:
        cards = sum(self.costs[card] * copies for card, copies in self.game.cards(seat).items())
        return (
            self.game.coins(seat)
            + cards
            + sum(self.landmark_prices[seat, mark] for mark in self.game.landmarks(seat))
        )

    def _paid(self, event: Paid) -> None:
        if event.receiver is not None and event.cause != "help":
            self.earned[event.receiver] += event.coins
            if event.payer is not None:
                self.paid[event.payer] += event.coins
        if event.cause in ("help", "price"):
            return
        effect = self.effects[event.cause]
        if isinstance(effect, Share):
            gains = ((event.receiver, event.coins), (event.payer, -event.coins))
            for seat, coins in gains:
                if seat == self.roller:
                    self._brings(seat, event.cause, coins)
        elif isinstance(effect, Loan) and event.receiver is not None:
            newest = self.purchases[-1]
            assert (newest.seat, newest.thing) == (event.receiver, event.cause)
            newest.before -= event.coins
        elif event.receiver is None:
            assert event.payer is not None
            self._brings(event.payer, event.cause, -event.coins)
        else:
            self._brings(event.receiver, event.cause, event.coins)

    def _brings(self, owner: int, thing: str, coins: int) -> None:
        if copies := self.cities[owner][thing]:
            self.brought[owner, thing] += Fraction(coins, copies)

    def _built(self, event: Built) -> None:
        seat, thing = event.seat, event.thing
        self.cities[seat][thing] += 1
        if thing not in self.costs:
            self.landmark_prices[seat, thing] = event.price
        copy, brought = self.cities[seat][thing], self.brought[seat, thing]
        self.purchases.append(Purchase(seat, thing, self.own_turns[seat], copy, event.price, brought))
