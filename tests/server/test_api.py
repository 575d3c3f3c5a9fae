"""The REST interface: what it promises in its OpenAPI document, what it refuses and how, and its headers."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import settings
from schemathesis.checks import CHECKS
from tests.server.site import Guest, Site, site

from dicetown import fair
from dicetown.server.common.settings import Limits
from dicetown.server.web.api import api
from dicetown.server.web.site import CONTENT_POLICY
from dicetown.server.wire.refusals import STATUS
from dicetown.server.wire.texts import say

LAVISH = Limits(
    requests=(1e6, 1_000_000),
    tables=1_000_000,
    tables_of_address=1_000_000,
    tables_made=(1e6, 1_000_000),
    tables_made_in_all=(1e6, 1_000_000),
)

_described = FastAPI()
_described.include_router(api)
schema = schemathesis.openapi.from_dict(_described.openapi())


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with site(tmp_path_factory.mktemp("site"), limits=LAVISH) as opened:
        yield opened


@pytest.mark.slow
@schema.parametrize()
@settings(max_examples=12)
def test_every_address_keeps_its_promises(case: Any, here: Site) -> None:
    # Most strings are no edition or name; that these are refused is no broken promise.
    unfair = [CHECKS.get_one("positive_data_acceptance")]
    case.call_and_validate(base_url=here.address.rstrip("/"), excluded_checks=unfair)


@pytest.mark.slow
@schema.include(path_regex="/tables/{code}").parametrize()
@settings(max_examples=12)
def test_every_address_of_a_table_keeps_its_promises(case: Any, here: Site) -> None:
    host = here.guests[0] if here.guests else here.guest()
    case.path_parameters["code"] = host.make("me", "friend", "normal", start=False)
    unfair = [CHECKS.get_one("positive_data_acceptance"), CHECKS.get_one("negative_data_rejection")]
    cookies = dict(host.client.cookies)
    case.call_and_validate(base_url=here.address.rstrip("/"), excluded_checks=unfair, cookies=cookies)


# ------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("GET", "/api/tables/ABCDEFGH", None, 404, "no_table"),
        ("GET", "/api/tables/short", None, 404, "no_table"),
        ("GET", "/api/nothing", None, 404, "no_page"),
        ("DELETE", "/api/tables", None, 405, "wrong_method"),
        ("POST", "/api/tables", "{nonsense", 400, "bad_json"),
        ("POST", "/api/tables", {}, 422, "bad_request"),
        ("POST", "/api/tables", {"seats": [{"kind": "me"}]}, 422, "bad_request"),
        ("POST", "/api/tables", {"seats": [{"kind": "me"}] * 2}, 422, "too_many_me"),
        ("POST", "/api/tables", {"seats": [{"kind": "me"}, {"kind": "ghost"}]}, 422, "bad_request"),
        ("POST", "/api/tables", {"seats": [{"kind": "me", "name": "x" * 25}] * 2}, 422, "bad_name"),
        ("POST", "/api/tables", {"seats": [{"kind": "me", "name": "   "}, {"kind": "bot"}]}, 422, "bad_name"),
        ("POST", "/api/tables", {"seats": [{"kind": "bot", "bot": "nobody"}] * 2}, 422, "no_bot"),
        ("POST", "/api/tables", {"seats": [{"kind": "bot", "bot": "pipe:sh"}] * 2}, 422, "no_bot"),
        ("POST", "/api/tables", {"edition": "x", "seats": [{"kind": "bot"}] * 2}, 422, "no_edition"),
        ("POST", "/api/tables", {"sets": ["x"], "seats": [{"kind": "bot"}] * 2}, 422, "no_set"),
        ("POST", "/api/tables", {"sets": ["harbor"], "seats": [{"kind": "bot"}] * 2}, 422, "no_base_set"),
        ("POST", "/api/tables", {"house": {"x": 1}, "seats": [{"kind": "bot"}] * 2}, 422, "bad_house"),
        ("POST", "/api/tables", {"sets": ["base"], "seats": [{"kind": "bot"}] * 5}, 422, "player_count"),
        ("POST", "/api/tables", {"start": True, "seats": [{"kind": "friend"}] * 2}, 422, "friends_missing"),
        ("POST", "/api/tables", {"more": 1, "seats": [{"kind": "bot"}] * 2}, 422, "bad_request"),
        ("PATCH", "/api/me", {"name": ""}, 422, "bad_name"),
        ("PATCH", "/api/me", {"name": "\u202eevil"}, 422, "bad_name"),
        ("GET", "/api/cards?edition=none", None, 422, "no_edition"),
        ("GET", "/api/cards?house=[1]", None, 422, "bad_house"),
        ("GET", "/api/cards?house={", None, 422, "bad_house"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(
    here: Site, method: str, path: str, body: Any, status: int, code: str
) -> None:
    guest = here.guest()
    content = {"content": body} if isinstance(body, str) else {"json": body} if body is not None else {}
    sentences = set()
    for language in ("en", "es", "de"):
        headers = {"accept-language": language, "content-type": "application/json"}
        answer = guest.client.request(method, path, headers=headers, **content)
        assert answer.status_code == status, answer.text
        assert answer.json()["code"] == code
        sentences.add(answer.json()["message"])
    assert len(sentences) == 3
    assert all(sentence.endswith((".", "?")) for sentence in sentences)


def test_every_refusal_has_its_sentence_and_each_sentence_is_used() -> None:
    slots = {"most": 1, "least": 1, "wanted": 2, "what": "x"}
    for code in STATUS:
        assert len({say(language, f"refuse.{code}", **slots) for language in ("en", "es", "de")}) == 3


def test_markup_in_a_name_is_only_a_name(here: Site) -> None:
    guest = here.guest()
    name = "<b>Ana</b> & 'co'"
    assert guest.client.patch("/api/me", json={"name": name}).json()["name"] == name
    code = guest.make("me", "here")
    assert guest.client.get(f"/api/tables/{code}").json()["seats"][0]["name"] == name


# ------------------------------------------------------------------------------ the tables


def test_tables_are_made_found_joined_and_begun(here: Site) -> None:
    ana, ben = here.guest(), here.guest()
    ana.client.patch("/api/me", json={"name": "Ana"})
    code = ana.make("me", "friend", "normal", start=False, timer="fast", house={"start_coins": 5})
    found = ben.client.get(f"/api/tables/{code.lower()}?lang=es").json()
    assert (found["stage"], found["timer"], found["house"]) == ("lobby", "fast", {"start_coins": 5})
    assert [seat["kind"] for seat in found["seats"]] == ["person", "open", "bot"]
    assert found["seats"][0]["name"] == "Ana"
    assert ben.client.post(f"/api/tables/{code}/start").status_code == 403
    joined = ben.client.post(f"/api/tables/{code}/join", json={"name": "Ben"}).json()
    assert joined["seats"][1]["name"] == "Ben"
    assert ben.client.get("/api/me").json()["name"] == "Ben"
    bound = fair.commit_to_word(1, "moon")
    for seat, status in ((1, 200), (0, 403)):
        answer = ben.client.put(f"/api/tables/{code}/commitment", json={"seat": seat, "commitment": bound})
        assert answer.status_code == status
    starting = ana.client.post(f"/api/tables/{code}/start").json()
    assert (starting["stage"], starting["fairness"]["frozen"]) == ("lobby", True)
    assert starting["fairness"]["commitments"] == [None, bound, None]
    begun = ben.client.put(f"/api/tables/{code}/word", json={"seat": 1, "word": "moon"}).json()
    assert begun["stage"] == "playing"
    assert begun["fairness"]["words"] == ["", "moon", ""]
    me = ana.client.get("/api/me").json()
    assert [table["code"] for table in me["running"]] == [code]
    assert me["your_turn"] == [code]
    assert ben.client.get("/api/me").json()["your_turn"] == []


def test_the_host_pauses_a_game_lets_it_go_on_and_hurries_the_bots(here: Site) -> None:
    ana, ben = here.guest(), here.guest()
    code = ana.make("me", "normal")
    assert ben.client.post(f"/api/tables/{code}/pause").status_code == 403
    assert ana.client.post(f"/api/tables/{code}/pause").json()["stage"] == "paused"
    assert ana.client.post(f"/api/tables/{code}/resume").json()["stage"] == "playing"
    assert ana.client.put(f"/api/tables/{code}/pace", json={"pace": "instant"}).json()["pace"] == "instant"
    lines = ana.client.get(f"/api/tables/{code}/log?lang=de").json()["lines"]
    assert lines
    assert ana.client.get(f"/api/tables/{code}/log?before=1").json()["lines"] == []


def test_lists_tell_nothing_of_private_tables(here: Site) -> None:
    ana, ben = here.guest(), here.guest()
    secret = ana.make("me", "friend", start=False)
    public = ana.make("me", "friend", start=False, public=True)
    watched = ana.make("me", "normal", public=True)
    codes = [table["code"] for table in ben.client.get("/api/tables").json()["tables"]]
    assert public in codes
    assert watched in codes
    assert secret not in codes
    assert ben.client.get("/api/me").json()["running"] == []


def test_a_wish_for_more_landmarks_than_there_are_is_refused_with_their_number(here: Site) -> None:
    wish = {"edition": "deluxe", "sets": ["base"], "house": {"landmarks_to_win": 5}}
    answer = here.guest().client.post("/api/tables", json=wish | {"seats": [{"kind": "bot"}] * 2})
    assert (answer.status_code, answer.json()["code"]) == (422, "few_landmarks")
    assert answer.json()["message"] == (
        "To win, 5 landmarks would be needed, but with these sets and house rules "
        "everybody can build no more than 4."
    )


def test_a_finished_game_can_be_looked_back_on(here: Site) -> None:
    ana = here.guest()
    code = ana.make("normal", "normal", house={"landmarks_to_win": 1})
    assert ana.client.get(f"/api/tables/{code}/result").json()["code"] == "not_over"
    assert ana.client.get(f"/api/tables/{code}/review").status_code == 409
    with ana.live(code) as line:
        while line.hear("entry")["kind"] != "over":
            pass
    result = ana.client.get(f"/api/tables/{code}/result").json()
    table = ana.client.get(f"/api/tables/{code}").json()
    assert result["winner"] == table["winner"]
    assert len(result["players"]) == 2
    record = ana.client.get(f"/api/tables/{code}/record")
    assert record.headers["content-disposition"] == f'attachment; filename="dicetown-{code}.json"'
    assert fair.verify(record.text).holds
    moves = len(record.json()["moves"])
    moment = ana.client.get(f"/api/tables/{code}/moments/{moves}?lang=de").json()
    assert moment["scene"]["winner"] == table["winner"]
    assert ana.client.get(f"/api/tables/{code}/moments/{moves + 1}").json()["code"] == "no_moment"
    assert ana.client.get(f"/api/tables/{code}/review").json()["ready"] is False
    again = ana.client.post(f"/api/tables/{code}/rematch").json()
    assert again["code"] != code
    assert again["stage"] == "playing"
    assert ana.client.post(f"/api/tables/{code}/rematch").json()["code"] == again["code"]
    assert ana.client.delete(f"/api/tables/{again['code']}").status_code == 204
    assert ana.client.post(f"/api/tables/{code}/rematch").json()["code"] not in (code, again["code"])
    assert [one["code"] for one in ana.client.get("/api/me").json()["finished"]] == [code]


def test_a_game_that_has_not_begun_has_no_record(here: Site) -> None:
    ana = here.guest()
    code = ana.make("me", "friend", start=False)
    for what in ("record", "result", "moments/0", "review"):
        answer = ana.client.get(f"/api/tables/{code}/{what}")
        assert (answer.status_code, answer.json()["code"]) == (409, "not_begun")


def test_boxes_cards_and_bots_are_told_in_the_readers_language(here: Site) -> None:
    ana = here.guest()
    for path in ("editions", "cards?edition=ciudad&sets=base", "bots"):
        told = {
            language: ana.client.get(f"/api/{path}", headers={"accept-language": language}).text
            for language in ("en", "es", "de")
        }
        assert len(set(told.values())) == 3
    assert (
        ana.client.get("/api/bots?lang=de", headers={"accept-language": "es"}).json()
        == ana.client.get("/api/bots", headers={"accept-language": "fr, de;q=0.8, en;q=0.1"}).json()
    )


# ----------------------------------------------------------------------- doors and headers


def test_answers_have_careful_headers(here: Site) -> None:
    ana = here.guest()
    for path in ("/", "/api/editions", "/healthz", "/api/none", "/assets/none.js"):
        answer = ana.client.get(path)
        assert answer.headers["content-security-policy"] == CONTENT_POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert "server" not in answer.headers
    assert ana.client.get("/api/editions").headers["content-encoding"] == "gzip"
    for path in ("/api/me", "/api/tables", "/api/none"):  # who goes back sees what is, not what was
        assert ana.client.get(path).headers["cache-control"] == "no-store"


def test_a_guest_is_known_by_a_cookie_that_no_script_can_read(here: Site) -> None:
    answer = httpx.get(f"{here.address}api/me")
    cookie = answer.headers["set-cookie"]
    assert all(part in cookie for part in ("HttpOnly", "SameSite=Lax", "Path=/"))
    assert "Secure" not in cookie
    name, _, value = cookie.partition(";")[0].partition("=")
    again = httpx.get(f"{here.address}api/me", cookies={name: value})
    assert "set-cookie" not in again.headers
    changed = (
        value[:-2] + ("A" if value[-2] != "A" else "B") + value[-1]
    )  # the last one has bits that say nothing
    for forged in (changed, value.partition(".")[0], "x", "é"):
        other = httpx.get(f"{here.address}api/me", headers={b"Cookie": f"{name}={forged}".encode()})
        assert "set-cookie" in other.headers


@pytest.mark.parametrize(
    "foreign",
    [
        'prefs={"a":1}',
        "x[y]=1",
        "a=b c",
        "foo",
        "a/b=1",
        "a=b,c",
        'theme="dark',
        "=",
        "; ;",
        "name=Zoë",
        "path=/",
    ],
)
def test_a_guest_is_known_whatever_others_have_set_for_the_same_host(here: Site, foreign: str) -> None:
    ana = here.guest()
    [ours] = [f"{name}={value}" for name, value in ana.client.cookies.items()]
    for headers in (
        [(b"Cookie", f"{foreign}; {ours}".encode())],
        [(b"Cookie", f"{ours}; {foreign}".encode())],
        [(b"Cookie", foreign.encode()), (b"Cookie", ours.encode())],
    ):
        again = httpx.get(f"{here.address}api/me", headers=headers)
        assert (again.status_code, "set-cookie" in again.headers) == (200, False)


def test_a_live_connection_knows_its_guest_among_foreign_cookies(here: Site) -> None:
    ana = here.guest()
    code = ana.make("me", "normal")
    ana.client.cookies = httpx.Cookies({"prefs": '{"a":1}'} | dict(ana.client.cookies))
    with ana.live(code) as line:
        assert line.hear("welcome")["you"]["seats"] == [0]


def test_pages_of_other_sites_cannot_change_anything(here: Site) -> None:
    ana = here.guest()
    body = {"seats": [{"kind": "me"}, {"kind": "bot"}]}
    answer = ana.client.post("/api/tables", json=body, headers={"origin": "https://elsewhere.example"})
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_origin")
    own = ana.client.post("/api/tables", json=body, headers={"origin": here.address.rstrip("/")})
    assert own.status_code == 201


def test_too_much_at_once_is_refused(here: Site) -> None:
    ana = here.guest()
    answer = ana.client.post("/api/tables", content=b"x" * 40_000)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_big")
    pieces = ana.client.post("/api/tables", content=(b"x" * 10_000 for _ in range(5)))
    assert (pieces.status_code, pieces.json()["code"]) == (413, "too_big")


def test_too_many_requests_are_refused(tmp_path) -> None:
    with site(tmp_path, limits=Limits(requests=(0.001, 3), tables=1)) as strict:
        ana = Guest(strict.address)
        ana.make("me", "here")
        body = {"seats": [{"kind": "me"}, {"kind": "bot"}]}
        answer = ana.client.post("/api/tables", json=body)
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many_tables")
        answer = ana.client.get("/api/me")
        assert (answer.status_code, answer.json()["code"]) == (429, "too_quick")
        assert int(answer.headers["retry-after"]) > 900  # until there is a token again
        assert ana.client.get("/healthz").status_code == 200
        ana.client.close()


def test_those_who_run_the_service_can_see_how_it_is(here: Site) -> None:
    ana = here.guest()
    ana.make("me", "normal")
    assert ana.client.get("/healthz").json()["status"] == "ok"
    told = ana.client.get("/metrics").text
    assert "dicetown_tables " in told
    assert 'dicetown_entries_total{kind="made"}' in told
    assert "dicetown_commit_seconds_bucket" in told
    assert 'dicetown_thoughts_waiting{kind="hint"} 0.0' in told


def test_every_address_of_the_client_is_the_same_page(
    here: Site, monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<title>Dicetown</title>")
    (tmp_path / "assets" / "page-abc.js").write_text("1")
    monkeypatch.setattr("dicetown.server.web.site.client_folder", lambda: tmp_path)
    with site(tmp_path) as built:
        ana = built.guest()
        for path in ("/", "/new", "/t/ABCDEFGH", "/t/ABCDEFGH/replay", "/index.html"):
            answer = ana.client.get(path)
            assert (answer.status_code, answer.text) == (200, "<title>Dicetown</title>")
            assert answer.headers["cache-control"] == "private, no-cache"
            assert "set-cookie" not in answer.headers
        stranger = httpx.get(
            built.address
        )  # is somebody before the page makes its first requests, all at once
        assert "dicetown_guest=" in stranger.headers["set-cookie"]
        assert "set-cookie" not in httpx.get(f"{built.address}assets/page-abc.js").headers
        assert "immutable" in ana.client.get("/assets/page-abc.js").headers["cache-control"]
        for path in ("/assets/none.js", "/none.png", "/../secret.txt", "/%2e%2e/%2e%2e/etc/passwd.txt"):
            assert ana.client.get(path).status_code == 404
        assert ana.client.post("/new").status_code == 405
        (tmp_path / "index.html").unlink()
        answer = ana.client.get("/")
        assert answer.status_code == 503
        assert "make page" in answer.text


def test_where_no_page_was_built_that_is_said_until_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "static"
    monkeypatch.setattr("dicetown.server.web.site.client_folder", lambda: folder)
    with site(tmp_path) as bare:
        ana = bare.guest()
        assert (ana.client.get("/").status_code, ana.client.get("/t/ABCDEFGH").status_code) == (503, 503)
        assert "make page" in ana.client.get("/").text
        assert ana.client.get("/none.png").status_code == 404
        folder.mkdir()
        (folder / "index.html").write_text("<title>Dicetown</title>")
        assert ana.client.get("/").text == "<title>Dicetown</title>"
