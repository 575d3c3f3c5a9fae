"""The champion's network while it learns: what to do, and who will win.

Two towers of two hidden layers look at the same numbers. One says what to do; the other gives every seat a
chance to win, and is told in addition whether all players are its like, so that it can tell chances among
equals from chances against weaker ones.
"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from dicetown.bots.learning.champion import Weights
from dicetown.bots.learning.outlook import MOST, STAIRS, Outlook
from dicetown.rules.codes import MAX_PLAYERS
from dicetown.sight.spec import VERSION
from dicetown.training.pytorch import torch

#: Hidden values of either tower.
POLICY, VALUE = (768, 512), (512, 512)
_NEVER = -1e9


class Network:
    """Layers by name: matrices from inputs to outputs, and what is added."""

    def __init__(self, outlook: Outlook, device: str, seed: int = 1) -> None:
        self.outlook, self.device = outlook, device
        torch.manual_seed(seed)
        towers = {
            "policy": (outlook.inputs, *POLICY, len(outlook.does)),
            "value": (outlook.inputs + 1, *VALUE, MAX_PLAYERS),
        }
        self.layers: dict[str, Any] = {}
        for tower, sizes in towers.items():
            for number, (size, out) in enumerate(pairwise(sizes)):
                weights = torch.empty((size, out))
                torch.nn.init.orthogonal_(weights, 0.01 if out == sizes[-1] else 2**0.5)
                self.layers[f"{tower}{number}"] = weights.to(device)
                self.layers[f"{tower}{number}_bias"] = torch.zeros(out, device=device)
        self._scale = torch.as_tensor(outlook.scale(), device=device)
        self._coins = torch.as_tensor(outlook.coins(), device=device)
        self._stairs = torch.tensor(STAIRS, dtype=torch.uint8, device=device)

    @classmethod
    def holding(cls, weights: Weights, device: str) -> Network:
        """A network that plays as these weights do, and can learn on."""
        network = cls(weights.outlook, device)
        scale, seen = weights.outlook.scale()[:, None], len(weights.outlook.sees)
        for name, kept in weights.layers.items():
            layer = kept.copy()
            if name in ("policy0", "value0"):
                layer[:seen] /= scale
            network.layers[name].copy_(torch.as_tensor(layer))
        return network

    def parameters(self) -> list[Any]:
        """All that is learned, ready for a gradient."""
        return [layer.requires_grad_() for layer in self.layers.values()]

    def copy(self) -> dict[str, Any]:
        """The layers as they are now."""
        return {name: layer.detach().clone() for name, layer in self.layers.items()}

    def look(self, seen: Any, traits: Any) -> Any:
        """What either tower is given, of what is seen (bytes) and what the tables are."""
        exact = torch.bfloat16 if self.device == "cuda" else torch.float32
        stairs = seen[:, self._coins].unsqueeze(2) >= self._stairs
        parts = (seen.to(exact) * self._scale.to(exact), stairs.flatten(1).to(exact), traits.to(exact))
        return torch.cat(parts, dim=1)

    def policy(self, inputs: Any, masks: Any, layers: dict[str, Any] | None = None) -> Any:
        """Logarithms of the chances with which each action is taken."""
        logits = self._climb("policy", inputs, layers or self.layers)
        return torch.log_softmax(logits.masked_fill(masks == 0, _NEVER), dim=1)

    def value(self, inputs: Any, among_equals: Any, players: Any) -> Any:
        """Logarithms of the chances to win, oneself first, the others clockwise."""
        inputs = torch.cat((inputs, among_equals.to(inputs.dtype).unsqueeze(1)), dim=1)
        scores = self._climb("value", inputs, self.layers)
        missing = torch.arange(MAX_PLAYERS, device=self.device) >= players.unsqueeze(1)
        return torch.log_softmax(scores.masked_fill(missing, _NEVER), dim=1)

    def _climb(self, tower: str, x: Any, layers: dict[str, Any]) -> Any:
        for number in range(2):
            weights, bias = layers[f"{tower}{number}"], layers[f"{tower}{number}_bias"]
            x = torch.relu(torch.addmm(bias.to(x.dtype), x, weights.to(x.dtype)))
        return torch.addmm(layers[f"{tower}2_bias"], x.float(), layers[f"{tower}2"])

    def save(self, file: Path, about: dict[str, Any]) -> None:
        """Plain arrays in half precision, for who plays: inputs are then what is seen, unscaled."""
        arrays = {name: layer.detach().cpu().numpy() for name, layer in self.layers.items()}
        seen = len(self.outlook.sees)
        for tower in ("policy0", "value0"):
            arrays[tower] = arrays[tower].copy()
            arrays[tower][:seen] *= self.outlook.scale()[:, None]
        half = {name: layer.astype(np.float16) for name, layer in arrays.items()}
        names = {part: np.array(getattr(self.outlook, part)) for part in ("sees", "traits", "does")}
        told = {"version": VERSION, "stairs": STAIRS, "most": MOST, **about}
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("wb") as out:
            np.savez_compressed(out, about=np.array(json.dumps(told)), **names, **half)  # type: ignore[arg-type]
