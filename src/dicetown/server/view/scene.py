"""A moment of a game as a page shows it: all that lies on the table.

Everything is read off a :class:`~dicetown.game.Game`; no rule is decided here. What does not change while a
ruleset is played (which card lies where, what it costs) is worked out once and kept.
"""

from __future__ import annotations

from dicetown.game import Game
from dicetown.game.events import DiceRolled, TotalRaised
from dicetown.rules.codes import MAX_CARDS
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


def _price(game: Game, layout: Layout, seat: int, landmark: str, printed: int) -> int:
    return printed if layout.fixed_prices else game.price(landmark, seat)


def _cities(game: Game, layout: Layout) -> list[wire.City]:
    s = game.state
    coins, invested = s.coins.tolist(), s.invested.tolist()
    owned, closed, built = s.owned.tolist(), s.closed.tolist(), s.built.tolist()
    return [
        wire.City(
            coins=coins[seat],
            cards=[
                wire.CityCard(id=card, copies=owned[seat][number], closed=closed[seat][number])
                for number, card, _ in layout.cards
                if owned[seat][number]
            ],
            landmarks=_skyline(game, layout, seat, built[seat]),
            standing=layout.standing,
            landmarks_needed=layout.landmarks_needed,
            invested=invested[seat],
            invested_on=game.notation.thing(int(game.tables.startup)) if invested[seat] else None,
        )
        for seat in range(game.players)
    ]


def _skyline(game: Game, layout: Layout, seat: int, built: int) -> list[wire.CityLandmark]:
    """A player's landmarks: all that can be theirs, or where they are everybody's those they have built."""
    skyline = []
    for number, landmark, printed in layout.landmarks:
        stands = bool(built >> (number - MAX_CARDS) & 1)
        if stands:
            skyline.append(wire.CityLandmark(id=landmark, built=True, price=printed))
        elif not layout.shared_landmarks:
            cost = _price(game, layout, seat, landmark, printed)
            skyline.append(wire.CityLandmark(id=landmark, built=False, price=cost))
    return skyline


def _market(game: Game, layout: Layout) -> list[wire.Offer]:
    lying, coins = game.state.market.tolist(), game.state.coins.tolist()[: game.players]
    seats, rows = range(game.players), game.tables.row_of.tolist()
    offers = [
        _offer(card, lying[number], [cost] * game.players, coins, rows[number])
        for number, card, cost in layout.cards
        if lying[number] or card in layout.open_stacks
    ]
    if layout.shared_landmarks:
        offers += [
            _offer(
                mark,
                lying[number],
                [_price(game, layout, seat, mark, cost) for seat in seats],
                coins,
                rows[number],
            )
            for number, mark, cost in layout.landmarks
            if lying[number]
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
    for event in reversed(game.events):
        if type(event) is TotalRaised:
            total = event.total
        elif type(event) is DiceRolled:
            faces = list(event.dice)
            return wire.DiceShown(seat=event.seat, faces=faces, total=total or sum(faces))
    return None
