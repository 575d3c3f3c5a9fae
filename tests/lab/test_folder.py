"""Gathering samples into a folder: on any number of threads, with interruptions, never over anything else."""

import json
import pickle
import threading
from pathlib import Path

import duckdb
import pytest

from dicetown import Ruleset
from dicetown.errors import ArenaError, LabError
from dicetown.lab.record.changes import changed_ruleset
from dicetown.lab.record.folder import ResultsFolder
from dicetown.lab.record.gather import Gathered, PartTask, Recorder, gather
from dicetown.lab.record.manifest import NAME, Manifest
from dicetown.lab.record.sample import Sample, name_sample

BASE = Ruleset("deluxe", sets=["base"])
GREEDY = name_sample(BASE, 2, ["greedy"], seed=3, games=1_100)
RANDOM = name_sample(BASE, 3, ["random"], seed=3, games=300)


def content(folder: Path) -> dict[str, bytes]:
    """Every file but manifests, which tell the date."""
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.name != NAME
    }


def everything(folder: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


@pytest.fixture(scope="module")
def gathered(tmp_path_factory: pytest.TempPathFactory) -> Gathered:
    return gather([GREEDY, RANDOM], tmp_path_factory.mktemp("lab") / "results", threads=1)


class Impatience:
    """Somebody who presses Ctrl-C once something is there, while the next part is still being played."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._pressed = threading.Event()
        self._parts = 0

        def record(recorder: Recorder, task: PartTask) -> dict[str, bytes] | None:
            self._wait_from_the_second_part_on()
            return original(recorder, task)

        original = Recorder.record
        monkeypatch.setattr(Recorder, "record", record)

    def __call__(self, done: int, total: int) -> None:
        if done:
            self._pressed.set()
            raise KeyboardInterrupt

    def _wait_from_the_second_part_on(self) -> None:
        self._parts += 1
        if self._parts > 1:
            self._pressed.wait(60)


def test_a_folder_tells_what_is_in_it(gathered: Gathered) -> None:
    assert not gathered.interrupted
    assert (gathered.games, gathered.played) == (1_400, 1_400)
    there = ResultsFolder.open(gathered.folder)
    assert there.names == ["deluxe-base-2p-greedy", "deluxe-base-3p-random"]
    recorded = there.recorded(GREEDY.name)
    assert (recorded.count, recorded.is_whole, recorded.seats) == (1_100, True, 2)
    assert recorded.parts == (0, 1, 2, 3, 4)
    assert recorded.sample == GREEDY
    assert recorded.things[1] == "ranch"
    assert recorded.thing_name(1, "de") == "Bauernhof"


def test_rows_can_be_asked_for_with_sql(gathered: Gathered) -> None:
    recorded = gathered.recorded[0]
    connection = duckdb.connect()
    games, players, wins = connection.execute(
        f"""SELECT (SELECT count(*) FROM '{recorded.games}'), count(*), sum(won::INT)
            FROM '{recorded.players}'"""
    ).fetchall()[0]
    assert (games, players, wins) == (1_100, 2_200, 1_100)
    kinds = connection.execute(f"DESCRIBE SELECT * FROM '{recorded.purchases}'").fetchall()
    assert {name: kind for name, kind, *_ in kinds} == {
        "game": "BIGINT", "earned": "FLOAT", "turn": "SMALLINT", "price": "SMALLINT", "seat": "TINYINT",
        "thing": "TINYINT", "copy": "TINYINT", "won": "BOOLEAN",
    }  # fmt: skip


@pytest.mark.parametrize("threads", [2, 3])
def test_any_number_of_threads_writes_the_same_files(
    gathered: Gathered, tmp_path: Path, threads: int
) -> None:
    again = gather([GREEDY, RANDOM], tmp_path / "again", threads=threads)
    assert content(again.folder) == content(gathered.folder)


def test_after_an_interruption_what_is_there_can_be_used_and_gone_on_with(
    gathered: Gathered, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        begun = gather([GREEDY, RANDOM], tmp_path / "lab", threads=1, progress=Impatience(patched))
    assert begun.interrupted
    assert 250 <= begun.games < 1_100
    assert begun.recorded[0].count == begun.games
    assert not begun.recorded[0].is_whole
    seen: list[int] = []
    rest = gather(
        [GREEDY, RANDOM], tmp_path / "lab", threads=2, resume=True, progress=lambda done, _: seen.append(done)
    )
    assert not rest.interrupted
    assert rest.played == 1_400 - begun.games
    assert min(seen) >= begun.games
    assert content(rest.folder) == content(gathered.folder)


def test_more_games_can_be_asked_for_later(gathered: Gathered, tmp_path: Path) -> None:
    few = name_sample(BASE, 2, ["greedy"], seed=3, games=400)
    gather([few], tmp_path / "lab")
    more = gather([GREEDY], tmp_path / "lab", resume=True)
    assert more.played == 850  # the part that was cut short is played again
    there = content(gathered.folder)
    assert content(more.folder) == {name: text for name, text in there.items() if "greedy" in name}


def test_fewer_games_than_there_are_cannot_be_asked_for(gathered: Gathered) -> None:
    few = name_sample(BASE, 2, ["greedy"], seed=3, games=100)
    check_refused(gathered.folder, [few], "1,100 games were asked for there, and now only 100", resume=True)


def test_thinking_bots_are_gathered_too(tmp_path: Path) -> None:
    thinking = name_sample(BASE, 2, ["search:playouts=2:threads=1", "random"], seed=3, games=3)
    found = gather([thinking], tmp_path / "lab", threads=2)
    assert (found.games, found.recorded[0].parts) == (3, (0, 1, 2))
    again = gather([thinking], tmp_path / "again", threads=1)
    assert content(found.folder) == content(again.folder)


def test_a_sample_can_be_sent_to_another_machine() -> None:
    dear = changed_ruleset(BASE, ["cafe.cost=4"])
    sent = name_sample(dear, 2, ["greedy"], 1, 10, ["cafe.cost=4"])
    assert pickle.loads(pickle.dumps(sent)) == sent


# ------------------------------------------------------------------------------ refusals


def check_refused(folder: Path, samples: list[Sample], sentence: str, resume: bool = False) -> None:
    """It is refused with this sentence, and every file is as it was."""
    before = everything(folder)
    with pytest.raises(LabError) as refused:
        gather(samples, folder, resume=resume)
    assert sentence in str(refused.value)
    assert everything(folder) == before


def test_results_are_not_written_over(gathered: Gathered) -> None:
    check_refused(gathered.folder, [GREEDY], "has results already; --resume goes on with them")


def test_a_folder_with_something_else_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    check_refused(tmp_path, [GREEDY], "has something else in it", resume=True)


def test_without_an_engine_no_folder_is_made(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match='no engine "steam"'):
        gather([GREEDY], tmp_path / "lab", engine="steam")
    assert not (tmp_path / "lab").exists()


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LabError, match="this is a file; name a folder"):
        gather([GREEDY], tmp_path / "file")


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("dicetown", "0.0.1", "these results are of Dicetown 0.0.1"),
        ("code", "0123456789abcdef", "were begun with other code of Dicetown or of a bot"),
        ("seed", 4, "other games: seed is 4, not 3"),
        ("bots", ["greedy", "random"], 'other games: bots is ["greedy","random"], not ["greedy","greedy"]'),
        ("changes", ["cafe.cost=3"], 'other games: changes is ["cafe.cost=3"], not []'),
        ("format", "dicetown-lab/0", "have the format dicetown-lab/0 (of Dicetown "),
    ],
)
def test_results_of_something_else_are_not_gone_on_with(
    tmp_path: Path, field: str, value: object, sentence: str
) -> None:
    gather([RANDOM], tmp_path / "lab")
    manifest = tmp_path / "lab" / "samples" / RANDOM.name / NAME
    other = json.loads(manifest.read_text()) | {field: value}
    manifest.write_text(json.dumps(other))
    if field == "bots":
        sentence = sentence.replace('["greedy","greedy"]', '["random","random","random"]')
    check_refused(tmp_path / "lab", [RANDOM], sentence, resume=True)


def test_what_is_no_folder_of_results_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(LabError, match="there is no such folder"):
        ResultsFolder.open(tmp_path / "nowhere")
    with pytest.raises(LabError, match=r"it has no manifest\.json"):
        ResultsFolder.open(tmp_path)
    (tmp_path / NAME).write_text("{}")
    with pytest.raises(LabError, match="this is no manifest of results"):
        ResultsFolder.open(tmp_path)
    (tmp_path / NAME).write_text("not even JSON")
    with pytest.raises(LabError, match="this is no manifest of results"):
        ResultsFolder.open(tmp_path)


def test_a_manifest_that_lacks_something_is_refused(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text('{"format": "dicetown-lab/1"}')
    with pytest.raises(LabError, match="this manifest cannot be read"):
        Manifest.read(tmp_path)


def test_a_part_that_a_crash_has_left_half_done_is_noticed_and_mended(
    gathered: Gathered, tmp_path: Path
) -> None:
    gather([RANDOM], tmp_path / "lab")
    lost = tmp_path / "lab" / "samples" / RANDOM.name / "games" / "part-00001.parquet"
    lost.unlink()
    with pytest.raises(LabError, match="part 1 is not whole"):
        ResultsFolder.open(tmp_path / "lab").recorded(RANDOM.name)
    assert gather([RANDOM], tmp_path / "lab", resume=True).played == 50
    there = content(gathered.folder)
    assert content(tmp_path / "lab") == {name: text for name, text in there.items() if "random" in name}


def test_a_file_that_is_no_parquet_is_named(tmp_path: Path) -> None:
    gather([RANDOM], tmp_path / "lab")
    spoilt = tmp_path / "lab" / "samples" / RANDOM.name / "games" / "part-00001.parquet"
    spoilt.write_bytes(b"spoilt")
    with pytest.raises(LabError, match=r"part-00001\.parquet: this is no Parquet file"):
        gather([RANDOM], tmp_path / "lab", resume=True)


def test_a_sample_must_make_sense() -> None:
    with pytest.raises(LabError, match="2 bots sit at a table of 3"):
        Sample("odd", BASE, 3, ("greedy", "random"), 0, 10)
    with pytest.raises(LabError, match="number of games is 0"):
        Sample("none", BASE, 2, ("greedy", "random"), 0, 0)
    with pytest.raises(LabError, match=r'cannot be called "\.\./up"'):
        Sample("../up", BASE, 2, ("greedy", "random"), 0, 10)
    with pytest.raises(LabError, match="There is no sample to gather"):
        gather([], Path("nowhere"))
    with pytest.raises(LabError, match='Two samples are called "deluxe-base-2p-greedy"'):
        gather([GREEDY, GREEDY], Path("nowhere"))
    assert not Path("nowhere").exists()
