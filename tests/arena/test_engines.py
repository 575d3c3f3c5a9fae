"""Engines: whoever works off the tasks, each is done once, and what goes wrong is said."""

import pickle
import re
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.arena.jobs import Errand, Workshop

from dicetown import Ruleset
from dicetown.arena.contests.contestants import enter
from dicetown.arena.contests.schedule import Schedule
from dicetown.arena.contests.tables import QuickJob, Setting, SteppedJob
from dicetown.arena.engines import Effort, LocalEngine, open_engine, portion, ray_worker
from dicetown.arena.engines.ray_engine import _player
from dicetown.arena.simulate import SimulationJob
from dicetown.errors import ArenaError, BotError, MissingExtra, RulesetError


def errands(count: int, mishaps: dict[int, str] | None = None) -> Iterator[Errand]:
    return (Errand(number, (mishaps or {}).get(number, "")) for number in range(count))


@pytest.mark.parametrize("threads", [1, 3])
def test_every_task_is_done_once_and_workers_are_let_go(threads: int, tmp_path: Path) -> None:
    shop, found = Workshop(tmp_path), {}
    effort = LocalEngine(threads).work_off(
        shop, errands(50), lambda task, done: found.update({task.number: done})
    )
    assert found == {number: 2 * number for number in range(50)}
    assert list(found) == sorted(found) or threads > 1  # handed out in order
    assert (effort.interrupted, effort.losses) == (False, "")
    assert effort.seconds > 0
    assert len(shop.closed) == threads
    assert len(list(tmp_path.glob("prepared-*"))) == 1


def test_workers_that_take_several_cores_are_fewer(tmp_path: Path) -> None:
    shop = Workshop(tmp_path)
    LocalEngine(5).work_off(shop, errands(9), lambda task, done: None, cores=2)
    assert len(shop.closed) == 2


def test_a_task_that_fails_stops_everything_with_its_sentence(tmp_path: Path) -> None:
    finished: list[int] = []
    with pytest.raises(BotError, match=r"^The bot cannot double 7\.$"):
        LocalEngine(1).work_off(
            Workshop(tmp_path), errands(50, {7: "fails"}), lambda task, done: finished.append(done)
        )
    assert finished == [0, 2, 4, 6, 8, 10, 12]


def test_ctrl_c_keeps_what_is_finished(tmp_path: Path) -> None:
    finished: list[int] = []

    def look() -> bool:
        if len(finished) == 3:
            raise KeyboardInterrupt
        return False

    tasks = errands(50, {3: "waits"})
    effort = LocalEngine(1).work_off(
        Workshop(tmp_path), tasks, lambda task, done: finished.append(done), look
    )
    assert effort.interrupted
    assert finished == [0, 2, 4]


def test_enough_is_enough(tmp_path: Path) -> None:
    finished: list[int] = []
    tasks = errands(50, {3: "waits"})
    effort = LocalEngine(1).work_off(
        Workshop(tmp_path), tasks, lambda task, done: finished.append(done), lambda: len(finished) == 3
    )
    assert not effort.interrupted
    assert finished == [0, 2, 4]


def test_what_was_lost_is_said_in_a_sentence() -> None:
    assert Effort(1.0).losses == ""
    assert Effort(1.0, lost_workers=2, played_again=5).losses == (
        "2 workers were lost, 5 chunks were played again."
    )
    assert Effort(1.0, lost_workers=0, played_again=1).losses == "1 chunk was played again."


def test_all_games_are_in_some_portion() -> None:
    assert portion(LocalEngine(2), 1) == 1
    assert portion(LocalEngine(8), 3200) == 100
    assert portion(LocalEngine(8), 10**9) == LocalEngine.games_at_once


def test_an_engine_that_is_not_there_is_refused() -> None:
    with pytest.raises(ArenaError, match='no engine "cloud"; choose one of local, ray'), open_engine("cloud"):
        pass
    with pytest.raises(ArenaError, match="for the engine ray"), open_engine(address="10.0.0.1:6379"):
        pass
    with pytest.raises(RulesetError, match="The number of threads is 0"), open_engine(workers=0):
        pass


# ------------------------------------------------------------- a process of a cluster


@pytest.fixture
def own_process() -> Iterator[None]:
    """This process as one of a cluster."""
    yield
    ray_worker.close()


@pytest.mark.usefixtures("own_process")
def test_a_process_opens_a_job_once_for_all_its_tasks(tmp_path: Path) -> None:
    job = pickle.dumps(Workshop(tmp_path))  # which would refuse to be prepared twice
    tasks = [pickle.dumps(Errand(number)) for number in range(3)]
    assert [ray_worker.work(ray_worker.this_code(), job, task) for task in tasks] == [0, 2, 4]


@pytest.mark.usefixtures("own_process")
def test_a_new_job_takes_the_place_of_the_last(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        job = pickle.dumps(Workshop(tmp_path / name))
        assert ray_worker.work(ray_worker.this_code(), job, pickle.dumps(Errand(21))) == 42
    assert len(list(tmp_path.glob("*/prepared-*"))) == 2


def test_a_machine_with_another_dicetown_says_so(tmp_path: Path) -> None:
    with pytest.raises(
        ArenaError, match=r"has another Dicetown .* than this one \(0.0.1, code 00\); install"
    ):
        ray_worker.work("0.0.1, code 00", pickle.dumps(Workshop(tmp_path)), pickle.dumps(Errand(1)))
    assert not list(tmp_path.iterdir())


def test_a_machine_without_dicetown_tells_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dicetown.arena.engines.ray_worker", None)
    play = _player(_Ray, 1)  # type: ignore[arg-type]
    with pytest.raises(ModuleNotFoundError, match=f"^{re.escape(socket.gethostname())}$") as missing:
        play("", b"", b"")
    assert missing.value.name == "dicetown.arena.engines.ray_worker"


class _Ray:
    """Runs here what should run elsewhere."""

    @staticmethod
    def remote(**options: object) -> Any:
        return lambda function: function


def test_where_games_are_played_can_travel() -> None:
    ruleset = Ruleset("deluxe", sets=["base"], house={"max_turns": 60})
    setting = Setting(ruleset, Schedule(2, 2), enter(["greedy", "random"]), 7)
    for job in (SimulationJob(ruleset, ["greedy"] * 3, 7), QuickJob(setting), SteppedJob(setting)):
        assert pickle.loads(pickle.dumps(job)) == job
        with job.open(threading.Event()):
            pass


# ------------------------------------------------------------------ clusters that are not


@pytest.mark.parametrize("address", ["garbage", "ray://10.0.0.1:10001", "10.0.0.1:", ":x"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with (
        pytest.raises(ArenaError, match="is no address of a cluster; it reads like"),
        open_engine("ray", address=address),
    ):
        pass


def test_a_cluster_that_does_not_answer_is_said_to_be_away(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:  # and nobody listens
        taken.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with (
            pytest.raises(ArenaError, match=f"No Ray cluster answers at {address}"),
            open_engine("ray", address=address),
        ):
            pass
        monkeypatch.setenv("RAY_ADDRESS", address)
        with pytest.raises(ArenaError, match=f"No Ray cluster answers at {address}"), open_engine("ray"):
            pass


def test_without_ray_a_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with (
        pytest.raises(
            MissingExtra, match=r"The engine ray needs the package ray: pip install 'dicetown\[ray\]'"
        ),
        open_engine("ray"),
    ):
        pass
