"""What the champion has learned, and how it is put to use: no PyTorch, no compiling, only arrays.

One file of weights for each game (``nets/champion-classic.npz``) serves all its tables. For a table, the rows
and columns of its own observations and actions are cut out of the weights once, and what stays the same
throughout a game is added up beforehand; a choice is then a few small products of matrices.
"""

from __future__ import annotations

import json
import re
import zlib
from dataclasses import dataclass, fields
from functools import cache, cached_property, lru_cache
from importlib import resources
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from dicetown.bots.encode import encode
from dicetown.bots.learning.outlook import MOST, Outlook
from dicetown.bots.view import View
from dicetown.cores import multiply_on_one_core
from dicetown.errors import BotError
from dicetown.rules.codes import MAX_PLAYERS
from dicetown.rules.ruleset import Ruleset
from dicetown.sight.spec import VERSION, Spec, spec_for

Floats = NDArray[np.float32]
_TOWERS = ("policy", "value")
_LAYER = re.compile(rf"({'|'.join(_TOWERS)})\d+(_bias)?")
_NEVER = np.float32(-1e9)
#: What reading a file raises that was cut off, changed on the way, or never was one of weights.
_UNREADABLE = (
    *(OSError, EOFError, ValueError, KeyError, TypeError, AttributeError, NotImplementedError),
    *(BadZipFile, zlib.error),
)


@dataclass(frozen=True)
class Weights:
    """All that was learned of a game: the outlook and the layers of both towers."""

    outlook: Outlook
    layers: dict[str, Floats]

    @classmethod
    def read(cls, file: Any, name: str) -> Weights:
        """The weights of a file, if it is one of this version of the environments."""
        try:
            with np.load(file) as kept:
                told = dict(json.loads(str(kept["about"])))
                outlook = Outlook(**{part.name: tuple(kept[part.name].tolist()) for part in fields(Outlook)})
                layers = {
                    name: kept[name].astype(np.float32) for name in kept.files if _LAYER.fullmatch(name)
                }
        except _UNREADABLE as problem:
            raise BotError(f"{name}: these are no weights of the champion ({_in_short(problem)}).") from None
        if (told.get("version"), told.get("most")) != (VERSION, MOST):
            raise BotError(f"{name}: these weights were learned with other observations; train them anew.")
        if not _fit(outlook, layers):
            raise BotError(f"{name}: these are no weights of the champion (their shapes do not fit).")
        if not all(np.isfinite(layer).all() for layer in layers.values()):
            raise BotError(f"{name}: these are no weights of the champion (some are no numbers).")
        return cls(outlook, layers)

    def depth(self, tower: str) -> int:
        """How many layers a tower has."""
        return _depth(self.layers, tower)

    def climb(self, tower: str, hidden: Floats) -> Floats:
        """From the first hidden values of a tower to those at its top."""
        for number in range(1, self.depth(tower) - 1):
            hidden = relu(hidden @ self.layers[f"{tower}{number}"] + self.layers[f"{tower}{number}_bias"])
        return hidden

    def last(self, tower: str) -> tuple[Floats, Floats]:
        """The last layer of a tower, and what it adds."""
        name = f"{tower}{self.depth(tower) - 1}"
        return self.layers[name], self.layers[f"{name}_bias"]


def _depth(layers: dict[str, Floats], tower: str) -> int:
    return sum(name.startswith(tower) and not name.endswith("_bias") for name in layers)


def ends_of(outlook: Outlook) -> dict[str, tuple[int, int]]:
    """How many numbers each tower is given, and tells; the second is told whether all are its like, too."""
    given = len(outlook.inputs)
    return {"policy": (given, len(outlook.does)), "value": (given + 1, MAX_PLAYERS)}


def _fit(outlook: Outlook, layers: dict[str, Floats]) -> bool:
    """Whether each layer takes what the one before gives."""
    for tower, (given, wanted) in ends_of(outlook).items():
        names = [f"{tower}{number}" for number in range(_depth(layers, tower))]
        if len(names) < 2 or not all(name in layers and f"{name}_bias" in layers for name in names):
            return False
        for name in names:
            shape, added = layers[name].shape, layers[f"{name}_bias"].shape
            if len(shape) != 2 or shape[0] != given or added != shape[1:]:
                return False
            given = shape[1]
        if given != wanted:
            return False
    return True


