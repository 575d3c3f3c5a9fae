"""What cannot be done is said in a sentence, in the user's language; and what a page itself may not do."""

import gzip
import re
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import Page, Route, expect
from tests.browser.conftest import Expect, NewPage
from tests.browser.playing import FRIEND, ME, RICH, bot, go_to, make_table, sit_down

from dicetown.server.web.site import client_folder

_MOST = 250_000  # bytes of the client, compressed, without its fonts
_MARKUP = "<b>Ana</b> & <img src=x>"


def names_at(page: Page, code: str) -> list[str]:
    """Who sits at a table."""
    seats = page.request.get(urljoin(page.url, f"/api/tables/{code}")).json()["seats"]
    return [seat["name"] for seat in seats if seat["kind"] != "open"]


# ------------------------------------------------------------------------------------- tables


@pytest.mark.parametrize(
    ("locale", "title", "sentence"),
    [
        ("en-GB", "No such table", "There is no table ABCDEFGH"),
        ("es-ES", "No existe esa mesa", "No hay ninguna mesa ABCDEFGH"),
        ("de-DE", "Diesen Tisch gibt es nicht", "Es gibt keinen Tisch ABCDEFGH"),
    ],
)
def test_an_unknown_table_is_told(new_page: NewPage, locale: str, title: str, sentence: str) -> None:
    page = new_page("/t/ABCDEFGH", locale=locale)
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(page.get_by_role("main")).to_contain_text(sentence)
    page.get_by_role("main").get_by_role("link").click()
    expect(page.locator(".play-now")).to_be_visible()


def test_an_address_that_is_none_is_told(new_page: NewPage) -> None:
    page = new_page("/no/such/place")
    expect(page.get_by_role("heading", name="Nothing is built here yet")).to_be_visible()


def test_a_code_with_a_typo_is_told_and_one_with_spaces_is_understood(page: Page) -> None:
    code = make_table(page, [ME, FRIEND])
    page.get_by_label("Code or link").fill("KTF4")
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("alert")).to_contain_text("A code has eight letters and digits")
    expect(page.get_by_label("Code or link")).to_be_focused()

    page.get_by_label("Code or link").fill(f"{code[:4].lower()} {code[4:].lower()}")
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("heading", name="Around the table")).to_be_visible()


def test_a_table_that_is_full_says_so(page: Page, new_page: NewPage) -> None:
    code = make_table(page, [ME, FRIEND])
    ben = new_page(f"/t/{code}")
    ben.get_by_label("Your name").fill("Ben")
    ben.get_by_role("button", name="Take a seat").click()
    expect(ben.get_by_text("Ana starts the game")).to_be_visible()

    caro = new_page(f"/t/{code}", locale="es-ES")
    expect(caro.get_by_role("heading", name="La mesa está llena")).to_be_visible()
    expect(caro.get_by_role("button", name="Sentarse")).to_be_hidden()
    assert names_at(page, code) == ["Ana", "Ben"]


def test_who_comes_a_moment_too_late_for_the_last_seat_is_told(
    page: Page, new_page: NewPage, expect_problem: Expect
) -> None:
    expect_problem("409 .*/join")
    code = make_table(page, [ME, FRIEND])
    ben, caro = new_page(), new_page(f"/t/{code}", locale="de-DE")

    def take_it_first(route: Route) -> None:
        taken = ben.request.post(urljoin(page.url, f"/api/tables/{code}/join"), data={"name": "Ben"})
        assert taken.ok
        answer = route.fetch()
        assert answer.status == 409
        assert answer.json()["message"] == "An diesem Tisch ist kein Platz mehr frei."
        route.fulfill(response=answer)

    caro.route("**/join*", take_it_first)
    caro.get_by_label("Dein Name").fill("Caro")
    caro.locator("main form button").click()

    expect(caro.get_by_role("heading", name="Der Tisch ist voll")).to_be_visible()
    assert names_at(page, code) == ["Ana", "Ben"]


def test_whoever_comes_to_a_game_that_has_begun_watches_it(page: Page, new_page: NewPage) -> None:
    code = make_table(page, [ME, bot()])
    guest = new_page(f"/t/{code}", locale="de-DE")
    expect(guest.get_by_text("Du schaust zu")).to_be_visible()
    expect(guest.locator("section.bar button")).to_have_count(0)

    address = urljoin(page.url, f"/api/tables/{code}/join?lang=de")
    answer = guest.request.post(address, data={"name": "Ben"})
    assert answer.status == 409
    assert answer.json()["message"] == "Die Partie hat schon begonnen."


