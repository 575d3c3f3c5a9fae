"""Being one of several processes that share a database, without having tables: gateways, and who thinks."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy.exc import DatabaseError

from dicetown.server.common.settings import Timeouts
from dicetown.server.store.contact import reason_of
from dicetown.server.store.database_url import StoreError, open_engine, shown
from dicetown.server.store.lease import Lease, holder_of
from dicetown.server.store.migrations import migrate
from dicetown.server.store.ownership import check_can_be_shared, share
from dicetown.server.store.registry import Registry, Role, check_neighbours


class Share:
    """A database that is shared: nobody has it alone, and it has the shape that we need."""

    def __init__(self, place: str) -> None:
        #: What ends the process, when a service of one process has the database.
        self.end: Callable[[], None] = lambda: None
        self.is_surpassed = False
        self._timeouts = Timeouts()  # our own, to be lost at the end
        self.engine = open_engine(place, self._timeouts)
        self._lease: Lease | None = None
        try:
            check_can_be_shared(self.engine)
            self._lease = Lease(share(self.engine), self._end, shared=True)
            if not self._lease.take():
                raise StoreError(
                    f"The database {shown(place)} is in use by {holder_of(self.engine)}; end that one first."
                )
            check_neighbours(self.engine)
            migrate(self.engine)
            self._lease.begin()
        except DatabaseError as problem:
            self.close()
            raise StoreError(f"The database {shown(place)} cannot be opened: {reason_of(problem)}.") from None
        except BaseException:
            self.close()
            raise

    def _end(self) -> None:
        self.is_surpassed = True
        self.end()

    def close(self) -> None:
        """Let it go; if it does not answer, without its leave."""
        self._timeouts.end()
        if self._lease is not None:
            self._lease.release(self._timeouts.farewell)
        self.engine.dispose()


class Membership(Share):
    """A process among others, from its beginning to its end."""

    def __init__(self, place: str, role: Role, address: str) -> None:
        self._has_joined = False
        super().__init__(place)
        self.registry = Registry(self.engine, role, address)
        try:
            self.registry.join()
        except BaseException:
            self.close()
            raise
        self._has_joined = True

    def close(self) -> None:
        """Be gone."""
        if self._has_joined:
            self.registry.end_within(self._timeouts.farewell)
        super().close()
