"""Games in step at many tables, and what is remembered of them to learn from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicetown.bots.learning.outlook import MOST, Outlook
from dicetown.envs.core.batch import Batch
from dicetown.envs.core.steps import IS_OVER
from dicetown.rules.codes import MAX_PLAYERS
from dicetown.sight.spec import Spec
from dicetown.training.luck import Dice
from dicetown.training.network import Network
from dicetown.training.pytorch import torch
from dicetown.training.tables import BOTS, FORMER, ITSELF, Group

#: How freely players may stray from what they like best, in the network's scores, as levels do.
TEMPERATURES = (2.0, 6.0, 16.0)
_SHOWN = ("observations", "masks", "seats", "payoffs", "ends", "dice")


class MixedBatch:
    """The CPU's stand-in for a mixed batch on a GPU: one batch after the other, in the same arrays."""

    def __init__(self, groups: list[Group], seed: int = 0) -> None:
        self.games = sum(group.games for group in groups)
        self.groups = np.repeat(np.arange(len(groups)), [group.games for group in groups])
        self.width = max(group.table.spec.size for group in groups)
        self.breadth = max(group.table.spec.actions for group in groups)
        self.observations = np.zeros((self.games, self.width), np.int16)
        self.masks = np.zeros((self.games, self.breadth), np.int8)
        self.seats = np.zeros(self.games, np.int8)
        self.payoffs = np.zeros((self.games, MAX_PLAYERS), np.float32)
        self.ends = np.zeros(self.games, np.int8)
        self.dice = np.zeros(self.games, np.int8)
        self._batches = [Batch(group.table, group.games, seed + k) for k, group in enumerate(groups)]

    def reset(self, seed: int | None = None) -> None:
        """Begin all games anew."""
        for number, batch in enumerate(self._batches):
            batch.reset(None if seed is None else seed + number)
        self._show()

    def step(self, actions: Any) -> None:
        """Take one action in each game."""
        at = 0
        for batch in self._batches:
            batch.step(np.asarray(actions[at : at + batch.games]))
            at += batch.games
        self._show()

    def _show(self) -> None:
        at = 0
        for batch in self._batches:
            rows = slice(at, at + batch.games)
            for name in _SHOWN:
                part = getattr(batch, name)
                getattr(self, name)[rows][..., : part.shape[-1] if part.ndim > 1 else None] = part
            at += batch.games


