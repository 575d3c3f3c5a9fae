"""What a person reads about scenarios: differences side by side, and the events that led there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from dicetown.errors import ScenarioError
from dicetown.game.events import Event, ExtraTurnEarned, Paid, TurnBegan
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


_SENTENCES = {
    "TurnBegan": "seat {0.seat} begins a turn",
    "DiceRolled": "seat {0.seat} rolls {dice}",
    "TotalRaised": "seat {0.seat} raises the total by {0.by} to {0.total}",
    "TunaRolled": "the tuna dice show {dice}",
    "Built": "seat {0.seat} builds {0.thing} for {0.price}",
    "Passed": "seat {0.seat} builds nothing",
    "Invested": "seat {0.seat} invests; {0.coins} lie there now",
    "ExtraTurnEarned": "seat {0.seat} earns an extra turn",
    "Forced": "seat {0.seat} has one choice: {0.action}",
    "Won": "seat {0.seat} wins",
    "HandedOver": "seat {0.giver} hands {0.card}{closed} to seat {0.receiver}: {0.cause}",
    "Closed": "seat {0.owner} closes {0.copies} {0.card}: {0.cause}",
    "Reopened": "seat {0.owner} reopens {0.copies} {0.card}",
    "Demolished": "seat {0.seat} demolishes {0.landmark}: {0.cause}",
    "Drawn": "{0.thing} is drawn",
    "Discarded": "{0.copies} {0.card} leave the market: nobody may build them",
    "Returned": "seat {0.seat} puts {0.card} back into the market",
    "GameDrawn": "the game is drawn",
}


def _say(event: Event) -> str:
    """An event in one line, with seats as numbers and things by their ids.

    >>> _say(Paid(0, 1, 2, 3, "cafe", 3))
    'seat 0 pays seat 1 2 of 3 coins: cafe × 3'
    """
    match event:
        case Paid():
            return _say_payment(event)
        case TurnBegan(extra=True):
            return f"seat {event.seat} begins an extra turn"
        case ExtraTurnEarned(cause=str() as cause) if cause:
            return f"seat {event.seat} earns an extra turn: {cause}"
    dice = " and ".join(map(str, getattr(event, "dice", ())))
    closed = " (closed)" if getattr(event, "closed", False) else ""
    return _SENTENCES[type(event).__name__].format(event, dice=dice, closed=closed)


def _say_payment(paid: Paid) -> str:
    payer = "the bank" if paid.payer is None else f"seat {paid.payer}"
    receiver = "the bank" if paid.receiver is None else f"seat {paid.receiver}"
    coins = f"{paid.coins}" if paid.coins == paid.owed else f"{paid.coins} of {paid.owed}"
    copies = f" × {paid.copies}" if paid.copies > 1 else ""
    return f"{payer} pays {receiver} {coins} {'coin' if coins == '1' else 'coins'}: {paid.cause}{copies}"
