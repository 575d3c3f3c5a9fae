"""How the judge learns: its chances are moved towards who really won.

A network of one hidden layer, fitted by stochastic gradient descent (Adam) to maximise the likelihood of the
winners. Plain NumPy does it in a minute, so nothing heavier is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicetown.bots.learning.judge import HIDDEN, LEAK, NET
from dicetown.bots.learning.lessons import N_INPUTS, Lessons
from dicetown.rules import codes as c
from dicetown.rules.layout import new

Array = NDArray[np.float32]
Progress = Callable[[int, int], None]

BATCH = 4096
RATE = 3e-3  # how far a step goes at first; it falls to nothing like half a cosine
_MOMENTUM, _SCALE, _TINY = 0.9, 0.999, 1e-8  # Adam's usual constants


class Learner:
    """A network being fitted."""

    def __init__(self, seed: int) -> None:
        draw = np.random.default_rng(seed)
        self.weights: list[Array] = [
            (draw.standard_normal((N_INPUTS, HIDDEN)) * 0.05).astype(np.float32),
            np.zeros(HIDDEN, np.float32),
            (draw.standard_normal(HIDDEN) * 0.3).astype(np.float32),
        ]
        self._draw = draw
        self._mean = [np.zeros_like(weight) for weight in self.weights]
        self._square = [np.zeros_like(weight) for weight in self.weights]
        self._steps = 0

    def fit(self, courses: Sequence[Lessons], epochs: int, progress: Progress | None = None) -> None:
        """Go through all lessons so many times; each course is of one number of players."""
        total = epochs * sum(max(1, len(course.winner) // BATCH) for course in courses)
        for _ in range(epochs):
            for inputs, winner in self._batches(courses):
                self._step(inputs, winner, RATE * 0.5 * (1 + np.cos(np.pi * self._steps / total)))
                if progress is not None:
                    progress(self._steps, total)

    def loss(self, lessons: Lessons) -> float:
        """How surprised the network is by the winners, in nats a position: less is better."""
        surprise = 0.0
        for at in range(0, len(lessons.winner), BATCH):
            _, _, chances = self._judge(lessons.inputs[at : at + BATCH])
            winner = lessons.winner[at : at + BATCH]
            surprise -= float(np.log(chances[np.arange(len(winner)), winner] + 1e-12).sum())
        return surprise / len(lessons.winner)

    def net(self) -> Any:
        """What was learned, as the judge reads it."""
        net = new(NET)
        inputs, bias, out = self.weights
        net.own[:] = inputs[: c.MAX_THINGS]
        net.others[:] = inputs[c.MAX_THINGS : 2 * c.MAX_THINGS]
        net.seen[:] = inputs[2 * c.MAX_THINGS :]
        net.bias[:], net.out[:] = bias, out
        return net

    def _batches(self, courses: Sequence[Lessons]) -> Iterator[tuple[Array, NDArray[np.int64]]]:
        """All lessons in a random order, a batch of one course at a time."""
        batches = []
        for number, course in enumerate(courses):
            order = self._draw.permutation(len(course.winner))
            parts = np.array_split(order, max(1, len(order) // BATCH))
            batches += [(number, part) for part in parts]
        for place in self._draw.permutation(len(batches)):
            number, part = batches[place]
            yield courses[number].inputs[part], courses[number].winner[part]

    def _judge(self, inputs: Array) -> tuple[Array, Array, Array]:
        """The hidden layer before and after its bend, and the chances."""
        weights, bias, out = self.weights
        raw = inputs.reshape(-1, N_INPUTS) @ weights + bias
        bent = np.where(raw > 0, raw, np.float32(LEAK) * raw)
        scores = (bent @ out).reshape(inputs.shape[:2])
        scores -= scores.max(axis=1, keepdims=True)
        chances = np.exp(scores)
        return raw, bent, chances / chances.sum(axis=1, keepdims=True)

    def _step(self, inputs: Array, winner: NDArray[np.int64], rate: float) -> None:
        raw, bent, chances = self._judge(inputs)
        wrong = chances
        wrong[np.arange(len(winner)), winner] -= 1
        by_score = (wrong / len(winner)).reshape(-1, 1)
        by_raw = by_score * self.weights[2] * np.where(raw > 0, np.float32(1), np.float32(LEAK))
        slopes = [
            inputs.reshape(-1, N_INPUTS).T @ by_raw,
            by_raw.sum(axis=0),
            (bent * by_score).sum(axis=0),
        ]
        self._steps += 1
        for weight, slope, mean, square in zip(self.weights, slopes, self._mean, self._square, strict=True):
            mean += (1 - _MOMENTUM) * (slope - mean)
            square += (1 - _SCALE) * (slope * slope - square)
            size = np.sqrt(square / (1 - _SCALE**self._steps)) + _TINY
            weight -= (rate * mean / (1 - _MOMENTUM**self._steps) / size).astype(np.float32)
