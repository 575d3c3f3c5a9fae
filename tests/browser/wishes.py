"""Games in which dice fall and cards are drawn as one wishes, played until a certain thing is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from dicetown.game import Game
from dicetown.game.notation import Action, Outcome
from dicetown.material.model import Establishment, kind_of
from dicetown.rules.ruleset import Ruleset
from dicetown.server import wire
from dicetown.server.view.questions import asked_of

#: Who sits at the table; the wishes are those of the first.
NAMES = ("Ana", "Ben", "Cleo", "Dora", "Emil")
#: So many coins that whatever is wished can be built at once.
PLENTY = 60
_LONGEST = 600  # moves after which a wish is given up

Moment = Callable[[wire.Asked], bool]


def asks(control: str, because: str | None = None, choices: int = 1) -> Moment:
    """The moment at which the first player is asked this, with at least so many answers."""

    def is_it(asked: wire.Asked) -> bool:
        return (
            asked.seat == 0
            and (asked.control, asked.because) == (control, because)
            and len(asked.choices) >= choices
        )

    return is_it


def play_until(
    moment: Moment,
    edition: str,
    build: Sequence[str] = (),
    draw: Sequence[str] = (),
    coins: int = PLENTY,
    players: int = 3,
    rounds: int = 0,
) -> Game:
    """A game at the first such moment after the first player has built these things.

    They come into the market as soon as possible, and so does what ``draw`` names. ``rounds`` are played
    before that, in which everybody builds what they do not have yet: streets are long by then.

    >>> game = play_until(asks("reroll", "radio_tower"), "deluxe", ["radio_tower"])
    >>> game.landmarks(0), asked_of(game, "en").question
    (['radio_tower'], 'You rolled 1. Keep it, or roll again?')
    """
    game = Game(
        Ruleset(edition, house={"start_coins": coins}), names=NAMES[:players], seed=0, chance="manual"
    )
    wished, luck = list(build), Random(0)
    while wished or game.turns < rounds * players or not _has_come(moment, game):
        assert len(game.moves) < _LONGEST * (1 + rounds), (
            f"{edition}: this is never asked, with {wished} still to be built"
        )
        early = game.turns < rounds * players
        if game.waits_for_chance:
            aim = None if wished or early else moment
            game.play(_wished_outcome(game, [*wished, *draw], aim, luck if early else None))
            continue
        seat, action = game.turn, _decision(game, [] if early else wished, collects=early)
        game.play(action)
        thing = action.text.removeprefix("build ")
        if seat == 0 and thing in wished:
            wished.remove(thing)
    return game


def _has_come(moment: Moment, game: Game) -> bool:
    asked = asked_of(game, "en")
    return asked is not None and moment(asked)


def _wished_outcome(game: Game, wished: Sequence[str], moment: Moment | None, luck: Random | None) -> Outcome:
    """What leads to the moment, if it may come already; else what is wished for; else luck, or the first."""
    outcomes = [outcome for outcome, _ in game.chance_outcomes()]
    if moment is not None:
        for outcome in outcomes:
            game.play(outcome)
            come = _has_come(moment, game)
            game.undo()
            if come:
                return outcome
    drawn = (outcome for outcome in outcomes if outcome.text.removeprefix("draw ") in wished)
    return next(drawn, luck.choice(outcomes) if luck else outcomes[0])


def _decision(game: Game, wished: Sequence[str], collects: bool) -> Action:
    """As many dice as possible, what is wished built, new cards for the others; else what comes first.

    ``collects``: the first player builds new cards, too, and nobody any that asks something.
    """
    actions = {action.text: action for action in game.legal_actions()}
    if game.phase == "roll":
        return actions[max(actions)]
    if game.phase != "build":
        return next(iter(actions.values()))
    if game.turn == 0 and not collects:
        found = next((f"build {thing}" for thing in wished if f"build {thing}" in actions), "pass")
    else:
        own = game.cards(game.turn)
        new = (card for card in game.ruleset.cards if card.id not in own)
        cards = (f"build {card.id}" for card in new if not collects or _may_collect(game.turn, card))
        found = next((action for action in cards if action in actions), "pass")
    return actions[found]


def _may_collect(seat: int, card: Establishment) -> bool:
    """The first player collects what asks nothing, not even what comes first; nobody what changes hands."""
    needs = getattr(card.effect, "owner_needs", None)
    if seat > 0:
        return kind_of(card.effect) not in ("swap", "move", "startup")
    return kind_of(card.effect) in ("income", "fee") and (needs is None or needs.landmarks_below is None)
