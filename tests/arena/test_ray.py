"""The engine ray: two machines, played by this one, come to what one comes to, even when one of them dies."""

import json
import logging
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from ray import cluster_utils
from tests.arena.jobs import Errand, HeldJob, Workshop
from tests.arena.test_tournament import bad, tournament
from tests.running import Run

from dicetown import Ruleset
from dicetown.arena import simulate
from dicetown.arena.contests.sprt import Hypotheses
from dicetown.arena.contests.standings import Standings
from dicetown.arena.contests.tournament import Tournament, play_tournament
from dicetown.arena.engines import LocalEngine, open_engine, ray_engine
from dicetown.arena.engines.ray_engine import RayEngine
from dicetown.arena.simulate import Chunk, Tally
from dicetown.errors import ArenaError, BotError
from dicetown.playout.table import ready
from dicetown.rules.kernel import cache_root

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
BASE = Ruleset("deluxe", sets=["base"])
SMALL: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 80 * 1024 * 1024, "include_dashboard": False}


@pytest.fixture(scope="module")
def rays_folder() -> Iterator[Path]:
    """A folder of its own for all that Ray writes, the note too in which it says where a cluster is.

    Where all do, Ray may have no folder yet, and the note may be about somebody's cluster.
    """
    with (
        tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True) as folder,
        pytest.MonkeyPatch.context() as environment,
    ):
        environment.setenv("RAY_TMPDIR", folder)
        yield Path(folder)


@pytest.fixture(scope="module")
def cluster(rays_folder: Path) -> Iterator[Any]:
    """Two machines with a core each, both of them this one."""
    ready()  # or both would compile
    logging.getLogger("ray").setLevel(logging.CRITICAL)
    found = cluster_utils.Cluster()
    try:
        found.add_node(_system_config={"health_check_period_ms": 500}, **SMALL)
        found.add_node(**SMALL)
        yield found
    finally:
        found.shutdown()


@pytest.fixture(scope="module")
def engine(cluster: Any) -> Iterator[RayEngine]:
    with open_engine("ray", address=cluster.address) as engine:
        assert isinstance(engine, RayEngine)
        yield engine


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RayEngine, "games_at_once", 64)


# ------------------------------------------------------------------- the same as here


@pytest.mark.usefixtures("small_chunks")
def test_a_cluster_plays_the_same_games(engine: RayEngine) -> None:
    heard: list[tuple[int, int]] = []
    here = simulate(BASE, 3, ["greedy", "random", "greedy"], 2000, seed=5, threads=1)
    there = simulate(
        BASE,
        3,
        ["greedy", "random", "greedy"],
        2000,
        seed=5,
        engine=engine,
        progress=lambda done, total: heard.append((done, total)),
    )
    assert there.tally == here.tally
    assert (there.engine, there.threads, there.interrupted, there.effort.losses) == ("ray", 2, False, "")
    assert heard[-1] == (2000, 2000)
    assert heard == sorted(heard)


def figures(asked: Tournament, engine: RayEngine | LocalEngine) -> dict[str, Any]:
    found = Standings(play_tournament(asked, engine=engine)).as_dict()
    del found["seconds"]
    for line in found["results"]:
        del line["seconds_per_choice"]
    return found


@pytest.mark.usefixtures("small_chunks")
def test_a_tournament_comes_to_the_same(engine: RayEngine) -> None:
    asked = tournament(["greedy", "cheese", "random"], 1201, seed=3)
    assert figures(asked, engine) == figures(asked, LocalEngine(2))


@pytest.mark.usefixtures("small_chunks")
def test_a_test_is_decided_by_the_same_games(engine: RayEngine) -> None:
    asked = tournament(["greedy", "random"], 6000, hypotheses=Hypotheses(0, 100))
    assert figures(asked, engine) == figures(asked, LocalEngine(2))


def test_bots_that_are_asked_move_by_move_come_to_the_same(engine: RayEngine) -> None:
    asked = tournament([bad("thinks"), "random"], 6, seed=9)
    assert figures(asked, engine) == figures(asked, LocalEngine(2))


