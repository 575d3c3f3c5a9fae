"""The rules still grow the trees that were counted before, compiled and interpreted."""

import tomllib
from collections import Counter
from typing import Any

import pytest
from tests.perft.regenerate import FILES, FOLDER, HEAD, PHASES, phases, row, tables_of

from dicetown import Game
from dicetown.game.notation import Move
from dicetown.game.perft import perft

#: What is counted interpreted, too: a second for the tables of a file.
FEW_NODES = 700


def written(file: str) -> list[dict[str, Any]]:
    return tomllib.loads((FOLDER / f"{file}.toml").read_text(encoding="utf-8"))["table"]


TABLES = [pytest.param(table, id=table["name"]) for file in FILES for table in written(file)]


@pytest.mark.parametrize("table", TABLES)
def test_compiled_rules_grow_the_tree_that_was_counted(table: dict[str, Any]) -> None:
    game = Game.from_position(table["position"], chance="manual")
    counted = [perft(game, depth) for depth in range(1, len(table["nodes"]) + 1)]
    assert [row(nodes) for nodes in counted] == table["nodes"]
    assert phases(counted[-1]) == table["phases"]


@pytest.mark.parametrize("table", TABLES)
def test_interpreted_rules_grow_the_same_tree(table: dict[str, Any]) -> None:
    game = Game.from_position(table["position"], chance="manual")
    shallow = [nodes for nodes in table["nodes"] if sum(nodes[1:]) <= FEW_NODES]
    nodes = perft(game, len(shallow), compile_rules=False)
    assert row(nodes) == shallow[-1]
    assert game.position() == table["position"], "counting changes nothing"


@pytest.mark.parametrize("table", TABLES[::4])
def test_playing_every_move_finds_the_same_tree(table: dict[str, Any]) -> None:
    """Slowly and without the walk: by `play` and `undo`."""
    game = Game.from_position(table["position"], chance="manual")
    seen: Counter[str] = Counter()

    def visit(left: int) -> None:
        seen["over" if game.over else "chance" if game.waits_for_chance else "decisions"] += 1
        seen["leaves"] += left == 0
        moves: list[Move] = [*game.legal_actions(), *(outcome for outcome, _ in game.chance_outcomes())]
        for move in moves if left else []:
            game.play(move)
            visit(left - 1)
            game.undo()

    visit(3)
    assert [seen["leaves"], seen["decisions"], seen["chance"], seen["over"]] == table["nodes"][2]


@pytest.mark.parametrize("file", FILES)
def test_the_file_holds_the_tables_that_the_script_writes(file: str) -> None:
    assert (FOLDER / f"{file}.toml").read_text(encoding="utf-8").startswith(HEAD)
    tables = written(file)
    assert [(table["name"], table["position"]) for table in tables] == [
        (table.name, table.position) for table in tables_of(file)
    ], "run tests/perft/regenerate.py and look at the diff"


def test_a_position_made_for_a_choice_reaches_it() -> None:
    made_for = {table.name: table.shows for table in tables_of("positions")}
    for table in written("positions"):
        assert set(made_for[table["name"]]) <= set(table["phases"]), table["name"]


def test_the_tables_together_reach_every_phase() -> None:
    reached = {phase for file in FILES for table in written(file) for phase in table["phases"]}
    assert reached == set(PHASES)


def test_a_tree_of_depth_zero_is_its_root() -> None:
    nodes = perft(Game(seed=1), 0)
    assert (nodes.decisions, nodes.chance, nodes.over, nodes.leaves, nodes.all) == (1, 0, 0, 1, 1)
