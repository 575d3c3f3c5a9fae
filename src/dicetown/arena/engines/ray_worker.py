"""What happens in a process of a cluster: it sets up one worker, and does task after task with it."""

from __future__ import annotations

import atexit
import pickle
import socket
import threading
from typing import Any

from dicetown import __version__
from dicetown.arena.contests.log_file import own_code
from dicetown.arena.engines.threads import Worker
from dicetown.errors import ArenaError

#: The worker of this process, by the venue that has opened it; setting it up takes longer than a task.
_worker: dict[bytes, Worker[Any, Any]] = {}


def this_code() -> str:
    """Which Dicetown this is: all machines must have the same, or their games would differ.

    >>> this_code().startswith(__version__)
    True
    """
    return f"{__version__}, code {own_code('lab').hex()[:12]}"


def work(code: str, venue: bytes, task: bytes) -> Any:
    """Do a task with the worker that a venue opens; both are pickled, `code` says by which Dicetown."""
    if code != this_code():
        raise ArenaError(
            f"The machine {socket.gethostname()} of the cluster has another Dicetown ({this_code()}) "
            f"than this one ({code}); install the same on all machines."
        )
    if venue not in _worker:
        close()
        opened = pickle.loads(venue)
        opened.prepare()
        _worker[venue] = opened.open(threading.Event())
    return _worker[venue].work(pickle.loads(task))


@atexit.register
def close() -> None:
    """Let the worker go, if there is one."""
    while _worker:
        _worker.popitem()[1].close()