def test_no_more_workers_than_allowed(engine: RayEngine) -> None:
    one = RayEngine(engine._ray, workers=1)
    assert (one.workers, engine.workers) == (1, 2)
    assert (one.in_flight(1), engine.in_flight(1), engine.in_flight(2)) == (1, 4, 2)


# ----------------------------------------------------------------- who dies on the way


def test_a_machine_that_dies_is_made_good(engine: RayEngine, cluster: Any, tmp_path: Path) -> None:
    """Killed while both machines have a chunk in hand."""
    third = cluster.add_node(**SMALL)
    raylet = third.all_processes["raylet"][0].process.pid
    go, tally = tmp_path / "go", Tally(2)

    def look() -> bool:
        if not go.exists() and (playing := list(tmp_path.glob(f"playing-{raylet}-*"))):
            os.kill(raylet, signal.SIGKILL)
            for worker in playing:
                with suppress(ProcessLookupError):  # it may have gone with its machine
                    os.kill(int(worker.name.rpartition("-")[2]), signal.SIGKILL)
            go.touch()
        return False

    chunks = (Chunk(first, 50) for first in range(0, 1000, 50))
    job = HeldJob(BASE, ["greedy"] * 2, 8, tmp_path)
    effort = engine.work_off(job, chunks, lambda chunk, sums: tally.join(sums), look)
    assert tally == simulate(BASE, 2, ["greedy"], 1000, seed=8, threads=1).tally
    assert effort.lost_workers >= 1
    assert effort.played_again >= 1
    assert "lost" in effort.losses
    cluster.remove_node(third, allow_graceful=False)
    cluster.wait_for_nodes()


def test_a_worker_that_dies_is_replaced(engine: RayEngine, tmp_path: Path) -> None:
    found: dict[int, int] = {}
    tasks = (Errand(number, "dies once" if number == 1 else "", tmp_path) for number in range(8))
    effort = engine.work_off(Workshop(tmp_path), tasks, lambda task, done: found.update({task.number: done}))
    assert found == {number: 2 * number for number in range(8)}
    assert (effort.lost_workers, effort.played_again) == (1, 1)


def test_a_task_that_ends_every_worker_is_given_up(
    engine: RayEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ray_engine, "TRIES", 2)
    tasks = iter([Errand(13, "dies")])
    with pytest.raises(ArenaError, match=r"Errand\(number=13, .* was lost with its worker 2 times"):
        engine.work_off(Workshop(tmp_path), tasks, lambda task, done: None)


# ------------------------------------------------------------------- what goes wrong


def test_a_task_that_fails_stops_everything_with_its_sentence(engine: RayEngine, tmp_path: Path) -> None:
    tasks = (Errand(number, "fails" if number == 2 else "") for number in range(1000))
    with pytest.raises(BotError, match=r"^The bot cannot double 2\.$"):
        engine.work_off(Workshop(tmp_path), tasks, lambda task, done: None)
    assert next(tasks).number < 1000


def test_what_nobody_expected_tells_where_it_was(engine: RayEngine, tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError, match="nobody expects this") as broken:
        engine.work_off(Workshop(tmp_path), iter([Errand(1, "breaks")]), lambda task, done: None)
    assert "jobs.py" in "".join(broken.value.__notes__)


def test_another_dicetown_on_a_machine_stops_everything(
    engine: RayEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ray_engine, "this_code", lambda: "0.0.1, code 00")
    with pytest.raises(ArenaError, match=r"has another Dicetown .* \(0.0.1, code 00\)"):
        engine.work_off(Workshop(tmp_path), iter([Errand(1)]), lambda task, done: None)


