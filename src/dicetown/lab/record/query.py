"""Asking DuckDB: one connection for a study, within bounds of memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dicetown.extras import need
from dicetown.lab.record.folder import Recorded

if TYPE_CHECKING:
    import duckdb

_MEMORY = "800MB"
#: Games of which everything is looked at together; what is kept of them are sums.
_BATCH = 50_000


@contextmanager
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    """A database in memory, which reads Parquet files and forgets."""
    (duckdb,) = need("lab", "duckdb", what="The lab")
    connection = duckdb.connect(config={"memory_limit": _MEMORY})
    try:
        yield connection
    finally:
        connection.close()


def batches(recorded: Recorded) -> Iterator[list[int]]:
    """The parts of a sample, some at a time, so that memory does not grow with the number of games."""
    at_once = max(1, _BATCH // recorded.manifest.games_per_part)
    parts = list(recorded.parts)
    for begin in range(0, len(parts), at_once):
        yield parts[begin : begin + at_once]
