"""The live connection: welcome, resuming, resending, and all that can be wrong with a message."""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.patience import PATIENCE
from tests.server.site import Line, site
from tests.server.sitting import QuickThinkers
from websockets.exceptions import ConnectionClosed, InvalidStatus

from dicetown.server import wire
from dicetown.server.common.fair_line import Asker
from dicetown.server.common.settings import Limits
from dicetown.server.workers.processes import TooMuchToDo, WorkFailed
from dicetown.server.workers.snapshot import Snapshot


def test_who_connects_is_told_where_the_table_stands(tmp_path: Path) -> None:
    with site(tmp_path) as here:
        ana = here.guest()
        code = ana.make("me", "here")
        with ana.live(code, "?lang=de") as line:
            welcome = line.next()
            assert welcome["type"] == "welcome"
            assert welcome["you"] == {"seats": [0, 1], "host": True}
            assert "Würf" in welcome["asked"]["question"]
            assert welcome["table"]["stage"] == "playing"
            assert welcome["table"]["seats"][0]["present"]
            assert len(welcome["cards"]) > 15
            assert line.hear("odds")["moves"] == 0
        with here.guest().live(code) as line:
            assert line.next()["you"] == {"seats": [], "host": False}
            assert line.hear("presence") == {
                "type": "presence",
                "present": [False, False],
                "spectators": 1,
                "stand_ins": [None, None],
            }


def test_an_action_reaches_every_page_in_its_language(tmp_path: Path) -> None:
    with site(tmp_path) as here:
        ana = here.guest()
        code = ana.make("me", "here")
        with ana.live(code) as line, here.guest().live(code, "?lang=es") as other:
            line.hear("welcome")
            number = other.hear("welcome")["number"]
            line.act(0, "roll 1", key="k1")
            assert line.hear("done") == {"type": "done", "key": "k1", "number": number + 1}
            assert "entry" not in [message["type"] for message in line.passed]
            mine, theirs = line.hear("entry"), other.hear("entry")
            assert mine["scene"] == theirs["scene"]
            assert mine["moves"] == ["roll 1", theirs["moves"][1]]
            assert theirs["events"][0]["event"] == "dice_rolled"
            assert "rolls" in mine["lines"][0]["text"]
            assert "saca" in theirs["lines"][0]["text"]


def test_a_page_that_comes_back_gets_what_it_has_missed(tmp_path: Path) -> None:
    with site(tmp_path) as here:
        ana, ben = here.guest(), here.guest()
        code = ana.make("me", "here")
        with ana.live(code) as line:
            line.hear("welcome")
            with ben.live(code) as other:
                seen = other.hear("welcome")["number"]
            for key, action in [("k1", "roll 1"), ("k2", "pass"), ("k3", "roll 1")]:
                line.act(int(key == "k3"), action, key=key)
                line.hear("done")
            with ben.live(code, f"?since={seen}") as other:
                missed = [other.next() for _ in range(4)]
                assert [message["type"] for message in missed] == ["entry", "entry", "entry", "welcome"]
                assert [entry["number"] for entry in missed] == [seen + 1, seen + 2, seen + 3, seen + 3]
            with ben.live(code, f"?since={seen + 3}") as other:
                assert other.next()["type"] == "welcome"
            for nonsense in ("-1", "x", "9" * 30, "99999999"):
                with ben.live(code, f"?since={nonsense}") as other:
                    assert other.next()["type"] == "welcome"


def test_a_resend_after_a_broken_connection_is_harmless(tmp_path: Path) -> None:
    with site(tmp_path) as here:
        ana = here.guest()
        code = ana.make("me", "here")
        with ana.live(code) as line:
            line.hear("welcome")
            line.act(0, "roll 1", key="k1", moves=0)
            number = line.hear("done")["number"]
        with ana.live(code) as line:
            moves = line.hear("welcome")["scene"]["moves"]
            line.act(0, "roll 1", key="k1", moves=0)
            assert line.hear("done")["number"] == number
            line.send(type="language", language="de")
            assert line.hear("welcome")["scene"]["moves"] == moves