def test_a_machine_without_dicetown_is_named(
    engine: RayEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def player(ray: Any, cores: int) -> Any:
        def play(code: str, job: bytes, task: bytes) -> None:
            raise ModuleNotFoundError("old-machine", name="dicetown.arena")

        return ray.remote(play)

    monkeypatch.setattr(ray_engine, "_player", player)
    with pytest.raises(
        ArenaError, match=r"^The machine old-machine of the cluster has no module dicetown\.arena;"
    ):
        engine.work_off(Workshop(tmp_path), iter([Errand(1)]), lambda task, done: None)


def test_ctrl_c_keeps_what_is_finished(engine: RayEngine, tmp_path: Path) -> None:
    finished: list[int] = []

    def look() -> bool:
        if len(finished) == 3:
            raise KeyboardInterrupt
        return False

    tasks = (Errand(number, "waits" if number > 2 else "") for number in range(1000))
    effort = engine.work_off(Workshop(tmp_path), tasks, lambda task, done: finished.append(done), look)
    assert effort.interrupted
    assert sorted(finished) == [0, 2, 4]
    assert next(tasks).number < 20  # only some were handed out ahead


# ----------------------------------------------------------- what is on the machine before


def test_all_that_ray_writes_is_in_a_folder_of_its_own(cluster: Any, rays_folder: Path) -> None:
    """So that no run needs what another has left, and nobody's cluster is forgotten."""
    assert (rays_folder / "ray" / "ray_current_cluster").read_text() == cluster.address
    assert Path(cluster.head_node.get_session_dir_path()).is_relative_to(rays_folder)


def test_a_folder_too_deep_for_sockets_is_said_in_a_sentence(tmp_path: Path) -> None:
    deep = tmp_path / ("deep" * 25)
    deep.mkdir()
    command = [sys.executable, "-m", "dicetown", "simulate", "--engine", "ray", "--address", "local"]
    ran = subprocess.run(
        command, env=os.environ | {"RAY_TMPDIR": str(deep)}, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2
    assert ran.stderr.startswith("dicetown: Ray cannot be started here (")
    assert ran.stderr.endswith("RAY_TMPDIR names another.\n")
    assert ran.stderr.count("\n") == 1


# ------------------------------------------------------------------------ the command


def test_the_command_prints_what_a_cluster_found(engine: RayEngine, dicetown: Run) -> None:
    asked = ["simulate", "--sets", "base", "--players", 2, "--games", 300, "--seed", 4, "--json"]
    there, here = dicetown(*asked, "--engine", "ray"), dicetown(*asked)
    assert there.status == here.status == 0
    assert json.loads(there.out)["wins"] == json.loads(here.out)["wins"]
    assert json.loads(there.out)["engine"] == "ray"


@pytest.mark.usefixtures("rays_folder")
def test_a_cluster_of_its_own_is_started_and_ended(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "dicetown", "arena", "--bots", "greedy,random", "--games", "40"]
    ready()  # or it would say that it compiles, in a home where nothing is compiled yet
    kernels = {"NUMBA_CACHE_DIR": str(cache_root().parent)}
    home = {"HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state")}
    ran = subprocess.run(
        [*command, "--engine", "ray", "--address", "local", "--threads", "1", "--json"],
        env={**os.environ, **home, **kernels},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    figures = json.loads(ran.stdout)
    assert (figures["engine"], figures["games"], figures["lost_workers"]) == ("ray", 40, 0)


@pytest.mark.parametrize(
    "command",
    [
        ["simulate", "--games", "300"],
        ["arena", "--bots", "greedy,random", "--games", "40"],
        ["lab", "balance", "--games", "200"],
    ],
    ids=lambda command: command[0],
)
def test_whatever_ray_writes_stdout_is_json_and_nothing_else(
    command: list[str], cluster: Any, tmp_path: Path
) -> None:
    options = ["--sets", "base", "--players", "2", "--json", "--engine", "ray", "--address", cluster.address]
    ran = subprocess.run(
        [sys.executable, "-m", "tests.arena.talkative_ray", *command, *options],
        env=os.environ | {"PYTHONPATH": f"{ROOT}:{ROOT / 'src'}", "XDG_STATE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["interrupted"] is False
    for line in ("printed", "written by C", "left in C's buffer"):
        assert line in ran.stderr
