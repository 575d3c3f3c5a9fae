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
from dicetown.scenario.place import Place, brief, did_you_mean
from dicetown.scenario.vocabulary import Vocabulary

MOST_COINS = 1_000_000

# -------------------------------------------------------------------------- expect


def read_expectation(place: Place, value: object, vocabulary: Vocabulary) -> Expectation:
    """What must be true; every key may be left out."""
    if not isinstance(value, dict):
        raise place.wrong(f"expect is {brief(value)}; it must be a mapping with {', '.join(_ASPECTS)}")
    for key in value:
        if key not in _ASPECTS:
            raise place.wrong(f"expect has a key {brief(key)}; {did_you_mean(key, _ASPECTS)}")
    return Expectation({key: _ASPECTS[key](place, part, vocabulary) for key, part in value.items()})


def _read_coins(place: Place, value: object, vocabulary: Vocabulary) -> list[int]:
    coins = place.listing(value, "coins")
    if len(coins) != vocabulary.players:
        raise place.wrong(
            f"coins names {len(coins)} purses; it must name one for each of the {vocabulary.players} seats"
        )
    return [place.number(one, "a purse of coins", 0, 10 * MOST_COINS) for one in coins]


def _by_seat(place: Place, value: object, vocabulary: Vocabulary, what: str) -> dict[int, Any]:
    if not isinstance(value, dict):
        raise place.wrong(f"{what} is {brief(value)}; it must be a mapping by seat, like {{0: …}}")
    return {vocabulary.seat(place, seat, f"a seat of {what}"): part for seat, part in value.items()}


def _read_cities(place: Place, value: object, vocabulary: Vocabulary) -> dict[int, dict[str, int]]:
    return _read_counts_by_seat(place, value, vocabulary, "cards")


def _read_closed(place: Place, value: object, vocabulary: Vocabulary) -> dict[int, dict[str, int]]:
    return _read_counts_by_seat(place, value, vocabulary, "closed")


def _read_counts_by_seat(
    place: Place, value: object, vocabulary: Vocabulary, what: str
) -> dict[int, dict[str, int]]:
    cities = {
        seat: vocabulary.known_counts(place, part, f"{what} of seat {seat}")
        for seat, part in _by_seat(place, value, vocabulary, what).items()
    }
    return {seat: {card: n for card, n in city.items() if n} for seat, city in cities.items()}


def _read_skylines(place: Place, value: object, vocabulary: Vocabulary) -> dict[int, set[str]]:
    return {
        seat: {vocabulary.landmark(place, name) for name in place.listing(part, f"landmarks of seat {seat}")}
        for seat, part in _by_seat(place, value, vocabulary, "landmarks").items()
    }


def _read_invested(place: Place, value: object, vocabulary: Vocabulary) -> dict[int, int]:
    return {
        seat: place.number(coins, f"invested of seat {seat}", 0, 10 * MOST_COINS)
        for seat, coins in _by_seat(place, value, vocabulary, "invested").items()
    }


def _read_market(place: Place, value: object, vocabulary: Vocabulary) -> dict[str, int]:
    return vocabulary.known_counts(place, value, "market")


def _read_turn(place: Place, value: object, vocabulary: Vocabulary) -> int:
    return vocabulary.seat(place, value, "turn")


def _read_to_move(place: Place, value: object, vocabulary: Vocabulary) -> int | None:
    return None if value is None else vocabulary.seat(place, value, "to_move")


def _read_winner(place: Place, value: object, vocabulary: Vocabulary) -> int | None:
    return None if value is None else vocabulary.seat(place, value, "winner")


def _read_phase(place: Place, value: object, vocabulary: Vocabulary) -> str:
    return place.choice(value, "phase", list(dict.fromkeys(PHASES.values())))


_ASPECTS: dict[str, Callable[[Place, object, Vocabulary], Any]] = {
    "coins": _read_coins,
    "cards": _read_cities,
    "landmarks": _read_skylines,
    "closed": _read_closed,
    "invested": _read_invested,
    "market": _read_market,
    "to_move": _read_to_move,
    "turn": _read_turn,
    "phase": _read_phase,
    "winner": _read_winner,
}

# ---------------------------------------------------------------------------- play

#: Steps that are a single word, with the decision they mean.
_WORDS = {"keep": "keep", "decline": "decline", "pass": "pass"}


def read_step(place: Place, value: object, vocabulary: Vocabulary) -> Step:
    """One line of ``play``."""
    if isinstance(value, str) and value in _WORDS:
        return Decision(value, (_WORDS[value],))
    known = [*_WORDS, *_STEPS]
    if isinstance(value, str):
        raise place.wrong(f"there is no step {brief(value)}; {did_you_mean(value, known)}")
    if not isinstance(value, dict) or len(value) != 1:
        raise place.wrong(f"it is {brief(value)}; a step is one of {', '.join(known)}, like {{build: cafe}}")
    ((word, part),) = value.items()
    if word not in _STEPS:
        raise place.wrong(f"there is no step {brief(word)}; {did_you_mean(word, known)}")
    return _STEPS[word](place, part, vocabulary)


