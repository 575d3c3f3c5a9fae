"""Plant faults in the rules, one at a time, and see whether the tests notice: `make mutants`."""

from __future__ import annotations

import argparse
import json
import random
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from tests.mutants.planting import Mutant, find_mutants, sources
from tests.mutants.trying import Bench, Outcome, read_outcomes, with_tests

EXPLAINED = Path(__file__).with_name("explained.toml")


def main(arguments: Sequence[str] | None = None) -> int:
    """Try mutants and print who got past the tests; 1 if somebody did whom nothing explains."""
    wish = _parser().parse_args(arguments)
    mutants = chosen(wish.only, wish.sample, wish.seed)
    known = read_outcomes(wish.out)

    def work(bench: Bench) -> None:
        for outcome in known.values():
            bench.remember(outcome)
        for at_length in (False, True) if wish.thorough else (False,):
            left = [mutant for mutant in mutants if _still_to_try(mutant, at_length, known)]
            if left:
                _try(bench, left, at_length, wish, known)

    with_tests(work)
    return _report(mutants, known)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--sample", type=int, help="try so many, drawn at random (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="of the drawing")
    parser.add_argument("--only", default="", help="a module, or MODULE.FUNCTION")
    parser.add_argument("--thorough", action="store_true", help="try who got past with the long tests, too")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time")
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("build/mutants.jsonl"),
        help="where outcomes are written; a run goes on from what stands there",
    )
    return parser


def chosen(only: str = "", sample: int | None = None, seed: int = 1) -> list[Mutant]:
    """The mutants to try."""
    every = [mutant for path in sources() for mutant in find_mutants(path)]
    wanted = [one for one in every if f"{one.module}.{one.function}.".startswith(f"{only}." if only else "")]
    if sample is None or sample >= len(wanted):
        return wanted
    return random.Random(seed).sample(wanted, sample)


def _still_to_try(mutant: Mutant, at_length: bool, known: dict[str, Outcome]) -> bool:
    """Not tried at all; or, at length, noticed by nothing so far and not explained."""
    outcome = known.get(mutant.key)
    if not at_length:
        return outcome is None
    past = outcome is not None and outcome.gets_past and not outcome.at_length
    return past and mutant.key not in explained()


def _try(
    bench: Bench,
    mutants: Sequence[Mutant],
    at_length: bool,
    wish: argparse.Namespace,
    known: dict[str, Outcome],
) -> None:
    """Try mutants and write down at once what becomes of each."""
    sound = bench.try_none(at_length)
    if not sound.gets_past:
        raise SystemExit(f"The sound rules do not pass the tests themselves: {sound.noticed_by}.")
    wish.out.parent.mkdir(parents=True, exist_ok=True)
    with wish.out.open("a", encoding="utf-8") as file:
        for number, outcome in enumerate(bench.try_all(mutants, at_length, wish.jobs), start=1):
            known[outcome.key] = outcome
            file.write(json.dumps(asdict(outcome), ensure_ascii=False) + "\n")
            file.flush()
            if outcome.gets_past:
                print(f"{number} of {len(mutants)}: {outcome.key}", flush=True)


def explained() -> dict[str, str]:
    """Why some mutants cannot be noticed, by mutant."""
    told = tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))
    return {mutant: one["why"] for one in told["explained"] for mutant in one["mutants"]}


def _report(mutants: Sequence[Mutant], known: dict[str, Outcome]) -> int:
    why, counted = explained(), Counter[str]()
    unexplained = []
    for mutant in mutants:
        past = known[mutant.key].gets_past
        counted["explained" if past and mutant.key in why else "unnoticed" if past else "noticed"] += 1
        if past and mutant.key not in why:
            unexplained.append(mutant)
    for mutant in unexplained:
        print(f"unnoticed: {mutant.module}.py:{mutant.line} {mutant.function}: {mutant.change}")
    print(
        f"{len(mutants)} mutants: {counted['noticed']} noticed, {counted['explained']} explained, "
        f"{counted['unnoticed']} unnoticed."
    )
    return 1 if unexplained else 0


if __name__ == "__main__":
    raise SystemExit(main())