def test_what_comes_out_of_order_or_for_another_seat_is_refused(tmp_path: Path) -> None:
    with site(tmp_path) as here:
        ana, ben = here.guest(), here.guest()
        code = ana.make("me", "friend", start=False)
        ben.client.post(f"/api/tables/{code}/join", json={"name": "Ben"})
        ana.client.post(f"/api/tables/{code}/start")
        with ana.live(code) as line, ben.live(code, "?lang=es") as other, here.guest().live(code) as watcher:
            for key, who, seat, action, code_wanted in [
                ("1", other, 1, "roll 1", "not_your_turn"),
                ("2", other, 0, "roll 1", "not_your_seat"),
                ("3", watcher, 0, "roll 1", "not_your_seat"),
                ("4", line, 0, "pass", "illegal"),
                ("5", line, 0, "dice 6", "illegal"),
                ("6", line, 3, "roll 1", "no_such_seat"),
            ]:
                who.act(seat, action, key=key)
                refused = who.hear("refused")
                assert (refused["key"], refused["code"]) == (key, code_wanted)
            line.act(0, "roll 1", key="7", moves=5)
            assert line.hear("refused")["code"] == "late"
            other.act(1, "roll 1", key="8")
            assert other.hear("refused")["message"] == "No es tu turno."
            line.act(0, "roll 1", key="9", moves=0)
            line.hear("done")
            line.send(type="undo", key="10", seat=0)
            assert line.hear("refused")["code"] == "nothing_to_undo"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "null",
        "[]",
        '{"type": "act"}',
        '{"type": "fly", "key": "k"}',
        '{"type": "act", "key": "k", "seat": 0, "actions": []}',
        '{"type": "act", "key": "k", "seat": 9, "actions": ["roll 1"]}',
        '{"type": "act", "key": "bad key!", "seat": 0, "actions": ["roll 1"]}',
        '{"type": "act", "key": "k", "seat": 0, "actions": ["roll 1"], "coins": 99}',
        '{"type": "act", "key": "k", "seat": 0, "actions": [' + '"pass",' * 20 + '"pass"]}',
        "[" * 2000,
        '{"type": "say", "key": "k", "text": "' + "x" * 281 + '"}',
        '{"type": "ping", "key": "\\ud800"}',
    ],
)
def test_garbage_is_refused_and_the_conversation_goes_on(tmp_path: Path, text: str) -> None:
    with site(tmp_path) as here:
        ana = here.guest()
        code = ana.make("me", "here")
        with ana.live(code, "?lang=de") as line:
            line.hear("welcome")
            line.socket.send(text)
            refused = line.hear("refused")
            assert refused["code"] == "garbage"
            assert refused["message"] == "Diese Nachricht ergibt hier keinen Sinn."
            line.send(type="ping")
            assert line.hear("pong") == {"type": "pong"}
            line.act(0, "roll 1", key="k1")
            line.hear("done")


def test_bytes_are_garbage_and_long_messages_are_too_long(tmp_path: Path) -> None:
    with site(tmp_path) as here:
        ana = here.guest()
        code = ana.make("me", "here")
        with ana.live(code) as line:
            line.socket.send(b"\x00\xff")
            assert line.hear("refused")["code"] == "garbage"
            line.send(type="say", key="k", text="x" * 20_000)
            with pytest.raises(ConnectionClosed) as closed:
                line.hear("refused")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1009  # too big to be read at all


def test_a_page_of_another_site_cannot_connect(tmp_path: Path) -> None:
    with site(tmp_path, origins=("https://friend.example",)) as here:
        ana = here.guest()
        code = ana.make("me", "here")
        for origin in ("https://elsewhere.example", "null", f"{here.address.rstrip('/')}.example"):
            with pytest.raises(InvalidStatus) as refused, ana.live(code, origin=origin):
                pass
            assert refused.value.response.status_code == 403
        for origin in (here.address.rstrip("/"), "https://friend.example"):
            with ana.live(code, origin=origin) as line:
                assert line.next()["type"] == "welcome"


