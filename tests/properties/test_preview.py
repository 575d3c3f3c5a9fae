"""What a preview promises is what the roll brings."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from tests.properties.effort import examples
from tests.properties.walks import walk

from dicetown import Game
from dicetown.game.events import Event, Forced, Paid, TotalRaised
from dicetown.rules import codes as c
from dicetown.testing import Setup, seeds, setups


def rolls(game: Game, rng: Random) -> Iterator[tuple[Game, tuple[int, ...], list[Event]]]:
    """Forks of a game that is about to roll, each after other dice and with all offers declined or taken."""
    two = "roll 2" in map(str, game.legal_actions())
    throws: list[tuple[int, ...]] = [(die,) for die in range(1, 7)]
    throws += [(one, other) for one in range(1, 7) for other in range(1, 7)] if two else []
    for dice in rng.sample(throws, min(len(throws), 8)):
        fork = Game.from_state(game.ruleset, game.players, game.state, chance="manual")
        events = fork.play(f"roll {len(dice)}") + fork.play("dice " + " ".join(map(str, dice)))
        while fork.phase in ("reroll", "add_two"):
            add = rng.choice(["yes", "no"])
            events += fork.play("keep" if fork.phase == "reroll" else f"add_two {add}")
        yield fork, dice, events


def rolled_total(events: list[Event], dice: tuple[int, ...]) -> int:
    raised = [event.total for event in events if isinstance(event, TotalRaised)]
    return raised[0] if raised else sum(dice)


def helped(events: list[Event]) -> int:
    return sum(event.coins for event in events if isinstance(event, Paid) and event.cause == "help")


def reached_the_build_step(fork: Game, events: list[Event]) -> bool:
    """Whether the roll was resolved, and nothing beyond it (a forced pass goes on to the next turn)."""
    return fork.state.phase == c.BUILD and not any(isinstance(event, Forced) for event in events)


@pytest.mark.slow
@examples(100)
@given(setups(), seeds())
def test_the_preview_of_a_total_is_what_a_roll_of_it_brings(setup: Setup, seed: int) -> None:
    rng = Random(seed)
    for game, _, _ in walk(setup, seed):
        if game.state.phase != c.ROLL or rng.random() > 0.25:
            continue
        before = game.state.array.tobytes()
        for fork, dice, events in rolls(game, rng):
            preview = game.preview(rolled_total(events, dice), dice)
            assert game.state.array.tobytes() == before, "a preview changes nothing"
            if reached_the_build_step(fork, events):
                assert not preview.choice
                assert not preview.average
                gains = [fork.coins(seat) - game.coins(seat) for seat in range(game.players)]
                gains[game.turn] -= helped(events)
                assert preview.gains == tuple(gains), f"{game.position()} and {dice}"


@given(setups(), seeds())
def test_a_preview_says_when_a_choice_or_the_tuna_dice_decide(setup: Setup, seed: int) -> None:
    rng = Random(seed)
    for game, _, _ in walk(setup, seed):
        if game.state.phase != c.ROLL or rng.random() > 0.25:
            continue
        for fork, dice, events in rolls(game, rng):
            preview = game.preview(rolled_total(events, dice), dice)
            if fork.phase == "tuna":
                assert preview.average
            if fork.phase == "choose":
                assert preview.choice


@given(setups(), seeds())
def test_every_total_can_be_previewed_at_any_moment(setup: Setup, seed: int) -> None:
    rng = Random(seed)
    for game, _, _ in walk(setup, seed):
        if rng.random() < 0.05:
            for total in range(1, 15):
                preview = game.preview(total)
                assert (preview.total, len(preview.gains)) == (total, game.players)
                losses = [game.coins(seat) + gain for seat, gain in enumerate(preview.gains)]
                assert min(losses) >= 0
