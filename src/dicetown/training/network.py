"""The champion's network while it learns: what to do, and who will win.

Two towers of some hidden layers look at the same numbers. One says what to do; the other gives every seat a
chance to win, and is told in addition whether all players are its like, so that it can tell chances among
equals from chances against weaker ones. From the top of the second one can also see what the next dice would
do to these chances, throw by throw: who plays has no use for that, who learns does (`luck.py`).
"""

from __future__ import annotations

import json
from dataclasses import asdict
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicetown.bots.learning.champion import Weights, ends_of
from dicetown.bots.learning.outlook import MOST, Outlook, Reckoning, numbered
from dicetown.errors import BotError
from dicetown.rules.codes import MAX_PLAYERS
from dicetown.sight.spec import VERSION
from dicetown.training.luck import THROWS
from dicetown.training.pytorch import torch
from dicetown.whole_files import write_whole

#: Hidden values of either tower. Who plays asks the second far less often, so it may be larger.
POLICY, VALUE = (1024, 512, 512), (1536, 1024, 512)
#: What is learned for the sake of learning alone, and not kept for who plays.
LUCK = ("luck", "luck_bias")
_TOWERS = {"policy": POLICY, "value": VALUE}
_NEVER = -1e9


class Network:
    """Layers by name: matrices from inputs to outputs, and what is added."""

    def __init__(self, outlook: Outlook, device: str, seed: int = 1) -> None:
        self.outlook, self.device = outlook, device
        torch.manual_seed(seed)
        self.layers: dict[str, Any] = {}
        for tower, (given, told) in ends_of(outlook).items():
            sizes = (given, *_TOWERS[tower], told)
            for number, (size, out) in enumerate(pairwise(sizes)):
                weights = torch.empty((size, out))
                torch.nn.init.orthogonal_(weights, 0.01 if out == sizes[-1] else 2**0.5)
                self.layers[f"{tower}{number}"] = weights.to(device)
                self.layers[f"{tower}{number}_bias"] = torch.zeros(out, device=device)
        self.layers["luck"] = torch.zeros((VALUE[-1], THROWS * MAX_PLAYERS), device=device)
        self.layers["luck_bias"] = torch.zeros(THROWS * MAX_PLAYERS, device=device)
        self._exact = torch.bfloat16 if device == "cuda" else torch.float32
        self._scale = torch.as_tensor(outlook.scale(), device=device).to(self._exact)
        reckoning = Reckoning.of(outlook, outlook.sees)
        self._columns = torch.as_tensor(reckoning.columns, device=device)
        self._least = torch.as_tensor(reckoning.least, device=device)
        one, other = (torch.as_tensor(side, device=device).to(self._exact) for side in reckoning.factors)
        self._factors = one, other

    @classmethod
    def holding(cls, weights: Weights, device: str, outlook: Outlook | None = None) -> Network:
        """A network that plays as these weights do, and can learn on, with a wider outlook if one is given.

        Where it is given more, or has more hidden values, than they have, that is not listened to yet.
        """
        network = cls(outlook or weights.outlook, device)
        for tower, hidden in _TOWERS.items():
            kept = [
                (weights.layers[f"{tower}{number}"], weights.layers[f"{tower}{number}_bias"])
                for number in range(weights.depth(tower))
            ]
            kept[0] = (network._among_inputs(kept[0][0], weights.outlook), kept[0][1])
            if tower == "policy":
                kept[-1] = network._among_actions(*kept[-1], weights.outlook)
            while len(kept) <= len(hidden):  # a layer that hands on what it is given changes nothing
                given = len(kept[-1][0])
                kept.insert(-1, (np.eye(given, dtype=np.float32), np.zeros(given, np.float32)))
            for number, (layer, bias) in enumerate(kept):
                network._take(f"{tower}{number}", layer, bias)
        return network

    def _among_inputs(self, layer: NDArray[np.float32], known: Outlook) -> NDArray[np.float32]:
        """A first layer's rows where this network has the same inputs; they are scaled here."""
        at, given = _places(known.inputs, self.outlook.inputs), len(self.outlook.inputs)
        more = layer[len(at) :]  # the second tower is told something beside
        own = np.zeros((given + len(more), layer.shape[1]), np.float32)
        own[at] = layer[: len(at)] / self.outlook.scale()[at, None]
        own[given:] = more
        return own

    def _among_actions(
        self, layer: NDArray[np.float32], bias: NDArray[np.float32], known: Outlook
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """A last layer's columns where this network has the same actions."""
        at = _places(known.does, self.outlook.does)
        own = np.zeros((len(layer), len(self.outlook.does)), np.float32)
        added = np.zeros(len(self.outlook.does), np.float32)
        own[:, at], added[at] = layer, bias
        return own, added

    def _take(self, name: str, layer: NDArray[np.float32], bias: NDArray[np.float32]) -> None:
        """Take over a layer; hidden values that it does not have are there, but not listened to."""
        given, out = layer.shape
        here = self.layers.get(name)
        if here is None or here.shape[0] < given or here.shape[1] < out:
            raise BotError(f"These weights are larger than a network is here: {name} has {given} × {out}.")
        here[:, :out] = 0
        here[:given, :out] = torch.as_tensor(layer)
        self.layers[f"{name}_bias"][:out] = torch.as_tensor(bias)

    def parameters(self, tower: tuple[str, ...]) -> list[Any]:
        """What of a tower is learned, ready for a gradient; its layers' names begin so."""
        return [layer.requires_grad_() for name, layer in self.layers.items() if name.startswith(tower)]

    def copy(self) -> dict[str, Any]:
        """The layers as they are now."""
        return {name: layer.detach().clone() for name, layer in self.layers.items()}

    def look(self, seen: Any, traits: Any) -> Any:
        """What either tower is given, of what is seen (bytes) and what the tables are."""
        numbers = seen.to(self._exact)
        one, other = self._factors
        steps = seen[:, self._columns] >= self._least
        products = (numbers @ one) * (numbers @ other)
        parts = (numbers, steps.to(self._exact), products, traits.to(self._exact))
        return torch.cat(parts, dim=1) * self._scale

    def policy(self, inputs: Any, masks: Any, layers: dict[str, Any] | None = None) -> Any:
        """Logarithms of the chances with which each action is taken."""
        layers = layers or self.layers
        logits = self._tell(f"policy{len(POLICY)}", self._climb("policy", inputs, layers), layers)
        return torch.log_softmax(logits.masked_fill(masks == 0, _NEVER), dim=1)

    def value(self, inputs: Any, among_equals: Any, players: Any) -> tuple[Any, Any]:
        """Logarithms of the chances to win, oneself first, then clockwise; now, and after each throw."""
        inputs = torch.cat((inputs, among_equals.to(inputs.dtype).unsqueeze(1)), dim=1)
        top = self._climb("value", inputs, self.layers)
        scores = self._tell(f"value{len(VALUE)}", top, self.layers)
        thrown = self._tell("luck", top, self.layers).unflatten(1, (THROWS, MAX_PLAYERS))
        missing = torch.arange(MAX_PLAYERS, device=self.device) >= players.unsqueeze(1)
        return (
            torch.log_softmax(scores.masked_fill(missing, _NEVER), dim=1),
            # What a throw does is added to where things stand.
            torch.log_softmax((scores.unsqueeze(1) + thrown).masked_fill(missing[:, None], _NEVER), dim=2),
        )

    def _climb(self, tower: str, x: Any, layers: dict[str, Any]) -> Any:
        for number in range(len(_TOWERS[tower])):
            weights, bias = layers[f"{tower}{number}"], layers[f"{tower}{number}_bias"]
            x = torch.relu(torch.addmm(bias.to(x.dtype), x, weights.to(x.dtype)))
        return x

    def _tell(self, name: str, top: Any, layers: dict[str, Any]) -> Any:
        return torch.addmm(layers[f"{name}_bias"], top.float(), layers[name])

    def save(self, file: Path, about: dict[str, Any]) -> None:
        """Plain arrays in half precision, for who plays: inputs are then what is seen, unscaled."""
        arrays = {
            name: layer.detach().cpu().numpy() for name, layer in self.layers.items() if name not in LUCK
        }
        scale = self.outlook.scale()[:, None]
        for first in ("policy0", "value0"):
            arrays[first] = arrays[first].copy()
            arrays[first][: len(scale)] *= scale
        half = {name: layer.astype(np.float16) for name, layer in arrays.items()}
        names = {part: np.array(named, dtype=str) for part, named in asdict(self.outlook).items()}
        told = {"version": VERSION, "most": MOST, **about}
        written = BytesIO()
        np.savez_compressed(written, about=np.array(json.dumps(told)), **names, **half)  # type: ignore[arg-type]
        write_whole(file, written.getvalue())


def _places(names: tuple[str, ...], among: tuple[str, ...]) -> list[int]:
    """Where names are among others; all of them must be."""
    at = numbered(among)
    if strange := [name for name in names if name not in at]:
        raise BotError(f'These weights know of "{strange[0]}", which no table here has.')
    return [at[name] for name in names]