def test_a_table_that_is_not_there_says_so(tmp_path: Path) -> None:
    with site(tmp_path) as here:
        for code in ("ABCDEFGH", "x", "%27%3B%20DROP%20TABLE%20entries%3B"):
            with here.guest().live(code, "?lang=es") as line:
                refused = line.next()
                assert (refused["code"], refused["key"]) == ("no_table", None)
                assert refused["message"] == "Esta mesa no existe. ¿Es correcto el enlace?"
                with pytest.raises(ConnectionClosed) as closed:
                    line.next()
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 4404


def test_who_is_too_quick_is_slowed_down(tmp_path: Path) -> None:
    with site(tmp_path, limits=Limits(messages=(0.001, 3), strikes=5)) as here:
        ana = here.guest()
        code = ana.make("me", "here")
        with ana.live(code) as line:
            line.hear("welcome")
            for _ in range(3):
                line.send(type="ping")
                line.hear("pong")
            for _ in range(5):
                line.send(type="ping")
                assert line.hear("refused")["code"] == "too_quick"
            line.send(type="ping")
            line.hear("refused")
            with pytest.raises(ConnectionClosed):
                line.next()


def test_who_connects_too_often_is_kept_outside(tmp_path: Path) -> None:
    with site(tmp_path, limits=Limits(connects=(0.001, 2))) as here:
        ana = here.guest()
        code = ana.make("me", "here")
        for _ in range(2):
            with ana.live(code) as line:
                line.hear("welcome")
        with pytest.raises(InvalidStatus), ana.live(code):
            pass


def test_a_table_cannot_be_open_too_many_times(tmp_path: Path) -> None:
    with site(tmp_path, limits=Limits(connections=2)) as here:
        ana = here.guest()
        code = ana.make("me", "here")
        with ana.live(code) as first, ana.live(code) as second:
            first.hear("welcome")
            second.hear("welcome")
            with ana.live(code) as third:
                assert third.next()["code"] == "too_many_connections"


def test_what_was_done_is_acknowledged_again_however_quickly_it_is_sent_again(tmp_path: Path) -> None:
    with site(tmp_path, limits=Limits(messages=(0.001, 3), chat=(0.001, 1), strikes=50)) as here:
        ana = here.guest()
        code = ana.make("me", "here")
        ana.client.patch("/api/me", json={"name": "Ana"})
        with ana.live(code) as line:
            line.send(type="say", key="1", text="hi")
            done = line.hear("done")
            for _ in range(5):  # too quick for the chat, then for anything
                line.send(type="say", key="1", text="hi")
                assert line.hear("done") == done
            line.send(type="say", key="2", text="ho")
            assert line.hear("refused")["code"] == "too_quick"


def test_chat_needs_a_name_and_is_not_for_shouting(tmp_path: Path) -> None:
    with site(tmp_path, limits=Limits(chat=(0.001, 2))) as here:
        ana, watcher = here.guest(), here.guest()
        code = ana.make("me", "here")
        with ana.live(code) as line, watcher.live(code) as other:
            other.send(type="say", key="1", text="hi")
            assert other.hear("refused")["code"] == "no_name"
            watcher.client.patch("/api/me", json={"name": "Wim"})
            other.send(type="say", key="2", text="hi")
            other.hear("done")
            said = line.hear("entry")
            assert (said["kind"], said["name"], said["seat"], said["said"]) == ("said", "Wim", None, "hi")
            other.send(type="say", key="3", text="hi")
            assert other.hear("refused")["code"] == "too_quick"


def test_hints_and_worth_go_to_who_asked(tmp_path: Path) -> None:
    with site(tmp_path) as here:
        ana = here.guest()
        code = ana.make("me", "here")
        with ana.live(code, "?lang=es") as line:
            line.send(type="hint", key="0", seat=0)
            assert line.hear("refused")["code"] == "one_option"  # there is one die to roll
            line.send(type="act", key="r", seat=0, actions=["roll 1"])
            line.hear("done")
            line.send(type="hint", key="1", seat=0)
            hint = {"options": [], "line": ["es"], "meanwhile": None, "thought": False}
            assert line.hear("hint") == {"type": "hint", "key": "1", "hint": hint, "last": False}
            better = hint | {"thought": True}
            assert line.hear("hint") == {"type": "hint", "key": "1", "hint": better, "last": True}
            line.send(type="hint", key="2", seat=1)
            assert line.hear("refused")["code"] == "nothing_to_decide"
            line.send(type="worth", key="3", seat=0, thing="wheat_field")
            worth = line.hear("worth")
            assert worth["worth"]["thing"] == "wheat_field"
            assert worth["worth"]["one_die"] == pytest.approx(2 / 6)
            line.send(type="worth", key="4", seat=0, thing="moon")
            assert line.hear("refused")["code"] == "no_thing"


