"""Why a thing cannot be done: "The Stadium costs 6, you have 4."."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from dicetown.game import Game
from dicetown.material.catalogue import Catalogue
from dicetown.rules import codes as c
from dicetown.words.actions import price_of
from dicetown.words.speaker import Speaker

_KEPT = 4096  # sentences


def why_not_build(speaker: Speaker, game: Game, thing: str) -> str:
    """Why the player to move cannot build a card or landmark now."""
    name, seat = speaker.thing(thing), game.turn
    if game.state.phase != c.BUILD:
        return speaker.say("refuse.not_now")
    if thing in speaker.landmarks:
        return _why_not_landmark(speaker, game, thing)
    if not _lies_out(game, thing):
        return _not_on_offer(speaker, game, thing)
    if (price := price_of(game, thing)) > (coins := game.coins(seat)):
        return _say_too_dear(speaker.catalogue, name, price, coins)
    return speaker.say("refuse.limit", thing=name)


def why_not_build_these(speaker: Speaker, game: Game, things: Iterable[str]) -> dict[str, str]:
    """The same for several things, which is most that lies on the table in every turn of every game."""
    if game.state.phase != c.BUILD:
        return {thing: why_not_build(speaker, game, thing) for thing in things}
    seat, numbers, words = game.turn, game.notation.numbers, speaker.catalogue
    coins, prices, lying = game.coins(seat), game.prices(seat), game.state.market.tolist()
    # A landmark that stands or must wait is refused for that, whatever it costs.
    standing = -1 if game.state.start_left else int(game.state.built[seat])
    told = {}
    for thing in things:
        number = numbers[thing]
        is_dear = lying[number] and prices[number] > coins
        if is_dear and (number < c.MAX_CARDS or not standing >> (number - c.MAX_CARDS) & 1):
            told[thing] = _say_too_dear(words, speaker.thing(thing), prices[number], coins)
        else:
            told[thing] = why_not_build(speaker, game, thing)
    return told


def _why_not_landmark(speaker: Speaker, game: Game, thing: str) -> str:
    name, seat = speaker.thing(thing), game.turn
    number = game.notation.numbers.get(thing)
    if number is None or int(game.state.built[seat]) >> (number - c.MAX_CARDS) & 1:
        return speaker.say("refuse.built_already", thing=name)
    if game.state.start_left:
        return speaker.say("refuse.start_round")
    if speaker.ruleset.edition.shared_landmarks and not _lies_out(game, thing):
        return _not_on_offer(speaker, game, thing)
    if (price := price_of(game, thing)) > (coins := game.coins(seat)):
        return _say_too_dear(speaker.catalogue, name, price, coins)
    return speaker.say("refuse.landmark", thing=name, effect=speaker.effect(thing))


def _not_on_offer(speaker: Speaker, game: Game, thing: str) -> str:
    """What is still in the deck may come to the market; of the rest nothing is left."""
    number = game.notation.numbers.get(thing)
    is_left = number is not None and game.state.deck[number] > 0
    return speaker.say("refuse.not_in_market" if is_left else "refuse.sold_out", thing=speaker.thing(thing))


def _lies_out(game: Game, thing: str) -> bool:
    number = game.notation.numbers.get(thing)
    return number is not None and bool(game.state.market[number] > 0)


@lru_cache(maxsize=_KEPT)
def _say_too_dear(words: Catalogue, name: str, price: int, coins: int) -> str:
    """Said of most that lies on the table, in every turn of every game: so it is kept."""
    return words.say("refuse.too_dear", thing=name, price=price, coins=coins)
