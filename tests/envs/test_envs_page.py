"""What the page about the environments shows works as shown."""

import re
from pathlib import Path
from typing import Any

import numpy as np

DOCS = Path(__file__).parent.parent.parent / "docs"
PAGE = (DOCS / "envs.md").read_text(encoding="utf-8")


def test_the_examples_run_one_after_the_other() -> None:
    shared: dict[str, Any] = {}
    for example in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(compile(example, "docs/envs.md", "exec"), shared)
    assert (shared["spec"].size, shared["spec"].actions) == (146, 73)
    assert shared["over"]
    assert shared["observations"].shape == (4096, 146)
    assert np.asarray(shared["picture"]).shape == (900, 1200, 3)


def test_every_file_it_links_to_is_there() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", PAGE):
        assert (DOCS / target).exists(), target
