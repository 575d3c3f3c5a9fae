"""One source of rules, run interpreted or compiled.

A function marked ``@kernel`` stays a plain Python function: calling it runs it interpreted, with
readable tracebacks and no warm-up, and importing it does not import Numba. :func:`compiled` makes
its twin: the same code object, compiled by Numba together with every kernel it calls. So there is one
text of the rules, and neither way of running it can drift.

Its annotations are its compiled signature: ``int``, ``bool``, ``float``, and the names of records made
known by :func:`name_record` (``State``, ``Tables``, …; ``States`` is an array of them, ``ints`` or ``shorts``
one of numbers) or :func:`name_tuple`. One function is compiled once, whatever widths its callers hold.

What a kernel may use follows from that: integers, the records of :mod:`dicetown.rules.layout`,
module-level integer constants and other kernels. Small integers read from a record go through
``int(...)``, because NumPy's int8 overflows where Numba's is widened.
"""

from __future__ import annotations

import dis
import fcntl
import hashlib
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from threading import RLock
from types import FunctionType
from typing import Any, TypeGuard, TypeVar, overload

import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])
Tuple = TypeVar("Tuple", bound=type[tuple[Any, ...]])

_kernels: dict[FunctionType, bool] = {}  # and whether to merge it into its callers
_records: dict[str, np.dtype[Any]] = {}
_tuples: dict[str, type[tuple[Any, ...]]] = {}
#: Up to this many bytes of bytecode a kernel is small. Measured: 240 gives 7.3, 1200 gives 12.2 million
#: decisions/s in the base game; beyond that only compiling takes longer.
_SMALL = 1200
_apart: set[FunctionType] = set()
_KEEP = 3  # states of a kernel whose compiled code stays on disk
_twins: dict[FunctionType, Any] = {}
_parts: dict[FunctionType, Any] = {}  # kernels as other kernels call them
_WHOLE = "whole"
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


def name_tuple(tuples: Tuple) -> Tuple:
    """Let kernels take named tuples of this class, annotated with its name: parameters that go together.

    Its fields are annotated as parameters are. Kernels may make them, too; compiled, they cost nothing.
    """
    _tuples[tuples.__name__] = tuples
    return tuples


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
            with _one_process(function):
                _twins[function] = _compile(function, _WHOLE)
    return _twins[function]


def is_kernel(function: object) -> TypeGuard[FunctionType]:
    """Whether a function was marked with :func:`kernel`."""
    return isinstance(function, FunctionType) and function in _kernels


def is_apart(function: FunctionType) -> bool:
    """Whether a kernel was marked as one that is never merged into its callers."""
    return function in _apart


def _part_of(function: FunctionType) -> Any:
    """A kernel as the kernels call it that it is compiled into."""
    from dicetown.rules import parts

    if function not in _parts:
        with parts.making_parts():
            _parts[function] = _compile(function, "part", **parts.OPTIONS)
    return _parts[function]


class _Names(dict[str, Any]):
    """What a kernel finds in its module. The kernels it calls are made when Numba asks for them:
    it does not if the caller's code lies on disk. Kernels do not recurse.
    """

    def __init__(self, function: FunctionType) -> None:
        self._called = callees(function)
        super().__init__((name, it) for name, it in function.__globals__.items() if name not in self._called)

    def __missing__(self, name: str) -> Any:
        self[name] = _part_of(self._called[name])
        return self[name]


def _compile(function: FunctionType, form: str, **options: bool) -> Any:
    """Compile a kernel, or read from disk what was compiled before."""
    import numba

    from dicetown.rules.keeping import KernelCache

    twin = FunctionType(function.__code__, _Names(function), function.__name__, function.__defaults__)
    twin.__module__, twin.__qualname__ = function.__module__, function.__qualname__
    decorated = numba.njit(nogil=True, error_model="numpy", forceinline=_kernels[function], **options)(twin)
    # The cache directory is read when the cache is made; leave other users of Numba alone.
    before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(_make_room(function) / form)
    try:
        decorated._cache = KernelCache(twin)  # not Numba's own, which would serve stale rules: see there
    finally:
        numba.config.CACHE_DIR = before
    decorated.compile(_signature(function))
    decorated.disable_compile()
    return decorated


def callees(function: FunctionType) -> dict[str, FunctionType]:
    """The kernels a kernel calls, by the global names it calls them by (not by attributes so named)."""
    return {name: callee for name, callee in _globals_of(function).items() if is_kernel(callee)}


@cache
def _globals_of(function: FunctionType) -> dict[str, Any]:
    """What a kernel finds in its module, or among Python's own names (which are None here)."""
    loads = {step.argval for step in dis.get_instructions(function) if step.opname == "LOAD_GLOBAL"}
    return {name: function.__globals__.get(name) for name in sorted(loads)}


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
    if annotation in _tuples:
        fields = [_argument_type(field) for field in _fields_of(annotation).values()]
        return types.NamedTuple(fields, _tuples[annotation])
    if annotation in _records:
        return from_dtype(_records[annotation])
    if annotation.endswith("s") and annotation[:-1] in plain:
        return plain[annotation[:-1]][::1]
    if annotation.endswith("s") and annotation[:-1] in _records:
        return from_dtype(_records[annotation[:-1]])[::1]
    raise TypeError(f"A kernel cannot take a parameter annotated {annotation!r}.")


