"""Trying mutants: each in a process of its own, against the quick tests of the rules, interpreted.

The tests are collected once. Then a process is forked for each mutant, plants it and runs tests until one
fails, those first that noticed others of the same function or module. What runs compiled is left out: it is
made from the same text.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType

import pytest
from tests.mutants.planting import RULES, Mutant, plant

from dicetown.rules import kernel

#: What must notice, the quickest first.
TESTS = (
    "tests/test_scenarios.py",
    "tests/test_rulings_of_setup.py",
    "tests/test_rulings.py",
    "tests/rules/test_ruleset.py",
    "tests/rules/test_tables.py",
    "tests/rules/test_sanity.py",
    "tests/rules/test_sanity_of_waits.py",
    "tests/rules/test_telling.py",
    "tests/rules/test_rare_turns.py",
    "tests/rules/test_a_new_card.py",
    "tests/rules/test_at_rest.py",
    "tests/rules/test_chance.py",
    "tests/rules/test_rng.py",
    "tests/test_position.py",
    "tests/golden/test_golden.py",
    "tests/properties/test_defaults.py",
)
#: For those who get past: trees of moves, what must hold in any game, the second implementation.
LONG_TESTS = (
    "tests/perft/test_perft.py",
    "tests/properties/test_endings.py",
    "tests/properties/test_legality.py",
    "tests/properties/test_round_trips.py",
    "tests/properties/test_conservation.py",
    "tests/properties/test_reference.py",
)
#: A test that reckons for so many seconds has lost its way, as in a loop without end.
_SECONDS, _SECONDS_AT_LENGTH = 4, 120
_LOST = "time"
_OPTIONS = ("-q", "-s", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist")


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant: which test noticed it, or none."""

    key: str
    noticed_by: str | None
    seconds: float
    at_length: bool = False  # whether it was tried with the long tests, too

    @property
    def gets_past(self) -> bool:
        """Whether nothing noticed it."""
        return self.noticed_by is None


def with_tests(work: Callable[[Bench], None], tests: Sequence[str] = (*TESTS, *LONG_TESTS)) -> None:
    """Collect the tests, and work with them."""
    kernel._compile = _no_twin
    bench = Bench(work)
    pytest.main([*_OPTIONS, *tests], plugins=[bench])
    if not bench.worked:
        raise SystemExit("The tests of the rules cannot be collected.")


def _no_twin(function: FunctionType, form: str, **options: bool) -> None:
    """A mutant's machine code must not be kept beside that of the sound rules: its test is passed over."""
    pytest.skip(f"{function.__name__} is not compiled here")


class Bench:
    """The collected tests, and mutants tried with them; a plugin of pytest that runs nothing by itself."""

    def __init__(self, work: Callable[[Bench], None]) -> None:
        self.worked = False
        self._work = work
        self._quick: list[pytest.Item] = []
        self._long: list[pytest.Item] = []
        self._noticed: dict[
            str, list[str]
        ] = {}  # what noticed others of a function or module, the last first
        self._failed = ""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Instead of running the tests: fork and try."""
        for item in session.items:
            long = item.nodeid.startswith(LONG_TESTS) or item.get_closest_marker("slow") is not None
            (self._long if long else self._quick).append(item)
        self._work(self)
        self.worked = True
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep which test failed first."""
        if report.failed and not self._failed:
            self._failed = report.nodeid

    def try_none(self, at_length: bool) -> Outcome:
        """The sound rules, tried as mutants are: nothing may be noticed."""
        trial = self._begin("", "", lambda: None, at_length)
        while (outcome := trial.look()) is None:
            time.sleep(0.05)
        return outcome

    def try_all(self, mutants: Iterable[Mutant], at_length: bool, jobs: int) -> Iterator[Outcome]:
        """Try mutants, so many at a time; outcomes come as they are known."""
        waiting, running = iter(mutants), dict[int, _Trial]()
        while True:
            while len(running) < jobs and (mutant := next(waiting, None)) is not None:
                trial = self._begin_with(mutant, at_length)
                running[trial.process] = trial
            if not running:
                return
            time.sleep(0.01)
            for process, trial in list(running.items()):
                if (outcome := trial.look()) is not None:
                    del running[process]
                    self.remember(outcome)
                    yield outcome

    def remember(self, outcome: Outcome) -> None:
        """What noticed a mutant is tried first with others of its function, then of its module."""
        if outcome.noticed_by is not None:
            function = outcome.key.partition(" | ")[0]
            for place in (function, function.partition(".")[0]):
                self._noticed.setdefault(place, []).insert(0, outcome.noticed_by)

    def _begin_with(self, mutant: Mutant, at_length: bool) -> _Trial:
        path = RULES / f"{mutant.module}.py"
        return self._begin(
            mutant.key, f"{mutant.module}.{mutant.function}", lambda: plant(path, mutant), at_length
        )

    def _begin(self, key: str, function: str, prepare: Callable[[], object], at_length: bool) -> _Trial:
        told, tell = os.pipe()
        process = os.fork()
        if process == 0:
            os.close(told)
            self._failed = "an error of the tests themselves"
            try:
                self._run(function, prepare, at_length)
            finally:
                self._leave(tell)
        os.close(tell)
        return _Trial(key, function, at_length, process, told, time.monotonic())

    def _leave(self, tell: int) -> None:
        """In the forked process: say what failed, and end."""
        os.write(tell, self._failed.encode())
        os._exit(1 if self._failed else 0)

    def _run(self, function: str, prepare: Callable[[], object], at_length: bool) -> None:
        """In the forked process: plant, and run the tests until one fails."""
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silence, stream)
        prepare()
        self._failed = ""
        places = (function, function.partition(".")[0])
        likely = dict.fromkeys(name for place in places for name in self._noticed.get(place, ()))
        tests = self._long if at_length else self._quick
        by_name = {item.nodeid: item for item in tests}
        first = [by_name[name] for name in likely if name in by_name]
        ordered = [*first, *(item for item in tests if item.nodeid not in likely)]
        for item, following in zip(ordered, [*ordered[1:], None], strict=True):
            signal.setitimer(signal.ITIMER_PROF, _SECONDS_AT_LENGTH if at_length else _SECONDS)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self._failed:
                return


@dataclass(frozen=True)
class _Trial:
    """A process that tries a mutant."""

    key: str
    function: str
    at_length: bool
    process: int
    told: int  # the end of a pipe that says which test failed
    since: float

    def look(self) -> Outcome | None:
        """The outcome, if there is one yet."""
        done, status = os.waitpid(self.process, os.WNOHANG)
        if not done:
            return None
        with os.fdopen(self.told, encoding="utf-8") as pipe:
            failed = pipe.read()
        if os.WIFSIGNALED(status):
            failed = _LOST if os.WTERMSIG(status) == signal.SIGPROF else "a crash"
        return Outcome(self.key, failed or None, round(time.monotonic() - self.since, 1), self.at_length)


# -------------------------------------------------------------------------------- what is known


def read_outcomes(file: Path) -> dict[str, Outcome]:
    """What an earlier run has found, by mutant."""
    if not file.exists():
        return {}
    told = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())
    return {one["key"]: Outcome(**one) for one in told}
