"""What an agent sees and may do in a position that did not come from an environment.

Agents learn in environments and then play elsewhere: in the arena, in the terminal, in the browser. There
they are bots, and are shown a :class:`~dicetown.bots.view.View`. Here it becomes the numbers they have
learned with, by the kernels of all environments; interpreted, so that nothing has to be compiled.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dicetown.bots.view import View
from dicetown.errors import EnvError
from dicetown.game.notation import Action
from dicetown.sight.spec import spec_for
from dicetown.sight.write import mark_legal, meant_by, see


def encode(view: View) -> tuple[NDArray[np.int16], NDArray[np.int8]]:
    """The observation of who is to decide, and the mask of their legal actions.

    >>> from dicetown import Game, Ruleset
    >>> game = Game(Ruleset("deluxe", sets=["base"]), players=2, seed=7)
    >>> events = game.play("roll 1")
    >>> observation, mask = encode(View.of(game))
    >>> int(observation[0]), np.flatnonzero(mask)[:3].tolist()  # own coins; pass, build a field, …
    (3, [5, 52, 53])
    """
    spec = spec_for(view.ruleset, view.players)
    observation, mask = np.zeros(spec.size, np.int16), np.zeros(spec.actions, np.int8)
    see(spec.tables, spec.sight, view.state, view.seat, observation, 0)
    mark_legal(spec.tables, spec.sight, view.seat, view.choices, mask, 0)
    return observation, mask


def decode(view: View, number: int) -> Action:
    """The action that an agent's number stands for.

    >>> from dicetown import Game, Ruleset
    >>> game = Game(Ruleset("deluxe", sets=["base"]), players=2, seed=7)
    >>> events = game.play("roll 1")
    >>> str(decode(View.of(game), 52))
    'build wheat_field'
    """
    spec = spec_for(view.ruleset, view.players)
    if not 0 <= number < spec.actions:
        raise EnvError(f"There is no action {number}; they are numbered 0 to {spec.actions - 1}.")
    return view.notation.action(meant_by(spec.tables, spec.sight, view.seat, number))
