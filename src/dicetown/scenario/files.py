"""From a YAML file to scenarios that can be run, or to one sentence that says why not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from dicetown.errors import RulesetError, ScenarioError
from dicetown.rules.ruleset import Ruleset
from dicetown.rules.tables import tables_for
from dicetown.scenario.model import Counts, Position, Scenario, Seat
from dicetown.scenario.place import Place, PlaceInGame, brief
from dicetown.scenario.starting_position import check_position
from dicetown.scenario.steps import MOST_COINS, read_expectation, read_step

KEYS = (
    "name", "rule", "edition", "sets", "house", "seats", "turn", "market", "deck", "landmark_market",
    "landmark_deck", "play", "expect",
)  # fmt: skip
SEAT_KEYS = ("coins", "cards", "landmarks", "closed", "invested")
SUFFIXES = (".yaml", ".yml")

#: What PyYAML lets escape where a value does not suit its tag, beside its own errors.
_YAML_MISTAKES = (
    yaml.YAMLError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
)  # fmt: skip


def load_scenarios(path: str | Path) -> list[Scenario]:
    """The scenarios of a file, or of all YAML files in a folder and below, in order of their names."""
    path = Path(path)
    try:
        if path.is_dir():
            files = sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES and file.is_file())
            if not files:
                raise ScenarioError(f"{path}: there is no scenario in this folder; files end in .yaml.")
            return [scenario for file in files for scenario in load_scenarios(file)]
        text = path.read_text(encoding="utf-8")
    except OSError as problem:
        reason = problem.strerror or "it is no file"
        raise ScenarioError(f"{path}: this file cannot be read ({reason}); name a YAML file.") from None
    except UnicodeDecodeError:
        raise ScenarioError(f"{path}: this file is not UTF-8 text; scenarios are YAML in UTF-8.") from None
    except ValueError:  # a path with a NUL in it
        raise ScenarioError(f"{str(path)!r}: this is no path; name a YAML file.") from None
    return read_scenarios(text, str(path))


def read_scenarios(text: str, place: str = "the text") -> list[Scenario]:
    """The scenarios of a text; ``place`` opens the sentence about what is wrong with it."""
    documents = _read_documents(text, place)
    if not documents:
        raise ScenarioError(f"{place}: there is no scenario in it; a scenario has {', '.join(KEYS)}.")
    return [_read_scenario(f"{place}, scenario {number}", document) for number, document in documents]


# ---------------------------------------------------------------------------- YAML

#: Ten times faster than the parser in Python, where PyYAML was built with it.
_SafeLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DEEPEST = 50


class _StrictLoader(_SafeLoader):  # type: ignore[misc]
    """YAML where a key written twice is a mistake."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[Hashable] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if isinstance(key, Hashable) and key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {brief(key)} stands twice", key_node.start_mark
                )
            if isinstance(key, Hashable):
                seen.add(key)
        return dict(super().construct_mapping(node, deep))


def _read_documents(text: str, place: str) -> list[tuple[int, object]]:
    """The documents of a text with their numbers; empty ones (a stray ``---``) do not count."""
    try:
        _check_depth(text)
        documents = list(enumerate(yaml.load_all(text, _StrictLoader), start=1))
    except _YAML_MISTAKES as problem:
        raise ScenarioError(f"{place}: this is no YAML ({_say(problem)}).") from None
    return [(number, document) for number, document in documents if document is not None]


def _check_depth(text: str) -> None:
    """Loading recurses, and the fast parser does so without a net; reading events does not."""
    depth = 0
    for event in yaml.parse(text, _SafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            raise RecursionError


def _say(problem: Exception) -> str:
    if isinstance(problem, yaml.MarkedYAMLError):
        mark = problem.problem_mark or problem.context_mark
        line = f" in line {mark.line + 1}" if mark else ""
        return f"{problem.problem or problem.context or 'it cannot be read'}{line}"
    if isinstance(problem, RecursionError):
        return "it is nested too deeply"
    return " ".join(str(problem).split()) or type(problem).__name__


# ----------------------------------------------------------------------- a scenario


def _read_scenario(where: str, document: object) -> Scenario:
    place = Place(where)
    parts = place.given(document, "the scenario", KEYS)
    for key in ("name", "edition", "seats"):
        if key not in parts:
            raise place.wrong(f"it has no {key}; name, edition and seats are required")
    name = place.text(parts["name"], "name")
    place = Place(f'{where} "{name}"')
    ruleset, players = _read_ruleset(place, parts)
    here = PlaceInGame.of(place.where, ruleset, players)
    position = _read_position(here, parts, ruleset)
    play = place.listing(parts.get("play", []), "play")
    steps = [read_step(here.inside(f"step {n}"), step) for n, step in enumerate(play, start=1)]
    expect = read_expectation(here.inside("expect"), parts.get("expect", {}))
    check_position(place, ruleset, position)
    return Scenario(name, _read_rules(place, parts), where, ruleset, position, tuple(steps), expect)


def _read_rules(place: Place, parts: dict[str, Any]) -> tuple[str, ...]:
    rules = parts.get("rule", [])
    return tuple(place.text(rule, "rule") for rule in (rules if isinstance(rules, list) else [rules]))


def _read_ruleset(place: Place, parts: dict[str, Any]) -> tuple[Ruleset, int]:
    """The rules to play by, which must suit as many players as there are seats."""
    edition = place.text(parts["edition"], "edition")
    sets = parts.get("sets")
    if sets is not None:
        sets = [place.text(one, "a set") for one in place.listing(sets, "sets")]
    house = parts.get("house", {})
    if not isinstance(house, dict):
        raise place.wrong(f"house is {brief(house)}; it must be a mapping of house rules")
    seats = place.listing(parts["seats"], "seats")
    try:
        ruleset = Ruleset(edition, sets=sets, house=house)
        tables_for(ruleset, ruleset.check_players(len(seats)))
        return ruleset, len(seats)
    except RulesetError as problem:
        printable = str(problem).encode("utf-8", "backslashreplace").decode()
        raise ScenarioError(f"{place.where}: {printable}") from None


def _read_position(place: PlaceInGame, parts: dict[str, Any], ruleset: Ruleset) -> Position:
    def cards(key: str) -> Counts | None:
        return place.counts(parts[key], key) if key in parts else None

    def landmarks(key: str) -> tuple[str, ...] | None:
        return place.landmark_list(parts[key], key) if key in parts else None

    seats = [
        _read_seat(place.inside(f"seat {number}"), seat, ruleset)
        for number, seat in enumerate(parts["seats"])
    ]
    return Position(
        tuple(seats),
        place.seat(parts.get("turn", 0), "turn"),
        cards("market"),
        cards("deck"),
        landmarks("landmark_market"),
        landmarks("landmark_deck"),
    )


def _read_seat(place: PlaceInGame, value: object, ruleset: Ruleset) -> Seat:
    parts = place.given(value, "the seat", SEAT_KEYS)
    starting = Counter(ruleset.edition.starting_cards)
    return Seat(
        coins=place.number(parts.get("coins", ruleset.rules.start_coins), "coins", 0, MOST_COINS),
        cards=place.counts(parts["cards"], "cards") if "cards" in parts else dict(starting),
        landmarks=place.landmark_list(parts.get("landmarks", []), "landmarks"),
        closed=place.counts(parts.get("closed", {}), "closed"),
        invested=place.number(parts.get("invested", 0), "invested", 0, MOST_COINS),
    )
