"""What all messages are made of: strict classes, and the kinds of words and numbers in them.

What the service sends, and what pages say while a game is played, are msgspec's structures, as the journal's
entries and the game's events are: there are many of them in every moment. What is asked for by HTTP comes
seldom, and FastAPI reads it with Pydantic. Pydantic describes all of it.
"""

from __future__ import annotations

from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta
from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, GetJsonSchemaHandler, create_model
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

LONGEST_NAME = 24
_LAST_SEAT = 4
Name: TypeAlias = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
Seat: TypeAlias = Annotated[int, Field(ge=0, le=_LAST_SEAT), Meta(ge=0, le=_LAST_SEAT)]
#: In Python's patterns `$` lets a line break follow.
_FIRST, _LAST = r"\A", r"\Z"
#: Chosen by the client for each request that changes something; a resend has the same one.
Key: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64, pattern=rf"{_FIRST}[A-Za-z0-9_-]+{_LAST}")]
Move: TypeAlias = Annotated[str, Meta(min_length=1, max_length=80)]
#: SHA-256 of a player's word for the dice (docs/fairness.md), in hexadecimal.
Commitment: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
#: 64 random digits, a space, and what somebody has typed.
LONGEST_WORD = 160


class _Described(msgspec.Struct, frozen=True):
    """A structure that Pydantic can describe, and FastAPI send."""

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        """Nothing but such a structure is taken, and msgspec writes it."""
        writing = core_schema.plain_serializer_function_ser_schema(msgspec.to_builtins)
        return core_schema.is_instance_schema(cls, serialization=writing)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, _schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """What is in it."""
        return handler(description_of(cls).__pydantic_core_schema__)


class Message(_Described, frozen=True, kw_only=True, gc=False):
    """What the service sends."""


class Said(_Described, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """What a page says over its live connection: nothing unknown is accepted."""


class Request(BaseModel):
    """What a client asks for by HTTP: nothing unknown is accepted."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@cache
def description_of(kind: type[_Described]) -> type[BaseModel]:
    """A structure as Pydantic describes it.

    >>> from dicetown.server.wire import Done
    >>> list(description_of(Done).model_fields)
    ['type', 'key', 'number']
    """
    config = kind.__struct_config__
    fields: dict[str, Any] = {"type": (Literal[config.tag], ...)} if config.tag_field == "type" else {}
    hints = get_type_hints(kind, include_extras=True)
    for field in msgspec.structs.fields(kind):
        hint = _as_pydantic_has_it(hints[field.name])
        if field.required:
            fields[field.name] = hint
        elif field.default_factory is not msgspec.NODEFAULT:
            fields[field.name] = (hint, field.default_factory())
        else:
            fields[field.name] = (hint, field.default)
    strict: ConfigDict = {"extra": "forbid"} if config.forbid_unknown_fields else {}
    return create_model(
        kind.__name__, __doc__=kind.__doc__, __config__=strict, __module__=kind.__module__, **fields
    )


def _as_pydantic_has_it(hint: Any) -> Any:
    """A type as Pydantic writes it: structures as models, and limits that msgspec keeps to as its own."""
    if isinstance(hint, type) and issubclass(hint, _Described):
        return description_of(hint)
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        limits = [_limit(one) if isinstance(one, Meta) else one for one in parts[1:]]
        return Annotated[_as_pydantic_has_it(parts[0]), *limits]
    if origin in (Union, UnionType):
        return Union[tuple(map(_as_pydantic_has_it, parts))]  # noqa: UP007
    return list[_as_pydantic_has_it(parts[0])] if origin is list else hint  # type: ignore[misc]


def _limit(meta: Meta) -> Any:
    pattern = meta.pattern and f"^{meta.pattern.removeprefix(_FIRST).removesuffix(_LAST)}$"
    return Field(
        ge=meta.ge, le=meta.le, min_length=meta.min_length, max_length=meta.max_length, pattern=pattern
    )
