"""What is asked of a player, with a control for each kind of question, and what can be answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dicetown.errors import IllegalAction
from dicetown.game import Game
from dicetown.game.notation import Action
from dicetown.rules import codes as c
from dicetown.rules.city import landmarks_with, power
from dicetown.rules.layout import CHOICES, LOG, copy, new
from dicetown.rules.step import decide
from dicetown.server import wire
from dicetown.server.view.log_lines import speaker_of
from dicetown.server.view.market_layout import layout_of
from dicetown.words import Choice, Speaker, describe_choices, question
from dicetown.words.refusals import why_not_build

#: The control a page shows for what the game waits for.
CONTROLS = {
    c.ROLL: "roll", c.REROLL: "reroll", c.ADD_TWO: "add_two", c.ORDER: "order", c.PLAYER: "player",
    c.GIVE: "give", c.TAKE: "take", c.CARD: "card", c.LANDMARK: "landmark", c.BUILD: "build",
    c.INVEST: "invest",
}  # fmt: skip
#: Questions that the card being resolved asks.
_OF_A_CARD = frozenset({c.PLAYER, c.GIVE, c.TAKE, c.CARD, c.LANDMARK})
#: Those of them whose answer may be one step of several.
_IN_STEPS = frozenset({c.PLAYER, c.GIVE, c.TAKE, c.CARD})
#: The power of the landmark that asks whether to roll again or to add to the total.
_POWER_ASKING = {c.REROLL: c.POWER_REROLL, c.ADD_TWO: c.POWER_ADD}


def asked_of(game: Game, language: str) -> wire.Asked | None:
    """What is asked of the player to decide; None while chance is due or all is over.

    >>> asked = asked_of(Game(names=["Ana", "Ben"], seed=1), "es")
    >>> asked.control, asked.question, [choice.text for choice in asked.choices]
    ('roll', 'Tira el dado.', ['Tirar un dado'])
    """
    phase = game.state.phase
    if phase not in CONTROLS:
        return None
    speaker = speaker_of(game, language)
    choices = describe_choices(speaker, game)
    return wire.Asked(
        seat=game.turn,
        control=CONTROLS[phase],
        question=question(speaker, game),
        because=_asking_thing(game),
        start_round=game.state.start_left > 0,
        choices=[_choice(game, choice) for choice in choices],
        refusals=_refusals(speaker, game, choices) if phase == c.BUILD else {},
    )


def asked_of_bot(game: Game, language: str) -> wire.Asked | None:
    """What is asked of a bot: nobody at a page answers it, so there are no choices to be described.

    >>> asked_of_bot(Game(names=["Ana", "Ben"], seed=1), "es").question
    'Tira el dado.'
    """
    phase = game.state.phase
    if phase not in CONTROLS:
        return None
    return wire.Asked(
        seat=game.turn,
        control=CONTROLS[phase],
        question=question(speaker_of(game, language), game),
        because=_asking_thing(game),
        start_round=game.state.start_left > 0,
        choices=[],
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


def _asking_thing(game: Game) -> str | None:
    """The card or landmark that asks, if one does."""
    t, s = game.tables, game.state
    if s.phase in _OF_A_CARD:
        return game.notation.thing(s.acting)
    if s.phase == c.INVEST:
        return game.notation.thing(int(t.startup))
    if s.phase in _POWER_ASKING:
        landmarks = landmarks_with(t, s, game.turn, _POWER_ASKING[s.phase])
        return game.notation.thing(c.MAX_CARDS + (landmarks & -landmarks).bit_length() - 1)
    return None


def _choice(game: Game, choice: Choice) -> wire.Choice:
    return wire.Choice(
        action=choice.action.text,
        text=choice.text,
        note=choice.note,
        thing=choice.thing,
        seat=_seat_about(game, choice.action),
        gains=_gains(game, choice.action),
        more=game.state.phase in _IN_STEPS and _asks_on(game, choice.action),
    )


def _seat_about(game: Game, action: Action) -> int | None:
    """The player a choice is about: who is chosen, or whose card is taken."""
    if c.CHOOSE_PLAYER <= action.number < c.CHOOSE_PLAYER + c.MAX_PLAYERS:
        return action.number - c.CHOOSE_PLAYER
    return int(game.state.partner) if game.state.phase == c.TAKE else None


def _gains(game: Game, action: Action) -> list[int] | None:
    """What everybody would gain or lose where a choice settles what the dice that lie amount to."""
    if action.number not in (c.KEEP, c.ADD, c.ADD_NOT):
        return None
    s = game.state
    more = power(game.tables, s, game.turn, c.POWER_ADD) if action.number == c.ADD else 0
    return list(game.preview(s.total + more, (s.die, s.other_die)[: s.dice]).gains)


def _asks_on(game: Game, action: Action) -> bool:
    """Whether, after this choice, the same copy of the same card asks for more: then nothing is final yet."""
    s, trial = game.state, copy(game.state)
    decide(game.tables, trial, new(LOG), new(CHOICES), action.number)
    same = (trial.turns, trial.turn, trial.acting, trial.left, trial.hosting)
    return trial.phase in _OF_A_CARD and same == (s.turns, s.turn, s.acting, s.left, s.hosting)


def _refusals(speaker: Speaker, game: Game, choices: Sequence[Choice]) -> dict[str, str]:
    """Why what lies on the table cannot be built by the player on turn, thing by thing."""
    possible = {choice.thing for choice in choices}
    return {
        thing: why_not_build(speaker, game, thing) for thing in _things_shown(game) if thing not in possible
    }


def _things_shown(game: Game) -> Iterator[str]:
    """What lies in the market or is sold out there; the landmarks of all, or the own ones not built yet."""
    layout, lying = layout_of(game.ruleset), game.state.market.tolist()
    built = int(game.state.built[game.turn])
    for number, card, _ in layout.cards:
        if lying[number] or card in layout.open_stacks:
            yield card
    for number, landmark, _ in layout.landmarks:
        if lying[number] if layout.shared_landmarks else not built >> (number - c.MAX_CARDS) & 1:
            yield landmark
