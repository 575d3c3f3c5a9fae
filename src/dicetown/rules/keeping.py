"""Compiled code kept on disk as Numba keeps it, but in the folder of the kernel and nowhere else.

Where Numba cannot write there, it goes on to folders that are named after a file alone: the package's own,
and one for each user. Code found in those may be of other rules. Here such code is compiled and not kept, and
what lies in a folder that can only be read is read.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Any

from numba.core import config
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    _CacheLocator,
    _SourceFileBackedLocatorMixin,
)


class _Place(_SourceFileBackedLocatorMixin, _CacheLocator):
    """The folder that is set while a kernel is made, whether or not it can be written."""

    def __init__(self, function: Any, file: str) -> None:
        self._py_file, self._lineno = file, function.__code__.co_firstlineno
        self._cache_path = os.path.join(config.CACHE_DIR, self.get_suitable_cache_subpath(file))

    @classmethod
    def from_function(cls, function: Any, file: str) -> _Place:
        """Always this one, so that Numba looks for no other."""
        return cls(function, file)

    def get_cache_path(self) -> str:
        """Where code is read and written."""
        return self._cache_path


class _Code(CompileResultCacheImpl):
    _locator_classes = (_Place,)


class KernelCache(FunctionCache):
    """Keeps the code of a kernel where that is possible."""

    _impl_class = _Code

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The code that was kept; none where nothing can be read."""
        with suppress(OSError):
            return super().load_overload(signature, target)
        return None

    def save_overload(self, signature: Any, code: Any) -> None:
        """Keep code; on a full disk, or one that cannot be written, it serves this process alone."""
        with suppress(OSError):
            super().save_overload(signature, code)
