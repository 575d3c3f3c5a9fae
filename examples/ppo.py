"""Train an agent of your own: PPO with masked actions, in one file.

    pip install 'dicetown[envs,learn]'
    python examples/ppo.py --save agent.npz

The agent plays a thousand games in step against bots (`greedy`, if no other is named). After every few steps
it learns from what it has seen: choices that came out better than it expected become likelier, others less
likely, but never by much at once; that is PPO. Only the end of a game is rewarded: +1 for the winner, and the
others share the loss. In the end it plays against `random` and `greedy`, with the choices it likes best.

What is saved, `examples/my_agent.py` plays: in the arena, in the terminal and in the browser.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import numpy as np
import typer
from numpy.typing import NDArray

from dicetown.arena import wilson
from dicetown.errors import DicetownError, EnvError, MissingExtra
from dicetown.extras import need

try:
    need("envs", "gymnasium", what="This example")
    need("learn", "jax", "optax", what="This example")
except MissingExtra as missing:
    sys.exit(str(missing))

import gymnasium
import jax
import jax.numpy as jnp
import optax  # type: ignore[import-untyped]

import dicetown.envs  # noqa: F401  which makes its environments known to Gymnasium
from dicetown.rules.ruleset import Ruleset
from dicetown.sight.spec import VERSION, Spec, spec_for

Weights: TypeAlias = dict[str, jax.Array]
Numbers: TypeAlias = NDArray[Any]

ENV = f"dicetown/Dicetown-v{VERSION}"
NEVER = -1e9  # the logit of what is not legal


@dataclass(frozen=True)
class Recipe:
    """How to learn; found by trying, for some minutes of two cores."""

    steps: int = 8_000_000  # choices of the agent, in all games
    envs: int = 1024  # games in step
    length: int = 32  # choices in each game between two lessons
    epochs: int = 3  # times that a lesson goes through them
    parts: int = 4  # pieces of a lesson, each of which moves the weights once
    hidden: int = 128  # width of both layers
    rate: float = 2e-3  # how far the weights move at first; in the end not at all
    patience: float = 0.98  # how far ahead a choice is given credit (GAE's lambda); rewards lose no worth
    clip: float = 0.2  # how much likelier or less likely a lesson may make a choice
    curiosity: float = 0.01  # what keeps the agent from making up its mind too soon
    warm_up: float = 0.1  # lessons against bots that play at random: who never wins has nothing to learn from
    seed: int = 0

    @property
    def lessons(self) -> int:
        """How many times the agent learns."""
        return max(1, self.steps // (self.envs * self.length))


@dataclass(frozen=True)
class Company:
    """What is played, and against whom."""

    edition: str
    sets: tuple[str, ...]
    players: int
    opponents: tuple[str, ...]

    @property
    def spec(self) -> Spec:
        """What is seen and done there."""
        return spec_for(Ruleset(self.edition, sets=self.sets), self.players)

    def games(self, number: int) -> Any:
        """So many games in step."""
        return gymnasium.make_vec(
            ENV,
            num_envs=number,
            edition=self.edition,
            sets=self.sets,
            players=self.players,
            opponents=self.opponents,
            copy=False,
        )


class Student:
    """Somebody who learns: a network that says what to do, and how the game will end."""

    def __init__(self, spec: Spec, recipe: Recipe) -> None:
        self.spec, self.recipe = spec, recipe
        self._scale = jnp.asarray(spec.scale)
        rate = optax.linear_schedule(recipe.rate, 0.0, recipe.lessons * recipe.epochs * recipe.parts)
        self._optimiser = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(rate, eps=1e-5))
        self.weights = self._begin()
        self._memory = self._optimiser.init(self.weights)
        # Compiled by JAX when they are first called.
        self._draw, self._judge = jax.jit(self._draw_choice), jax.jit(self._think)
        self._study = jax.jit(self._study_lesson)

    def _begin(self) -> Weights:
        """Weights that let signals through as strong as they come, and prefer no choice."""
        rng = np.random.default_rng(self.recipe.seed)
        hidden, weights = self.recipe.hidden, {}
        shapes = {
            "first": (self.spec.size, hidden, 2**0.5),
            "second": (hidden, hidden, 2**0.5),
            "choice": (hidden, self.spec.actions, 0.01),
            "value": (hidden, 1, 1.0),
        }
        for name, (inputs, outputs, gain) in shapes.items():
            tall = rng.standard_normal((max(inputs, outputs), min(inputs, outputs)))
            straight = np.linalg.qr(tall)[0]
            weights[f"{name}_w"] = gain * (straight if inputs >= outputs else straight.T)
            weights[f"{name}_b"] = np.zeros(outputs)
        return {name: jnp.asarray(array, jnp.float32) for name, array in weights.items()}

    # ------------------------------------------------------------------------ choosing

    def _think(self, weights: Weights, seen: jax.Array, mask: jax.Array) -> tuple[jax.Array, jax.Array]:
        """How much each action is liked, and what the game is expected to bring."""
        x = seen.astype(jnp.float32) * self._scale
        x = jax.nn.relu(x @ weights["first_w"] + weights["first_b"])
        x = jax.nn.relu(x @ weights["second_w"] + weights["second_b"])
        likings = x @ weights["choice_w"] + weights["choice_b"]
        value = x @ weights["value_w"] + weights["value_b"]
        return jnp.where(mask != 0, likings, NEVER), value[..., 0]

    def _draw_choice(
        self, weights: Weights, seen: jax.Array, mask: jax.Array, key: jax.Array
    ) -> tuple[jax.Array, jax.Array, jax.Array]:
        likings, value = self._think(weights, seen, mask)
        actions = jax.random.categorical(key, likings)
        return actions, _taken(jax.nn.log_softmax(likings), actions), value

    def try_out(self, seen: Numbers, mask: Numbers, key: jax.Array) -> tuple[Numbers, Numbers, Numbers]:
        """Choices drawn by liking, the logarithms of their probabilities, and what is expected."""
        actions, chances, values = self._draw(self.weights, seen, mask, key)
        return np.asarray(actions), np.asarray(chances), np.asarray(values)

    def choose(self, seen: Numbers, mask: Numbers) -> Numbers:
        """The choices it likes best."""
        return np.asarray(self._judge(self.weights, seen, mask)[0].argmax(axis=1))

    # ------------------------------------------------------------------------ learning

    def learn(self, lesson: dict[str, Numbers], expected: Numbers, key: jax.Array) -> None:
        """Learn from steps of all games, arrays of (length, envs, …); `expected` is what comes after them."""
        self.weights, self._memory = self._study(self.weights, self._memory, lesson, expected, key)

    def _study_lesson(
        self, weights: Weights, memory: Any, lesson: dict[str, jax.Array], expected: jax.Array, key: jax.Array
    ) -> tuple[Weights, Any]:
        surprise = self._look_back(lesson, expected)
        notes = {name: lesson[name] for name in ("seen", "mask", "action", "chance")}
        notes |= {"surprise": surprise, "outcome": surprise + lesson["value"]}
        notes = {name: array.reshape(-1, *array.shape[2:]) for name, array in notes.items()}

        def take_part(state: tuple[Weights, Any], rows: jax.Array) -> tuple[tuple[Weights, Any], None]:
            weights, memory = state
            slopes = jax.grad(self._regret)(weights, {name: array[rows] for name, array in notes.items()})
            change, memory = self._optimiser.update(slopes, memory)
            return (optax.apply_updates(weights, change), memory), None

        def go_through(state: tuple[Weights, Any], key: jax.Array) -> tuple[tuple[Weights, Any], None]:
            order = jax.random.permutation(key, len(notes["chance"]))
            return jax.lax.scan(take_part, state, order.reshape(self.recipe.parts, -1))

        return jax.lax.scan(go_through, (weights, memory), jax.random.split(key, self.recipe.epochs))[0]

    def _look_back(self, lesson: dict[str, jax.Array], expected: jax.Array) -> jax.Array:
        """How much better each choice came out than was expected (generalised advantage estimation)."""

        def step_back(
            later: tuple[jax.Array, jax.Array], step: tuple[jax.Array, jax.Array, jax.Array]
        ) -> tuple[tuple[jax.Array, jax.Array], jax.Array]:
            credit, value_after = later
            reward, goes_on, value = step
            credit = reward + goes_on * (value_after + self.recipe.patience * credit) - value
            return (credit, value), credit

        steps = lesson["reward"], 1.0 - lesson["ended"], lesson["value"]
        return jax.lax.scan(step_back, (jnp.zeros_like(expected), expected), steps, reverse=True)[1]

    def _regret(self, weights: Weights, notes: dict[str, jax.Array]) -> jax.Array:
        """What is made small: choices that disappointed, wrong expectations, and too little curiosity."""
        likings, value = self._think(weights, notes["seen"], notes["mask"])
        chances = jax.nn.log_softmax(likings)
        ratio = jnp.exp(_taken(chances, notes["action"]) - notes["chance"])
        surprise = notes["surprise"]
        surprise = (surprise - surprise.mean()) / (surprise.std() + 1e-8)
        held = jnp.clip(ratio, 1 - self.recipe.clip, 1 + self.recipe.clip)
        gain = jnp.minimum(ratio * surprise, held * surprise).mean()
        error = 0.5 * ((value - notes["outcome"]) ** 2).mean()
        doubt = -(jnp.exp(chances) * jnp.where(notes["mask"] != 0, chances, 0.0)).sum(axis=1).mean()
        return 0.5 * error - gain - self.recipe.curiosity * doubt


def _taken(chances: jax.Array, actions: jax.Array) -> jax.Array:
    return jnp.take_along_axis(chances, actions[:, None], axis=1)[:, 0]


# -------------------------------------------------------------------------------- training


@dataclass
class Progress:
    """How far the training has come."""

    steps: int
    games: int  # finished since the last lesson
    won: int
    against: str


def train(student: Student, company: Company) -> Iterator[Progress]:
    """Play and learn, lesson by lesson: at first against who plays at random, then against the opponents."""
    recipe, steps = student.recipe, 0
    key = jax.random.key(recipe.seed)
    first = int(recipe.warm_up * recipe.lessons)
    stages = (replace(company, opponents=("random",)), first), (company, recipe.lessons - first)
    for met, lessons in stages:
        games = met.games(recipe.envs)
        now = games.reset(seed=recipe.seed)
        for _ in range(lessons):
            key, draw, shuffle = jax.random.split(key, 3)
            lesson, expected, now = play(student, games, now, draw)
            student.learn(lesson, expected, shuffle)
            steps += lesson["ended"].size
            finished, won = int(lesson["ended"].sum()), int((lesson["reward"] > 0).sum())
            yield Progress(steps, finished, won, ", ".join(met.opponents))
        games.close()


def play(
    student: Student, games: Any, now: tuple[Numbers, dict[str, Any]], key: jax.Array
) -> tuple[dict[str, Numbers], Numbers, tuple[Numbers, dict[str, Any]]]:
    """Take the steps of a lesson: what was seen and done, what is expected after them, and how it stands."""
    lesson, (seen, info) = _empty_lesson(student.recipe, student.spec), now
    *draws, last = jax.random.split(key, student.recipe.length + 1)
    for step, draw in enumerate(draws):
        lesson["seen"][step], lesson["mask"][step] = seen, info["action_mask"]
        choice = student.try_out(seen, info["action_mask"], draw)
        lesson["action"][step], lesson["chance"][step], lesson["value"][step] = choice
        seen, lesson["reward"][step], over, given_up, info = games.step(choice[0])
        lesson["ended"][step] = over | given_up
    return lesson, student.try_out(seen, info["action_mask"], last)[2], (seen, info)


def _empty_lesson(recipe: Recipe, spec: Spec) -> dict[str, Numbers]:
    shape = recipe.length, recipe.envs
    return {
        "seen": np.empty((*shape, spec.size), np.int16),
        "mask": np.empty((*shape, spec.actions), np.int8),
        "action": np.empty(shape, np.int32),
        **{name: np.empty(shape, np.float32) for name in ("chance", "value", "reward", "ended")},
    }


def evaluate(student: Student, company: Company, number: int, seed: int) -> int:
    """Play so many games, each seat in turn, with the choices liked best; how many were won.

    Only the first game of each slot counts: among all that end within some steps, short ones are too many.
    """
    games = company.games(number)
    seen, info = games.reset(seed=seed)
    going_on, won = np.ones(number, np.bool_), 0
    while going_on.any():
        seen, reward, over, given_up, info = games.step(student.choose(seen, info["action_mask"]))
        won += int((going_on & (reward > 0)).sum())
        going_on &= ~(over | given_up)
    games.close()
    return won


def save(path: Path, student: Student, company: Company) -> None:
    """Keep the layers that choose, what they are for, and the scale of what is seen."""
    about = {"version": VERSION, **asdict(company), "recipe": asdict(student.recipe)}
    kept: dict[str, Any] = {"about": np.array(json.dumps(about)), "scale": student.spec.scale}
    for place, name in enumerate(("first", "second", "choice")):
        kept[f"policy_{place}_weight"] = np.asarray(student.weights[f"{name}_w"]).T
        kept[f"policy_{place}_bias"] = np.asarray(student.weights[f"{name}_b"])
    with path.open("wb") as file:
        np.savez(file, **kept)


# ------------------------------------------------------------------------------ the command


def main(
    edition: Annotated[str, typer.Option(help="ciudad, deluxe, grossstadt or neue_stadt.")] = "deluxe",
    sets: Annotated[str, typer.Option(help="Sets with commas.")] = "base",
    players: Annotated[int, typer.Option(help="How many play.")] = 2,
    opponents: Annotated[
        str, typer.Option(help="Bots to train with: one for all seats, or one for each, with commas.")
    ] = "greedy",
    steps: Annotated[int, typer.Option(help="Choices to learn from.", min=1)] = Recipe.steps,
    envs: Annotated[int, typer.Option(help="Games in step.", min=1)] = Recipe.envs,
    seed: Annotated[int, typer.Option(help="The same seed, the same agent.")] = Recipe.seed,
    games: Annotated[int, typer.Option(help="Games to evaluate the agent in.", min=1)] = 10_000,
    against: Annotated[str, typer.Option(help="Bots to evaluate it against, with commas.")] = "random,greedy",
    save_to: Annotated[Path | None, typer.Option("--save", help="A file for the agent.")] = None,
) -> None:
    """Train an agent against bots, and see how well it plays. Ctrl-C ends the training early."""
    try:
        company = Company(edition, tuple(sets.split(",")), players, tuple(opponents.split(",")))
        _check(company, against.split(","), save_to)
        run(company, Recipe(steps=steps, envs=envs, seed=seed), games, against.split(","), save_to)
    except DicetownError as problem:
        print(problem, file=sys.stderr)
        raise typer.Exit(2) from None


def _check(company: Company, against: Sequence[str], save_to: Path | None) -> None:
    """Refuse at once what would fail after minutes."""
    for others in (company.opponents, *((name,) for name in against)):
        replace(company, opponents=others).games(1).close()
    if save_to is not None and not save_to.absolute().parent.is_dir():
        raise EnvError(f"{save_to.parent}: there is no such folder to save the agent in.")


def run(
    company: Company, recipe: Recipe, games: int, against: Sequence[str], save_to: Path | None
) -> Student:
    """Train, keep, evaluate."""
    student = Student(company.spec, recipe)
    began = time.monotonic()
    try:
        _report(train(student, company), recipe)
    except KeyboardInterrupt:
        print("Ended early; what has been learned is kept.", file=sys.stderr)
    print(f"trained for {time.monotonic() - began:.0f} s")
    if save_to is not None:
        save(save_to, student, company)
        print(f"saved as {save_to}")
    for name in against:
        won = evaluate(student, replace(company, opponents=(name,)), games, seed=recipe.seed + 1)
        low, high = wilson(won, games)
        print(f"against {name}: won {won / games:.1%} of {games:,} games (95 %: {low:.1%} to {high:.1%})")
    return student


def _report(progress: Iterator[Progress], recipe: Recipe) -> None:
    """Say some twenty times how it goes."""
    every = max(1, recipe.lessons // 20)
    finished = won = 0
    began = time.monotonic()
    for number, so_far in enumerate(progress, start=1):
        finished, won = finished + so_far.games, won + so_far.won
        if number % every == 0 or number == recipe.lessons:
            share = f"{won / finished:6.1%}" if finished else "     –"
            pace = so_far.steps / (time.monotonic() - began)
            print(
                f"{so_far.steps:12,} steps  {pace:9,.0f} a second  won {share} of {finished:,} games "
                f"against {so_far.against}",
                flush=True,
            )
            finished = won = 0


if __name__ == "__main__":
    typer.run(main)
