"""What agents see and do, as Gymnasium's spaces."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import DTypeLike

from dicetown.errors import EnvError
from dicetown.sight.spec import Spec

#: What observations may be made of: whole numbers in either.
DTYPES = (np.dtype(np.int16), np.dtype(np.float32))


def read_dtype(wanted: DTypeLike) -> np.dtype[Any]:
    """The type of numbers that observations shall be made of.

    >>> read_dtype("float32")
    dtype('float32')
    """
    try:
        found = np.dtype(wanted)
    except TypeError:
        found = None
    if found not in DTYPES:
        known = " or ".join(str(dtype) for dtype in DTYPES)
        raise EnvError(f"Observations cannot be made of {wanted!r}; dtype is {known}.")
    return found


def observations(spec: Spec, dtype: np.dtype[Any] = DTYPES[0]) -> Box:
    """All that is seen from a seat: whole numbers from 0 up to what each can be."""
    return Box(np.zeros(spec.size, dtype), spec.most.astype(dtype), dtype=dtype.type)


def actions(spec: Spec) -> Discrete:
    """All actions, legal now or not."""
    return Discrete(spec.actions)


def masked_observations(spec: Spec) -> Dict:
    """What is seen, and beside it which actions are legal, as PettingZoo's classic games have it."""
    mask = Box(0, 1, (spec.actions,), np.int8)
    return Dict({"observation": observations(spec), "action_mask": mask})
