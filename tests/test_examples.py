"""The examples of learning: an agent is trained, kept, and plays where every bot plays."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from examples.my_agent import MyAgent
from tests.running import Run

from dicetown import Game, Ruleset
from dicetown.bots import View
from dicetown.errors import BotError
from dicetown.sight.spec import VERSION, spec_for

EXAMPLES = Path(__file__).parents[1] / "examples"
LEARNER, PLAYER = EXAMPLES / "ppo.py", EXAMPLES / "my_agent.py"
BASE = Ruleset("deluxe", sets=["base"])
SPEC = spec_for(BASE, 2)


def python(*words: object) -> subprocess.CompletedProcess[str]:
    """Run Python apart from the tests: JAX has threads, and would forbid this process to fork."""
    command = [sys.executable, *map(str, words)]
    quiet = os.environ | {"JAX_PLATFORMS": "cpu"}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=quiet)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """An agent that has learned for some seconds, and what was said about it."""
    path = tmp_path_factory.mktemp("agent") / "agent.npz"
    ran = python(LEARNER, "--steps", 100_000, "--envs", 256, "--games", 500, "--save", path)
    assert ran.returncode == 0, ran.stderr
    return path, ran.stdout


@pytest.fixture
def kept() -> dict[str, Any]:
    """What the file of an agent holds; this one likes everything alike."""
    about = {"version": VERSION, "edition": "deluxe", "sets": ["base"], "players": 2}
    return {
        "about": np.array(json.dumps(about)),
        "scale": SPEC.scale,
        "policy_0_weight": np.zeros((SPEC.actions, SPEC.size), np.float32),
        "policy_0_bias": np.zeros(SPEC.actions, np.float32),
    }


# -------------------------------------------------------------------------------- learning


@pytest.mark.slow
def test_an_agent_that_has_learned_for_seconds_beats_chance(trained: tuple[Path, str]) -> None:
    path, said = trained
    found = re.search(r"against random: won ([\d.]+)% of 500 games \(95 %: ([\d.]+)% to [\d.]+%\)", said)
    assert found is not None, said
    assert float(found[2]) > 50
    assert re.search(r"won +[\d.]+% of [\d,]+ games against greedy\n", said)
    assert f"saved as {path}" in said
    assert re.search(r"against greedy: won [\d.]+% of 500 games", said)


@pytest.mark.slow
def test_it_plays_as_well_through_the_arena(trained: tuple[Path, str], dicetown: Run) -> None:
    agent = f"pipe:{sys.executable} {PLAYER} {trained[0]}"
    where = ["--edition", "deluxe", "--sets", "base", "--players", 2]
    ran = dicetown("arena", "--bots", agent, "--bots", "random", "--games", 12, *where, "--json")
    assert ran.status == 0
    mine = json.loads(ran.out)["results"][0]
    assert mine["bot"] == agent
    assert mine["games"] == 12
    assert mine["wins"] > 6
    assert not mine["faults"], "it failed in a game"


@pytest.mark.slow
def test_the_same_seed_makes_the_same_agent() -> None:
    script = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import numpy as np, ppo\n"
        "def learn():\n"
        "    recipe = ppo.Recipe(steps=2048, envs=64, length=16, hidden=8, seed=3)\n"
        "    company = ppo.Company('neue_stadt', ('base',), 3, ('greedy', 'random'))\n"
        "    student = ppo.Student(company.spec, recipe)\n"
        "    assert [so_far.steps for so_far in ppo.train(student, company)] == [1024, 2048]\n"
        "    return np.concatenate([np.ravel(layer) for layer in student.weights.values()])\n"
        "assert (learn() == learn()).all()\n"
    )
    ran = python("-c", script, EXAMPLES)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--players", "7"], "7 players cannot play deluxe with these sets; accepted are 2 to 4."),
        (["--save", "no/where/agent.npz"], "no/where: there is no such folder to save the agent in."),
    ],
)
def test_what_cannot_be_trained_is_said_at_once(options: list[str], sentence: str) -> None:
    ran = python(LEARNER, *options)
    assert (ran.returncode, ran.stderr, ran.stdout) == (2, f"{sentence}\n", "")


def test_who_lacks_jax_is_told_what_brings_it() -> None:
    script = "import sys, runpy; sys.modules['jax'] = None; runpy.run_path(sys.argv[1], run_name='__main__')"
    ran = python("-c", script, LEARNER)
    assert ran.returncode == 1
    assert ran.stderr == "This example needs the package jax: pip install 'dicetown[learn]'\n"


# --------------------------------------------------------------------------------- playing


def test_the_player_thinks_without_jax_numba_or_a_compiler() -> None:
    script = "import sys; sys.path.insert(0, sys.argv[1]); import my_agent; print(*sys.modules)"
    ran = python("-c", script, EXAMPLES)
    assert ran.returncode == 0, ran.stderr
    assert not {"jax", "optax", "numba"} & set(ran.stdout.split())


def test_what_it_likes_best_of_what_is_legal_is_played(kept: dict[str, Any], tmp_path: Path) -> None:
    kept["policy_0_bias"] = np.arange(SPEC.actions)  # the last action, a radio tower, is liked best
    np.savez(tmp_path / "agent.npz", **kept)
    agent = MyAgent(tmp_path / "agent.npz")
    game = Game(BASE, players=2, seed=7)
    assert str(agent.choose(View.of(game), Random(0))) == "roll 1"
    game.play("roll 1")
    assert str(agent.choose(View.of(game), Random(0))) == "build fruit_and_vegetable_market"


@pytest.mark.parametrize(
    ("ruleset", "players", "sentence"),
    [
        (BASE, 3, "has learned to play deluxe (base) for 2, and not deluxe (base) for 3."),
        (Ruleset("ciudad"), 2, "has learned to play deluxe (base) for 2, and not ciudad (base"),
        (
            Ruleset("deluxe", ["base"], {"without_cards": ["mine"]}),
            2,
            f"has learned with {SPEC.size} numbers",
        ),
    ],
)
def test_it_plays_no_game_but_its_own(
    kept: dict[str, Any], tmp_path: Path, ruleset: Ruleset, players: int, sentence: str
) -> None:
    np.savez(tmp_path / "agent.npz", **kept)
    agent = MyAgent(tmp_path / "agent.npz")
    with pytest.raises(BotError) as problem:
        agent.choose(View.of(Game(ruleset, players=players, seed=7)), Random(0))
    assert sentence in str(problem.value)


def test_an_agent_of_another_version_is_refused(kept: dict[str, Any], tmp_path: Path) -> None:
    kept["about"] = np.array('{"version": -1, "edition": "deluxe", "sets": ["base"], "players": 2}')
    np.savez(tmp_path / "agent.npz", **kept)
    with pytest.raises(BotError, match="has learned in version -1 of the environments"):
        MyAgent(tmp_path / "agent.npz")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "Name the file of an agent: python examples/my_agent.py agent.npz"),
        (["nowhere.npz"], "nowhere.npz cannot be read: No such file or directory."),
        ([str(PLAYER)], f"{PLAYER} holds no agent; examples/ppo.py makes one."),
    ],
)
def test_a_program_called_wrongly_says_so(words: list[str], sentence: str) -> None:
    ran = python(PLAYER, *words)
    assert (ran.returncode, ran.stderr) == (2, f"{sentence}\n")