def _fields_of(annotation: str) -> dict[str, str]:
    """The fields of a named tuple, and what they are annotated with."""
    annotations = _tuples[annotation].__annotations__
    return {name: str(getattr(field, "__forward_arg__", field)) for name, field in annotations.items()}


# ------------------------------------------------------------------ compiled code on disk


def cache_root() -> Path:
    """Where compiled code is kept: a folder for each kernel, and in there one for each of its states."""
    import numba
    import platformdirs

    return Path(numba.config.CACHE_DIR or platformdirs.user_cache_dir("dicetown")) / "kernels"


@cache
def cache_folder(function: FunctionType) -> Path:
    """Where the code of a kernel is kept.

    Numba's own cache looks only at the file of the function called, not at the files of the functions it
    calls; a folder named after all that is compiled cannot serve stale rules.
    """
    return cache_root() / f"{function.__module__}.{function.__qualname__}" / fingerprint(function)


@cache
def fingerprint(function: FunctionType) -> str:
    """Names what is compiled: a kernel's code, what it is handed and reads, all it calls, and who compiles.

    >>> from dicetown.rules.rng import multiply_high
    >>> len(fingerprint(multiply_high))
    16
    """
    found = hashlib.sha256(_compiler())
    code = function.__code__
    consts = [
        const for const in code.co_consts if not isinstance(const, str)
    ]  # not what it says about itself
    handed = [(name, _handed(text)) for name, text in function.__annotations__.items()]
    found.update(code.co_code)
    found.update(repr((code.co_names, code.co_varnames, consts, handed, _kernels[function])).encode())
    for name, value in _globals_of(function).items():
        if is_kernel(value):
            found.update(fingerprint(value).encode())
        elif isinstance(value, np.ndarray):
            found.update(repr((name, value.dtype, value.tolist())).encode())
        elif isinstance(value, int | float):
            found.update(repr((name, value)).encode())
        elif isinstance(value, type) and value in _tuples.values():
            found.update(repr(_handed(value.__name__)).encode())
    return found.hexdigest()[:16]


def _handed(annotation: str) -> object:
    """What a parameter is, down to the layout of its records."""
    if annotation in _tuples:
        return annotation, [(name, _handed(field)) for name, field in _fields_of(annotation).items()]
    return annotation, _records.get(annotation, _records.get(annotation[:-1]))


@cache
def _compiler() -> bytes:
    """What makes twins: Numba, and our use of it."""
    import numba

    sources = (Path(__file__).with_name(name).read_bytes() for name in ("kernel.py", "parts.py"))
    return numba.__version__.encode() + b"".join(sources)


def _make_room(function: FunctionType) -> Path:
    """The folder of a kernel; compiled code of states long gone is only wasted disk."""
    folder = cache_folder(function)
    with suppress(OSError):  # where nothing can be read, there is nothing to be removed
        if not folder.exists() and folder.parent.exists():
            older = sorted(folder.parent.iterdir(), key=lambda one: one.stat().st_mtime, reverse=True)
            for old in older[_KEEP - 1 :]:
                shutil.rmtree(old, ignore_errors=True)
    return folder


@contextmanager
def _one_process(function: FunctionType) -> Iterator[None]:
    """Of processes that need what is not there yet let one compile, and the others read it from disk."""
    with ExitStack() as stack:
        if not is_on_disk(function):
            with suppress(OSError):  # where nothing can be kept, nobody need wait for it
                cache_root().mkdir(parents=True, exist_ok=True)
                lock = stack.enter_context((cache_root() / "lock").open("w"))
                fcntl.flock(lock, fcntl.LOCK_EX)
                stack.callback(fcntl.flock, lock, fcntl.LOCK_UN)  # a child may have inherited the file
        yield


def is_made(function: Callable[..., Any]) -> bool:
    """Whether this process has a kernel's twin already; who asks does not even import Numba."""
    return function in _twins


def is_on_disk(function: Callable[..., Any]) -> bool:
    """Whether a kernel's twin is made, or lies on disk, compiled from this very code (no waiting)."""
    return is_made(function) or is_kept(function)


def is_kept(function: Callable[..., Any]) -> bool:
    """Whether a kernel's twin lies on disk, for whoever needs it next."""
    if not is_kernel(function):
        raise TypeError(f"{function!r} is not a kernel: mark it with @kernel")
    try:
        return any((cache_folder(function) / _WHOLE).rglob("*.nbc"))
    except OSError:  # nobody may look into it
        return False
