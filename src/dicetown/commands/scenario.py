"""``dicetown scenario``: positions with expectations."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dicetown.scenario import run_files


def run(
    files: Annotated[list[Path], typer.Argument(help="YAML files, or folders of them.", show_default=False)],
) -> int:
    """Check positions with expectations.

    Exits with 0 when all hold, with 1 when some do not, and ends with a line like "12 passed, 0 failed".

    For example: dicetown scenario tests/scenarios
    """
    _, failed = run_files(files)
    return 1 if failed else 0
