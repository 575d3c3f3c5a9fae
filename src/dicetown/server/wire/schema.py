"""The classes of :mod:`dicetown.server.wire` as an OpenAPI document, from which the client's types are made.

``python -m dicetown.server.wire.schema`` prints it.
"""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from dicetown.server import wire
from dicetown.server.wire.base import Message, Said, description_of

_REF = "#/components/schemas/{model}"


def wire_schema() -> dict[str, Any]:
    """All that travels, as the schemas of a document without paths.

    >>> sorted(wire_schema()["components"]["schemas"])[:3]
    ['Act', 'AskHint', 'AskWorth']
    """
    kinds = [kind for kind in vars(wire).values() if isinstance(kind, type)]
    told = [(description_of(kind), "serialization") for kind in kinds if issubclass(kind, Message)]
    said = [(description_of(kind), "validation") for kind in kinds if issubclass(kind, Said)]
    asked = [(kind, "validation") for kind in kinds if issubclass(kind, BaseModel)]
    _, document = models_json_schema([*told, *said, *asked], ref_template=_REF)  # type: ignore[list-item]
    return {
        "openapi": "3.1.0",
        "info": {"title": "Dicetown", "version": "1"},
        "paths": {},
        "components": {"schemas": document["$defs"]},
    }


if __name__ == "__main__":
    print(json.dumps(wire_schema(), indent=1))
