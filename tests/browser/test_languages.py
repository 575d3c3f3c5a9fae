"""English, Spanish and German: chosen by the browser, changed without loading the page again, complete."""

import re
from contextlib import suppress
from functools import cache
from urllib.parse import urljoin

import httpx
import pytest
from playwright.sync_api import Locator, Page, TimeoutError, expect
from tests.browser.conftest import NewPage
from tests.browser.playing import FRIEND, ME, RICH, bot, go_to, make_table, sit_down

from dicetown.server.wire.names import BOT_NAMES

_OTHERS = ("es", "de")
#: What is the same in several languages: names, as people and boxes have them, and a few words.
_SAME = [
    *(
        "Ana",
        "Dicetown",
        "English",
        "Español",
        "Deutsch",
        "Normal",
        "Champion",
        "Chat",
        "Bot",
        "Bank",
        "Total",
    ),
    *("Astronaut", "Florist", "Enter", "Esc", "Tab"),
    *BOT_NAMES,
]
# All that a page says, to the eye or to the ear, but for code, which nobody translates.
_SAID = """() => {
    const said = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const { parentElement, textContent } = walker.currentNode;
        if (!parentElement.closest("script, style, code")) said.push(textContent);
    }
    for (const name of ["aria-label", "title", "placeholder", "alt", "aria-valuetext"])
        for (const element of document.querySelectorAll(`[${name}]`)) said.push(element.getAttribute(name));
    return said.map((text) => text.trim().replace(/\\s+/g, " "));
}"""
# What is said (in English as well, or only now) and has a word in it that is not the same in all languages.
_WHICH = f"""([english, same]) => {{
    const isWord = (word) => /\\p{{L}}{{2}}\\p{{Ll}}/u.test(word) && !same.includes(word);
    const differs = (text) => text.split(/[^\\p{{L}}]+/u).some(isWord);
    return [...new Set(({_SAID})())].filter((text) => IS_ENGLISH && differs(text));
}}"""
_LEFT = _WHICH.replace("IS_ENGLISH", "english.includes(text)")
_FOREIGN = _WHICH.replace("IS_ENGLISH", "!english.includes(text)")


def switch(page: Page) -> Locator:
    """The choice of the language in the bar on top."""
    return page.locator("header select")


@cache
def printed(address: str, language: str) -> list[str]:
    """The words in the names of all boxes and cards, as printed in a language; some are English ones, too."""
    found: list[str] = []
    for box in httpx.get(f"{address}/api/editions", params={"lang": language}).json():
        cards = httpx.get(f"{address}/api/cards", params={"edition": box["id"], "lang": language}).json()
        found += [box["name"], *(card["name"] for card in cards)]
    return re.findall(r"\w+", " ".join(found))


def check_all_languages(page: Page, where: str) -> None:
    """Switch through the languages: the page follows, and nothing is left in English."""
    english: list[str] = page.evaluate(_SAID)
    assert len(english) > 10
    elsewhere, foreign = list(english), list[str]()
    for language in _OTHERS:
        same = [*_SAME, *printed(urljoin(page.url, "/").rstrip("/"), language)]
        switch(page).select_option(language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        try:
            page.wait_for_function(f"(known) => ({_LEFT})(known).length === 0", arg=[english, same])
        except TimeoutError:
            left = page.evaluate(_LEFT, [english, same])
            raise AssertionError(f"{where} in {language} still says: {left}") from None
        check_no_ids(page, f"{where} in {language}")
        foreign = page.evaluate(_FOREIGN, [elsewhere, same])
        elsewhere += foreign
    switch(page).select_option("en")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    # What the service tells comes a bit later to who switches often; nobody shall take it for English then.
    # What only the last language said is waited for; what came as late and is the same in all of them, a
    # fingerprint perhaps, stays and is no finding.
    with suppress(TimeoutError):
        gone = f"(foreign) => !({_SAID})().some((text) => foreign.includes(text))"
        page.wait_for_function(gone, arg=foreign)
    check_no_ids(page, where)


def check_no_ids(page: Page, where: str) -> None:
    """Nothing is said that only programs should see: ids of cards, places for words."""
    said: list[str] = page.evaluate(_SAID)
    ids = [text for text in said if re.search(r"\b[a-z]+_[a-z_]+\b|\{\w*\}|undefined|\bNaN\b", text)]
    assert ids == [], where


@pytest.mark.parametrize(
    ("locale", "language", "invitation"),
    [
        ("en-US", "en", "Play now"),
        ("es-MX", "es", "Jugar ya"),
        ("de-AT", "de", "Jetzt spielen"),
        ("fr-FR", "en", "Play now"),
    ],
)
def test_the_browser_chooses_the_language(
    new_page: NewPage, locale: str, language: str, invitation: str
) -> None:
    page = new_page(locale=locale)
    expect(page.get_by_role("button", name=invitation)).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", language)


def test_the_language_is_switched_without_loading_the_page_again_and_kept(page: Page) -> None:
    page.evaluate("() => { window.stillHere = true; }")
    switch(page).select_option("de")
    expect(page.get_by_role("button", name="Jetzt spielen")).to_be_visible()
    expect(page.get_by_text("gegen drei Bots")).to_be_visible()
    assert page.evaluate("() => window.stillHere")

    page.reload()
    expect(page.get_by_role("button", name="Jetzt spielen")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_the_pages_around_the_game_speak_every_language(page: Page) -> None:
    expect(page.get_by_text("against three bots")).to_be_visible()
    check_all_languages(page, "start page")
    page.get_by_role("button", name="Help").click()
    expect(page.get_by_role("dialog", name="How to play")).to_be_visible()
    check_all_languages(page, "help")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Settings").click()
    check_all_languages(page, "settings")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Set up a table").click()
    page.get_by_text("More: house rules").click()
    expect(page.get_by_role("spinbutton").first).to_be_visible()
    check_all_languages(page, "new table")
    go_to(page, make_table(page, [ME, FRIEND, bot()]))
    page.get_by_role("button", name=re.compile("Seat 3")).click()
    check_all_languages(page, "lobby")


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["deluxe", "neue_stadt"])
def test_the_table_speaks_every_language(page: Page, edition: str) -> None:
    seat = sit_down(page, [ME, bot(), bot()], edition=edition, sets=None)
    seat.wait_until_asked()
    check_all_languages(page, "table")
    seat.play(2)
    check_all_languages(page, "table, later")
    seat.look_at(re.compile("."))
    check_all_languages(page, "close-up")
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Chat").click()
    check_all_languages(page, "chat")
    page.get_by_role("button", name="Fair dice").click()
    check_all_languages(page, "fair dice")


@pytest.mark.slow
def test_what_follows_a_game_speaks_every_language(page: Page) -> None:
    sit_down(page, [ME, bot()], house=RICH).play_to_the_end()
    for part in ("Over time", "Income", "Dice", "Review"):
        page.get_by_role("tab", name=part).click()
        check_all_languages(page, f"result, {part}")
    page.get_by_role("link", name="Replay").click()
    expect(page.get_by_role("slider", name="Place in the game")).to_be_visible()
    page.get_by_role("button", name="To the end").click()
    check_all_languages(page, "replay")
