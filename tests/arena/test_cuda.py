"""Games on a GPU: in Numba's CUDA simulator, the same as on the CPU; and without a GPU, a sentence."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import numpy as np
import pytest
from llvmlite import binding, ir
from tests.simulated_gpu import simulate_gpu

from dicetown import Ruleset
from dicetown.playout.gpu import games
from dicetown.playout.gpu.layout import fit, game_layout
from dicetown.rules.layout import STATE, new
from dicetown.rules.step import start
from dicetown.rules.tables import tables_for

CASES = [
    ("deluxe", ["base"], ["random", "random"]),
    ("deluxe", None, ["greedy", "random", "greedy"]),
    ("ciudad", None, ["greedy", "greedy"]),
    ("grossstadt", None, ["random", "greedy"]),
    ("neue_stadt", None, ["greedy", "random"]),
]

PLAY = dedent("""
    import numpy as np
    from dicetown import Ruleset
    from dicetown.playout.gpu.games import CudaTable
    from dicetown.playout.table import BotTable

    ruleset = Ruleset({edition!r}, sets={sets!r}, house={{"max_turns": 12}})
    on_gpu = CudaTable(ruleset, {bots!r}, seed=9 << 32).play(3, 3)
    on_cpu = BotTable(ruleset, {bots!r}, seed=9 << 32).play_interpreted(3, 3)
    print(on_gpu.tolist())
    assert np.array_equal(on_gpu, on_cpu)
    assert on_gpu["decisions"].min() >= 12
""")


@pytest.mark.slow
@pytest.mark.parametrize(("edition", "sets", "bots"), CASES)
def test_a_gpu_plays_the_same_games(edition: str, sets: list[str] | None, bots: list[str]) -> None:
    played = simulate_gpu(PLAY.format(edition=edition, sets=sets, bots=bots))
    assert played.returncode == 0, played.stdout + played.stderr


@pytest.mark.slow
def test_a_simulation_on_a_gpu_finds_the_same() -> None:
    program = """
        from dicetown import Ruleset
        from dicetown.arena import simulate

        short = Ruleset("deluxe", sets=["base"], house={"max_turns": 9})
        seen = []
        found = simulate(short, 2, ["random"], 3, device="cuda", progress=lambda *far: seen.append(far))
        assert seen == [(3, 3)]
        assert found.device == "cuda"
        assert (found.games, found.draws, dict(found.tally.turns)) == (3, 3, {9: 3})
        """
    played = simulate_gpu(program)
    assert played.returncode == 0, played.stderr


@pytest.mark.slow
def test_the_documented_command_plays_in_the_simulator_and_compiles_nothing() -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "gpu.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^NUMBA_ENABLE_CUDASIM=1 dicetown (.*)$", page, re.MULTILINE)
    program = f"from dicetown.cli import main; main({shlex.split(line)})"
    played = simulate_gpu(program)
    assert (played.returncode, played.stderr) == (0, "")
    assert "5 games in" in played.stdout


def test_compiling_for_a_gpu_is_announced(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "describe_gpu", lambda: "a GPU")
    games.announce_compiling()
    assert capsys.readouterr() == ("", "Compiling the rules for a GPU (about 60 s) …\n")


def test_without_a_gpu_the_command_says_so_in_a_line() -> None:
    program = """
        import sys
        from dicetown.cli import main

        sys.modules["numba_cuda"] = None  # as if it were not installed
        main(["simulate", "--device", "cuda", "--games", "5"])
        """
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "NUMBA_ENABLE_CUDASIM": "0"}
    ran = subprocess.run(
        [sys.executable, "-c", dedent(program)], env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2
    assert ran.stderr.startswith("dicetown: ")
    assert ran.stderr.count("\n") == 1
    assert "pip install 'dicetown[cuda]'" in ran.stderr or "no CUDA GPU" in ran.stderr


def test_a_game_on_a_gpu_is_as_small_as_its_ruleset_and_of_an_odd_number_of_words() -> None:
    small, large = (game_layout(tables_for(Ruleset("deluxe", sets=sets), 4)) for sets in (["base"], None))
    assert small.itemsize < large.itemsize < STATE.itemsize + 64
    assert small.itemsize // 4 % 2 == large.itemsize // 4 % 2 == 1


def test_nothing_of_a_state_is_lost_when_it_is_made_to_fit() -> None:
    from dicetown.rules.layout import CHOICES, LOG

    tables = tables_for(Ruleset("deluxe"), 4)
    state = new(STATE)
    start(tables, state, new(LOG), new(CHOICES))
    fitted = fit(state.array, game_layout(tables)["state"])
    assert fitted["market"].sum() + fitted["deck"].sum() == state.market.sum() + state.deck.sum()
    assert np.array_equal(fitted["owned"][0], state.owned[:4, : tables.cards])
    assert fitted["coins"][0].tolist() == state.coins[:4].tolist()


def test_loops_are_marked_so_that_they_are_not_written_out() -> None:
    from dicetown.playout.gpu.twins import _keep_loops

    module = ir.Module()
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [ir.IntType(1)]), "wait")
    before, loop, after = (function.append_basic_block(name) for name in ("before", "loop", "after"))
    ir.IRBuilder(before).branch(loop)
    ir.IRBuilder(loop).cbranch(function.args[0], loop, after)
    ir.IRBuilder(after).ret_void()
    _keep_loops(module, function)
    understood = str(binding.parse_assembly(str(module)))
    lines = [line for line in understood.splitlines() if "!llvm.loop" in line]
    assert len(lines) == 1
    assert "label %loop, label %after" in lines[0]
    assert "llvm.loop.unroll.disable" in understood
