"""The log: a run that was interrupted goes on, and comes to the same as one that was not."""

import errno
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import Any

import pytest
from tests.arena.test_tournament import BASE, bad, tournament
from tests.running import Run

from dicetown import Ruleset
from dicetown.arena.contests.log import ArenaLog
from dicetown.arena.contests.log_file import header_of, own_log
from dicetown.arena.contests.standings import Standings
from dicetown.arena.contests.tournament import Outcome, Tournament, play_tournament
from dicetown.arena.engines import LocalEngine
from dicetown.console import INTERRUPTED
from dicetown.errors import ArenaError

QUICK = ["greedy", "cheese", "random"]


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LocalEngine, "games_at_once", 8)


def run(asked: Tournament, path: Path, progress: Any = None) -> dict[str, Any]:
    """Play with a log; the figures without what is timed."""
    log = ArenaLog(path, header_of(asked))
    try:
        outcome = play_tournament(asked, log, 2, progress)
    finally:
        log.close()
    figures = Standings(outcome).as_dict()
    del figures["seconds"]
    for line in figures["results"]:
        del line["seconds_per_choice"]
    return figures


def stop_after(games: int) -> Any:
    def look(done: int, total: int) -> None:
        if done >= games:
            raise KeyboardInterrupt

    return look


def games_in(path: Path) -> int:
    lines = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    return sum(len(line["winners"]) if line["what"] == "bulk" else 1 for line in lines)


@pytest.mark.parametrize(
    ("bots", "games"), [(QUICK, 20_000), ([bad("thinks"), "random"], 24)], ids=["bulk", "stepped"]
)
def test_an_interrupted_run_goes_on_and_comes_to_the_same(
    bots: list[str], games: int, tmp_path: Path
) -> None:
    asked = tournament(bots, games, seed=9)
    whole = run(asked, tmp_path / "whole.jsonl")
    file = tmp_path / "parts.jsonl"
    first = run(asked, file, stop_after(1))
    assert first["interrupted"]
    assert 0 < first["games"] < games
    assert games_in(file) >= first["games"]
    assert run(asked, file) == whole
    assert games_in(file) == games
    assert run(asked, file) == whole  # nothing is left to play


@pytest.mark.parametrize("lost", [1, 7, 40])
def test_a_line_that_was_cut_off_is_played_again(lost: int, tmp_path: Path) -> None:
    asked = tournament(QUICK, 300)
    file = tmp_path / "log.jsonl"
    whole = run(asked, file)
    text = file.read_bytes()
    file.write_bytes(text[:-lost])
    assert run(asked, file) == whole
    assert file.read_bytes().count(b"\n") == text.count(b"\n")


def test_any_beginning_of_a_log_can_be_continued(tmp_path: Path) -> None:
    asked = tournament(["greedy", "random"], 60)
    file = tmp_path / "log.jsonl"
    whole = run(asked, file)
    text = file.read_bytes()
    for length in range(0, len(text), 97):
        file.write_bytes(text[:length])
        assert run(asked, file) == whole


