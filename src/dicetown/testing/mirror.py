"""A second set of books: a board that hears only the events and must end up where the game is.

Terminals, tables and replays show a game by its events. If they told too little, what people see would
drift from what is; a mirror that is compared after every move proves that they tell everything.
"""

from __future__ import annotations

from collections import Counter

from dicetown.game import Game
from dicetown.game import events as e
from dicetown.rules import codes as c


class Mirror:
    """Purses, cities, market and deck as the events so far tell them.

    >>> from dicetown import Ruleset
    >>> game = Game(Ruleset("deluxe"), players=2, seed=3)
    >>> mirror = Mirror(game)
    >>> mirror.hear(game.play("roll 1"))
    >>> mirror.differences(game)
    []
    """

    def __init__(self, game: Game) -> None:
        """Copy the board as it lies now; from here on only events count."""
        seats = range(game.players)
        self.coins = [game.coins(seat) for seat in seats]
        self.invested = [game.invested(seat) for seat in seats]
        self.cards = [Counter(game.cards(seat)) for seat in seats]
        self.closed = [Counter(game.closed(seat)) for seat in seats]
        self.landmarks = [set(game.landmarks(seat)) for seat in seats]
        self.market = _lying_out(game)
        self.deck = Counter(game.deck)
        self.winner = game.winner
        self._marks = {mark.id for mark in game.ruleset.landmarks}

    def hear(self, events: list[e.Event]) -> None:
        """Do what the events say; an event that cannot be is an AssertionError."""
        for event in events:
            self._hear(event)

    def _hear(self, event: e.Event) -> None:
        match event:
            case e.Paid():
                self._pay(event)
            case e.Invested():
                self.coins[event.seat] -= 1
                self.invested[event.seat] += 1
                _say(self.invested[event.seat] == event.coins, event, "names another sum")
            case e.Built():
                _take(self.market, event.thing, 1, event)
                self._add(event.seat, event.thing)
            case e.HandedOver():
                _take(self.cards[event.giver], event.card, 1, event)
                self.cards[event.receiver][event.card] += 1
                if event.closed:
                    _take(self.closed[event.giver], event.card, 1, event)
                    self.closed[event.receiver][event.card] += 1
            case e.Closed():
                self.closed[event.owner][event.card] += event.copies
            case e.Reopened():
                _take(self.closed[event.owner], event.card, event.copies, event)
            case e.Demolished():
                _say(event.landmark in self.landmarks[event.seat], event, "names what does not stand")
                self.landmarks[event.seat].remove(event.landmark)
                self.market[event.landmark] += 1
            case e.Drawn():
                _take(self.deck, event.thing, 1, event)
                self.market[event.thing] += 1
            case e.Discarded():
                _take(self.market, event.card, event.copies, event)
            case e.Returned():
                _take(self.cards[event.seat], event.card, 1, event)
                self.market[event.card] += 1
            case e.Won():
                _say(self.winner is None, event, "comes after a win")
                self.winner = event.seat
            case _:
                pass  # the others move nothing

    def _pay(self, event: e.Paid) -> None:
        _say(event.owed > 0, event, "moves nothing")
        purse = event.owed if event.payer is None else self.coins[event.payer]
        _say(event.coins == min(event.owed, purse), event, f"should move {min(event.owed, purse)}")
        if event.payer is not None:
            self.coins[event.payer] -= event.coins
        if event.receiver is not None:
            self.coins[event.receiver] += event.coins

    def _add(self, seat: int, thing: str) -> None:
        if thing in self._marks:
            self.landmarks[seat].add(thing)
        else:
            self.cards[seat][thing] += 1

    def differences(self, game: Game) -> list[str]:
        """Where the game stands differently, one sentence each."""
        seats = range(game.players)
        pairs: list[tuple[str, object, object]] = [
            ("the coins", self.coins, [game.coins(seat) for seat in seats]),
            ("the invested coins", self.invested, [game.invested(seat) for seat in seats]),
            ("the cities", [+city for city in self.cards], [Counter(game.cards(seat)) for seat in seats]),
            ("the closed copies", [+some for some in self.closed], [Counter(game.closed(s)) for s in seats]),
            ("the landmarks", self.landmarks, [set(game.landmarks(seat)) for seat in seats]),
            ("the market", +self.market, _lying_out(game)),
            ("the deck", +self.deck, Counter(game.deck)),
            ("the winner", self.winner, game.winner),
        ]
        return [
            f"{what}: the events tell {told}, the game has {is_}" for what, told, is_ in pairs if told != is_
        ]


def _lying_out(game: Game) -> Counter[str]:
    """All that can be built, landmarks too: where everybody has their own, each counts for who lacks it."""
    marks = enumerate(game.ruleset.landmarks)
    lying = {mark.id: int(game.state.market[c.MAX_CARDS + bit]) for bit, mark in marks}
    return +(Counter(game.market) + Counter(lying))


def _take(pile: Counter[str], thing: str, copies: int, event: e.Event) -> None:
    _say(pile[thing] >= copies, event, "takes what is not there")
    pile[thing] -= copies


def _say(holds: bool, event: e.Event, complaint: str) -> None:
    if not holds:
        raise AssertionError(f"{event} {complaint}.")
