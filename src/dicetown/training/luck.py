"""Luck, and how to learn without being misled by it.

Most of what happens to a chance to win is the dice's doing. Who learns from how a game went on mistakes luck
for wisdom, and needs many games to tell them apart. So a network that learns also foretells what each throw
would do to everybody's chances; what the dice did bring, less what they bring on average, is luck, and is
taken off what a choice has led to. However wrong the foretelling is, that is nothing on average, as the dice
do not know what was foretold: nothing is falsified, and what is left is steadier. (Backgammon players know
this as luck adjustment, poker players as AIVAT.)
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

from dicetown.rules.codes import TWO_DICE_BASE
from dicetown.training.pytorch import torch

_FACES = range(1, 7)
_PAIRS = tuple(combinations_with_replacement(_FACES, 2))
#: Throws that can be told apart: of one die, and of two.
THROWS = len(_FACES) + len(_PAIRS)
_NONE = -1


class Dice:
    """The throws by number, on a device: which is which, and how likely each is."""

    def __init__(self, device: str) -> None:
        numbers = torch.full((TWO_DICE_BASE * (len(_FACES) + 1),), _NONE)
        for number, die in enumerate(_FACES):
            numbers[die] = number
        for number, (die, other) in enumerate(_PAIRS, start=len(_FACES)):
            numbers[die * TWO_DICE_BASE + other] = numbers[other * TWO_DICE_BASE + die] = number
        self._numbers = numbers.to(device)
        chances = torch.zeros((2, THROWS))
        chances[0, : len(_FACES)] = 1 / len(_FACES)
        for number, (die, other) in enumerate(_PAIRS, start=len(_FACES)):
            chances[1, number] = (1 if die == other else 2) / len(_FACES) ** 2
        self._chances = chances.to(device)

    def throw(self, shown: Any) -> Any:
        """The numbers of throws, of what dice showed as the engine counts it; -1 where none were thrown."""
        return self._numbers[shown.long()]

    def luck(self, told: Any, throws: Any) -> Any:
        """How much more than on average everybody got by a throw, by chances that were foretold for each."""
        usual = torch.einsum("kt,nts->nks", self._chances, told)
        here = throws.clamp(min=0)
        got = pick(told, here)
        expected = pick(usual, (here >= len(_FACES)).long())
        return torch.where((throws == _NONE)[:, None], 0.0, got - expected)


def pick(told: Any, throws: Any) -> Any:
    """What was told about one throw each."""
    return told.gather(1, throws[:, None, None].expand(-1, 1, told.shape[2])).squeeze(1)
