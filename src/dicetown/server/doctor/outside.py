"""What can be seen of an installation from outside: whether it answers, how it is reached, what it shows.

Nothing is changed by it: the live connection is to a table that does not exist, and what is sent makes no
sense, so that it is refused whoever sends it.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from http.cookies import CookieError, SimpleCookie

from prometheus_client.parser import text_string_to_metric_families
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from dicetown import __version__
from dicetown.server.doctor.asking import Address, Answer, Asker, Certificate, NoAnswer
from dicetown.server.doctor.findings import Finding, right, unknown, wrong
from dicetown.server.web.guests import COOKIE

#: A code that has the right length, and a letter that no code has: there is no such table.
_NO_TABLE = "00000000"
#: What a live connection to it is closed with.
_FAREWELL = 4404
_ELSEWHERE = "https://elsewhere.invalid"
_CLOCK = 10.0  # seconds that clocks may differ
_DAYS = 14  # that a certificate should have left
_DAY = 86_400.0
_KEPT = (401, 403, 404)  # what a proxy says about what it keeps to itself
_FILE = re.compile(r'(?:src|href)="(/assets/[^"]+\.js)"')
#: A chore is late when it was not done three times in a row, and then some.
_LATE, _AND_SOME = 3.0, 120.0


def look_from_outside(address: Address, seconds: float = 10.0) -> Iterator[Finding]:
    """Everything that can be seen; if nobody answers, only that."""
    asker = Asker(address, seconds)
    try:
        health = asker.ask("/healthz")
        version = _version_of(health)
        if version is None:
            yield _stranger(address, health)
            return
        yield right("reach", url=address.origin, milliseconds=f"{health.seconds * 1000:.0f}")
        yield check_version(version)
        yield _look_whether_ready(asker)
        yield _look_at_page(asker)
        yield _look_at_compression(asker)
        yield _look_at_live(asker)
        yield _look_at_origins(asker)
        yield _look_at_names(asker)
        yield check_cookie(asker.ask("/api/me"), is_secure=address.is_secure)
        yield check_clock(health)
        yield check_tls(address, asker.certificate, time.time())
        yield from _look_at_metrics(asker)
    except NoAnswer as problem:
        yield wrong("reach", problem.what, **problem.slots)


def _version_of(health: Answer) -> str | None:
    if health.status != 200:
        return None
    try:
        told = json.loads(health.body)
    except ValueError:
        return None
    version = told.get("version") if isinstance(told, dict) and told.get("status") == "ok" else None
    return version if isinstance(version, str) else None


def _stranger(address: Address, answer: Answer) -> Finding:
    """Why what answers is not the service."""
    target = answer.headers.get("location")
    if 300 <= answer.status < 400 and target:
        return wrong("reach", "elsewhere", url=address.origin, target=target)
    if answer.status == 421:
        return wrong("reach", "wrong_host", host=address.host)
    if answer.status in (502, 503, 504):
        return wrong("reach", "behind", url=address.origin, status=answer.status)
    return wrong("reach", "stranger", url=address.origin, status=answer.status)


def check_version(version: str) -> Finding:
    """Whether the service is of the version of this command."""
    if version == __version__:
        return right("version", theirs=version)
    return wrong("version", theirs=version, ours=__version__)


def _look_whether_ready(asker: Asker) -> Finding:
    answer = asker.ask("/readyz")
    if answer.status == 200:
        return right("ready")
    if answer.status in _KEPT:
        return unknown("ready")
    return wrong("ready", status=answer.status)


# ------------------------------------------------------------------------------- the page


def _look_at_page(asker: Asker) -> Finding:
    page = asker.ask("/", headers={"Accept": "text/html"})
    files = _FILE.findall(page.text)
    if page.status == 503:
        return wrong("page", "not_built")
    if page.status != 200 or not files:
        return wrong("page", "stranger", status=page.status)
    for file in dict.fromkeys(files):
        answer = asker.ask(file)
        if answer.status != 200 or "javascript" not in answer.headers.get("content-type", ""):
            return wrong("page", "missing", file=file, status=answer.status)
    return right("page")


def _look_at_compression(asker: Asker) -> Finding:
    answer = asker.ask("/api/cards", headers={"Accept-Encoding": "gzip"})
    return right("press") if answer.headers.get("content-encoding") else wrong("press")


# -------------------------------------------------------------------- through the proxy


def _look_at_live(asker: Asker) -> Finding:
    """Connect to a table that does not exist: whoever gets its farewell would get any other message."""
    address = asker.address
    scheme = "wss" if address.is_secure else "ws"
    uri = f"{scheme}://{address.netloc}/api/tables/{_NO_TABLE}/live"
    try:
        with connect(uri, origin=Origin(address.origin), open_timeout=asker.seconds) as line:
            line.recv(asker.seconds)
            line.recv(asker.seconds)
    except ConnectionClosed as closed:
        code = closed.rcvd.code if closed.rcvd else 1006
        return right("live") if code == _FAREWELL else wrong("live", "odd", code=code)
    except InvalidStatus as refused:
        status = refused.response.status_code
        if status == 403:
            return wrong("live", "origin", origin=address.origin)
        return wrong("live", "refused", status=status)
    except (OSError, InvalidHandshake) as problem:
        return wrong("live", "broken", problem=str(problem).rstrip(".") or type(problem).__name__)
    return wrong("live", "odd", code=1000)


def _look_at_origins(asker: Asker) -> Finding:
    """Whether what our own page sends is taken, and what others' pages send is not."""
    own = _send_nonsense(asker, asker.address.origin)
    if own.status == 403:
        return wrong("origin", "refused", origin=asker.address.origin)
    if own.status not in (400, 422):
        return unknown("origin", status=own.status)
    if _send_nonsense(asker, _ELSEWHERE).status != 403:
        return wrong("origin", "open")
    return right("origin")


