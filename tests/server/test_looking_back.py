"""Results of finished games that many ask for: worked out once, one after the other, and beside all else."""

import asyncio
import socket
import threading
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from tests.patience import PATIENCE
from tests.server.site import Site, site

from dicetown.server.common.fair_line import Asker, Capacity
from dicetown.server.view.results import result_of as work_out
from dicetown.server.web import results
from dicetown.server.web.results import Results
from dicetown.server.wire.refusals import Refused

ANA, BEN = Asker("far", "ana"), Asker("near", "ben")


# ------------------------------------------------------------------------------------ alone


class Mill:
    """Results that say what was worked out, in which order, and wait for the test to let them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, room: Capacity = results._ROOM) -> None:
        self.worked_out: list[str] = []
        self.turns = threading.Event()
        self.turns.set()
        self.results = Results(room)
        monkeypatch.setattr(results, "fairness_of", lambda summary: summary.code)
        monkeypatch.setattr(results, "result_of", self._work_out)

    def _work_out(self, game: Any, seconds: float, code: str) -> str:
        assert self.turns.wait(PATIENCE)
        self.worked_out.append(code)
        return f"{code} after {seconds:g} s"

    async def ask(self, asker: Asker, code: str, ended: float = 9.0, is_gone: bool = False) -> Any:
        async def look() -> bool:
            return is_gone

        summary: Any = SimpleNamespace(code=code, started=4.0, ended=ended)
        play: Any = SimpleNamespace(moves=7, game=SimpleNamespace(names=["Ana", "Ben"]))
        return await self.results.of(asker, summary, play, look)


def test_a_result_is_worked_out_once_for_all_who_ask_until_its_table_opens_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene() -> None:
        mill = Mill(monkeypatch)
        told = await asyncio.gather(*(mill.ask(who, "T") for who in [ANA, BEN] * 5))
        assert [*told, await mill.ask(ANA, "T")] == ["T after 5 s"] * 11
        assert mill.worked_out == ["T"]
        assert await mill.ask(ANA, "T", ended=11.0) == "T after 7 s"
        mill.results.forget("T")
        assert await mill.ask(ANA, "T") == "T after 5 s"
        assert mill.worked_out == ["T"] * 3

    asyncio.run(scene())


def test_only_so_many_results_are_kept_and_those_longest_that_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene() -> None:
        mill = Mill(monkeypatch)
        monkeypatch.setattr(results, "KEPT", 2)
        for code in "ABACABC":
            await mill.ask(ANA, code)
        assert "".join(mill.worked_out) == "ABCBC"

    asyncio.run(scene())


def test_whoever_asks_has_a_turn_however_many_others_wait_and_who_is_gone_has_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene() -> None:
        mill = Mill(monkeypatch)
        mill.turns.clear()
        crowd = [asyncio.create_task(mill.ask(ANA, f"A{n}", is_gone=n == 1)) for n in range(8)]
        ben = asyncio.create_task(mill.ask(BEN, "B"))
        await asyncio.sleep(0)
        crowd[2].cancel()
        await asyncio.sleep(0)
        mill.turns.set()
        told = await asyncio.gather(*crowd, ben, return_exceptions=True)
        assert told[1] is None
        assert isinstance(told[2], asyncio.CancelledError)
        assert mill.worked_out == ["A0", "B", "A3", "A4", "A5", "A6", "A7"]

    asyncio.run(scene())


def test_a_turn_is_passed_on_by_who_cannot_take_it(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        mill = Mill(monkeypatch)
        first = asyncio.create_task(mill.results._turn(ANA))
        await first
        second, third = (asyncio.create_task(mill.results._turn(who)) for who in (ANA, BEN))
        await asyncio.sleep(0)
        mill.results._call_next()
        second.cancel()  # its turn has come, and it does not know yet
        await asyncio.wait_for(third, PATIENCE)

    asyncio.run(scene())


def test_a_result_that_cannot_be_worked_out_keeps_no_other_back(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        mill = Mill(monkeypatch)
        monkeypatch.setattr(results, "result_of", lambda game, seconds, code: 1 // (code == "B"))
        told = await asyncio.gather(mill.ask(ANA, "A"), mill.ask(ANA, "B"), return_exceptions=True)
        assert isinstance(told[0], ZeroDivisionError)
        assert told[1] == 1

    asyncio.run(scene())


def test_where_too_many_wait_for_results_one_more_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        mill = Mill(monkeypatch, Capacity(1, 2, 2))
        mill.turns.clear()
        waiting = [asyncio.create_task(mill.ask(ANA, code)) for code in "AB"]
        await asyncio.sleep(0)
        with pytest.raises(Refused, match="too_quick"):
            await mill.ask(ANA, "C")
        mill.turns.set()
        assert await asyncio.gather(*waiting) == ["A after 5 s", "B after 5 s"]

    asyncio.run(scene())


# --------------------------------------------------------------------------------- together


def finished(here: Site) -> str:
    """A table whose game is over."""
    ana = here.guest()
    code = ana.make("normal", "normal", house={"landmarks_to_win": 1})
    with ana.live(code) as line:
        while line.hear("entry")["kind"] != "over":
            pass
    return code


def test_tables_are_opened_while_a_crowd_waits_for_a_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at: list[object] = []
    may_go_on = threading.Event()

    def result_of(game: Any, *promise: Any) -> Any:
        looked_at.append(game)
        assert may_go_on.wait(PATIENCE)
        return work_out(game, *promise)

    monkeypatch.setattr(results, "result_of", result_of)
    with site(tmp_path) as here, ExitStack() as stack:
        code, stored = finished(here), finished(here)
        here.service.lobby.tables.pop(stored)
        address = httpx.URL(here.address)
        said = f"GET /api/tables/{code}/result HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
        crowd = [
            stack.enter_context(socket.create_connection((address.host, address.port or 0), PATIENCE))
            for _ in range(40)
        ]
        stack.callback(may_go_on.set)
        for one in crowd:
            one.sendall(said.encode())
        assert here.guest().client.get(f"/api/tables/{stored}").json()["stage"] == "over"
        may_go_on.set()
        for one in crowd:
            assert one.makefile("rb").readline() == b"HTTP/1.1 200 OK\r\n"
        assert len(looked_at) == 1
