"""The command, with a Ray that talks on stdout in every way there is. Run by tests, never imported."""

import ctypes
import os
import sys
from typing import Any

import ray

from dicetown.cli import main

join = ray.init


def talk_and_join(*arguments: Any, **options: Any) -> Any:
    """Join a cluster, and speak of it."""
    print("printed")
    os.write(1, b"written by C\n")
    ctypes.CDLL(None).puts(b"left in C's buffer")
    return join(*arguments, **options)


if __name__ == "__main__":
    ray.init = talk_and_join
    main(sys.argv[1:])