def _read_roll(place: Place, value: object, _: Vocabulary) -> Step:
    dice = place.dice(value, "roll")
    return Throw(f"roll: {list(dice)}", dice)


def _read_reroll(place: Place, value: object, _: Vocabulary) -> Step:
    dice = place.dice(value, "reroll")
    return Throw(f"reroll: {list(dice)}", dice)


def _read_tuna(place: Place, value: object, _: Vocabulary) -> Step:
    dice = place.dice(value, "tuna", fewest=2)
    return TunaThrow(f"tuna: {list(dice)}", dice)


def _read_add_two(place: Place, value: object, _: Vocabulary) -> Step:
    return _read_yes_or_no(place, value, "add_two")


def _read_invest(place: Place, value: object, _: Vocabulary) -> Step:
    return _read_yes_or_no(place, value, "invest")


def _read_yes_or_no(place: Place, value: object, word: str) -> Step:
    yes = place.truth(value, word)
    return Decision(f"{word}: {'true' if yes else 'false'}", (f"{word} {'yes' if yes else 'no'}",))


def _read_player(place: Place, value: object, vocabulary: Vocabulary) -> Step:
    seat = vocabulary.seat(place, value, "player")
    return Decision(f"player: {seat}", (f"player {seat}",))


def _read_give(place: Place, value: object, vocabulary: Vocabulary) -> Step:
    """An open copy, or a closed one if there is no open one; ``{ranch: closed}`` is a closed one."""
    if not isinstance(value, dict):
        card = vocabulary.card(place, value)
        return Decision(f"give: {card}", (f"give {card}", f"give {card} closed"))
    if len(value) != 1:
        raise place.wrong(f"give is {brief(value)}; it must be a card, or {{card: closed}}")
    ((name, copy),) = value.items()
    card = vocabulary.card(place, name)
    copy = place.choice(copy, f"the copy of {card} to give", ["closed", "open"])
    move = f"give {card} closed" if copy == "closed" else f"give {card}"
    return Decision(f"give: {{{card}: {copy}}}", (move,))


def _read_take(place: Place, value: object, vocabulary: Vocabulary) -> Step:
    parts = place.mapping(value, "take", ["player", "card", "closed"])
    for key in ("player", "card"):
        if key not in parts:
            raise place.wrong(f"take lacks {key}; it reads like {{player: 1, card: forest}}")
    player = vocabulary.seat(place, parts["player"], "the player of take")
    card = vocabulary.card(place, parts["card"])
    closed = place.truth(parts.get("closed", False), "closed of take")
    text = f"take: {{player: {player}, card: {card}{', closed: true' if closed else ''}}}"
    moves = (f"take {card} closed",) if closed else (f"take {card}", f"take {card} closed")
    return Take(text, player, card, moves)


def _read_card(place: Place, value: object, vocabulary: Vocabulary) -> Step:
    card = vocabulary.card(place, value)
    return Decision(f"card: {card}", (f"card {card}",))


def _read_first(place: Place, value: object, vocabulary: Vocabulary) -> Step:
    card = vocabulary.card(place, value)
    return Decision(f"first: {card}", (f"first {card}",))


def _read_landmark(place: Place, value: object, vocabulary: Vocabulary) -> Step:
    landmark = vocabulary.landmark(place, value)
    return Decision(f"landmark: {landmark}", (f"landmark {landmark}",))


def _read_build(place: Place, value: object, vocabulary: Vocabulary) -> Step:
    thing = vocabulary.thing(place, value)
    return Decision(f"build: {thing}", (f"build {thing}",))


def _read_draw(place: Place, value: object, vocabulary: Vocabulary) -> Step:
    things = tuple(vocabulary.thing(place, name) for name in place.listing(value, "draw"))
    return Draw(f"draw: [{', '.join(things)}]", things)


def _read_check(place: Place, value: object, vocabulary: Vocabulary) -> Step:
    return Check("expect", read_expectation(place, value, vocabulary))


def _read_refusal(place: Place, value: object, vocabulary: Vocabulary) -> Step:
    step = read_step(place, value, vocabulary.at_large())
    if isinstance(step, Check | Refusal):
        raise place.wrong(f"illegal holds {step.word}; it must hold a step that somebody may try")
    return Refusal(f"illegal: {{{step.text}}}" if ":" in step.text else f"illegal: {step.text}", step)


_Reader: TypeAlias = Callable[[Place, object, Vocabulary], Step]
_STEPS: dict[str, _Reader] = {
    "roll": _read_roll,
    "reroll": _read_reroll,
    "add_two": _read_add_two,
    "tuna": _read_tuna,
    "player": _read_player,
    "give": _read_give,
    "take": _read_take,
    "card": _read_card,
    "landmark": _read_landmark,
    "first": _read_first,
    "build": _read_build,
    "draw": _read_draw,
    "invest": _read_invest,
    "expect": _read_check,
    "illegal": _read_refusal,
}
