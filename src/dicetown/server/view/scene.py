"""A moment of a game as a page shows it: all that lies on the table, or what is new there.

Everything is read off a :class:`~dicetown.game.Game`; no rule is decided here. What does not change while a
ruleset is played (which card lies where, what it costs) is worked out once and kept.
"""

from __future__ import annotations

from typing import NamedTuple

from dicetown.game import Game
from dicetown.game.events import DiceRolled, TotalRaised
from dicetown.rules.codes import EVENT_DICE, EVENT_TOTAL, MAX_CARDS
from dicetown.server import wire
from dicetown.server.view.market_layout import Layout, layout_of


def scene_of(game: Game) -> wire.Scene:
    """Where a game stands.

    >>> scene = scene_of(Game(names=["Ana", "Ben"], seed=1))
    >>> scene.phase, scene.to_move, [city.coins for city in scene.cities], len(scene.market)
    ('roll', 0, [3, 3], 10)
    """
    layout = layout_of(game.ruleset)
    return wire.Scene(
        moves=len(game.moves),
        round=game.round,
        turn=game.turns,
        to_move=game.to_move,
        phase=game.phase,
        winner=game.winner,
        cities=_cities(game, layout),
        market=_market(game, layout),
        shared_landmarks=layout.shared_landmarks,
        deck=int(game.state.deck.sum()),
        dice=_dice(game),
    )


class Trace(NamedTuple):
    """What a moment leaves behind to tell the next one apart from it: some hundred bytes."""

    coins: list[int]
    invested: list[int]
    built: list[int]
    owned: bytes
    closed: bytes
    market: bytes


def trace_of(game: Game) -> Trace:
    """What to remember of a moment that pages have seen."""
    s = game.state
    return Trace(
        s.coins.tolist(),
        s.invested.tolist(),
        s.built.tolist(),
        s.owned.tobytes(),
        s.closed.tobytes(),
        s.market.tobytes(),
    )


def change_of(game: Game, before: Trace, now: Trace) -> wire.SceneChange:
    """What is different from a moment that pages have seen.

    >>> game = Game(names=["Ana", "Ben"], seed=1)
    >>> before, _ = trace_of(game), game.play("roll 1")
    >>> change_of(game, before, trace_of(game)).market is None
    True
    """
    layout = layout_of(game.ruleset)
    offers, market = _market_change(game, layout, before, now)
    return wire.SceneChange(
        moves=len(game.moves),
        round=game.round,
        turn=game.turns,
        to_move=game.to_move,
        phase=game.phase,
        winner=game.winner,
        deck=sum(game.state.deck.tolist()),
        dice=_dice(game),
        cities=[_city_change(game, layout, seat, before, now) for seat in range(game.players)],
        offers=offers,
        market=market,
    )


def _city_change(game: Game, layout: Layout, seat: int, before: Trace, now: Trace) -> wire.CityChange | None:
    row = slice(seat * MAX_CARDS, (seat + 1) * MAX_CARDS)
    same_cards = now.owned[row] == before.owned[row] and now.closed[row] == before.closed[row]
    # Prices that change do so with what somebody has built, perhaps somebody else.
    same_skyline = now.built == before.built or (
        layout.fixed_prices and now.built[seat] == before.built[seat]
    )
    same_purse = now.coins[seat] == before.coins[seat] and now.invested[seat] == before.invested[seat]
    if same_cards and same_skyline and same_purse:
        return None
    invested = now.invested[seat]
    return wire.CityChange(
        coins=now.coins[seat],
        cards=None if same_cards else _cards(layout, now.owned[row], now.closed[row]),
        landmarks=None if same_skyline else _skyline(game, layout, seat, now.built[seat]),
        invested=invested,
        invested_on=_invested_on(game) if invested else None,
    )


