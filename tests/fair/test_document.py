"""docs/fairness.md: its program checks what Dicetown deals, and its example is what Dicetown computes."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.fair.games import EDITIONS, RECORDS, SECRET, chances_in, changed, promising

from dicetown.fair import commit_to_word, commitment
from dicetown.fair.numbers import below, digest
from dicetown.fair.second import key_of
from dicetown.game.record import GameRecord

DOCUMENT = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text(encoding="utf-8")
(PROGRAM,) = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)


def check(record: GameRecord, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the program of the document, without anything of Dicetown at hand."""
    program, file = folder / "check.py", folder / "game.json"
    program.write_text(PROGRAM, encoding="utf-8")
    record.write(file)
    command = [sys.executable, "-I", str(program), str(file)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False, timeout=60)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_program_in_the_document_finds_every_roll_right(edition: str, tmp_path: Path) -> None:
    record = RECORDS[edition]
    rolls = sum(not record.moves[at].startswith("draw") for at in chances_in(record))
    ran = check(record, tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines() == [
        f"{rolls} rolls are as they were promised.",
        "Ana had a word.",
        "Ben had no word.",
        "Caro had a word.",
    ]


def test_the_program_in_the_document_finds_what_was_changed(tmp_path: Path) -> None:
    record = RECORDS["ciudad"]
    at = next(k for k, move in enumerate(record.moves) if move.startswith("dice"))
    other = "dice 1" if record.moves[at] != "dice 1" else "dice 2"
    for broken, problem in [
        (
            changed(record, moves=[*record.moves[:at], other, *record.moves[at + 1 :]]),
            f"move {at + 1} should",
        ),
        (promising(record, secret=bytes(32).hex()), "another secret"),
        (promising(record, words=["dos", "", "ñandú"]), "another word at seat 0"),
    ]:
        ran = check(broken, tmp_path)
        assert ran.returncode != 0
        assert problem in ran.stderr


def test_the_example_in_the_document_is_what_dicetown_computes() -> None:
    words = ["Hafen", "", "ñandú"]
    key = key_of(SECRET, words)
    numbers = [digest(key, f"dice:{turn}:0:0:0".encode())[:8].hex() for turn in range(3)]
    dice = ", ".join(str(1 + below(key, f"dice:{turn}:0:0", 6)) for turn in range(6))
    bound = [commitment(SECRET), commit_to_word(0, "Hafen"), commit_to_word(2, "ñandú")]
    for value in (*bound, key.hex(), *numbers, f"| {dice} |"):
        assert value in DOCUMENT