@contextmanager
def line_of_who_may_build(folder: Path, thinkers: QuickThinkers) -> Iterator[Line]:
    """The live connection of somebody who has rolled, and has several things to choose between."""
    with site(folder, thinkers=thinkers) as here:
        ana = here.guest()
        with ana.live(ana.make("me", "here")) as line:
            line.act(0, "roll 1", key="r")
            line.hear("done")
            yield line


class BusyThinkers(QuickThinkers):
    """Those who never come to think about a question; who it was of, and whether they still wait."""

    def __init__(self) -> None:
        super().__init__()
        self.waited: list[str] = []
        self.given_up = threading.Event()

    async def first_hint(self, position: Snapshot, language: str, asker: Asker) -> wire.Hint:
        if self.waited:
            raise TooMuchToDo("One waits already.")
        self.waited.append(asker.address)
        try:
            await asyncio.Event().wait()
        finally:
            self.given_up.set()
        raise AssertionError


def test_a_question_too_many_is_refused_and_one_whose_page_has_gone_is_given_up(tmp_path: Path) -> None:
    thinkers = BusyThinkers()
    with site(tmp_path, thinkers=thinkers) as here:
        ana = here.guest()
        code = ana.make("me", "here")
        with ana.live(code) as line:
            line.send(type="act", key="r", seat=0, actions=["roll 1"])
            line.hear("done")
            line.send(type="hint", key="1", seat=0)
            line.send(type="ping")
            line.hear("pong")
            with ana.live(code, "?lang=de") as other:
                other.send(type="hint", key="2", seat=0)
                refused = other.hear("refused")
                assert (refused["key"], refused["code"]) == ("2", "too_much_to_think")
                assert "Fragen" in refused["message"]
            assert not thinkers.given_up.is_set()
        assert thinkers.given_up.wait(PATIENCE)
        assert thinkers.waited == ["127.0.0.1"]


class WeighingThinkers(QuickThinkers):
    """Those who never find out what a card is worth."""

    async def worth(self, position: Snapshot, seat: int, thing: str, asker: Asker) -> wire.Worth:
        await asyncio.Event().wait()
        raise AssertionError


def test_a_hint_does_not_wait_for_what_a_card_is_worth(tmp_path: Path) -> None:
    with site(tmp_path, thinkers=WeighingThinkers()) as here:
        ana = here.guest()
        code = ana.make("me", "here")
        with ana.live(code) as line:
            line.send(type="act", key="r", seat=0, actions=["roll 1"])
            line.hear("done")
            for key in ("w", "x"):
                line.send(type="worth", key=key, seat=0, thing="cafe")
            refused = line.hear("refused")
            assert (refused["key"], refused["code"]) == ("x", "thinking_already")
            line.send(type="hint", key="h", seat=0)
            assert line.hear("hint")["key"] == "h"


class SlowThinkers(QuickThinkers):
    """Those who have a first answer at once and never get further, unless they fail."""

    def __init__(self, failing: bool = False) -> None:
        super().__init__()
        self.failing = failing
        self.given_up = threading.Event()

    async def hint(self, position: Snapshot, language: str, asker: Asker) -> wire.Hint:
        if self.failing:
            raise WorkFailed("It is broken.")
        try:
            await asyncio.Event().wait()
        finally:
            self.given_up.set()
        raise AssertionError


