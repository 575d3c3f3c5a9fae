"""How many cores there are to work with, and who works on them."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

import numpy as np

#: What NumPy's own OpenBLAS calls it, and everybody else's.
_SETTERS = ("scipy_openblas_set_num_threads64_", "openblas_set_num_threads")


def usable_cores() -> int:
    """How many cores this process may use.

    >>> usable_cores() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def multiply_on_one_core() -> None:
    """Let NumPy multiply matrices on the thread that asks, as far as it is the NumPy of its wheels.

    Its own threads wait for each other at every product. Where other programs work, too, sixteen positions
    took a network eight times as long with two of them as with one.
    """
    for library in Path(np.__file__).parent.parent.glob("numpy.libs/*openblas*"):
        loaded = ctypes.CDLL(str(library))
        for setter in _SETTERS:
            if hasattr(loaded, setter):
                getattr(loaded, setter)(1)
