"""Where games are played: on the threads of this machine, or by the processes of a Ray cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dicetown.arena.engines.engine import Effort, Engine, Job, portion
from dicetown.arena.engines.local_engine import LOCAL, LocalEngine, check_workers
from dicetown.arena.engines.ray_engine import RAY, connect
from dicetown.errors import ArenaError

__all__ = [
    "ENGINES",
    "LOCAL",
    "RAY",
    "Effort",
    "Engine",
    "Job",
    "LocalEngine",
    "Where",
    "open_engine",
    "portion",
]

ENGINES = (LOCAL, RAY)
Where = tuple[str, int | None, str | None]  # which engine, how many workers, the address of a cluster


@contextmanager
def open_engine(
    name: str = LOCAL, workers: int | None = None, address: str | None = None
) -> Iterator[Engine]:
    """The engine of a name, for as long as it is needed.

    `workers` is how many threads, or processes of a cluster, work at most; else one for each core. `address`
    is where a cluster is; else the one that ``RAY_ADDRESS`` names or that runs on this machine, and where
    there is none, one is started for the time being.

    >>> with open_engine("local", workers=2) as engine:
    ...     engine.workers
    2
    """
    if name not in ENGINES:
        raise ArenaError(f'There is no engine "{name}"; choose one of {", ".join(ENGINES)}.')
    if name == LOCAL:
        if address is not None:
            raise ArenaError("An address of a cluster is for the engine ray: --engine ray.")
        yield LocalEngine(workers)
        return
    with connect(address, None if workers is None else check_workers(workers)) as engine:
        yield engine
