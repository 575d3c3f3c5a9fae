"""The service as `dicetown serve` runs it, with dice that repeat themselves. Run by tests, never imported.

Its arguments are a seed, a file and those of `dicetown serve`. Whatever is written into the file while it
runs begins the dice anew: a test that writes its name there has the same dice whichever tests ran before it.
"""

import sys
from collections import Counter
from pathlib import Path
from random import Random

from dicetown import fair
from dicetown.cli import main


def repeat_the_dice(seed: int, user: Path) -> None:
    """Let the n-th table that somebody makes have the n-th secret of theirs."""
    tables: Counter[str] = Counter()

    def secret() -> bytes:
        who = user.read_text(encoding="utf-8") if user.exists() else ""
        tables[who] += 1
        return Random(f"{seed} {who} {tables[who]}").randbytes(32)

    fair.new_secret = secret


if __name__ == "__main__":
    repeat_the_dice(int(sys.argv[1]), Path(sys.argv[2]))
    main(["serve", *sys.argv[3:]])
