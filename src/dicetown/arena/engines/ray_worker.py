"""What happens in a process of a cluster: it opens one job, and does task after task of it."""

from __future__ import annotations

import atexit
import pickle
import socket
import threading
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from dicetown import __version__
from dicetown.arena.engines.engine import Job
from dicetown.arena.fingerprint import own_code
from dicetown.errors import ArenaError

#: The job that is open in this process, and what does its tasks; opening it takes longer than a task.
_open: dict[bytes, Callable[[Any], Any]] = {}
_closing = ExitStack()


def this_code() -> str:
    """Which Dicetown this is: all machines must have the same, or their games would differ.

    >>> this_code().startswith(__version__)
    True
    """
    return f"{__version__}, code {own_code('lab').hex()[:12]}"


def work(code: str, job: bytes, task: bytes) -> Any:
    """Do a task of a job; both are pickled, `code` says by which Dicetown."""
    if code != this_code():
        raise ArenaError(
            f"The machine {socket.gethostname()} of the cluster has another Dicetown ({this_code()}) "
            f"than this one ({code}); install the same on all machines."
        )
    if job not in _open:
        close()
        opened: Job[Any, Any] = pickle.loads(job)
        opened.prepare()
        _open[job] = _closing.enter_context(opened.open(threading.Event()))
    return _open[job](pickle.loads(task))


@atexit.register
def close() -> None:
    """Let go of the job that is open, if one is."""
    _open.clear()
    _closing.close()