def test_a_thing_that_cannot_be_paid_says_what_is_missing(page: Page) -> None:
    seat = sit_down(page, [ME, bot()])
    seat.roll()
    seat.wait_until_asked("What do you build?")
    before = seat.moves

    close_up = seat.look_at("Radio Tower")
    expect(close_up.get_by_text(re.compile(r"^needs \d+ more coins$"))).to_be_visible()
    expect(close_up).to_have_accessible_description(re.compile(r"^needs \d+ more coins$"))
    expect(page.locator(".toasts")).to_have_text("")  # nobody has tried anything: nobody is scolded
    expect(close_up.get_by_role("button", name=re.compile("^Build"))).to_be_hidden()
    assert seat.moves == before


# -------------------------------------------------------------------------------------- names


def test_a_name_of_nothing_is_refused(page: Page) -> None:
    page.get_by_role("button", name="Change name").click()
    page.get_by_label("Your name").fill("   ")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_have_text("A name needs at least one letter.")
    expect(page.get_by_label("Your name")).to_be_visible()


@pytest.mark.parametrize(
    ("locale", "sentence"),
    [
        ("en-GB", "A name needs 1 to 24 characters that can be seen."),
        ("es-ES", "Un nombre debe tener de 1 a 24 caracteres visibles."),
        ("de-DE", "Ein Name braucht 1 bis 24 sichtbare Zeichen."),
    ],
)
@pytest.mark.parametrize("name", ["x" * 25, "\u2800\u200b"], ids=["too long", "invisible"])
def test_a_name_that_is_too_long_or_cannot_be_seen_is_refused(
    new_page: NewPage, expect_problem: Expect, locale: str, sentence: str, name: str
) -> None:
    expect_problem("422 .*/me")
    page = new_page(locale=locale)
    page.locator(".invitation p .change").last.click()
    field = page.locator(".invitation form input")
    expect(field).to_have_attribute("maxlength", "24")
    field.evaluate("(field) => field.removeAttribute('maxlength')")  # a browser that does not care
    field.fill(name)
    page.locator(".invitation form button").first.click()

    expect(page.get_by_role("alert")).to_have_text(sentence)
    assert page.request.get(urljoin(page.url, "/api/me")).json()["name"] == ""


def test_markup_in_a_name_is_only_text(page: Page) -> None:
    page.get_by_role("button", name="Change name").click()
    page.get_by_label("Your name").fill(_MARKUP)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text(f"You play as {_MARKUP}")).to_be_visible()

    seat = sit_down(page, [{"kind": "me", "name": _MARKUP}, bot()])
    seat.wait_until_asked()
    expect(seat.city).to_contain_text(_MARKUP)
    expect(page.locator("img")).to_have_count(0)
    seat.roll()
    assert f"{_MARKUP} rolls a" in " ".join(seat.log())


# ------------------------------------------------------------------------- what the page may not do


def test_the_whole_client_is_small(page: Page) -> None:
    files = [path for path in client_folder().rglob("*") if path.is_file() and path.suffix != ".woff2"]
    sizes = {path.name: len(gzip.compress(path.read_bytes())) for path in files}
    assert sum(sizes.values()) < _MOST, sizes


def test_no_request_leaves_the_own_origin(new_page: NewPage) -> None:
    page = new_page()
    asked: list[str] = []
    page.context.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url))
    own = urlsplit(page.url).netloc

    page.reload()
    page.get_by_role("link", name="Set up a table").click()
    expect(page.get_by_role("button", name="Open the table")).to_be_visible()
    sit_down(page, [ME, bot()], house=RICH).play_to_the_end()
    page.get_by_role("tab", name="Income").click()
    page.get_by_role("link", name="Replay").click()
    expect(page.get_by_role("slider", name="Place in the game")).to_be_visible()

    assert len(asked) > 20
    assert any(url.startswith("ws:") for url in asked)
    assert {urlsplit(url).netloc for url in asked if not url.startswith("data:")} == {own}


def test_going_back_leads_to_the_page_before(page: Page) -> None:
    page.get_by_role("link", name="Set up a table").click()
    expect(page.get_by_role("heading", name="New table")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    seat = go_to(page, make_table(page, [ME, bot()]))
    seat.wait_until_asked()
    page.go_back()
    expect(page.get_by_role("heading", name="Your games")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("Großstadt.*Your turn"))).to_be_visible()
