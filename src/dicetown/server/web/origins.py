"""Where a request comes from: from which page, and from which household, as far as limits go."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

#: Whoever has one address of IPv6 has all of its network: 2**64 of them.
_OWN_BITS = 64


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


def came_from(scope: Scope) -> str:
    """The address that a request is counted for; none if it came through no network."""
    return household(scope["client"][0]) if scope.get("client") else ""


@lru_cache(maxsize=4096)
def household(address: str) -> str:
    """The address that all of somebody's addresses are counted as.

    >>> household("192.0.2.7"), household("2001:db8::1:2:3:4"), household("2001:db8::5")
    ('192.0.2.7', '2001:db8::/64', '2001:db8::/64')
    >>> household("::ffff:192.0.2.7"), household("fe80::1%eth0"), household("by pigeon")
    ('192.0.2.7', 'fe80::/64', 'by pigeon')
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Network((int(found), _OWN_BITS), strict=False))
