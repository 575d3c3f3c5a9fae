"""What agents see and do, as Gymnasium's spaces."""

from __future__ import annotations

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

from dicetown.envs.spec import Spec


def observations(spec: Spec) -> Box:
    """All that is seen from a seat: whole numbers from 0 up to what each can be."""
    return Box(np.zeros(spec.size, np.int16), spec.most, dtype=np.int16)


def actions(spec: Spec) -> Discrete:
    """All actions, legal now or not."""
    return Discrete(spec.actions)


def masked_observations(spec: Spec) -> Dict:
    """What is seen, and beside it which actions are legal, as PettingZoo's classic games have it."""
    mask = Box(0, 1, (spec.actions,), np.int8)
    return Dict({"observation": observations(spec), "action_mask": mask})
