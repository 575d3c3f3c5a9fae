"""What the README shows works as shown."""

import re
from pathlib import Path
from typing import Any

import typer

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


GAME, TRAINING = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_the_python_example_plays_a_game_to_its_end(capsys):
    exec(compile(GAME, "README.md", "exec"), {})
    assert re.fullmatch(r"Player \d wins after \d+ turns\n", capsys.readouterr().out)


def test_the_example_for_agents_takes_a_step_in_all_games():
    shared: dict[str, Any] = {}
    exec(compile(TRAINING, "README.md", "exec"), shared)
    assert len(shared["seen"]) == len(shared["rewards"]) == 4096
    shared["envs"].close()


def test_every_file_it_links_to_is_there():
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (Path(__file__).parent.parent / target).exists(), target


def test_every_command_it_lists_exists():
    from dicetown.cli import app

    group: Any = typer.main.get_command(app)
    commands = {command.name for command in group.commands.values()}
    for command in re.findall(r"`dicetown (\w+)", README):
        assert command in commands
