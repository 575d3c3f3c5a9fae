"""A page that has gone leaves nothing behind, also before anybody looks for garbage among all objects."""

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.patience import PATIENCE
from tests.server.site import site

from dicetown.server.web.live import Connection, Conversation
from dicetown.server.web.protocols import GatedSocket

PAGES = 10


@contextmanager
def no_collection() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def left_behind() -> int:
    return sum(type(one) in (GatedSocket, Connection, Conversation) for one in gc.get_objects())


def test_pages_that_have_gone_are_gone_without_a_collection(tmp_path: Path) -> None:
    with site(tmp_path) as opened:
        ana = opened.guest()
        code = ana.make("me", "here")
        with no_collection():
            before = left_behind()
            for _ in range(PAGES):
                with ana.live(code) as line:
                    line.hear("welcome")
            ends = time.monotonic() + PATIENCE / 4
            while left_behind() > before and time.monotonic() < ends:
                time.sleep(0.05)
            assert left_behind() == before


def test_a_page_that_stays_keeps_nothing_of_how_it_came(tmp_path: Path) -> None:
    with site(tmp_path) as opened:
        ana = opened.guest()
        code = ana.make("me", "here")
        with ana.live(code) as line:
            line.hear("welcome")
            sockets = [one for one in gc.get_objects() if type(one) is GatedSocket]
            assert [vars(one) for one in sockets] == [{}]
            assert not any(one.scope for one in sockets)
            parsers: list[Any] = [one.conn.parser for one in sockets]
            requests = [one.gi_frame.f_locals["request"] for one in parsers]
            assert [list(one.headers.raw_items()) for one in requests] == [[]]
