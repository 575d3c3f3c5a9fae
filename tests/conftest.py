"""How Hypothesis runs here: the same examples every time, unless you ask for more.

HYPOTHESIS_PROFILE=thorough tries many new examples; nightly runs and people who changed a rule use it.

And the command line, as tests run it, and the order in which they run.
"""

import io
import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from tests.running import Ran, Run
from tests.short_names import shorten_temporary_folder

from dicetown.cli import main

settings.register_profile(
    "repeatable",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile(
    "thorough",
    parent=settings.get_profile("repeatable"),
    derandomize=False,
    max_examples=1000,
    print_blob=True,
)
os.environ["DICETOWN_PREPARE"] = "0"  # services of tests compile nothing that no test asks for
# Where tests run in the background Ctrl-C is ignored, and would be by all that they start and press it for.
signal.signal(signal.SIGINT, signal.default_int_handler)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # the processes of xdist inherit it
        config.add_cleanup(shorten_temporary_folder())


#: What mostly waits: for a service that is killed, frozen or slow, for other processes, for dice that roll.
_WAITING = (
    "tests/faults/",
    "tests/server/test_crash.py",
    "tests/server/test_silence.py",
    "tests/browser/test_fast.py",
    "tests/browser/test_company.py",
    "tests/browser/test_crash.py",
    "tests/arena/test_ray.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let one process begin with what waits: others have the cores meanwhile, and the end is short."""
    items.sort(key=lambda item: not item.nodeid.startswith(_WAITING))


@pytest.fixture
def dicetown(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run the command in this process; further lines are its input."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)

    def run(*arguments: object, lines: str = "") -> Ran:
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        with pytest.raises(SystemExit) as left:
            main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return Ran(left.value.code, printed.out, printed.err)

    return run
