"""What a person reads about scenarios: differences side by side, and the events that led there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from dicetown.errors import ScenarioError
from dicetown.game.events import (
    Built,
    Closed,
    Demolished,
    DiceRolled,
    Discarded,
    Drawn,
    Event,
    ExtraTurnEarned,
    Forced,
    HandedOver,
    Invested,
    Paid,
    Passed,
    Reopened,
    Returned,
    TotalRaised,
    TunaRolled,
    TurnBegan,
    Won,
)
from dicetown.scenario.differences import Difference
from dicetown.scenario.files import load_scenarios
from dicetown.scenario.playthrough import Result, run_scenario

Write = Callable[[str], object]


def run_files(paths: Iterable[str | Path], write: Write = print) -> tuple[int, int]:
    """Run the scenarios of files and folders, write about those that fail, and count.

    Raises :class:`~dicetown.errors.ScenarioError`, before anything is run, for a file that cannot be read.
    """
    scenarios = [scenario for path in paths for scenario in load_scenarios(path)]
    if not scenarios:
        raise ScenarioError("No scenario file is named; name one or more YAML files or folders of them.")
    results = [run_scenario(scenario) for scenario in scenarios]
    failures = [result for result in results if not result.passed]
    for failure in failures:
        write(describe_failure(failure) + "\n")
    write(f"{len(results) - len(failures)} passed, {len(failures)} failed")
    return len(results) - len(failures), len(failures)


def describe_failure(result: Result) -> str:
    """A block of lines about a scenario that does not hold."""
    scenario = result.scenario
    rules = f" ({', '.join(scenario.rules)})" if scenario.rules else ""
    verdict = "ERROR" if result.problem else "FAILED"
    lines = [f"{verdict} {scenario.name}{rules}", f"  {scenario.place}"]
    if result.problem:
        lines.append(f"  {result.problem}")
    if result.differences:
        lines += ["", *_side_by_side(result.differences)]
    lines += ["", "  What happened:", *(f"    {line}" for line in _tell(result.events))]
    return "\n".join(lines)


def _side_by_side(differences: Sequence[Difference]) -> list[str]:
    """A table of what was expected and what is."""
    rows = [("", "expected", "actual")]
    rows += [(f"{one.what} {one.when}", one.expected, one.actual) for one in differences]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    return [f"  {what:<{widths[0]}}  {wanted:<{widths[1]}}  {is_}".rstrip() for what, wanted, is_ in rows]


# ---------------------------------------------------------------------------- events


def _tell(events: Sequence[Event]) -> list[str]:
    return [_say(event) for event in events] or ["(nothing)"]


def _say(event: Event) -> str:
    """An event in one line, with seats as numbers and things by their ids.

    >>> _say(Paid(0, 1, 2, 3, "cafe", 3))
    'seat 0 pays seat 1 2 of 3 coins: cafe × 3'
    """
    match event:
        case TurnBegan():
            return f"seat {event.seat} begins {'an extra turn' if event.extra else 'a turn'}"
        case DiceRolled():
            return f"seat {event.seat} rolls {_dice(event.dice)}"
        case TotalRaised():
            return f"seat {event.seat} raises the total by {event.by} to {event.total}"
        case TunaRolled():
            return f"the tuna dice show {_dice(event.dice)}"
        case Paid():
            return _say_payment(event)
        case Built():
            return f"seat {event.seat} builds {event.thing} for {event.price}"
        case Passed():
            return f"seat {event.seat} builds nothing"
        case Invested():
            return f"seat {event.seat} invests; {event.coins} lie there now"
        case ExtraTurnEarned():
            return f"seat {event.seat} earns an extra turn" + (f": {event.cause}" if event.cause else "")
        case Forced():
            return f"seat {event.seat} has one choice: {event.action}"
        case Won():
            return f"seat {event.seat} wins"
    return _say_about_cards(event)


def _say_about_cards(event: Event) -> str:
    match event:
        case HandedOver():
            closed = " (closed)" if event.closed else ""
            return f"seat {event.giver} hands {event.card}{closed} to seat {event.receiver}: {event.cause}"
        case Closed():
            return f"seat {event.owner} closes {event.copies} {event.card}: {event.cause}"
        case Reopened():
            return f"seat {event.owner} reopens {event.copies} {event.card}"
        case Demolished():
            return f"seat {event.seat} demolishes {event.landmark}: {event.cause}"
        case Drawn():
            return f"{event.thing} is drawn"
        case Discarded():
            return f"{event.copies} {event.card} leave the market: nobody may build them"
        case Returned():
            return f"seat {event.seat} puts {event.card} back into the market"
    return "the game is drawn"


def _say_payment(paid: Paid) -> str:
    payer = "the bank" if paid.payer is None else f"seat {paid.payer}"
    receiver = "the bank" if paid.receiver is None else f"seat {paid.receiver}"
    coins = f"{paid.coins}" if paid.coins == paid.owed else f"{paid.coins} of {paid.owed}"
    copies = f" × {paid.copies}" if paid.copies > 1 else ""
    return f"{payer} pays {receiver} {coins} {'coin' if coins == '1' else 'coins'}: {paid.cause}{copies}"


def _dice(faces: tuple[int, ...]) -> str:
    return " and ".join(map(str, faces))
