"""What comes from outside may be anything: it is understood or refused in a sentence, and breaks nothing."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.server.site import Guest, Site, site

from dicetown.server.common.settings import Limits
from dicetown.server.wire.refusals import STATUS

MANY = (1e6, 10**6)
LAVISH = Limits(
    requests=MANY,
    messages=MANY,
    messages_from=MANY,
    connects=MANY,
    chat=MANY,
    chat_from=MANY,
    tables=10**6,
    tables_of_address=10**6,
    tables_made=MANY,
    tables_made_in_all=MANY,
)
DEEP = 150
#: Values as they may stand in JSON, or in what somebody takes for it.
NASTY = [
    r'"\ud800"',
    r'"half a \udfff letter"',
    r'"\u0000"',
    '"\u202e"',
    '""',
    "NaN",
    "-Infinity",
    "1e999",
    "1.5",
    "-1",
    "9" * 400,
    "9" * 5000,
    "null",
    "true",
    "[]",
    "{}",
    "[" * DEEP + "]" * DEEP,
    "[" * 3000,
    '{"a":' * DEEP + "1" + "}" * DEEP,
]
SEATS = '"seats": [{"kind": "me"}, {"kind": "bot"}]'
#: Where such a value may stand: method, path and body.
PLACES = [
    ("POST", "/api/tables", '{"house": {"start_coins": VALUE}, SEATS}'),
    ("POST", "/api/tables", '{"house": {"landmarks": [VALUE]}, SEATS}'),
    ("POST", "/api/tables", '{"house": {"VALUE": 1}, SEATS}'),
    ("POST", "/api/tables", '{"house": VALUE, SEATS}'),
    ("POST", "/api/tables", '{"edition": VALUE, SEATS}'),
    ("POST", "/api/tables", '{"sets": [VALUE], SEATS}'),
    ("POST", "/api/tables", '{"VALUE": 1, SEATS}'),
    ("POST", "/api/tables", '{"seats": [{"kind": "here", "name": VALUE}, {"kind": "bot", "bot": VALUE}]}'),
    ("POST", "/api/tables", "VALUE"),
    ("PATCH", "/api/me", '{"name": VALUE}'),
    ("POST", "/api/tables/CODE/join", '{"name": "Ben", "seat": VALUE}'),
    ("POST", "/api/tables/CODE/seats/1", '{"do": "fill", "bot": VALUE, "name": VALUE}'),
    ("POST", "/api/tables/CODE/seats/1", '{"do": VALUE}'),
    ("PUT", "/api/tables/CODE/word", '{"seat": 0, "word": VALUE}'),
    ("GET", "/api/cards?house=VALUE", ""),
    ("GET", '/api/cards?house={"start_coins": VALUE}', ""),
    ("GET", "/api/cards?edition=VALUE&sets=VALUE", ""),
    ("GET", "/api/tables/CODE/log?before=VALUE", ""),
    ("GET", "/api/tables/CODE/moments/VALUE", ""),
    ("GET", "/api/tables/VALUE", ""),
]
MESSAGES = [
    '{"type": "say", "key": "k", "text": VALUE}',
    '{"type": "say", "key": VALUE, "text": "hi"}',
    '{"type": "say", "key": "k", "phrase": VALUE}',
    '{"type": "act", "key": "k", "seat": 0, "actions": [VALUE]}',
    '{"type": "act", "key": "k", "seat": VALUE, "actions": ["roll 1"]}',
    '{"type": "act", "key": "k", "seat": 0, "actions": ["fly"], "moves": VALUE}',
    '{"type": "worth", "key": "k", "seat": 0, "thing": VALUE}',
    '{"type": "language", "language": VALUE}',
    '{"type": VALUE}',
    '{"type": "ping", "more": VALUE}',
    "VALUE",
]


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with site(tmp_path_factory.mktemp("site"), limits=LAVISH) as opened:
        yield opened


@pytest.fixture(scope="module")
def host(here: Site) -> Guest:
    return here.guest()


def check_answer(answer: Any) -> None:
    """It was done, or a sentence says why not."""
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        refused = answer.json()
        assert STATUS[refused["code"]] == answer.status_code
        assert refused["message"]


@pytest.mark.parametrize("nasty", NASTY, ids=lambda text: text[:12])
def test_no_value_breaks_a_request(host: Guest, nasty: str) -> None:
    code = host.make("me", "friend", start=False)
    bare = nasty.strip('"')
    for method, path, body in PLACES:
        asked = path.replace("CODE", code).replace("VALUE", quote(nasty[:1500]))
        text = body.replace("SEATS", SEATS).replace('"VALUE"', f'"{bare}"').replace("VALUE", nasty)
        headers = {"content-type": "application/json"}
        check_answer(host.client.request(method, asked, content=text.encode(), headers=headers))


@pytest.mark.parametrize("nasty", NASTY, ids=lambda text: text[:12])
def test_no_value_breaks_a_conversation(host: Guest, nasty: str) -> None:
    code = host.make("me", "here")
    with host.live(code) as line:
        for message in MESSAGES:
            line.socket.send(message.replace("VALUE", nasty))
            line.send(type="ping")
            line.hear("pong")
        line.act(0, "roll 1", key="k1")
        line.hear("done")


@pytest.mark.parametrize("since", ["9" * 5000, "9" * 20, "٣", "-0", "1e5", "%00", "%ED%A0%80", ""])
def test_no_claim_about_what_was_seen_breaks_a_connection(host: Guest, since: str) -> None:
    with host.live(host.make("me", "here"), f"?since={quote(since, safe='%')}") as line:
        assert line.next()["type"] == "welcome"


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://[x"},
        {"origin": "\u00e9"},
        {"accept-language": "de;q=nan"},
        {"accept-language": f"de;q={'9' * 3000}"},
        {"cookie": 'dicetown_guest="\\377.x"; ;;=;'},
        {"content-type": "application/json; charset=x"},
        {"content-type": "\u00e9"},
    ],
    ids=str,
)
def test_no_header_breaks_a_request(host: Guest, headers: dict[str, str]) -> None:
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    for method, path in (("GET", "/api/me"), ("POST", "/api/tables"), ("GET", "/")):
        answer = host.client.request(method, path, headers=raw, content=b"{}" if method == "POST" else None)
        assert answer.status_code < 500 or "make page" in answer.text


_SIMPLE = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None), max_size=9)
)
_ANYTHING = st.recursive(
    _SIMPLE, lambda some: st.lists(some, max_size=3) | st.dictionaries(st.text(max_size=9), some, max_size=3)
)


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rule=st.sampled_from(["start_coins", "landmarks_to_win", "landmarks", "market", "tuna", "x"])
    | st.text(max_size=9),
    value=_ANYTHING,
    edition=st.sampled_from(["ciudad", "deluxe", "grossstadt", "neue_stadt"]),
)
def test_any_house_rule_is_played_by_or_refused(host: Guest, rule: str, value: Any, edition: str) -> None:
    seats = [{"kind": "me"}, {"kind": "bot"}]
    body = json.dumps({"edition": edition, "house": {rule: value}, "seats": seats, "start": True})
    headers = {"content-type": "application/json"}
    check_answer(host.client.post("/api/tables", content=body.encode(), headers=headers))
