"""The game's events as they travel: the engine's own classes, told to Pydantic.

There is no second list of them: a page's types name every event that the engine knows.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias, get_args

import msgspec
from pydantic import GetJsonSchemaHandler, GetPydanticSchema
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from dicetown.game import events


def _carry(_source: Any, _handler: Any) -> CoreSchema:
    """Nothing but an event is taken, and msgspec writes it, with its name in ``event``."""
    writing = core_schema.plain_serializer_function_ser_schema(msgspec.to_builtins)
    return core_schema.is_instance_schema(events._Event, serialization=writing)


def _describe(_schema: CoreSchema, _handler: GetJsonSchemaHandler) -> JsonSchemaValue:
    """One of the events, told apart by ``event``."""
    _, kinds = msgspec.json.schema_components(get_args(events.Event))
    return {"oneOf": list(kinds.values())}


GameEvent: TypeAlias = Annotated[events.Event, GetPydanticSchema(_carry, _describe)]