def _in_short(problem: Exception) -> str:
    return str(problem).partition("\n")[0].rstrip(".") or type(problem).__name__


@cache
def weights_of(game: str) -> Weights:
    """What Dicetown ships for a game."""
    name = f"champion-{game}.npz"
    file = resources.files("dicetown.bots.learning") / "nets" / name
    multiply_on_one_core()
    if not file.is_file():
        raise BotError(f'The champion has not learned the game "{game}": there is no {name}.')
    with file.open("rb") as opened:
        return Weights.read(opened, name)


class Champion:
    """The champion at a table: what it does there, and what it thinks of everybody's chances."""

    def __init__(self, weights: Weights, spec: Spec) -> None:
        self.spec = spec
        placed = weights.outlook.place(spec)
        self._weights, self._placed = weights, placed
        known = placed.sees >= 0
        self._known = slice(None) if known.all() else np.flatnonzero(known)
        out, bias = weights.last("policy")
        self._out, self._out_bias = np.ascontiguousarray(out[:, placed.does]), bias[placed.does]

    @cached_property
    def _policy(self) -> tuple[Floats, Floats]:
        return self._first_layer("policy0")

    @cached_property
    def _value(self) -> tuple[Floats, Floats]:
        return self._first_layer("value0")

    def _first_layer(self, name: str) -> tuple[Floats, Floats]:
        """The rows for what this table shows and for what is reckoned of it; and what is always added."""
        layers, placed, outlook = self._weights.layers, self._placed, self._weights.outlook
        weights, bias = layers[name], layers[f"{name}_bias"]
        traits = len(outlook.inputs) - len(outlook.traits) + placed.traits
        always = bias + weights[traits].sum(axis=0)
        if name == "value0":
            always += weights[-1]  # all players are its like
        rows = np.concatenate((placed.sees[self._known], placed.reckoning.inputs))
        return np.ascontiguousarray(weights[rows]), always.astype(np.float32)

    def _look(self, observations: NDArray[np.int16]) -> Floats:
        seen = np.minimum(observations, MOST).astype(np.float32)
        return np.concatenate((seen[:, self._known], self._placed.reckoning.reckon(seen)), axis=1)

    def scores(self, observations: NDArray[np.int16], masks: NDArray[np.int8]) -> Floats:
        """How much the champion is for each action, a row for each position; what is not legal far below."""
        first, bias = self._policy
        hidden = self._weights.climb("policy", relu(self._look(observations) @ first + bias))
        told = hidden @ self._out + self._out_bias
        told[masks == 0] = _NEVER
        return np.asarray(told)

    def choose(self, observations: NDArray[np.int16], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """The best action in each of many positions."""
        return np.asarray(self.scores(observations, masks).argmax(axis=1))

    def chances(self, observations: NDArray[np.int16]) -> Floats:
        """Everybody's chance to win if champions play on: who is to choose first, the others clockwise."""
        (first, bias), (out, added) = self._value, self._weights.last("value")
        hidden = self._weights.climb("value", relu(self._look(observations) @ first + bias))
        return softmax((hidden @ out + added)[:, : self.spec.players])


def relu(values: Floats) -> Floats:
    """What is below 0 as 0, in place."""
    return np.maximum(values, 0, out=values)


def softmax(scores: Floats) -> Floats:
    """Chances in proportion to the exponentials of scores, row by row."""
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


@lru_cache(maxsize=64)
def champion_at(ruleset: Ruleset, players: int) -> Champion:
    """The champion at a table; a table it has not learned is refused in a sentence."""
    return Champion(weights_of(ruleset.edition.game), spec_for(ruleset, players))


def chances_of(view: View) -> list[float]:
    """Everybody's chance to win as the champion sees it, by seat.

    It has learned from positions in which somebody has something to choose.
    """
    observation, _ = encode(view)
    told = champion_at(view.ruleset, view.players).chances(observation[None])[0]
    return [float(told[(seat - view.seat) % view.players]) for seat in range(view.players)]
