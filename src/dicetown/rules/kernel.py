"""One source of rules, run interpreted or compiled.

A function marked ``@kernel`` stays a plain Python function: calling it runs it interpreted, with
readable tracebacks and no warm-up, and importing it does not import Numba. :func:`compiled` makes
its twin: the same code object, compiled by Numba, with every kernel it calls replaced by that
kernel's twin. So there is one text of the rules, and neither way of running it can drift.

Its annotations are its compiled signature: ``int``, ``bool``, ``float``, and the names of records made
known by :func:`name_record` (``State``, ``Tables``, …; ``States`` is an array of them, ``ints`` or ``shorts``
one of numbers). One function is compiled once, whatever widths its callers hold.

What a kernel may use follows from that: integers, the records of :mod:`dicetown.rules.layout`,
module-level integer constants and other kernels. Small integers read from a record go through
``int(...)``, because NumPy's int8 overflows where Numba's is widened.
"""

from __future__ import annotations

import dis
import hashlib
import shutil
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from threading import RLock
from types import FunctionType
from typing import Any, TypeGuard, TypeVar, overload

import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])

_kernels: dict[FunctionType, bool] = {}  # and whether to merge it into its callers
_records: dict[str, np.dtype[Any]] = {}
#: Up to this many bytes of bytecode a kernel is small. Measured: 240 gives 7.3, 1200 gives 12.2 million
#: decisions/s in the base game; beyond that only compiling takes longer.
_SMALL = 1200
_apart: set[FunctionType] = set()
#: Packages with kernels that nothing below them calls.
_ON_TOP = ("envs", "lab")
_twins: dict[FunctionType, Any] = {}
_making = RLock()  # where compiled code is cached is a setting of the whole process


@overload
def kernel(function: Function) -> Function: ...
@overload
def kernel(*, apart: bool) -> Callable[[Function], Function]: ...
def kernel(function: Any = None, *, apart: bool = False) -> Any:
    """Mark a function as part of the rules that can be compiled; it is returned unchanged.

    Compiled, small kernels are merged into their callers, which doubles the speed of play; one that is
    ``apart`` never is, because it is rarely reached and would only make its callers long.
    """
    if function is None:
        return partial(kernel, apart=apart)
    assert isinstance(function, FunctionType)
    if apart:
        _apart.add(function)
    _kernels[function] = not apart and len(function.__code__.co_code) < _SMALL
    return function


def name_record(name: str, layout: np.dtype[Any]) -> None:
    """Let kernels take records of this layout, annotated with this name."""
    _records[name] = layout


def compiled(function: Callable[..., Any]) -> Any:
    """The compiled twin of a kernel, made on first use and cached on disk.

    >>> from dicetown.rules.rng import multiply_high
    >>> compiled(multiply_high)(1 << 31, 6) == multiply_high(1 << 31, 6) == 3
    True
    """
    if not is_kernel(function):
        raise TypeError(f"{function!r} is not a kernel: mark it with @kernel")
    with _making:
        if function not in _twins:
            _make_twin(function)
    return _twins[function]


def is_kernel(function: object) -> TypeGuard[FunctionType]:
    """Whether a function was marked with :func:`kernel`."""
    return isinstance(function, FunctionType) and function in _kernels


def is_apart(function: FunctionType) -> bool:
    """Whether a kernel was marked as one that is never merged into its callers."""
    return function in _apart


def _make_twin(function: FunctionType) -> None:
    """Compile a kernel after the kernels it calls; kernels do not recurse."""
    import numba

    namespace = dict(function.__globals__)
    for name, callee in callees(function).items():
        namespace[name] = compiled(callee)
    twin = FunctionType(function.__code__, namespace, function.__name__, function.__defaults__)
    twin.__module__, twin.__qualname__ = function.__module__, function.__qualname__
    # The cache directory is chosen when the decorator runs; leave other users of Numba alone.
    before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(_folder_for(function))
    try:
        _twins[function] = numba.njit(
            _signature(function),
            cache=True,
            nogil=True,
            error_model="numpy",
            forceinline=_kernels[function],
        )(twin)
    finally:
        numba.config.CACHE_DIR = before


