"""PyTorch, where it is installed; who trains without it is told how to get it."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from dicetown.extras import need

#: Without PyTorch the modules of this package can be imported, but nothing can be learned.
torch: Any = import_module("torch") if find_spec("torch") else None


def need_pytorch() -> None:
    """Say in a sentence how to get PyTorch, if it is not there."""
    need("train", "torch", what="Training the champion")
