"""A short name for the folder for temporary files, where its own is long.

The path of a socket has 107 bytes at most. Ray, PostgreSQL and browsers make theirs in that folder,
and Ray's take 82 of them.
"""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

LONGEST = 107 - 82


def shorten_temporary_folder() -> Callable[[], None]:
    """Let this process and those it starts use a short name; who calls what is returned ends that."""
    folder = tempfile.gettempdir()
    if len(os.fsencode(folder)) <= LONGEST:
        return lambda: None
    holder = Path(tempfile.mkdtemp(dir="/tmp"))
    holder.chmod(0o711)  # the database runs as somebody else, and may pass
    name = holder / "t"
    name.symlink_to(folder)
    before = os.environ.get("TMPDIR")
    os.environ["TMPDIR"] = tempfile.tempdir = str(name)

    def forget() -> None:
        tempfile.tempdir = folder
        if before is None:
            del os.environ["TMPDIR"]
        else:
            os.environ["TMPDIR"] = before
        shutil.rmtree(holder)

    return forget