class Arena:
    """Groups of games as a network sees them: everything in the common view, on the network's device."""

    def __init__(
        self, outlook: Outlook, groups: list[Group], device: str, seed: int, widest: list[Spec]
    ) -> None:
        self.device, self.groups = device, groups
        self.batch = self._batch_of(groups, seed, widest)
        self.games = self.batch.games
        self._now = {name: self._tensor(getattr(self.batch, name)) for name in _SHOWN}
        placed = [outlook.place(group.table.spec) for group in groups]
        # A column beyond the observation's last is always 0; so is one beyond the mask's.
        width, breadth = self.batch.width, self.batch.breadth
        eyes = np.full((len(groups), len(outlook.sees)), width, np.int64)
        hands = np.full((len(groups), len(outlook.does)), breadth, np.int64)
        traits = np.zeros((len(groups), len(outlook.traits)), np.float32)
        for number, place in enumerate(placed):
            eyes[number, place.sees] = np.arange(len(place.sees))
            hands[number, place.does] = np.arange(len(place.does))
            traits[number, place.traits] = 1
        self.group = self._tensor(self.batch.groups)
        self.traits = self._tensor(traits)
        self._eyes, self._hands = self._tensor(eyes)[self.group], self._tensor(hands)[self.group]
        players = np.array([group.table.spec.players for group in groups])
        self.players_of = self._tensor(players)
        self.players = self.players_of[self.group]
        self.among_equals = self._tensor(np.array([group.against == ITSELF for group in groups]))
        former = np.array([group.against == FORMER for group in groups])
        self.former = int(np.argmax(former[self.batch.groups])) if former.any() else self.games
        slots = torch.arange(self.games, device=device)
        self.mine = torch.where(slots >= self.former, slots % self.players, -1)  # my seat among former selves
        patience = np.array([1.0 if group.against == BOTS else group.table.spec.players for group in groups])
        self.patience = self._tensor(patience.astype(np.float32))[self.group]

    def _batch_of(self, groups: list[Group], seed: int, widest: list[Spec]) -> Any:
        if self.device != "cuda":
            return MixedBatch(groups, seed)
        from dicetown.envs.gpu.mixed import MixedGpuBatch

        return MixedGpuBatch([(group.table, group.games) for group in groups], seed, widest=widest)

    def _tensor(self, array: Any) -> Any:
        return torch.as_tensor(array, device=self.device)

    def see(self) -> tuple[Any, Any]:
        """What is seen and allowed now, in the common view, as bytes."""
        seen = _with_nothing(self._now["observations"].clamp(0, MOST).to(torch.uint8))
        masks = _with_nothing(self._now["masks"])
        return seen.gather(1, self._eyes), masks.gather(1, self._hands)

    @property
    def seats(self) -> Any:
        """Whose choice it is."""
        return self._now["seats"].long()

    @property
    def is_mine(self) -> Any:
        """Where the network itself chooses, and not a former self."""
        return (self.mine < 0) | (self.mine == self.seats)

    def step(self, actions: Any) -> tuple[Any, Any]:
        """Take actions of the common view; which games have ended, and how each seat came out."""
        self.batch.step(self._hands.gather(1, actions[:, None]).squeeze(1))
        if self.device == "cpu":
            self._now = {name: self._tensor(getattr(self.batch, name)) for name in _SHOWN}
        ends = self._now["ends"]
        won = (self._now["payoffs"] > 0.5).float()
        nobody = self.seats_there / self.players[:, None]
        return ends != 0, torch.where((ends == IS_OVER)[:, None], won, nobody)

    @property
    def dice(self) -> Any:
        """What the first dice showed that were thrown in the last step, as the engine counts it."""
        return self._now["dice"]

    @property
    def seats_there(self) -> Any:
        """One for each seat there is, nothing for the others."""
        return (torch.arange(MAX_PLAYERS, device=self.device) < self.players[:, None]).float()

    def by_seat(self, chances: Any, seats: Any) -> Any:
        """Chances given clockwise from who chooses, by seat."""
        turned = (torch.arange(MAX_PLAYERS, device=self.device) - seats[:, None]) % self.players[:, None]
        return chances.gather(1, turned) * self.seats_there

    def by_turn(self, chances: Any, seats: Any) -> Any:
        """Chances given by seat, clockwise from who chooses."""
        turned = (torch.arange(MAX_PLAYERS, device=self.device) + seats[:, None]) % self.players[:, None]
        return chances.gather(1, turned) * self.seats_there


def _with_nothing(array: Any) -> Any:
    return torch.nn.functional.pad(array, (0, 1))


def draw(chances: Any) -> Any:
    """An action for each game, drawn by the logarithms of their chances."""
    noise = torch.rand_like(chances).clamp_(1e-10, 1 - 1e-7)
    return (chances - (-noise.log()).log()).argmax(dim=1)


def temper(games: int, device: str) -> Any:
    """One of the temperatures at which players stray, for each game."""
    kinds = torch.randint(len(TEMPERATURES), (games,), device=device)
    return torch.tensor(TEMPERATURES, device=device)[kinds]


@dataclass
class Lessons:
    """What happened in some steps of all games, flat: a row for each choice."""

    seen: Any
    masks: Any
    group: Any
    actions: Any
    before: Any  # the logarithm of the chance with which the action was taken
    gains: Any  # how much better it went than expected
    targets: Any  # who won, as far as is known, clockwise from who chose
    throws: Any  # which dice were thrown next, if any
    thrown: Any  # everybody's chances at the next choice, clockwise from who chose
    mine: Any  # whether the network itself chose


