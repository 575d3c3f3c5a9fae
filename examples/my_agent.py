"""Play with an agent that `examples/ppo.py` has trained: a bot in a program of its own.

    dicetown arena --sets base --bots 'pipe:python examples/my_agent.py agent.npz' --bots greedy --games 1000
    dicetown play --sets base --players 'Ana,Agent:pipe:python examples/my_agent.py agent.npz'
    dicetown serve --open --bot 'My agent=pipe:python examples/my_agent.py agent.npz'

It thinks with NumPy alone and compiles nothing, so it is there at once. An agent plays the game it has
learned, and no other: that edition with those sets and that number of players.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.lib.npyio import NpzFile
from numpy.typing import NDArray

from dicetown.bots import Bot
from dicetown.bots.encode import decode, encode
from dicetown.bots.programs.serve import serve
from dicetown.bots.view import View
from dicetown.errors import BotError, DicetownError
from dicetown.game.notation import Action
from dicetown.sight.spec import VERSION


class MyAgent(Bot):
    """A trained network that chooses what it likes best.

    Its file holds `about` (JSON: the version of the environments, the edition, its sets, how many play), the
    `scale` of what is seen, and the layers `policy_0_weight`, `policy_0_bias`, `policy_1_weight`, …
    """

    name = "my_agent"
    description = {"en": "A network that has learned by playing."}  # noqa: RUF012 - as every bot's

    def __init__(self, path: Path) -> None:
        kept = _read(path)
        about = json.loads(str(kept["about"]))
        if about["version"] != VERSION:
            raise BotError(
                f"{path} has learned in version {about['version']} of the environments, "
                f"and this is version {VERSION}; train it anew."
            )
        self._game = about["edition"], tuple(about["sets"]), about["players"]
        self._scale: NDArray[np.float32] = kept["scale"]
        places = sorted(int(name.split("_")[1]) for name in kept if _is_weight(name))
        self._layers = [(kept[f"policy_{n}_weight"], kept[f"policy_{n}_bias"]) for n in places]

    def choose(self, view: View, rng: Random) -> Action:
        """What it likes best of what is legal."""
        del rng  # it always likes the same best
        self._check(view)
        seen, mask = encode(view)
        if len(seen) != len(self._scale):
            raise BotError(
                f"This agent has learned with {len(self._scale)} numbers, and here it sees {len(seen)}; "
                "house rules may have changed what there is."
            )
        return decode(view, int(np.where(mask, self._like(seen), -np.inf).argmax()))

    def _check(self, view: View) -> None:
        asked = view.ruleset.edition.id, tuple(view.ruleset.set_ids), view.players
        if asked != self._game:
            learned, wanted = (f"{one[0]} ({', '.join(one[1])}) for {one[2]}" for one in (self._game, asked))
            raise BotError(f"This agent has learned to play {learned}, and not {wanted}.")

    def _like(self, seen: NDArray[np.int16]) -> NDArray[np.float32]:
        """How much it likes each action."""
        x = seen * self._scale
        for place, (weight, bias) in enumerate(self._layers):
            x = weight @ (np.maximum(x, 0) if place else x) + bias
        return x


def _is_weight(name: str) -> bool:
    return name.startswith("policy_") and name.endswith("_weight")


def _read(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of a file."""
    try:
        kept = np.load(path, allow_pickle=False)
    except OSError as problem:
        raise BotError(f"{path} cannot be read: {problem.strerror}.") from None
    except (ValueError, EOFError, BadZipFile):
        kept = None
    if not isinstance(kept, NpzFile) or "about" not in kept:
        raise BotError(f"{path} holds no agent; examples/ppo.py makes one.")
    with kept:
        return {name: kept[name] for name in kept}


def main(words: list[str]) -> int:
    """Answer over stdin and stdout until nobody asks any more."""
    if len(words) != 1:
        print("Name the file of an agent: python examples/my_agent.py agent.npz", file=sys.stderr)
        return 2
    try:
        agent = MyAgent(Path(words[0]))
    except DicetownError as problem:
        print(problem, file=sys.stderr)
        return 2
    try:
        serve(agent, sys.stdin.buffer, sys.stdout.buffer)
    except DicetownError as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
