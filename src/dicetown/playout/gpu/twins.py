"""Kernels on the GPU: device twins, made from the same code as the rules on the CPU.

A device twin is a kernel's own code object, compiled by Numba for CUDA, with every kernel it calls
replaced by that one's device twin. What differs from the compiled twins of :mod:`dicetown.rules.kernel`
makes code short. Code that does not fit into a GPU's cache for instructions is fetched again and again, and
waiting for instructions is what costs most:

- nobody listens on a GPU, so that telling an event is nothing at all;
- a long kernel that is ``apart`` really stays apart, and is not copied into all its callers;
- loops stay loops: four players' turns through one are not four copies of it;
- no index counts from the end (a test sees to that), so that none is looked at for its sign.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FunctionType
from typing import Any

from numba import config, cuda, int64

from dicetown.rules.kernel import callees, is_apart, is_kernel, kernel
from dicetown.rules.layout import Log
from dicetown.rules.ledger import tell

#: Up to this many bytes of bytecode a kernel is merged into its callers even if it is marked as apart.
_SHORT = 400


@kernel
def tell_nobody(log: Log, kind: int, a: int, b: int, c: int, d: int, e: int, f: int) -> None:
    """An event that nobody hears."""


class DeviceTwins:
    """The device twins of kernels, each made once.

    Some are named to be merged into their callers, however long: where these know which way it goes, only
    that way is left.
    """

    def __init__(self, *merged: Callable[..., Any]) -> None:
        self._merged = merged
        self._twins: dict[Callable[..., Any], Any] = {}

    def of(self, function: Callable[..., Any]) -> Any:
        """The device twin of a kernel."""
        if function is tell:
            function = tell_nobody
        assert is_kernel(function)
        if function not in self._twins:
            is_long = len(function.__code__.co_code) > _SHORT
            apart = is_apart(function) and is_long and function not in self._merged
            self._twins[function] = self._make(function, {}, apart)
        return self._twins[function]

    def with_constants(self, function: Callable[..., Any], **constants: Any) -> Any:
        """The device twin of a kernel that sees these constants as its module's; merged into its caller."""
        assert is_kernel(function)
        return self._make(function, constants, apart=False)

    def _make(self, function: FunctionType, constants: Mapping[str, Any], apart: bool) -> Any:
        namespace = {**function.__globals__, **constants}
        for name, callee in callees(function).items():
            namespace[name] = self.of(callee)
        if not config.ENABLE_CUDASIM:
            # Of an unsigned number Numba's own `int` makes an unsigned one, and of both kinds a float.
            namespace["int"] = int64
        twin = FunctionType(function.__code__, namespace, function.__name__, function.__defaults__)
        twin.__module__, twin.__qualname__ = function.__module__, function.__qualname__
        on_device = cuda.jit(device=True)(twin)  # the compiler merges whatever it may
        return on_device if config.ENABLE_CUDASIM else _make_short(on_device, apart)


def _make_short(twin: Any, apart: bool) -> Any:
    """Keep a device function's code short; Numba has no options for that, so what it makes is touched up."""
    compile_device = twin.compile_device

    def compile_short(arguments: Any, return_type: Any = None) -> Any:
        is_known = arguments in twin.overloads
        with _plain_indices():
            result = compile_device(arguments, return_type)
        if not is_known:
            for module in result.library.modules:
                for function in module.functions:
                    if function.name == result.fndesc.llvm_func_name and not function.is_declaration:
                        _keep_loops(module, function)
                        if apart:
                            function.attributes.add("noinline")
        return result

    twin.compile_device = compile_short
    return twin


def _keep_loops(module: Any, function: Any) -> None:
    """Forbid the compiler to write a loop out as many times as it is run through."""
    from llvmlite import ir

    place = {block: number for number, block in enumerate(function.blocks)}
    forbidden = module.add_metadata([ir.MetaDataString(module, "llvm.loop.unroll.disable")])
    for block in function.blocks:
        targets = block.terminator.operands if block.terminator else ()
        if any(place.get(target, len(place)) <= place[block] for target in targets):
            # A loop is known by a note of its own that refers to itself.
            note = module.add_metadata([ir.Constant(ir.IntType(64), id(block)), forbidden])
            note.operands = (note, forbidden)
            block.terminator.set_metadata("llvm.loop", note)


@contextmanager
def _plain_indices() -> Iterator[None]:
    """While kernels are compiled, take indices as they are: none is negative, none counts from the end."""
    from numba import types
    from numba.cuda.np import arrayobj

    def take_as_it_is(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
        return context.cast(builder, index, kind, types.intp)

    before = arrayobj.fix_integer_index
    arrayobj.fix_integer_index = take_as_it_is
    try:
        yield
    finally:
        arrayobj.fix_integer_index = before