def _market_change(
    game: Game, layout: Layout, before: Trace, now: Trace
) -> tuple[list[wire.Offer], list[str] | None]:
    """The offers that are new or not what they were, and all there are, if those are others."""
    prices_change = layout.shared_landmarks and not layout.fixed_prices and now.built != before.built
    if now.market == before.market and not prices_change:
        return [], None
    was, lies = before.market, now.market
    shown = layout.cards + layout.landmarks if layout.shared_landmarks else layout.cards
    different = {
        number
        for number, _, _ in shown
        if lies[number] != was[number] or (prices_change and number >= MAX_CARDS)
    }
    came_or_went = any((lies[number] == 0) != (was[number] == 0) for number in different)
    order = None
    if came_or_went:
        order = [thing for number, thing, _ in shown if lies[number] or thing in layout.open_stacks]
    return _market(game, layout, different), order


def _cities(game: Game, layout: Layout) -> list[wire.City]:
    s = game.state
    coins, invested, built = s.coins.tolist(), s.invested.tolist(), s.built.tolist()
    return [
        wire.City(
            coins=coins[seat],
            cards=_cards(layout, s.owned[seat].tobytes(), s.closed[seat].tobytes()),
            landmarks=_skyline(game, layout, seat, built[seat]),
            standing=layout.standing,
            landmarks_needed=layout.landmarks_needed,
            invested=invested[seat],
            invested_on=_invested_on(game) if invested[seat] else None,
        )
        for seat in range(game.players)
    ]


def _cards(layout: Layout, owned: bytes, closed: bytes) -> list[wire.CityCard]:
    return [
        wire.CityCard(id=card, copies=owned[number], closed=closed[number])
        for number, card, _ in layout.cards
        if owned[number]
    ]


def _invested_on(game: Game) -> str:
    return game.notation.thing(int(game.tables.startup))


def _skyline(game: Game, layout: Layout, seat: int, built: int) -> list[wire.CityLandmark]:
    """A player's landmarks: all that can be theirs, or where they are everybody's those they have built."""
    skyline, prices = [], game.prices(seat)
    for number, landmark, printed in layout.landmarks:
        if built >> (number - MAX_CARDS) & 1:
            skyline.append(wire.CityLandmark(id=landmark, built=True, price=printed))
        elif not layout.shared_landmarks:
            skyline.append(wire.CityLandmark(id=landmark, built=False, price=prices[number]))
    return skyline


def _market(game: Game, layout: Layout, among: set[int] | None = None) -> list[wire.Offer]:
    """What lies out, or what of it is among some things."""
    players, row_of = game.players, game.plain_tables.row_of
    lying, coins = game.state.market.tolist(), game.state.coins.tolist()[:players]
    offers = [
        _offer(card, lying[number], [cost] * players, coins, row_of[number])
        for number, card, cost in layout.cards
        if (among is None or number in among) and (lying[number] or card in layout.open_stacks)
    ]
    if layout.shared_landmarks:
        prices = [game.prices(seat) for seat in range(players)]
        offers += [
            _offer(mark, lying[number], [own[number] for own in prices], coins, row_of[number])
            for number, mark, _ in layout.landmarks
            if lying[number] and (among is None or number in among)
        ]
    return offers


def _offer(thing: str, copies: int, prices: list[int], coins: list[int], row: int) -> wire.Offer:
    missing = [max(0, price - purse) for price, purse in zip(prices, coins, strict=True)]
    return wire.Offer(id=thing, copies=copies, prices=prices, missing=missing, row=max(0, row))


def _dice(game: Game) -> wire.DiceShown | None:
    """The dice that lie: those of this turn, or until it has some, those of the roll before it."""
    s = game.state
    if s.die:
        faces = [s.die, s.other_die] if s.other_die else [s.die]
        return wire.DiceShown(seat=game.turn, faces=faces, total=s.total)
    total = 0
    for event in game.events.latest(EVENT_DICE, EVENT_TOTAL):
        if type(event) is TotalRaised:
            total = event.total
        elif type(event) is DiceRolled:
            faces = list(event.dice)
            return wire.DiceShown(seat=event.seat, faces=faces, total=total or sum(faces))
    return None