class Collector:
    """Plays some steps at a time and keeps what is to be learned from."""

    def __init__(self, arena: Arena, outlook: Outlook, steps: int, smoothing: float) -> None:
        self.arena, self.steps = arena, steps
        self._forgetting = (smoothing ** (1 / arena.patience))[:, None]
        shape = (steps, arena.games)

        def room(*size: int, dtype: Any = torch.float32) -> Any:
            return torch.zeros((*shape, *size), dtype=dtype, device=arena.device)

        self.seen = room(len(outlook.sees), dtype=torch.uint8)
        self.masks = room(len(outlook.does), dtype=torch.int8)
        self.seats, self.actions = room(dtype=torch.int64), room(dtype=torch.int64)
        self.mine, self.ends = room(dtype=torch.bool), room(dtype=torch.bool)
        self.before = room()
        self.values, self.outcomes, self.luck = room(MAX_PLAYERS), room(MAX_PLAYERS), room(MAX_PLAYERS)
        self.throws = room(dtype=torch.int64)
        self._dice = Dice(arena.device)
        self._ease = self._tempers()  # of rivals: how freely they stray in this game
        self._group = arena.group.expand(steps, -1).flatten()
        self.finished = torch.zeros(len(arena.groups), device=arena.device)
        self.won = torch.zeros(len(arena.groups), device=arena.device)
        arena.batch.reset()

    def play(self, network: Network, former: dict[str, Any] | None) -> Lessons:
        """Take the steps and look back on them."""
        arena = self.arena
        with torch.no_grad():
            for t in range(self.steps):
                self._step(t, network, former)
            seen, _ = arena.see()
            last, _ = self._chances(network, network.look(seen, arena.traits[arena.group]), arena.seats)
            gains, targets, thrown = self._look_back(last, self._counts())
        flat = (
            *(self.seen, self.masks, self.actions, self.before, gains, targets),
            *(self.throws, thrown, self.mine),
        )
        parts = [part.flatten(0, 1) for part in flat]
        return Lessons(parts[0], parts[1], self._group, *parts[2:])

    def _step(self, t: int, network: Network, former: dict[str, Any] | None) -> None:
        arena = self.arena
        self.seen[t], self.masks[t] = arena.see()
        self.seats[t], self.mine[t] = arena.seats, self._counts()
        inputs = network.look(self.seen[t], arena.traits[arena.group])
        chances = network.policy(inputs, self.masks[t])
        if former is not None and arena.former < arena.games:
            rows = slice(arena.former, None)
            theirs = network.policy(inputs[rows], self.masks[t][rows], former)
            theirs = theirs / self._ease[rows, None]
            chances[rows] = torch.where(self.mine[t][rows, None], chances[rows], theirs)
        self.values[t], told = self._chances(network, inputs, self.seats[t])
        actions = self._choose(chances)
        self.actions[t] = actions
        self.before[t] = chances.gather(1, actions[:, None]).squeeze(1)
        self.ends[t], self.outcomes[t] = arena.step(actions)
        self.throws[t] = self._dice.throw(arena.dice)
        self.luck[t] = arena.by_seat(self._dice.luck(told, self.throws[t]), self.seats[t])
        self._ease = torch.where(self.ends[t], self._tempers(), self._ease)
        over = self.ends[t].float()
        won = self.outcomes[t].gather(1, self._my_seat(t)).squeeze(1)
        self.finished.index_add_(0, arena.group, over)
        self.won.index_add_(0, arena.group, over * won)

    def _tempers(self) -> Any:
        """How freely rivals stray in new games: in half of them not at all, else as people of all kinds."""
        games, device = self.arena.games, self.arena.device
        return torch.where(torch.rand(games, device=device) < 0.5, 1.0, temper(games, device))

    def _counts(self) -> Any:
        """Where what is chosen now is to be learned from."""
        return self.arena.is_mine

    def _choose(self, chances: Any) -> Any:
        """An action for each game, of the logarithms of their chances."""
        return draw(chances)

    def _my_seat(self, t: int) -> Any:
        mine = self.arena.mine
        return torch.where(mine < 0, self.seats[t], mine)[:, None]

    def _chances(self, network: Network, inputs: Any, seats: Any) -> tuple[Any, Any]:
        """Every seat's chance to win, by seat; and after each throw, clockwise from who chooses."""
        arena = self.arena
        now, thrown = network.value(inputs, arena.among_equals[arena.group], arena.players)
        return arena.by_seat(now.exp(), seats), thrown.exp()

    def _look_back(self, last: Any, last_is_known: Any) -> tuple[Any, Any, Any]:
        """From the last step to the first: what each choice led to, as far as is known, luck taken off."""
        arena, keep = self.arena, self._forgetting
        gains, targets = torch.zeros_like(self.before), torch.zeros_like(self.values)
        thrown = torch.zeros_like(self.values)
        ahead, value, known = last, last, last_is_known
        for t in reversed(range(self.steps)):
            led_to = torch.where(known[:, None], (1 - keep) * value + keep * ahead, ahead)
            over, seat = self.ends[t][:, None], self.seats[t]
            ahead = torch.where(over, self.outcomes[t], led_to) - self.luck[t]
            gains[t] = (ahead - self.values[t]).gather(1, seat[:, None]).squeeze(1)
            targets[t] = arena.by_turn(ahead, seat)
            thrown[t] = arena.by_turn(torch.where(over, self.outcomes[t], value), seat)
            value, known = self.values[t], self.mine[t]
        return gains, targets, thrown

    def wins(self) -> NDArray[np.float64]:
        """The share of games won since last asked, by group."""
        share = self.won / self.finished.clamp(min=1)
        self.won.zero_()
        self.finished.zero_()
        return np.asarray(share.double().cpu().numpy())
