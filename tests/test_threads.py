"""What is read for the first time is read by many threads at once, as it is when a service comes back."""

import subprocess
import sys

import pytest

#: Each round sees the package as if it had just been imported: types are made once in a process.
PROGRAM = """
import sys, threading
from concurrent.futures import ThreadPoolExecutor

THREADS, ROUNDS = 8, {rounds}
sys.setswitchinterval(1e-6)

def at_once(read):
    ready = threading.Barrier(THREADS)
    def run(_):
        ready.wait()
        read()
    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(run, range(THREADS)))

for _ in range(ROUNDS):
    for name in [name for name in sys.modules if name.partition(".")[0] == "dicetown"]:
        del sys.modules[name]
{prepare}
    at_once({read})
print("whole")
"""
MATERIAL = "    from dicetown.material import load"
HOUSE = """
    from dicetown.material import HouseFacts, load
    house = load().editions["deluxe"].house
"""
HEAD = """
    from dicetown.server.journal.summary import Summary, read_summary, write_summary
    from dicetown.server.journal.entries import Chair, TableSettings
    settings = TableSettings("ciudad", ["base"], {}, "off", "slow", False)
    text = write_summary(Summary(
        code="ABCDEFGH", settings=settings, chairs=[Chair("open", "")], host="a", secret="", created=0.0
    ))
"""
ENTRY = """
    from dicetown.server.journal.entries import Back, read_body, write_body
    text = write_body(Back(seat=1))
"""
RECORD = """
    from dicetown.game.record import GameRecord
    text = GameRecord(ruleset={"edition": "ciudad", "sets": ["base"]}, players=["Ana"], moves=[]).to_json()
"""


@pytest.mark.parametrize(
    ("prepare", "read", "rounds"),
    [
        pytest.param(MATERIAL, "load", 4, id="material"),
        pytest.param(HOUSE, "lambda: HouseFacts.of(house)", 8, id="house-rules"),
        pytest.param(HEAD, "lambda: read_summary(text)", 6, id="summaries-of-tables"),
        pytest.param(ENTRY, "lambda: read_body(text)", 6, id="entries-of-journals"),
        pytest.param(RECORD, "lambda: GameRecord.read(text)", 6, id="saved-games"),
    ],
)
def test_many_threads_may_be_the_first_to_read(prepare: str, read: str, rounds: int) -> None:
    program = PROGRAM.format(prepare=prepare, read=read, rounds=rounds)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "whole\n"), done.stderr[-2000:]
