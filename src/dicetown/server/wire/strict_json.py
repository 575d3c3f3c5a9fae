"""JSON from outside, read as strictly as live messages are: real text, real numbers, and not too deep.

Python's own reader takes halves of letters (lone surrogates), ``NaN`` and almost any depth, and then neither
a database nor an answer can take what it has read.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from pydantic_core import from_json

from dicetown.server.wire.refusals import Refused


def read_json(text: bytes | str) -> Any:
    r"""What a text says.

    >>> read_json('{"landmarks_to_win": 3}')
    {'landmarks_to_win': 3}
    >>> read_json(r'"\ud800"')
    Traceback (most recent call last):
    dicetown.server.wire.refusals.Refused: bad_json
    """
    try:
        return from_json(text, allow_inf_nan=False)
    except ValueError:
        raise Refused("bad_json") from None


class _StrictRequest(Request):
    async def json(self) -> Any:
        """What the body says."""
        return read_json(await self.body())


class StrictRoute(APIRoute):
    """An address whose requests are read strictly."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """What answers a request."""
        answer = super().get_route_handler()

        async def answer_strictly(request: Request) -> Response:
            return await answer(_StrictRequest(request.scope, request.receive))

        return answer_strictly