def test_who_asks_again_does_not_wait_for_what_is_still_thought_about(tmp_path: Path) -> None:
    thinkers = SlowThinkers()
    with line_of_who_may_build(tmp_path, thinkers) as line:
        for key in ("1", "2"):
            line.send(type="hint", key=key, seat=0)
            told = line.hear("hint")
            assert (told["key"], told["last"]) == (key, False)
        assert thinkers.given_up.wait(PATIENCE)
        told = line.hear("hint")
        assert (told["key"], told["last"]) == ("1", True)  # else a gateway would ask it again


def test_a_position_that_the_game_has_left_is_not_thought_about_any_longer(tmp_path: Path) -> None:
    thinkers = SlowThinkers()
    with line_of_who_may_build(tmp_path, thinkers) as line:
        line.send(type="hint", key="1", seat=0)
        first = line.hear("hint")
        assert not first["last"]
        assert not thinkers.given_up.is_set()
        line.act(0, "build bakery", key="b")
        assert line.hear("hint") == first | {"last": True}
        assert thinkers.given_up.wait(PATIENCE)


def test_a_first_hint_stays_where_thinking_about_it_fails(tmp_path: Path) -> None:
    with line_of_who_may_build(tmp_path, SlowThinkers(failing=True)) as line:
        line.send(type="hint", key="1", seat=0)
        first, second = line.hear("hint"), line.hear("hint")
        assert (first["last"], second) == (False, first | {"last": True})


def test_peeking_over_the_line(tmp_path: Path) -> None:
    with site(tmp_path) as here:
        ana = here.guest()
        code = ana.make("me", "here")
        with ana.live(code) as line:
            line.send(type="peek", key="1", seat=0, actions=[])
            assert line.hear("peeked")["asked"]["control"] == "roll"
            line.send(type="peek", key="2", seat=0, actions=["roll 1"])
            assert line.hear("peeked") == {"type": "peeked", "key": "2", "asked": None}


def test_a_table_is_told_of_those_who_come_and_go(tmp_path: Path) -> None:
    with site(tmp_path) as here:
        ana, ben = here.guest(), here.guest()
        code = ana.make("me", "friend", start=False)
        with ana.live(code) as line:
            line.hear("presence")
            joined = ben.client.post(f"/api/tables/{code}/join", json={"name": "Ben"})
            assert joined.json()["seats"][1]["name"] == "Ben"
            assert line.hear("entry")["table"]["seats"][1]["present"] is False
            assert line.hear("presence")["present"] == [True, False]
            with ben.live(code) as other:
                assert other.next()["you"] == {"seats": [1], "host": False}
                assert line.hear("presence")["present"] == [True, True]
            assert line.hear("presence")["present"] == [True, False]


def test_the_secret_of_the_dice_is_told_to_nobody_before_the_end(tmp_path: Path) -> None:
    with site(tmp_path) as here:
        ana = here.guest()
        code = ana.make("me", "here")
        secret = here.service.lobby.tables[code].state.summary.secret
        with ana.live(code) as line:
            told = json.dumps([line.next() for _ in range(2)])
            line.act(0, "roll 1", key="k1")
            told += json.dumps([line.hear("done"), line.hear("entry")])
        told += ana.client.get(f"/api/tables/{code}").text + ana.client.get(f"/api/tables/{code}/record").text
        assert secret not in told


def test_odds_are_worked_out_for_pages_that_show_them(tmp_path: Path) -> None:
    with site(tmp_path) as here:
        ana, asked = here.guest(), list[int]()
        thinkers = here.service.thinkers
        work_out = thinkers.odds

        async def odds(position: Snapshot, moves: int, asker: Asker) -> bytes:
            asked.append(moves)
            return await work_out(position, moves, asker)

        thinkers.odds = odds  # type: ignore[method-assign]
        code = ana.make("me", "here")
        with ana.live(code) as line:
            line.send(type="look", odds=False)
            line.act(0, "roll 1", key="1")
            line.hear("done")
            moves = line.hear("entry")["change"]["moves"]
            line.send(type="look", odds=True)
            while (told := line.hear("odds")["moves"]) != moves:
                assert told == 0  # on their way when the page looked away
            assert set(asked) <= {0, moves}
            line.send(type="look", odds=True)
            assert line.hear("odds")["moves"] == moves, "they are known, and not worked out again"
            assert asked.count(moves) == 1
