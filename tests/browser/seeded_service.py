"""The service as `dicetown serve` runs it, with dice that repeat themselves. Run by tests, never imported.

Its arguments are a seed and those of `dicetown serve`.
"""

import sys
from itertools import count
from random import Random

from dicetown import fair
from dicetown.cli import main


def repeat_the_dice(seed: int) -> None:
    """Let the n-th table that is made have the n-th secret of a seed."""
    tables = count()
    fair.new_secret = lambda: Random(f"{seed} {next(tables)}").randbytes(32)


if __name__ == "__main__":
    repeat_the_dice(int(sys.argv[1]))
    main(["serve", *sys.argv[2:]])
