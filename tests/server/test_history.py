"""A long past: a page is told the newest of it whatever its length, and what is older by page."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from tests.server.site import Guest, Site, site
from tests.server.sitting import ANA, BEN, refused, seated

from dicetown.game import Game
from dicetown.server import wire
from dicetown.server.common.settings import Limits
from dicetown.server.journal.entries import Said
from dicetown.server.journal.fold import TableState
from dicetown.server.view import history
from dicetown.server.view.history import CHAT_PAGE, chat_page, lines_of_entry, log_page
from dicetown.server.view.log_lines import speaker_of
from dicetown.server.wire.texts import say

TALKATIVE = Limits(
    chat=(1e6, 10_000), chat_from=(1e6, 10_000), messages=(1e6, 10_000), requests=(1e6, 10_000)
)
LINES = 300
#: The longest thing that can be said, in letters that take most bytes.
SHOUT = "🎲" * 280
#: Bytes of a welcome at most, however long the past: less than a page may let lie unread.
LARGEST_WELCOME = 128 * 1024


def said_over_the_line(guest: Guest, code: str) -> None:
    """Say a lot, and wait until all of it is stored."""
    with guest.live(code) as line:
        line.hear("welcome")
        for number in range(LINES):
            line.send(type="say", key=f"k{number}", text=f"line {number}")
        for _ in range(LINES):
            line.hear("done")


def check_a_fresh_page(here: Site, code: str) -> None:
    """Who comes is welcomed, and finds all that was said by page."""
    with here.guest().live(code) as line:
        chat = line.next()["chat"]
        texts = [remark["text"] for remark in chat["said"]]
        assert texts == [f"line {number}" for number in range(LINES - CHAT_PAGE, LINES)]
        while chat["before"] is not None:
            query = {"before": chat["before"]}
            chat = here.guests[0].client.get(f"/api/tables/{code}/chat", params=query).json()
            texts = [remark["text"] for remark in chat["said"]] + texts
        assert texts == [f"line {number}" for number in range(LINES)]
        line.send(type="ping")
        line.hear("pong")


def test_many_lines_of_chat_lock_nobody_out_also_after_a_restart(tmp_path: Path) -> None:
    with site(tmp_path, limits=TALKATIVE) as here:
        ana = here.guest()
        ana.client.patch("/api/me", json={"name": "Ana"})
        code = ana.make("me", "here")
        said_over_the_line(ana, code)
        check_a_fresh_page(here, code)
    with site(tmp_path, limits=TALKATIVE) as here:
        here.guest()
        check_a_fresh_page(here, code)


def test_a_page_that_comes_back_is_told_what_it_missed_only_if_that_is_little(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", *["here"] * 4, edition="deluxe", sets=None)
            await sitting.page(table, ANA)
            await sitting.play_on(table, ANA, 60)
            last = table.state.last
            back = await sitting.page(table, BEN, since=last - 2)
            assert back.entries == ["moved"] * 2
            assert back.heard[2]["type"] == "welcome"
            for missed in (20, 60):
                late = await sitting.page(table, BEN, since=last - missed)
                assert late.heard[0]["type"] == "welcome"
                assert late.heard[0]["number"] == last

    asyncio.run(scene())


def test_the_log_of_a_long_game_comes_by_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "LOG_PAGE", 2000)

    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "here", "here", "here")
            await sitting.play_on(table, ANA, 120)
            state = table.state
            for language in ("en", "de"):
                pages = [log_page(state, language)]
                while (before := pages[0].before) is not None:
                    pages.insert(0, log_page(state, language, before))
                assert len(pages) > 4
                assert all(len(msgspec.json.encode(page)) < 3 * history.LOG_PAGE for page in pages)
                lines = [line.text for page in pages for line in page.lines]
                assert lines == [line.text for line in whole_log(state, language)]
            assert log_page(state, "en", 1).lines == []
            assert log_page(state, "en", 10**9).lines == log_page(state, "en").lines

    asyncio.run(scene())


def whole_log(state: TableState, language: str) -> list[wire.Line]:
    """The log, entry by entry."""
    return [line for entry in state.entries for line in lines_of_entry(state, entry, language)]


@pytest.mark.parametrize("edition", ["deluxe", "neue_stadt"])
def test_a_welcome_fits_whatever_the_past(tmp_path: Path, edition: str) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", *["here"] * 4, edition=edition, sets=None)
            await sitting.play_on(table, ANA, 120)
            for _ in range(2 * CHAT_PAGE):
                async with table.lock:
                    await table.write(Said("🏙" * 24, None, SHOUT))
            for language in ("en", "es", "de"):
                page = Sizes(language)
                await table.enter(page, None)
                assert max(page.sizes) < LARGEST_WELCOME
                table.leave(page)
            assert len(chat_page(table.state, "en").said) == CHAT_PAGE

    asyncio.run(scene())


class Sizes:
    """A page that only weighs what it is told."""

    guest: str | None = None
    address = "127.0.0.1"
    sees_odds = True

    def __init__(self, language: str) -> None:
        self.language = language
        self.sizes: list[int] = []

    def send(self, message: bytes) -> None:
        self.sizes.append(len(message))

    def hang_up(self) -> None:
        raise AssertionError("nobody hangs up")


# ------------------------------------------------------------------------- how much is said


def test_strangers_with_the_link_cannot_fill_the_chat_nor_silence_who_plays(tmp_path: Path) -> None:
    slow = Limits(chat=(0.001, 100), chat_of_watchers=(0.001, 10))
    with site(tmp_path, limits=slow) as here:
        ana = here.guest()
        ana.client.patch("/api/me", json={"name": "Ana"})
        code = ana.make("me", "here")
        answers = [heard for _ in range(5) for heard in said_by_a_stranger(here, code, 4)]
        assert answers.count("done") == 10
        assert answers.count("too_quick") == 10
        with ana.live(code) as line:
            for number in range(12):
                line.send(type="say", key=f"k{number}", text="We are playing.")
                line.hear("done")


def said_by_a_stranger(here: Site, code: str, times: int) -> list[str]:
    """Somebody new says something; what comes of it each time."""
    stranger = here.guest()
    stranger.client.patch("/api/me", json={"name": "Eve"})
    answers = []
    with stranger.live(code) as line:
        line.hear("welcome")
        for number in range(times):
            line.send(type="say", key=f"k{number}", text="Buy my cards!")
            while (answer := line.next())["type"] not in ("done", "refused"):
                pass
            answers.append(answer["code"] if answer["type"] == "refused" else "done")
    return answers


def test_guests_of_one_address_share_how_quickly_they_may_talk(tmp_path: Path) -> None:
    with site(tmp_path, limits=Limits(chat_from=(0.001, 3), chat_of_watchers=(1e6, 100))) as here:
        code = here.guest().make("me", "here")
        answers = [heard for _ in range(3) for heard in said_by_a_stranger(here, code, 2)]
        assert answers == ["done", "done", "done", "too_quick", "too_quick", "too_quick"]


def test_a_table_keeps_only_so_much_talk_and_watchers_do_not_use_up_the_players_share(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, limits=Limits(remarks=3, remarks_of_watchers=2)) as sitting:
            table = await sitting.friends(BEN)
            for _ in range(2):
                await sitting.say(table, None, "Eve", text="hi")
            await refused("said_enough", sitting.say(table, None, "Eve", text="hi"))
            for guest in (ANA, BEN, ANA):
                await sitting.say(table, guest, "Player", text="hi")
            await refused("said_enough", sitting.say(table, BEN, "Ben", text="hi"))

    asyncio.run(scene())


def test_names_that_run_leftwards_are_set_apart_in_every_sentence_of_the_log() -> None:
    game = Game(names=["Ana", "דנה"], seed=1)
    assert speaker_of(game, "en").names == ["Ana", "\u2068דנה\u2069"]
    assert say("en", "line.joined", name="דנה") == "\u2068דנה\u2069 sits down."
