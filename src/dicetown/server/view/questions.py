"""What is asked of a player, with a control for each kind of question, and what can be answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from dicetown.errors import IllegalAction
from dicetown.game import Game
from dicetown.game.notation import Action
from dicetown.game.questions import asking_thing, asks_on, question_of, seat_about
from dicetown.rules.codes import BUILD_IT, MAX_CARDS
from dicetown.rules.ruleset import Ruleset
from dicetown.server import wire
from dicetown.server.view.log_lines import speaker_of
from dicetown.server.view.market_layout import layout_of
from dicetown.words import Speaker, question
from dicetown.words.actions import describe_choice, idle_pay
from dicetown.words.refusals import why_not_build_these

_RULESETS_KEPT = 256


def asked_of(game: Game, language: str) -> wire.Asked | None:
    """What is asked of the player to decide; None while chance is due or all is over.

    >>> asked = asked_of(Game(names=["Ana", "Ben"], seed=1), "es")
    >>> asked.control, asked.question, [choice.text for choice in asked.choices]
    ('roll', 'Tira el dado.', ['Tirar un dado'])
    """
    control = question_of(game)
    if control is None:
        return None
    speaker = speaker_of(game, language)
    if control == "roll":
        choices = [_to_roll(game, speaker, action) for action in game.legal_actions()]
        return _asked(game, speaker, control, choices, {})
    if control != "build":
        choices = [_described(game, speaker, action) for action in game.legal_actions()]
        return _asked(game, speaker, control, choices, {})
    choices = _to_build(game, speaker)
    possible = {choice.thing for choice in choices}
    others = [thing for thing in _things_shown(game) if thing not in possible]
    return _asked(game, speaker, control, choices, why_not_build_these(speaker, game, others))


def asked_of_bot(game: Game, language: str) -> wire.Asked | None:
    """What is asked of a bot: nobody at a page answers it, so there are no choices to be described.

    >>> asked_of_bot(Game(names=["Ana", "Ben"], seed=1), "es").question
    'Tira el dado.'
    """
    control = question_of(game)
    return None if control is None else _asked(game, speaker_of(game, language), control, [], {})


def _asked(
    game: Game, speaker: Speaker, control: str, choices: list[wire.Choice], refusals: dict[str, str]
) -> wire.Asked:
    return wire.Asked(
        seat=game.turn,
        control=control,
        question=question(speaker, game),
        because=asking_thing(game),
        start_round=game.state.start_left > 0,
        choices=choices,
        refusals=refusals,
    )


def peek(game: Game, actions: Sequence[str], seat: int, language: str) -> wire.Asked | None:
    """What would be asked of a player after these decisions of theirs; None if nothing more would be.

    The game stays as it is. Raises :class:`~dicetown.errors.IllegalAction` where one is not possible.
    """
    trial = Game.from_state(game.ruleset, game.players, game.state, seed=0, chance="manual")
    trial.names = game.names
    for action in actions:
        if trial.waits_for_chance or trial.to_move != seat:
            raise IllegalAction(f'"{action}" is not possible: it is not this player who decides then.')
        trial.play(action)
    return asked_of(trial, language) if trial.to_move == seat else None


@lru_cache(maxsize=_RULESETS_KEPT)
def _stall(ruleset: Ruleset, language: str) -> dict[tuple[int, int], wire.Choice]:
    """What can be built, by number and price, and how dice can be rolled, as far as somebody was asked.

    To build nothing has what it brings in place of a price.
    """
    return {}


def _to_build(game: Game, speaker: Speaker) -> list[wire.Choice]:
    """What can be built, as a page shows it: asked in every turn, so each is kept with its price."""
    stall, prices = _stall(game.ruleset, speaker.language), game.prices(game.turn)
    choices = []
    for action in game.legal_actions():
        thing = action.number - BUILD_IT
        key = thing, prices[thing] if thing >= 0 else idle_pay(game)
        if (kept := stall.get(key)) is None:
            kept = stall[key] = _described(game, speaker, action)
        choices.append(kept)
    return choices


def _to_roll(game: Game, speaker: Speaker, action: Action) -> wire.Choice:
    """How many dice can be rolled, which is asked in every turn, too."""
    stall, key = _stall(game.ruleset, speaker.language), (action.number - BUILD_IT, 0)
    if (kept := stall.get(key)) is None:
        kept = stall[key] = _described(game, speaker, action)
    return kept


def _described(game: Game, speaker: Speaker, action: Action) -> wire.Choice:
    choice = describe_choice(speaker, game, action)
    return wire.Choice(
        action=action.text,
        text=choice.text,
        note=choice.note,
        thing=choice.thing,
        seat=seat_about(game, action),
        gains=choice.gains,
        more=asks_on(game, action),
    )


def _things_shown(game: Game) -> Iterator[str]:
    """What lies in the market or is sold out there; the landmarks of all, or the own ones not built yet."""
    layout, lying = layout_of(game.ruleset), game.state.market.tolist()
    built = int(game.state.built[game.turn])
    for number, card, _ in layout.cards:
        if lying[number] or card in layout.open_stacks:
            yield card
    for number, landmark, _ in layout.landmarks:
        if lying[number] if layout.shared_landmarks else not built >> (number - MAX_CARDS) & 1:
            yield landmark
