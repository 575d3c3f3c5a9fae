"""The end of a process among several: the others are told of it, but it does not wait for that."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import text
from tests.patience import PATIENCE
from tests.server.sitting import QuickThinkers

from dicetown.server.common.settings import Settings, Timeouts
from dicetown.server.store.membership import Membership
from dicetown.server.store.registry import Registry
from dicetown.server.store.store import Store
from dicetown.server.web.service import Service

SHORT = Timeouts(farewell=0.2)


@contextmanager
def silent(monkeypatch: pytest.MonkeyPatch, doing: str) -> Iterator[None]:
    """A database that takes no note of something, and gives no sign that it never will."""
    back = threading.Event()
    monkeypatch.setattr(Registry, doing, lambda registry: back.wait(PATIENCE))
    try:
        yield
        assert not back.is_set()
    finally:
        back.set()


def in_time(work: Callable[[], None]) -> bool:
    """Whether something is done long before the database would be back."""
    doing = threading.Thread(target=work, daemon=True)
    doing.start()
    doing.join(PATIENCE / 2)
    return not doing.is_alive()


def test_a_gateway_ends_though_nobody_takes_note_of_it(
    postgres_place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    membership = Membership(postgres_place, "gateway", "gateway:1")
    with silent(monkeypatch, "end"):
        assert in_time(membership.close)


def test_a_worker_ends_though_nobody_takes_note_of_it(
    postgres_place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(postgres_place, timeouts=SHORT, shared_at="worker:1")
    with silent(monkeypatch, "end"):
        assert in_time(store.close)


def test_a_worker_leaves_though_nobody_takes_note_of_it(
    postgres_place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def leave() -> None:
        settings = Settings(timeouts=SHORT)
        service = Service(postgres_place, settings, thinkers=QuickThinkers(), shared_at="worker:1")
        with silent(monkeypatch, "beat"):
            async with asyncio.timeout(PATIENCE / 2):
                await service.sharing.leave()
        service.sharing.close()
        service.store.close()

    asyncio.run(leave())


def test_who_ends_in_order_is_known_to_be_gone(postgres_place: str) -> None:
    with_others = Store(postgres_place, shared_at="worker:1")
    Membership(postgres_place, "gateway", "gateway:1").close()
    with with_others.engine.connect() as connection:
        assert connection.execute(text("SELECT address FROM workers")).scalars().all() == ["worker:1"]
    with_others.close()
