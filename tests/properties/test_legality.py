"""What may be chosen is what `play` accepts; whether the rules allow it is test_reference's question."""

from itertools import product
from random import Random

import pytest
from hypothesis import given
from tests.properties.effort import examples
from tests.properties.walks import walk

from dicetown import Game, IllegalAction, Ruleset
from dicetown.game.events import DiceRolled, Drawn, Event, Forced, TunaRolled
from dicetown.rules import codes as c
from dicetown.rules.chance import waits_for_chance
from dicetown.rules.choices import find_choices
from dicetown.rules.layout import CHOICES, copy, listening_log, new
from dicetown.rules.step import befall, take, work_on
from dicetown.testing import Setup, differing_fields, random_move, seeds, setups


def every_text(ruleset: Ruleset, players: int) -> list[str]:
    """Everything that reads like a move of this ruleset, written out."""
    cards, marks = [card.id for card in ruleset.cards], [mark.id for mark in ruleset.landmarks]
    texts = [
        "roll 1",
        "roll 2",
        "keep",
        "reroll 1",
        "reroll 2",
        "add_two yes",
        "add_two no",
        "decline",
        "pass",
    ]
    texts += ["invest yes", "invest no", *(f"player {seat}" for seat in range(players))]
    texts += [f"{verb} {card}" for verb, card in product(("first", "give", "take", "card"), cards)]
    texts += [f"{verb} {card} closed" for verb, card in product(("give", "take"), cards)]
    texts += [f"build {thing}" for thing in cards + marks] + [f"landmark {mark}" for mark in marks]
    texts += [f"draw {thing}" for thing in cards + marks]
    faces = range(1, 7)
    texts += [f"dice {die}" for die in faces]
    return texts + [f"{word} {one} {two}" for word, one, two in product(("dice", "tuna"), faces, faces)]


@examples(25)
@given(setups(), seeds())
def test_play_accepts_exactly_the_legal_moves_and_a_refusal_changes_nothing(setup: Setup, seed: int) -> None:
    rng = Random(seed)
    texts = every_text(setup.ruleset, setup.players)
    for game, _, _ in walk(setup, seed):
        if rng.random() > 0.02 and not game.over:
            continue
        legal = {str(action) for action in game.legal_actions()}
        legal |= {str(outcome) for outcome, _ in game.chance_outcomes()}
        assert legal <= set(texts)
        before, history = game.state.array.tobytes(), (list(game.moves), list(game.events))
        for text in texts:
            if text in legal:
                fork = Game.from_state(setup.ruleset, setup.players, game.state, chance="manual")
                fork.play(text)
                assert fork.moves[0].text == text
            else:
                with pytest.raises(IllegalAction):
                    game.play(text)
                assert game.state.array.tobytes() == before
        assert (game.moves, list(game.events)) == history


@given(setups(), seeds())
def test_somebody_always_has_a_choice_or_chance_is_due_until_the_game_is_over(
    setup: Setup, seed: int
) -> None:
    for game, _, _ in walk(setup, seed):
        options = len(game.legal_actions())
        due = [share for _, share in game.chance_outcomes()]
        assert (options > 0) + game.waits_for_chance + game.over == 1
        assert game.waits_for_chance == bool(due)
        assert not due or sum(due) == 1
        assert options != 1 or game.phase == "roll", "a single choice takes itself"
        assert (game.to_move is None) == game.over


@given(setups(), seeds())
def test_what_happened_by_itself_was_the_only_legal_action(setup: Setup, seed: int) -> None:
    """The engine's own steps again, one decision at a time: each Forced event must find one option."""
    game = setup.new_game(seed, chance="manual")
    rng, log, choices = Random(seed), listening_log(), new(CHOICES)
    for _ in range(150):
        if game.over:
            break
        trial, move = copy(game.state), random_move(game, rng)
        advance = befall if waits_for_chance(trial) else take
        advance(game.tables, trial, log, move.number)
        work_on(game.tables, trial, log)
        for forced in forced_in(game.play(move)):
            find_choices(game.tables, trial, choices)
            only = game.notation.action(int(choices.action[0]))
            assert (choices.count, only.text, trial.turn) == (1, forced.action, forced.seat)
            assert trial.phase != c.ROLL, "a roll waits for its player"
            take(game.tables, trial, log, only.number)
            work_on(game.tables, trial, log)
        log.count = 0
        assert differing_fields(trial, game.state) == []


def forced_in(events: list[Event]) -> list[Forced]:
    return [event for event in events if isinstance(event, Forced)]


@given(setups(), seeds())
def test_a_move_shows_itself_in_the_first_event_it_causes(setup: Setup, seed: int) -> None:
    for _, move, events in walk(setup, seed):
        if move is None:
            continue
        word, *rest = move.text.split()
        if word == "dice":
            assert isinstance(events[0], DiceRolled)
            assert events[0].dice == tuple(map(int, rest))
        elif word == "tuna":
            assert isinstance(events[0], TunaRolled)
            assert events[0].dice == tuple(map(int, rest))
        elif word == "draw":
            assert isinstance(events[0], Drawn)
            assert events[0].thing == rest[0]
