"""The lines of ``play`` and the keys of ``expect``, read one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from dicetown.game import PHASES
from dicetown.scenario.model import (
    Check,
    Decision,
    Draw,
    Expectation,
    Refusal,
    Step,
    Take,
    Throw,
    TunaThrow,
)
from dicetown.scenario.place import PlaceInGame, brief
from dicetown.suggestions import did_you_mean

MOST_COINS = 1_000_000

#: Readers are told what they read, so that one of them serves every key that is written alike.
Reader: TypeAlias = Callable[[PlaceInGame, object, str], Any]

# -------------------------------------------------------------------------- expect


def read_expectation(place: PlaceInGame, value: object) -> Expectation:
    """What must be true; every key may be left out."""
    parts = place.mapping(value, "expect", _ASPECTS)
    return Expectation({key: _ASPECTS[key](place, part, key) for key, part in parts.items()})


def _read_coins(place: PlaceInGame, value: object, what: str) -> list[int]:
    coins = place.listing(value, what)
    if len(coins) != place.players:
        raise place.wrong(
            f"coins names {len(coins)} purses; it must name one for each of the {place.players} seats"
        )
    return [_read_purse(place, one, "a purse of coins") for one in coins]


def _by_seat(read: Reader) -> Reader:
    """What is written for each of some seats."""

    def read_seats(place: PlaceInGame, value: object, what: str) -> dict[int, Any]:
        if not isinstance(value, dict):
            raise place.wrong(f"{what} is {brief(value)}; it must be a mapping by seat, like {{0: …}}")
        seats = {place.seat(seat, f"a seat of {what}"): part for seat, part in value.items()}
        return {seat: read(place, part, f"{what} of seat {seat}") for seat, part in seats.items()}

    return read_seats


def _read_city(place: PlaceInGame, value: object, what: str) -> dict[str, int]:
    return {card: n for card, n in place.known_counts(value, what).items() if n}


def _read_skyline(place: PlaceInGame, value: object, what: str) -> set[str]:
    return {place.landmark(name) for name in place.listing(value, what)}


def _read_purse(place: PlaceInGame, value: object, what: str) -> int:
    return place.number(value, what, 0, 10 * MOST_COINS)


def _read_seat_or_nobody(place: PlaceInGame, value: object, what: str) -> int | None:
    return None if value is None else place.seat(value, what)


def _read_phase(place: PlaceInGame, value: object, what: str) -> str:
    return place.choice(value, what, list(dict.fromkeys(PHASES.values())))


_ASPECTS: dict[str, Reader] = {
    "coins": _read_coins,
    "cards": _by_seat(_read_city),
    "landmarks": _by_seat(_read_skyline),
    "closed": _by_seat(_read_city),
    "invested": _by_seat(_read_purse),
    "market": PlaceInGame.known_counts,
    "to_move": _read_seat_or_nobody,
    "turn": PlaceInGame.seat,
    "phase": _read_phase,
    "winner": _read_seat_or_nobody,
}

# ---------------------------------------------------------------------------- play

#: Steps that are a single word, as in the notation of decisions.
_WORDS = ("keep", "decline", "pass")
#: Steps that name a thing, and among which.
_NAMING = {
    "card": PlaceInGame.card,
    "first": PlaceInGame.card,
    "landmark": PlaceInGame.landmark,
    "build": PlaceInGame.thing,
}


def read_step(place: PlaceInGame, value: object) -> Step:
    """One line of ``play``."""
    if isinstance(value, str) and value in _WORDS:
        return Decision(value, (value,))
    known = [*_WORDS, *_STEPS]
    if isinstance(value, str):
        raise place.wrong(f"there is no step {brief(value)}; {did_you_mean(value, known)}")
    if not isinstance(value, dict) or len(value) != 1:
        raise place.wrong(f"it is {brief(value)}; a step is one of {', '.join(known)}, like {{build: cafe}}")
    ((word, part),) = value.items()
    if word not in _STEPS:
        raise place.wrong(f"there is no step {brief(word)}; {did_you_mean(word, known)}")
    step: Step = _STEPS[word](place, part, word)
    return step


def _read_throw(place: PlaceInGame, value: object, word: str) -> Step:
    dice = place.dice(value, word)
    return Throw(f"{word}: {list(dice)}", dice)


def _read_tuna(place: PlaceInGame, value: object, word: str) -> Step:
    dice = place.dice(value, word, fewest=2)
    return TunaThrow(f"{word}: {list(dice)}", dice)


def _read_yes_or_no(place: PlaceInGame, value: object, word: str) -> Step:
    yes = place.truth(value, word)
    return Decision(f"{word}: {'true' if yes else 'false'}", (f"{word} {'yes' if yes else 'no'}",))


def _read_player(place: PlaceInGame, value: object, word: str) -> Step:
    seat = place.seat(value, word)
    return Decision(f"{word}: {seat}", (f"{word} {seat}",))


def _read_name(place: PlaceInGame, value: object, word: str) -> Step:
    name = _NAMING[word](place, value)
    return Decision(f"{word}: {name}", (f"{word} {name}",))


def _read_give(place: PlaceInGame, value: object, _: str) -> Step:
    """An open copy, or a closed one if there is no open one; ``{ranch: closed}`` is a closed one."""
    if not isinstance(value, dict):
        card = place.card(value)
        return Decision(f"give: {card}", (f"give {card}", f"give {card} closed"))
    if len(value) != 1:
        raise place.wrong(f"give is {brief(value)}; it must be a card, or {{card: closed}}")
    ((name, copy),) = value.items()
    card = place.card(name)
    copy = place.choice(copy, f"the copy of {card} to give", ["closed", "open"])
    move = f"give {card} closed" if copy == "closed" else f"give {card}"
    return Decision(f"give: {{{card}: {copy}}}", (move,))


def _read_take(place: PlaceInGame, value: object, _: str) -> Step:
    parts = place.given(value, "take", ["player", "card", "closed"])
    for key in ("player", "card"):
        if key not in parts:
            raise place.wrong(f"take lacks {key}; it reads like {{player: 1, card: forest}}")
    player = place.seat(parts["player"], "the player of take")
    card = place.card(parts["card"])
    closed = place.truth(parts.get("closed", False), "closed of take")
    text = f"take: {{player: {player}, card: {card}{', closed: true' if closed else ''}}}"
    moves = (f"take {card} closed",) if closed else (f"take {card}", f"take {card} closed")
    return Take(text, player, card, moves)


def _read_draw(place: PlaceInGame, value: object, _: str) -> Step:
    things = tuple(place.thing(name) for name in place.listing(value, "draw"))
    return Draw(f"draw: [{', '.join(things)}]", things)


def _read_check(place: PlaceInGame, value: object, _: str) -> Step:
    return Check("expect", read_expectation(place, value))


def _read_refusal(place: PlaceInGame, value: object, _: str) -> Step:
    step = read_step(place.at_large(), value)
    if isinstance(step, Check | Refusal):
        raise place.wrong(f"illegal holds {step.word}; it must hold a step that somebody may try")
    return Refusal(f"illegal: {{{step.text}}}" if ":" in step.text else f"illegal: {step.text}", step)


_STEPS: dict[str, Reader] = {
    "roll": _read_throw,
    "reroll": _read_throw,
    "add_two": _read_yes_or_no,
    "tuna": _read_tuna,
    "player": _read_player,
    "give": _read_give,
    "take": _read_take,
    "card": _read_name,
    "landmark": _read_name,
    "first": _read_name,
    "build": _read_name,
    "draw": _read_draw,
    "invest": _read_yes_or_no,
    "expect": _read_check,
    "illegal": _read_refusal,
}
