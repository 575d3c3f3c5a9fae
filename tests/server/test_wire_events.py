"""Events travel as what they are: the engine's classes, all of them, in the engine's own words."""

from __future__ import annotations

import json
from typing import get_args

import msgspec
import pytest

from dicetown.game import events
from dicetown.server import wire
from dicetown.server.wire.schema import wire_schema

KINDS = [kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, events._Event)]
EVENTS = [kind for kind in KINDS if kind is not events._Event]
PAID = events.Paid(payer=0, receiver=None, coins=2, owed=3, cause="price", copies=1)
ROLLED = events.DiceRolled(1, (3, 4))


def name_of(kind: type) -> str:
    """The name that an event of a class has where it travels."""
    return str(msgspec.inspect.type_info(kind).tag)  # type: ignore[attr-defined]


def test_every_class_of_the_engine_is_one_of_the_events() -> None:
    assert set(get_args(events.Event)) == set(EVENTS)


@pytest.mark.parametrize("message", ["Entry", "Moment"])
def test_the_wire_describes_every_event_with_all_of_its_fields(message: str) -> None:
    described = wire_schema()["components"]["schemas"][message]["properties"]["events"]["items"]["oneOf"]
    fields = {one["properties"]["event"]["enum"][0]: set(one["required"]) for one in described}
    assert fields == {name_of(kind): {"event", *kind.__struct_fields__} for kind in EVENTS}


def test_an_entry_tells_its_events_as_it_always_has() -> None:
    entry = wire.Entry(number=1, kind="moved", at=0.0, events=[PAID, ROLLED, events.GameDrawn()])
    assert json.loads(msgspec.json.encode(entry))["events"] == [
        {"event": "paid", "payer": 0, "receiver": None, "coins": 2, "owed": 3, "cause": "price", "copies": 1},
        {"event": "dice_rolled", "seat": 1, "dice": [3, 4]},
        {"event": "game_drawn"},
    ]
