"""How Hypothesis runs here: the same examples every time, unless you ask for more.

HYPOTHESIS_PROFILE=thorough tries many new examples; nightly runs and people who changed a rule use it.
"""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "repeatable",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile(
    "thorough",
    parent=settings.get_profile("repeatable"),
    derandomize=False,
    max_examples=1000,
    print_blob=True,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
