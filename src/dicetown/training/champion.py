"""The champion's training: play, learn, remember former selves, say how it stands, and keep what was learned.

A GPU may be yours for minutes at a time, so everything is kept every minute, and a run goes on from what was
kept before::

    dicetown train champion classic --minutes 15 --out champion/
    dicetown train champion classic --minutes 15 --out champion/ --start champion/classic.pt

It can also go on from weights that play (``champion-classic.npz``), with an optimiser that remembers nothing.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from dicetown.bots.learning.champion import Weights
from dicetown.bots.learning.outlook import Outlook
from dicetown.envs.core.batch import Table
from dicetown.errors import BotError
from dicetown.sight.spec import Spec
from dicetown.training.appraisal import Appraiser, groups_in_earnest
from dicetown.training.network import Network
from dicetown.training.playouts import measure
from dicetown.training.ppo import VALUE, Learner, Manner
from dicetown.training.pytorch import need_pytorch, torch
from dicetown.training.selfplay import Arena, Collector
from dicetown.training.tables import BOTS, FORMER, Group, Shares, games, groups_of, specs_of
from dicetown.whole_files import write_whole

Say = Callable[[str], None]
#: Seconds between two reports, and between two times that everything is kept.
_SPEAK, _KEEP = 15.0, 60.0
#: So many former selves are kept.
_FORMER = 12


@dataclass(frozen=True)
class Course:
    """What a run of the training is to do."""

    game: str
    minutes: float
    out: Path
    start: Path | None = None
    seed: int = 1
    device: str = "cuda"
    shares: Shares = field(default_factory=Shares)
    manner: Manner = field(default_factory=Manner)
    appraising: float = 0.0  # minutes, in the end, in which only the second tower learns on


class Training:
    """A run of the training."""

    def __init__(self, course: Course, say: Say) -> None:
        need_pytorch()
        if course.device == "cuda" and not torch.cuda.is_available():
            raise BotError("There is no CUDA GPU here that PyTorch could use; --device cpu learns without.")
        self.course, self._say = course, say
        try:
            course.out.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise BotError(f"{course.out}: this folder cannot be made ({problem.strerror}).") from None
        torch.set_float32_matmul_precision("high")
        self.specs = list(specs_of(course.game))
        self.former: list[dict[str, Any]] = []
        self.choices = 0
        if course.start and course.start.suffix == ".npz":
            weights, outlook = _read_weights(course.start), Outlook.over(self.specs)
            self.network = Network.holding(weights, course.device, outlook)
            self.learner = Learner(self.network, course.manner)
        else:
            kept = _read_checkpoint(course) if course.start else None
            outlook = Outlook(**kept["outlook"]) if kept else Outlook.over(self.specs)
            self.network = Network(outlook, course.device, course.seed)
            self.learner = Learner(self.network, course.manner)
            if kept:
                self._go_on_from(kept)
        # All games of all training share one compiled kernel.
        self.widest = [spec for game in games() for spec in specs_of(game)]

    def _arena(self, groups: list[Group]) -> Arena:
        seed = self.course.seed + self.choices
        return Arena(self.network.outlook, groups, self.course.device, seed, self.widest)

    def run(self) -> None:
        """Play and learn in turns until the time is up; then learn to tell chances."""
        if self.course.minutes:
            self._learn()
        if self.course.appraising:
            self._appraise()

    def _learn(self) -> None:
        manner = self.course.manner
        arena = self._arena(groups_of(self.specs, self.course.shares))
        collector = Collector(arena, self.network.outlook, manner.steps, manner.smoothing)
        begun = time.perf_counter()
        seconds, spoken, kept, remembered = self.course.minutes * 60, 0.0, 0.0, -1e9
        lucky = Random(self.course.seed)
        first = self.choices
        while (spent := time.perf_counter() - begun) < seconds:
            left = 1 - spent / seconds
            curiosity = self.learner.pace(left)
            if spent - remembered > seconds / (2 * _FORMER):
                remembered = spent
                self.former = [*self.former[-2 * _FORMER + 1 :], self.network.copy()]
            lessons = collector.play(self.network, lucky.choice(self.former))
            entropy, surprise = self.learner.learn(lessons, arena, curiosity)
            self.choices += len(lessons.actions)
            if spent - spoken > _SPEAK:
                spoken = spent
                pace = (self.choices - first) / (spent + 1e-9)
                self._report(collector, spent, pace, entropy, surprise)
            if spent - kept > _KEEP:
                kept = spent
                self._keep_meanwhile()
        self.keep()

    def _appraise(self) -> None:
        """The second tower alone learns on, from games in earnest."""
        manner = self.course.manner
        shares = groups_of(self.specs, self.course.shares)
        arena = self._arena(groups_in_earnest(self.specs, sum(group.games for group in shares)))
        appraiser = Appraiser(arena, self.network.outlook, manner.steps, manner.smoothing)
        learner = Learner(self.network, manner, towers=(VALUE,))
        begun, seconds, spoken, kept = time.perf_counter(), self.course.appraising * 60, 0.0, 0.0
        while (spent := time.perf_counter() - begun) < seconds:
            learner.pace(1 - spent / seconds)
            _, surprise = learner.learn(appraiser.play(self.network, None), arena, 0.0)
            if spent - spoken > _SPEAK:
                spoken = spent
                self._say(f"{spent:5.0f} s of appraisal, surprise {surprise:.4f}")
            if spent - kept > _KEEP:
                kept = spent
                self._keep_meanwhile()
        self.keep()

    def _report(
        self, collector: Collector, spent: float, pace: float, entropy: float, surprise: float
    ) -> None:
        wins, groups = collector.wins(), collector.arena.groups
        stands = {"seconds": round(spent), "choices": self.choices, "entropy": entropy, "surprise": surprise}
        for title, against, players in (
            ("planner_4p", BOTS, 4),
            ("planner_2p", BOTS, 2),
            ("former_4p", FORMER, 4),
        ):
            found = [
                wins[k]
                for k, group in enumerate(groups)
                if group.against == against
                and group.table.spec.players == players
                and set(group.table.opponents) <= {"planner"}
            ]
            stands[title] = float(np.mean(found)) if found else 0.0
        with suppress(OSError), (self.course.out / f"{self.course.game}-curve.jsonl").open("a") as file:
            file.write(json.dumps(stands) + "\n")  # it is said as well
        told = ", ".join(f"{name} {stands[name]:.3f}" for name in list(stands)[2:])
        self._say(f"{spent:5.0f} s, {self.choices / 1e6:.0f} M choices, {pace / 1e6:.2f} M/s, {told}")

    # ------------------------------------------------------------------------ what is kept

    @property
    def checkpoint(self) -> Path:
        """Where the training can go on from."""
        return self.course.out / f"{self.course.game}.pt"

    def keep(self) -> None:
        """Keep what plays, and what is needed to go on; raises a BotError if that cannot be written."""
        try:
            self._write()
        except OSError as problem:
            raise BotError(f"{self.course.out}: this cannot be kept there ({problem.strerror}).") from None

    def _keep_meanwhile(self) -> None:
        """The same, as far as it is possible: a disk that is full now may not be so in the end."""
        try:
            self.keep()
        except BotError as problem:
            self._say(f"{problem} The training goes on.")

    def _write(self) -> None:
        self.network.save(
            self.course.out / f"{self.course.game}.npz", {"game": self.course.game, "choices": self.choices}
        )
        moments = self.learner.optimiser.state_dict()["state"]
        kept = {
            "game": self.course.game,
            "choices": self.choices,
            "outlook": asdict(self.network.outlook),
            "layers": {name: layer.cpu() for name, layer in self.network.copy().items()},
            "moments": {
                number: {
                    "step": one["step"].cpu(),
                    **{name: one[name].bfloat16().cpu() for name in ("exp_avg", "exp_avg_sq")},
                }
                for number, one in moments.items()
            },
        }
        written = BytesIO()
        torch.save(kept, written)
        write_whole(self.checkpoint, written.getvalue())

    def _go_on_from(self, kept: dict[str, Any]) -> None:
        self.choices = kept["choices"]
        with torch.no_grad():
            for name, layer in kept["layers"].items():
                self.network.layers[name].copy_(layer)
        state = self.learner.optimiser.state_dict()
        device = self.course.device
        state["state"] = {
            number: {name: part.to(device).float() for name, part in one.items()}
            for number, one in kept["moments"].items()
        }
        self.learner.optimiser.load_state_dict(state)

    # ------------------------------------------------------------------------ how good it is

    def measure(self, opponents: list[str], games_each: int, seed: int = 99) -> list[tuple[Spec, int, int]]:
        """Games won and played against these bots at every table, always with the likeliest action."""
        groups = [
            Group(Table.of(spec.ruleset, spec.players, opponents), games_each, BOTS) for spec in self.specs
        ]
        return measure(self.network, groups, self.course.device, self.widest, seed)


def _read_weights(file: Path) -> Weights:
    try:
        with file.open("rb") as opened:
            return Weights.read(opened, str(file))
    except FileNotFoundError:
        raise BotError(f"{file}: there are no such weights.") from None


def _read_checkpoint(course: Course) -> dict[str, Any]:
    assert course.start is not None
    try:
        kept: dict[str, Any] = torch.load(course.start, map_location="cpu", weights_only=True)
    except FileNotFoundError:
        raise BotError(f"{course.start}: there is no such checkpoint.") from None
    except Exception as problem:
        raise BotError(f"{course.start} is no checkpoint of the champion: {problem}") from None
    if kept.get("game") != course.game:
        raise BotError(f"{course.start} is a checkpoint of {kept.get('game')}, not of {course.game}.")
    return kept