def test_more_games_may_be_asked_for_later_and_fewer(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    run(tournament(QUICK, 101), file)
    assert run(tournament(QUICK, 250), file) == run(tournament(QUICK, 250), tmp_path / "other.jsonl")
    assert run(tournament(QUICK, 53), file) == run(tournament(QUICK, 53), tmp_path / "third.jsonl")


def test_faults_are_kept(tmp_path: Path) -> None:
    asked = tournament([bad("illegal"), "greedy"], 4)
    file = tmp_path / "log.jsonl"
    first = run(asked, file)
    assert first["results"][0]["losses_by_fault"] == 4
    assert run(asked, file) == first
    line = json.loads(file.read_text().splitlines()[1])
    assert line["faults"][0]["kind"] == "illegal"
    assert set(line["seats"]) == {bad("illegal"), "greedy"}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"seed": 2}, "its seed is 1, not 2"),
        ({"players": 3}, "its players is 2, not 3"),
        ({"ruleset": Ruleset("ciudad")}, 'its edition is "deluxe", not "ciudad"'),
        (
            {"ruleset": Ruleset("deluxe", sets=["base"], house={"start_coins": 9})},
            'its house is {}, not {"start_coins":9}',
        ),
    ],
)
def test_the_log_of_another_run_is_refused(change: dict[str, Any], problem: str, tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    usual: dict[str, Any] = {"seed": 1, "ruleset": BASE, "players": 2}
    run(tournament(["greedy", "random"], 20, **usual), file)
    before = file.read_bytes()
    with pytest.raises(ArenaError) as raised:
        run(tournament(["greedy", "random"], 20, **(usual | change)), file)
    assert problem in str(raised.value)
    assert file.read_bytes() == before


def test_other_code_is_another_run(tmp_path: Path) -> None:
    script = tmp_path / "bot.py"
    script.write_text("print(1)")
    bots = [f"pipe:{sys.executable} {script}", "greedy"]
    before = header_of(tournament(bots, 4))
    assert header_of(tournament(bots, 8)) == before
    ArenaLog(tmp_path / "log.jsonl", before).close()
    script.write_text("print(2)")
    with pytest.raises(ArenaError, match="begun with other code of Dicetown or of a bot"):
        ArenaLog(tmp_path / "log.jsonl", header_of(tournament(bots, 4)))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Dear diary,\n", "this is no log of an arena"),
        ("{}\n", "this is no log of an arena"),
        ("precious", "this is no log of an arena"),
        ("\xff\xfe", "this is no log of an arena"),
    ],
)
def test_a_file_that_is_no_log_is_left_alone(text: str, problem: str, tmp_path: Path) -> None:
    file = tmp_path / "diary.txt"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(ArenaError, match=problem):
        ArenaLog(file, header_of(tournament(["greedy", "random"], 4)))
    assert file.read_bytes() == text.encode("latin-1")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("garbage", "line 2: this is no game of an arena"),
        ('{"what":"game"}', "line 2: this is no game of an arena"),
        (
            '{"what":"bulk","lineup":7,"rotation":0,"first":0,"winners":"01","turns":[1,2]}',
            "cannot have been played in this run",
        ),
        (
            '{"what":"bulk","lineup":0,"rotation":0,"first":0,"winners":"09","turns":[1,2]}',
            "cannot have been played in this run",
        ),
        (
            '{"what":"bulk","lineup":0,"rotation":0,"first":0,"winners":"00","turns":[1]}',
            "cannot have been played in this run",
        ),
    ],
)
def test_a_line_that_cannot_be_is_named(line: str, problem: str, tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    asked = tournament(["greedy", "random"], 20)
    ArenaLog(file, header_of(asked)).close()
    with file.open("a") as out:
        out.write(line + "\n")
    with pytest.raises(ArenaError, match=problem):
        run(asked, file)


def test_one_run_at_a_time_may_write_a_log(tmp_path: Path) -> None:
    header = header_of(tournament(["greedy", "random"], 4))
    log = ArenaLog(tmp_path / "log.jsonl", header)
    with pytest.raises(ArenaError, match="another run is writing this log"):
        ArenaLog(tmp_path / "log.jsonl", header)
    log.close()
    ArenaLog(tmp_path / "log.jsonl", header).close()


def test_a_log_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    for place in (tmp_path / "nowhere" / "log.jsonl", tmp_path / ("long" * 100)):
        with pytest.raises(ArenaError, match="the log cannot be written there"):
            ArenaLog(place, {})
    for place in (tmp_path, Path("/dev/zero")):
        with pytest.raises(ArenaError, match="no file, so no log can be kept there"):
            ArenaLog(place, {})


class FullDisk(FileIO):
    """A file on a disk that has no room behind so many bytes, and takes a part of what does not fit."""

    room = 3_000

    def write(self, data: Any) -> int:
        left = self.room - self.tell()
        if left <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(data[:left]) or 0


@contextmanager
def full_disk() -> Iterator[None]:
    """Logs lie on such a disk."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "dicetown.arena.contests.log.open",
            lambda path, *how, **more: FullDisk(path, "a+b"),
            raising=False,
        )
        yield


@pytest.mark.parametrize("needed", [True, False])
@pytest.mark.parametrize(
    ("bots", "games"), [(QUICK, 20_000), ([bad("thinks"), "random"], 48)], ids=["bulk", "stepped"]
)
def test_a_full_disk_ends_a_run_whose_log_was_asked_for_and_no_other(
    bots: list[str], games: int, needed: bool, tmp_path: Path
) -> None:
    asked = tournament(bots, games, seed=9)
    file = tmp_path / "log.jsonl"
    with full_disk():
        log = ArenaLog(file, header_of(asked), needed)
        outcome = play_tournament(asked, log, 2)
        log.close()
    assert log.problem == f"{file}: the log cannot be written (No space left on device)."
    assert log.is_missed is needed
    assert 0 < games_in(file) < games
    assert (outcome.sheet.count < games) is needed
    assert file.read_bytes().endswith(b"}\n")
    assert run(asked, file) == run(asked, tmp_path / "whole.jsonl")


def test_a_disk_without_room_for_the_first_line_is_said_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "log.jsonl"
    monkeypatch.setattr(FullDisk, "room", 5)
    with full_disk(), pytest.raises(ArenaError, match="No space left on device"):
        ArenaLog(file, header_of(tournament(["greedy", "random"], 4)))
    assert file.read_bytes() == b""


def test_a_command_says_that_its_log_is_full_and_goes_on_with_it_when_there_is_room(
    dicetown: Run, tmp_path: Path
) -> None:
    file = tmp_path / "log.jsonl"
    command = ["arena", "--bots", "greedy,random", "--games", 20_000, "--json", "--log", file]
    with full_disk():
        ran = dicetown(*command)
    problem = f"{file}: the log cannot be written (No space left on device)."
    assert ran.status == 2
    assert ran.err.endswith(f"dicetown: {problem} With room for more, the same command goes on.\n")
    assert 0 < games_in(file) <= json.loads(ran.out)["results"][0]["games"] < 20_000
    ran = dicetown(*command)
    assert (ran.status, json.loads(ran.out)["results"][0]["games"]) == (0, 20_000)


@pytest.mark.parametrize(("command", "where"), [("arena", []), ("ladder", ["--editions", "ciudad"])])
def test_what_an_interrupted_command_could_not_keep_is_said(
    dicetown: Run, command: str, where: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(asked: Tournament, log: ArenaLog, *how: Any, **more: Any) -> Outcome:
        return play_tournament(asked, log, 2, stop_after(10_000))

    monkeypatch.setattr(f"dicetown.commands.{command}.play_tournament", interrupted)
    with full_disk():
        ran = dicetown(command, "--bots", "greedy,random", "--games", 20_000, "--players", 2, *where)
    assert ran.status == INTERRUPTED
    assert ".jsonl: the log cannot be written (No space left on device)." in ran.err


def test_a_log_of_its_own_is_kept_for_every_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    one, other = (own_log(tournament(["greedy", "random"], 4, seed=seed)) for seed in (1, 2))
    assert one is not None
    assert other is not None
    assert one.path != other.path
    assert own_log(tournament(["greedy", "random"], 4, seed=1)) is None  # somebody else is at it
    one.remove()
    other.remove()
    assert list(tmp_path.rglob("*.jsonl")) == []
