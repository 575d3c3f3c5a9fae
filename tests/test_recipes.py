"""The recipes without what they need: each says in a sentence how to get it. `make recipes` runs them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

RECIPES = sorted((Path(__file__).parent.parent / "examples" / "recipes").glob("*.py"))
#: What makes PyTorch and all learners look as if they were not installed.
WITHOUT = """
import runpy, sys
from importlib.abc import MetaPathFinder

class Nothing(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"torch", "ray", "tree", "tianshou", "stable_baselines3", "sb3_contrib"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

import importlib.util
found = importlib.util.find_spec
def find_spec(name, *more):
    try:
        return found(name, *more)
    except ModuleNotFoundError:
        return None
importlib.util.find_spec = find_spec
sys.meta_path.insert(0, Nothing())
runpy.run_path(sys.argv[1], run_name="__main__")
"""


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda path: path.stem)
def test_who_lacks_what_a_recipe_needs_is_told_how_to_get_it(recipe: Path) -> None:
    command = [sys.executable, "-c", WITHOUT, str(recipe)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=dict(os.environ))
    assert ran.returncode == 1
    assert re.fullmatch(r"This recipe needs .*: pip install .*\n", ran.stderr), ran.stderr


def test_there_is_one_for_each_learner_and_each_says_what_it_needs() -> None:
    assert [recipe.stem for recipe in RECIPES] == ["cleanrl_ppo", "maskable_ppo", "rllib_ppo", "tianshou_dqn"]
    for recipe in RECIPES:
        text = recipe.read_text(encoding="utf-8")
        assert re.search(
            rf"^    pip install .*\n    python examples/recipes/{recipe.name} ", text, re.MULTILINE
        )
        assert len(text.splitlines()) < 160


def test_make_runs_all_of_them() -> None:
    makefile = (RECIPES[0].parents[2] / "Makefile").read_text(encoding="utf-8")
    for recipe in RECIPES:
        assert f"examples/recipes/{recipe.name} " in makefile
