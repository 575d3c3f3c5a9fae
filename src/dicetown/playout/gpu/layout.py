"""Games as a GPU holds them: the records of the rules, cut down to what a ruleset needs.

How many games a GPU plays at once is decided by how many fit into the fast memory of its
multiprocessors. So arrays are as long as the ruleset's cards and players, not as long as the largest
game's, and random numbers, which are 32 bits wide, take 32 bits. Kernels name fields, so that they
need not know.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicetown.rules.codes import MAX_CARDS
from dicetown.rules.layout import CHOICES, STATE
from dicetown.rules.rng import RNG

WORD = 4
_BITS_OF_TWO_BYTES = 15  # and one for the sign

#: What is left of the log where nobody listens.
SILENCE = np.dtype([("capacity", "i4"), ("count", "i4")], align=True)


def game_layout(tables: Any) -> np.dtype[Any]:
    """A game of a ruleset: its state and its random numbers.

    Memory is spread over 32 banks, word by word. A record of an odd number of words lets the threads of a
    warp, each at its own game, reach the same field without waiting for each other.
    """
    players, cards, things = int(tables.players), int(tables.cards), MAX_CARDS + int(tables.landmarks)
    state = _cut(
        _with_narrow_masks(tables),
        coins=(players,),
        built=(players,),
        invested=(players,),
        owned=(players, cards),
        closed=(players, cards),
        market=(things,),
        deck=(things,),
        due=(max(1, int(tables.n_agenda.max())),),
    )
    assert RNG.names is not None
    numbers = np.dtype([(name, "u4", RNG[name].shape) for name in RNG.names], align=True)
    game = np.dtype([("state", state), ("rng", numbers)], align=True)
    words = -(-game.itemsize // WORD) | 1
    return np.dtype(
        {
            "names": list(game.names or ()),
            "formats": [state, numbers],
            "offsets": [game.fields[name][1] for name in game.names or ()] if game.fields else [],
            "itemsize": words * WORD,
            "aligned": True,
        }
    )


def _with_narrow_masks(tables: Any) -> np.dtype[Any]:
    """A state whose bit masks are no wider than the ruleset needs."""
    widest = {"built": int(tables.landmarks), "done": int(tables.n_agenda.max())}
    narrow = [name for name, bits in widest.items() if bits < _BITS_OF_TWO_BYTES]
    fields = [
        (name, "i2" if name in narrow else STATE[name].base, STATE[name].shape) for name in STATE.names or ()
    ]
    return np.dtype(fields, align=True)


def choices_layout(tables: Any) -> np.dtype[Any]:
    """The choices there can be: they are found anew before each decision, and lie apart from the game.

    At most all types of a city, open and closed, or everything there is to build, and one more.
    """
    cards = int(tables.cards)
    return _cut(CHOICES, action=(2 + max(2 * cards, cards + int(tables.landmarks)),))


def _cut(layout: np.dtype[Any], **shapes: tuple[int, ...]) -> np.dtype[Any]:
    """A layout with other shapes for some of its arrays."""
    fields = [(name, layout[name].base, shapes.get(name, layout[name].shape)) for name in layout.names or ()]
    return np.dtype(fields, align=True)


def fit(record: NDArray[Any], layout: np.dtype[Any]) -> NDArray[Any]:
    """A record in a layout of the same fields, whose arrays may be shorter."""
    fitted = np.zeros(1, layout)
    for name in layout.names or ():
        room = tuple(slice(length) for length in layout[name].shape)
        fitted[name][0] = record[name][0][room] if room else record[name][0]
    return fitted
