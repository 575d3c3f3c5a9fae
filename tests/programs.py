"""Programs that some tests start beside ours: a proxy, a Prometheus."""

import os
import shutil

import pytest

#: Where what only root needs lies, and who is not may not look.
_SBIN = "/usr/sbin"


def program(name: str, package: str) -> str:
    """Where a program is. Who has not installed it does without these tests, but CI does not: it fails.

    `.ci/tools` installs all of them there.
    """
    if (found := shutil.which(name) or shutil.which(name, path=_SBIN)) is None:
        missing = f"there is no {name} here (Debian: {package})"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    return found