def callees(function: FunctionType) -> dict[str, FunctionType]:
    """The kernels a kernel calls, by the global names it calls them by (not by attributes so named)."""
    loads = {step.argval for step in dis.get_instructions(function) if step.opname == "LOAD_GLOBAL"}
    called = {name: function.__globals__.get(name) for name in loads}
    return {name: callee for name, callee in called.items() if is_kernel(callee)}


def _signature(function: FunctionType) -> Any:
    """The types of a kernel's parameters, read off its annotations."""
    return tuple(
        _argument_type(str(annotation))
        for name, annotation in function.__annotations__.items()
        if name != "return"
    )


def _argument_type(annotation: str) -> Any:
    from numba import from_dtype, types

    plain = {"int": types.int64, "bool": types.boolean, "float": types.float64}
    if annotation in plain:
        return plain[annotation]
    plain |= {"flag": types.int8, "short": types.int16, "single": types.float32}  # in arrays only
    if annotation in _records:
        return from_dtype(_records[annotation])
    if annotation.endswith("s") and annotation[:-1] in plain:
        return plain[annotation[:-1]][::1]
    if annotation.endswith("s") and annotation[:-1] in _records:
        return from_dtype(_records[annotation[:-1]])[::1]
    raise TypeError(f"A kernel cannot take a parameter annotated {annotation!r}.")


@cache
def cache_folder() -> Path:
    """Where compiled code is kept: one folder per state of the sources.

    Numba's own cache looks only at the file of the function called, not at the files of the
    functions it calls; a folder named after all sources cannot serve stale rules.
    """
    import numba
    import platformdirs

    root = Path(numba.config.CACHE_DIR or platformdirs.user_cache_dir("dicetown")) / "kernels"
    folder = root / _fingerprint("bots", "playout", "rules")
    if not folder.exists() and root.exists():
        _forget_old(root)
    return folder


def _folder_for(function: FunctionType) -> Path:
    """Where a kernel's compiled code is kept.

    Packages on top of bots and playouts (the lab, the environments) have folders of their own inside, named
    after their own sources, too: a change there need not compile everything below anew.
    """
    part = function.__module__.partition(".")[2].partition(".")[0]
    return cache_folder() / f"{part}-{_fingerprint(part)}" if part in _ON_TOP else cache_folder()


@cache
def _fingerprint(*packages: str) -> str:
    """Names the sources that the kernels of some packages are made of, and the Numba that compiles them.

    Of the rules those are all modules, elsewhere the ones that import this one: a change in another need
    not cost a new compilation.
    """
    import numba

    fingerprint = hashlib.sha256(numba.__version__.encode())
    for package in packages:
        for source in sorted((Path(__file__).parent.parent / package).rglob("*.py")):
            text = source.read_bytes()
            if package == "rules" or b"from dicetown.rules.kernel import" in text:
                fingerprint.update(text)
    return fingerprint.hexdigest()[:16]


def _forget_old(root: Path, keep: int = 3) -> None:
    """Compiled code of sources long gone is only wasted disk."""
    folders = sorted((f for f in root.iterdir() if f.is_dir()), key=lambda f: f.stat().st_mtime)
    for folder in folders[:-keep]:
        shutil.rmtree(folder, ignore_errors=True)


def is_on_disk(function: Callable[..., Any]) -> bool:
    """Whether a kernel's twin is made, or lies on disk, compiled from these very sources (no waiting)."""
    if not is_kernel(function):
        raise TypeError(f"{function!r} is not a kernel: mark it with @kernel")
    # So Numba names its files; code of older sources lies in other folders.
    name = f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}"
    return function in _twins or any(_folder_for(function).rglob(f"{name}-*.nbc"))
