"""What is asked of the player to decide: "Roll one die or two?"."""

from __future__ import annotations

from typing import Any

from dicetown.game import Game
from dicetown.rules import codes as c
from dicetown.rules.city import power
from dicetown.words.events import add_up
from dicetown.words.speaker import Speaker


def question(speaker: Speaker, game: Game) -> str:
    """What the player to move is asked.

    >>> game = Game(seed=1)
    >>> question(Speaker(game.ruleset, game.names, "en"), game)
    'Roll the die.'
    """
    say, s = speaker.say, game.state
    match s.phase:
        case c.ROLL:
            return say("question.roll" if len(game.legal_actions()) > 1 else "question.roll_one")
        case c.REROLL:
            dice = (s.die, s.other_die)[: s.dice]
            return say("question.reroll", dice=add_up(dice) if s.dice > 1 else s.die)
        case c.ADD_TWO:
            by = power(game.plain_tables, s, game.turn, c.POWER_ADD)
            return say("question.add_two", total=s.total, by=by)
        case c.ORDER:
            return say("question.order")
        case c.BUILD:
            return _build(speaker, game)
        case c.INVEST:
            startup = speaker.thing(game.notation.thing(int(game.tables.startup)))
            coins = game.invested(game.turn)
            return say("question.invest" if coins else "question.invest_first", coins, card=startup)
    return _about_a_card(speaker, game)


def _build(speaker: Speaker, game: Game) -> str:
    coins = speaker.coins(game.coins(game.turn))
    if game.state.start_left:
        rounds = speaker.ruleset.rules.start_rounds
        now = rounds - (game.state.start_left - 1) // game.players
        return speaker.say("question.start_build", coins=coins, round=now, rounds=rounds)
    return speaker.say("question.build", coins=coins)


def _about_a_card(speaker: Speaker, game: Game) -> str:
    """Questions that the card being resolved asks."""
    s, t = game.state, game.tables
    acting = game.notation.thing(s.acting)
    slots: dict[str, Any] = {"cause": speaker.thing(acting)}
    effect = None if s.acting >= c.MAX_CARDS else int(t.effect[s.acting])
    match s.phase:
        case c.PLAYER if effect == c.COLLECT_ONE:
            return speaker.say("question.collect", coins=speaker.coins(int(t.amount[s.acting])), **slots)
        case c.PLAYER:
            key = "question.trade_with" if effect == c.SWAP else "question.give_to"
            return speaker.say(key, card=speaker.thing(game.notation.thing(s.given)), **slots)
        case c.GIVE if effect == c.SWAP:
            return speaker.say("question.trade_give", **slots)
        case c.GIVE if effect is None:
            previous = speaker.names[(game.turn - 1) % game.players]
            return speaker.say("question.give_previous", name=previous, **slots)
        case c.GIVE:
            return speaker.say("question.give", **slots)
        case c.TAKE:
            given = speaker.thing(game.notation.thing(s.given))
            return speaker.say("question.take", name=speaker.names[s.partner], card=given, **slots)
        case c.CARD:
            key = "question.convention" if effect == c.CONVENTION else "question.renovate"
            return speaker.say(key, **slots)
    return speaker.say("question.demolish", **slots)
