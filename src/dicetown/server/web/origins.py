"""Whose pages may speak to the service: those it has served itself."""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers


def is_own_page(headers: Headers, others: Collection[str] = ()) -> bool:
    """Whether a request comes from one of our own pages, or from no page at all.

    Browsers always say where a page that connects comes from; programs do not, and have nobody's cookie.

    >>> is_own_page(Headers({"origin": "https://table.example", "host": "table.example"}))
    True
    >>> is_own_page(Headers({"origin": "https://elsewhere.example", "host": "table.example"}))
    False
    """
    origin = headers.get("origin")
    if origin is None or origin in others:
        return True
    try:
        return urlsplit(origin).netloc == headers.get("host")
    except ValueError:  # no address at all
        return False
