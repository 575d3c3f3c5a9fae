"""Agents that play elsewhere see what they saw in the environments, also in a position that came as text."""

import numpy as np
import pytest
from tests.envs.tables import any_legal, every_table

from dicetown import Game, Ruleset
from dicetown.bots import View
from dicetown.bots.encode import decode, encode
from dicetown.envs.core.batch import Batch, Table
from dicetown.errors import EnvError
from dicetown.rules.layout import STATE, new

GAMES, STEPS = 3, 60


def view_of(batch: Batch, slot: int) -> View:
    """The position of a slot, as a bot is shown it over a pipe."""
    state = new(STATE)
    state.array[:] = batch._states[slot]
    return View.from_position(View(batch.spec.ruleset, batch.spec.players, state).position())


@pytest.mark.parametrize(("ruleset", "players"), every_table())
def test_a_position_is_encoded_as_a_batch_shows_it(ruleset: Ruleset, players: int) -> None:
    batch = Batch(Table.of(ruleset, players), GAMES, seed=5)
    batch.reset()
    for step in range(STEPS):
        slot = step % GAMES
        view = view_of(batch, slot)
        observation, mask = encode(view)
        assert observation.tolist() == batch.observations[slot].tolist()
        assert mask.tolist() == batch.masks[slot].tolist()
        meant = {str(decode(view, int(number))) for number in np.flatnonzero(mask)}
        assert meant == {str(action) for action in view.legal_actions}
        batch.step([any_legal(mask, step) for mask in batch.masks])
    batch.close()


@pytest.mark.parametrize("number", [-1, 71])
def test_an_action_that_there_is_not_is_refused(number: int) -> None:
    view = View.of(Game(Ruleset("deluxe", sets=["base"]), players=2, seed=7))
    with pytest.raises(EnvError, match=f"There is no action {number}; they are numbered 0 to 70"):
        decode(view, number)
