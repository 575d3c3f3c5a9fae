"""Dicetown's ids in Gymnasium: one in which the edition is chosen, and one for each edition."""

from __future__ import annotations

from typing import Any

from gymnasium.envs.registration import register, registry

from dicetown.material import load
from dicetown.sight.spec import VERSION

_PLACE = "dicetown.envs"


def register_envs() -> None:
    """Make Dicetown's ids known to Gymnasium; what they name is only loaded when it is made.

    >>> register_envs()
    >>> [name for name in registry if name.startswith("dicetown/")]
    ['dicetown/Dicetown-v0', 'dicetown/Ciudad-v0', 'dicetown/Deluxe-v0', ..., 'dicetown/NeueStadt-v0']
    """
    _register("Dicetown", {})
    for edition in load().editions:
        _register(edition.replace("_", " ").title().replace(" ", ""), {"edition": edition})


def _register(name: str, chosen: dict[str, Any]) -> None:
    if (number := f"dicetown/{name}-v{VERSION}") not in registry:
        register(
            number,
            entry_point=f"{_PLACE}.gymnasium_env:DicetownEnv",
            vector_entry_point=f"{_PLACE}.vector:DicetownVectorEnv",
            kwargs=chosen,
        )
