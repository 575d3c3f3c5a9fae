"""Hints, made in processes of their own: at a glance, thought about, or by rules of thumb."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

from dicetown.bots.learning.champion import weights_of
from dicetown.bots.roster import make_bot
from dicetown.errors import BotError
from dicetown.game import Game
from dicetown.material import load
from dicetown.review.advice import Advice, Option
from dicetown.review.glance import glance_at
from dicetown.review.wording import tell_line
from dicetown.server import wire
from dicetown.server.view import catalogue
from dicetown.server.view.log_lines import speaker_of
from dicetown.server.workers.snapshot import Snapshot
from dicetown.words import label

#: Who is asked for hints where nobody knows chances to win.
QUICK_ADVISER = "planner"

_bot = cache(make_bot)


def first_hint(position: Snapshot, language: str) -> tuple[wire.Hint, str | None]:
    """What the champion's network sees at a glance; where it cannot tell, a rule of thumb, and why.

    >>> hint, problem = first_hint(Snapshot.of(Game(seed=1)), "en")
    >>> [option.action for option in hint.options], hint.thought, problem
    (['roll 1'], False, None)
    """
    try:
        options = glance_at(position.view())
    except BotError as problem:
        return rule_of_thumb(position, language), str(problem)
    return wire.Hint(options=_told(position.game(), options, language), line=[], thought=False), None


def thoughtful_hint(game: Game, advice: Advice, language: str) -> wire.Hint:
    """Advice about a position, in words."""
    line = tell_line(speaker_of(game, language), advice)
    return wire.Hint(options=_told(game, advice.options, language), line=line, thought=True)


def _told(game: Game, options: Sequence[Option], language: str) -> list[wire.HintOption]:
    speaker = speaker_of(game, language)
    return [
        wire.HintOption(
            action=option.action.text,
            text=label(speaker, game, option.action),
            chance=option.chances[game.turn],
            low=option.low,
            high=option.high,
        )
        for option in options
    ]


def rule_of_thumb(position: Snapshot, language: str) -> wire.Hint:
    """What a bot would do that knows no chances to win, in words.

    >>> rule_of_thumb(Snapshot.of(Game(seed=1)), "en").meanwhile.action
    'roll 1'
    """
    game = position.game()
    action = _bot(QUICK_ADVISER).choose(position.view(), Random(0))
    text = label(speaker_of(game, language), game, action)
    bot = next(one.name for one in catalogue.bots(language) if one.id == QUICK_ADVISER)
    advice = wire.QuickAdvice(bot=bot, action=action.text, text=text)
    return wire.Hint(options=[], line=[], meanwhile=advice)


def load_network() -> list[str]:
    """Read the champion's weights before somebody waits for them; what is wrong with them, in sentences."""
    problems = []
    for game in load().games:
        try:
            weights_of(game)
        except BotError as problem:
            problems.append(str(problem))
    return problems
