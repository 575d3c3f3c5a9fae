"""From a position as written to a state of the engine, its market dealt or still to be dealt."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from dicetown.game.notation import notation_for
from dicetown.material.model import Win
from dicetown.rules import codes as c
from dicetown.rules.layout import CHOICES, LOG, STATE, new
from dicetown.rules.market import count_rows, row_to_refill
from dicetown.rules.ruleset import Ruleset
from dicetown.rules.step import happen
from dicetown.rules.tables import tables_for
from dicetown.scenario.model import Position
from dicetown.scenario.place import Place

NextCard: TypeAlias = Callable[[Any, Any], int]

# ----------------------------------------------------------------- what cannot be


def check_position(place: Place, ruleset: Ruleset, position: Position) -> None:
    """Refuse a position that no game can come to."""
    _check_seats(place, ruleset, position)
    _check_piles(place, ruleset, position)
    _check_copies(place, ruleset, position)
    if ruleset.edition.shared_landmarks:
        _check_shared_landmarks(place, position)
    elif position.landmark_market is not None or position.landmark_deck is not None:
        raise place.wrong(
            f"in {ruleset.edition.id} all have landmarks of their own; "
            "leave landmark_market and landmark_deck out"
        )


def _check_seats(place: Place, ruleset: Ruleset, position: Position) -> None:
    purple = {card.id for card in ruleset.cards if card.major}
    winning = {mark.id for mark in ruleset.landmarks if isinstance(mark.effect, Win)}
    for number, seat in enumerate(position.seats):
        here = place.inside(f"seat {number}")
        for card, copies in seat.closed.items():
            if card in purple:
                raise here.wrong(f"{card} is closed, but purple cards never close")
            if copies > seat.cards.get(card, 0):
                raise here.wrong(f"{copies} {card} are closed, but only {seat.cards.get(card, 0)} are there")
        if len(seat.landmarks) >= ruleset.landmarks_to_win or winning & set(seat.landmarks):
            raise here.wrong(
                "this seat has won already; a scenario begins with fewer than "
                f"{ruleset.landmarks_to_win} landmarks each"
            )


def _check_piles(place: Place, ruleset: Ruleset, position: Position) -> None:
    if ruleset.rules.market == "stacks" and (position.deck or position.landmark_deck):
        raise place.wrong("there is a deck, but open stacks have none; leave it out")


def _check_copies(place: Place, ruleset: Ruleset, position: Position) -> None:
    """A state counts copies in small numbers, and cards only move: their sum must fit."""
    piles = [position.market or {}, position.deck or {}, *(seat.cards for seat in position.seats)]
    for card in {name for pile in piles for name in pile}:
        if sum(pile.get(card, 0) for pile in piles) > c.NO_LIMIT:
            raise place.wrong(f"there are more than {c.NO_LIMIT} copies of {card} in all")


def _check_shared_landmarks(place: Place, position: Position) -> None:
    built = [name for seat in position.seats for name in seat.landmarks]
    every = [*built, *(position.landmark_market or ()), *(position.landmark_deck or ())]
    for name in every:
        if every.count(name) > 1:
            raise place.wrong(
                f"the landmark {name} is there {every.count(name)} times; "
                "each exists once: in a city, in the market or in the deck"
            )


# -------------------------------------------------------------------- setting up


def set_up(ruleset: Ruleset, position: Position) -> Any:
    """The state before the first roll; if rows are to be dealt, it waits for draws and nobody is on turn."""
    players = len(position.seats)
    t = tables_for(ruleset, players)
    s = new(STATE)
    s.winner, s.acting, s.host = c.NOBODY, c.NOTHING, c.NOTHING
    numbers = notation_for(ruleset, players).numbers
    _settle_cities(s, position, numbers)
    _lay_out_cards(t, s, position, numbers)
    _lay_out_landmarks(t, s, position, numbers)
    count_rows(t, s)
    if row_to_refill(t, s) == c.NOTHING:
        s.turn, s.phase = position.turn, c.ROLL
    else:
        s.turn, s.phase = c.NOBODY, c.DRAW
    return s


def deal(ruleset: Ruleset, position: Position, s: Any, next_card: NextCard) -> None:
    """Deal the rows card by card, then begin the turn."""
    t = tables_for(ruleset, len(position.seats))
    nobody_listens, choices = new(LOG), new(CHOICES)
    while s.phase == c.DRAW:
        happen(t, s, nobody_listens, choices, next_card(t, s))
    s.turn = position.turn
    _put_down_decks(ruleset, position, s)


def _put_down_decks(ruleset: Ruleset, position: Position, s: Any) -> None:
    """What was kept out of the deal is the deck."""
    numbers = notation_for(ruleset, len(position.seats)).numbers
    if position.deck is not None:
        s.deck[: c.MAX_CARDS] = 0
        _put(s.deck, numbers, position.deck)
    if position.landmark_deck is not None:
        s.deck[c.MAX_CARDS :] = 0
        _put(s.deck, numbers, dict.fromkeys(position.landmark_deck, 1))


def _settle_cities(s: Any, position: Position, numbers: dict[str, int]) -> None:
    for seat, player in enumerate(position.seats):
        s.coins[seat], s.invested[seat] = player.coins, player.invested
        _put(s.owned[seat], numbers, player.cards)
        _put(s.closed[seat], numbers, player.closed)
        for landmark in player.landmarks:
            s.built[seat] |= 1 << (numbers[landmark] - c.MAX_CARDS)


def _lay_out_cards(t: Any, s: Any, position: Position, numbers: dict[str, int]) -> None:
    """The market as written, or the supply less what the cities hold beyond their starting cards."""
    if position.market is not None:
        _put(s.market, numbers, position.market)
        _put(s.deck, numbers, position.deck or {})
        return
    for card in range(t.cards):
        used = sum(max(0, int(s.owned[seat, card]) - int(t.start_city[card])) for seat in range(t.players))
        pile = s.market if t.row_of[card] < 0 else s.deck
        pile[card] = max(0, int(t.supply[card]) - used)
    _keep_out(s, numbers, (position.deck or {}).items())
    s.refill |= _rows_of(t, range(t.cards))


def _lay_out_landmarks(t: Any, s: Any, position: Position, numbers: dict[str, int]) -> None:
    """Everybody's own landmarks, or the shared ones: as written, or what nobody has built."""
    things = range(c.MAX_CARDS, c.MAX_CARDS + t.landmarks)
    if position.landmark_market is not None:
        _put(s.market, numbers, dict.fromkeys(position.landmark_market, 1))
        _put(s.deck, numbers, dict.fromkeys(position.landmark_deck or (), 1))
        return
    for thing in things:
        built = sum(int(s.built[seat]) >> (thing - c.MAX_CARDS) & 1 for seat in range(t.players))
        pile = s.market if t.row_of[thing] < 0 else s.deck
        pile[thing] = int(t.supply[thing]) - built
    _keep_out(s, numbers, ((name, 1) for name in position.landmark_deck or ()))
    s.refill |= _rows_of(t, things)


def _keep_out(s: Any, numbers: dict[str, int], cards: Iterable[tuple[str, int]]) -> None:
    """What the scenario says is left in the deck is not dealt."""
    for name, copies in cards:
        s.deck[numbers[name]] = max(0, int(s.deck[numbers[name]]) - copies)


def _put(pile: Any, numbers: dict[str, int], counts: dict[str, int]) -> None:
    for name, copies in counts.items():
        pile[numbers[name]] = copies


def _rows_of(t: Any, things: Iterable[int]) -> int:
    """The market rows these things belong to, one bit each."""
    rows = 0
    for thing in things:
        if t.row_of[thing] >= 0:
            rows |= 1 << int(t.row_of[thing])
    return rows
