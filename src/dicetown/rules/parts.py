"""Kernels as parts of a program that is put together and optimised once.

By itself Numba makes a program of every function: it optimises it together with all that it calls, all the
way down, and makes machine code of that, as if somebody might call it. Of two hundred kernels only one or two
are called from Python. The others are parts here: kept as they were lowered, optimised where they are needed
and nowhere else. That takes two thirds off compiling, and the programs are the same.

For that a class of Numba's insides is replaced while a part is made; nothing else here knows of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

#: Nobody calls a part from Python, so that it needs no way to be called.
OPTIONS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


class _NotRun:
    """What a part has instead of a processor."""

    def set_env(self, name: str, environment: Any) -> None:
        """Kernels have no Python objects, which is what environments are for."""
        assert not environment.consts, f"{name} is no kernel: it holds Python objects"


class _Part(JITCodeLibrary):
    """Code that waits to be linked into what calls it, on disk, too."""

    codegen = _NotRun()

    def _optimize_final_module(self) -> None:
        """Later, with all the rest."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    def serialize_using_object_code(self) -> Any:
        return self.serialize_using_bitcode()


@contextmanager
def making_parts() -> Iterator[None]:
    """Whatever is compiled meanwhile, or read from disk, is a part."""
    with global_compiler_lock:  # or somebody else's function would become a part
        codegen = cpu_target.target_context.codegen()
        before, codegen._library_class = codegen._library_class, _Part
        try:
            yield
        finally:
            codegen._library_class = before
