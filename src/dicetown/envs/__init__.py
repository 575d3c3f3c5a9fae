"""Environments for people who train agents: PettingZoo, Gymnasium, OpenSpiel, and batches on CPU and GPU.

Where Gymnasium is installed, importing this package makes Dicetown's ids known to it::

    import gymnasium
    import dicetown.envs

    env = gymnasium.make("dicetown/Dicetown-v0", sets=["base"], players=4, opponents=["greedy"])

PettingZoo's environment is :mod:`dicetown.envs.dicetown_v0`.
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from dicetown.extras import need

if TYPE_CHECKING:
    from dicetown.envs.gymnasium_env import DicetownEnv
    from dicetown.envs.vector import DicetownVectorEnv

__all__ = ["DicetownEnv", "DicetownVectorEnv"]

if find_spec("gymnasium"):
    from dicetown.envs.registration import register_envs

    register_envs()


def __getattr__(name: str) -> Any:
    """Gymnasium's environments by name; who lacks Gymnasium is told how to get it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    need("envs", "gymnasium", what="This environment")
    from dicetown.envs import gymnasium_env, vector

    return gymnasium_env.DicetownEnv if name == "DicetownEnv" else vector.DicetownVectorEnv