def _send_nonsense(asker: Asker, origin: str) -> Answer:
    headers = {"Origin": origin, "Content-Type": "application/json"}
    return asker.ask("/api/tables", "POST", headers, b"{}")


def _look_at_names(asker: Asker) -> Finding:
    """Whether who calls the service by a name that is not its own is sent away, by it or by the proxy."""
    try:
        answer = asker.ask("/api/editions", host="elsewhere.invalid")
    except NoAnswer:
        return right("names")
    # Some proxies (Caddy) answer any name, but with nothing of the service.
    is_ours = answer.status == 200 and answer.body == asker.ask("/api/editions").body
    return wrong("names") if is_ours else right("names")


def check_cookie(answer: Answer, *, is_secure: bool) -> Finding:
    """Whether the cookie that a guest is given is for no script, no other site, and no plain connection."""
    cookies = [_read_cookie(text) for text in answer.headers.get_all("set-cookie") or []]
    morsels = [morsel for cookie in cookies for name, morsel in cookie.items() if name == COOKIE]
    if not morsels:
        return wrong("cookie", "none")
    if not all(morsel["httponly"] and morsel["samesite"] for morsel in morsels):
        return wrong("cookie", "open")
    if is_secure and not all(morsel["secure"] for morsel in morsels):
        return wrong("cookie", "insecure")
    return right("cookie")


def _read_cookie(text: str) -> SimpleCookie:
    """A cookie that is set; none if it makes no sense, as one that a proxy has added may not."""
    try:
        return SimpleCookie(text)
    except CookieError:
        return SimpleCookie()


def check_clock(answer: Answer) -> Finding:
    """Whether its clock and ours agree; what it says is a whole second, already begun."""
    try:
        theirs = parsedate_to_datetime(answer.headers.get("date", "")).timestamp()
    except ValueError:
        return unknown("clock")
    apart = theirs + 0.5 - answer.at
    if abs(apart) > _CLOCK:
        return wrong("clock", "ahead" if apart > 0 else "behind", seconds=f"{abs(apart):.0f}")
    return right("clock")


def check_tls(address: Address, certificate: Certificate | None, now: float) -> Finding:
    """Whether others can listen, and how long the certificate is good."""
    if certificate is None:
        return wrong("tls", "none") if address.is_public() else right("tls", "home")
    if certificate.ends is None:
        return right("tls", "some", version=certificate.version)
    days = int((certificate.ends - now) // _DAY)
    if days < _DAYS:
        return wrong("tls", "soon", days=days)
    return right("tls", version=certificate.version, days=days)


# ------------------------------------------------------------------------ what it measures


def _look_at_metrics(asker: Asker) -> Iterator[Finding]:
    answer = asker.ask("/metrics")
    is_shown = answer.status == 200 and "dicetown_tables" in answer.text
    if not is_shown:
        yield right("metrics")
    elif asker.address.is_public():
        yield wrong("metrics", "open", url=asker.address.origin)
    else:
        yield right("metrics", "home")
    if is_shown:
        yield from check_measured(answer.text)


def check_measured(page: str) -> Iterator[Finding]:
    """What the metrics say about chores, and about what waits to be thought about."""
    found: dict[str, dict[str, float]] = {}
    for family in text_string_to_metric_families(page):
        for sample in family.samples:
            label = sample.labels.get("task") or sample.labels.get("kind") or ""
            found.setdefault(sample.name.removeprefix("dicetown_"), {})[label] = sample.value
    every = found.get("background_every_seconds", {})
    ages = found.get("background_age_seconds", {})
    late = sorted(name for name, age in ages.items() if age > _LATE * every.get(name, 0.0) + _AND_SOME)
    if late:
        yield wrong("chores", names=", ".join(late))
    elif ages:
        yield right("chores")
    if waiting := sum(found.get("thoughts_waiting", {}).values()):
        yield unknown("thinking", "busy", number=int(waiting))
