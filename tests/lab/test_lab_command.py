"""``dicetown lab``: what is asked of it, what it prints, and what it leaves."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.running import Run

from dicetown.commands import lab
from dicetown.commands.lab import Order, join_samples
from dicetown.console import INTERRUPTED
from dicetown.errors import LabError
from dicetown.lab.record.folder import ResultsFolder
from dicetown.lab.record.gather import Gathered, gather
from dicetown.lab.record.sample import name_sample
from dicetown.playout.table import ready
from dicetown.rules.ruleset import Ruleset

SMALL = ("--sets", "base", "--players", "2", "--games", "300", "--seed", "4")


@pytest.fixture(scope="module", autouse=True)
def _compile_first() -> None:
    ready()


def test_games_are_gathered_for_ones_own_questions(dicetown: Run, tmp_path: Path) -> None:
    ran = dicetown("lab", "gather", *SMALL, "--bots", "greedy;random", "--out", tmp_path / "lab")
    assert ran.status == 0
    assert "deluxe-base-2p-greedy" in ran.out
    assert "deluxe-base-2p-random" in ran.out
    manifest = json.loads((tmp_path / "lab/samples/deluxe-base-2p-random/manifest.json").read_text())
    assert manifest["bots"] == ["random", "random"]
    assert manifest["command"].startswith("dicetown lab gather --edition deluxe --sets base")
    assert str(tmp_path) not in manifest["command"]


def test_gathering_needs_a_folder(dicetown: Run) -> None:
    ran = dicetown("lab", "gather", *SMALL)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "dicetown: Where shall the games be kept? Name a folder: --out FOLDER.\n"


def test_balance_prints_tables_and_keeps_nothing(
    dicetown: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    ran = dicetown("lab", "balance", *SMALL)
    assert ran.status == 0
    assert "Which cards are worth their price?" in ran.out
    assert "Convenience Store" in ran.out
    assert ran.err == ""
    assert list(tmp_path.glob("dicetown-lab-*")) == []


def test_balance_prints_json_with_intervals(dicetown: Run) -> None:
    ran = dicetown("lab", "balance", *SMALL, "--json")
    found = json.loads(ran.out)
    assert found["samples"][0]["games"] == 300
    rows = found["sections"]["balance"]["tables"]["owning"]
    assert {"value", "low", "high"} == set(rows[0]["bought"])


def test_the_report_is_written_beside_the_results(dicetown: Run, tmp_path: Path) -> None:
    ran = dicetown("lab", "balance", *SMALL, "--out", tmp_path / "lab", "--lang", "es")
    assert ran.status == 0
    assert "¿Qué cartas valen su precio?" in ran.out
    assert ran.err == f"The report: {tmp_path / 'lab' / 'report.html'}\n"
    assert "¿Qué cartas valen su precio?" in (tmp_path / "lab" / "report.md").read_text()
    again = dicetown(
        "lab", "balance", *SMALL, "--out", tmp_path / "lab", "--lang", "es", "--resume", "--json"
    )
    assert json.loads(again.out)["samples"][0]["games"] == 300


def test_a_change_is_compared_with_the_original(dicetown: Run) -> None:
    ran = dicetown("lab", "whatif", *SMALL, "--set", "stadium.cost=1", "--json")
    section = json.loads(ran.out)["sections"]["whatif"]
    assert section["changes"] == ["stadium.cost=1"]
    stadium = next(row for row in section["tables"]["cards"] if row["thing"] == "Stadium")
    assert stadium["copies_difference"]["low"] > 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["balanse"], 'There is no study "balanse"; did you mean "balance"? Known: gather, balance'),
        (["whatif"], "Say what shall be different"),
        (["whatif", "--set", "cafe.coast=2"], 'cafe has no field "coast"; did you mean "cost"?'),
        (["balance", "--players", "two"], 'The players are "two"; give numbers with commas, such as 2,3,4.'),
        (["balance", "--players", "7"], "7 players cannot play deluxe"),
        (["balance", "--bots", "gredy"], 'There is no bot "gredy"; did you mean "greedy"?'),
        (["balance", "--bots", "greedy,random", "--players", "3"], "no line-up of bots fits any number of"),
        (["balance", "--engine", "steam"], 'There is no engine "steam"'),
        (["balance", "--lang", "la"], 'There is no language "la"'),
    ],
)
def test_what_cannot_be_done_is_said_before_anything_is_played(
    dicetown: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], sentence: str
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    ran = dicetown("lab", *arguments, "--games", "10")
    assert (ran.status, ran.out) == (2, "")
    assert sentence in ran.err
    assert ran.err.count("\n") == 1
    assert list(tmp_path.glob("dicetown-lab-*")) == []


@pytest.mark.parametrize("missing", ["duckdb", "pyarrow", "altair"])
def test_a_missing_package_is_named_with_what_brings_it(
    dicetown: Run, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    ran = dicetown("lab", "balance", *SMALL)
    assert ran.status == 2
    assert ran.err == f"dicetown: The lab needs the package {missing}: pip install 'dicetown[lab]'\n"


def test_after_ctrl_c_it_is_said_how_to_go_on(
    dicetown: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*samples: Any, **options: Any) -> Gathered:
        found = gather(*samples, **options)
        return Gathered(found.folder, found.recorded, True, found.played, found.seconds)

    monkeypatch.setattr(lab, "gather", interrupted)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    ran = dicetown("lab", "balance", *SMALL)
    assert ran.status == INTERRUPTED
    (kept,) = tmp_path.glob("dicetown-lab-*")
    assert f"300 of 300 games are kept in {kept}; --out {kept} --resume goes on from here." in ran.err
    assert "Which cards are worth their price?" in ran.out


@pytest.mark.slow
def test_ctrl_c_stops_soon_and_keeps_what_is_there(tmp_path: Path) -> None:
    """A real signal to a real process: no library may take it for itself while it writes files."""
    folder = tmp_path / "lab"
    options = ["--sets", "base", "--players", "2", "--games", "50000000", "--out", str(folder)]
    process = subprocess.Popen(
        [sys.executable, "-m", "dicetown", "lab", "gather", *options], stderr=subprocess.PIPE, text=True
    )
    try:
        while process.poll() is None and len(list(folder.glob("samples/*/games/part-*.parquet"))) < 3:
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=300)
    finally:
        process.kill()
    assert process.returncode == INTERRUPTED
    assert "of 50,000,000 games are kept in" in err
    there = ResultsFolder.open(folder)
    recorded = there.recorded(*there.names)
    assert recorded.count >= 3 * recorded.manifest.games_per_part


def test_samples_that_two_studies_want_are_played_once() -> None:
    base = Ruleset("deluxe", sets=["base"])
    few, many = (name_sample(base, 2, ["greedy"], 1, games) for games in (100, 500))
    other = name_sample(base, 3, ["greedy"], 1, 200)
    assert join_samples([few, other, many]) == [many, other]
    with pytest.raises(LabError, match='Two different samples are called "deluxe-base-2p-greedy"'):
        join_samples([few, name_sample(base, 2, ["greedy"], 2, 100)])


def test_the_command_can_be_typed_again() -> None:
    order = Order(
        study="whatif", edition="deluxe", sets="base", house=("start_coins=5",), changes=("cafe.cost=3",),
        players="2,4", bots=("greedy;planner",), games=50, seed=9, out=Path("lab"), language="de",
    )  # fmt: skip
    assert order.command == (
        "dicetown lab whatif --edition deluxe --sets base --house start_coins=5 --set cafe.cost=3 "
        "--players 2,4 --bots 'greedy;planner' --games 50 --seed 9 --lang de --out lab"
    )
