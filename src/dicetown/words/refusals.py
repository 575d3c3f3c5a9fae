"""Why a thing cannot be done: "The Stadium costs 6, you have 4."."""

from __future__ import annotations

from dicetown.game import Game
from dicetown.rules import codes as c
from dicetown.words.actions import price_of
from dicetown.words.speaker import Speaker


def why_not_build(speaker: Speaker, game: Game, thing: str) -> str:
    """Why the player to move cannot build a card or landmark now."""
    name, seat = speaker.thing(thing), game.turn
    if game.state.phase != c.BUILD:
        return speaker.say("refuse.not_now")
    if thing in speaker.landmarks:
        return _why_not_landmark(speaker, game, thing)
    if game.market.get(thing, 0) == 0:
        return _not_on_offer(speaker, game, thing)
    if price_of(game, thing) > game.coins(seat):
        return _too_dear(speaker, game, thing)
    return speaker.say("refuse.limit", thing=name)


def _why_not_landmark(speaker: Speaker, game: Game, thing: str) -> str:
    name, seat = speaker.thing(thing), game.turn
    if thing in game.landmarks(seat) or thing not in game.notation.numbers:
        return speaker.say("refuse.built_already", thing=name)
    if game.state.start_left:
        return speaker.say("refuse.start_round")
    if speaker.ruleset.edition.shared_landmarks and thing not in game.landmark_market:
        return _not_on_offer(speaker, game, thing)
    if price_of(game, thing) > game.coins(seat):
        return _too_dear(speaker, game, thing)
    return speaker.say("refuse.landmark", thing=name, effect=speaker.effect(thing))


def _not_on_offer(speaker: Speaker, game: Game, thing: str) -> str:
    """What is still in the deck may come to the market; of the rest nothing is left."""
    key = "refuse.not_in_market" if thing in game.deck else "refuse.sold_out"
    return speaker.say(key, thing=speaker.thing(thing))


def _too_dear(speaker: Speaker, game: Game, thing: str) -> str:
    price, coins = price_of(game, thing), game.coins(game.turn)
    return speaker.say("refuse.too_dear", thing=speaker.thing(thing), price=price, coins=coins)
