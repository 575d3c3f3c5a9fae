"""Compiled code is kept under a fingerprint of what it was made of; nothing that matters is missing in it."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType

import numpy as np
import pytest

from dicetown.rules import kernel as kernels
from dicetown.rules.kernel import fingerprint, kernel, name_record, name_tuple

SAID = """
def inner(a: int) -> int:
    return a + STEP

def outer(a: int, thing: Thing, pair: Pair) -> int:
    '''What it says about itself.'''
    return inner(a) * int(FACTORS[0]) + int(thing.size) - pair.less
"""


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is made known here is forgotten afterwards."""
    for register in ("_kernels", "_records", "_tuples"):
        monkeypatch.setattr(kernels, register, dict(getattr(kernels, register)))


def outer(
    text: str = SAID,
    size: str = "i4",
    fields: tuple[str, ...] = ("more", "less"),
    apart: bool = False,
    **values: object,
) -> FunctionType:
    """The outer kernel of a text."""
    name_record("Thing", np.dtype([("size", size)]))
    pair = type("Pair", (tuple,), {"__annotations__": dict.fromkeys(fields, "int")})
    name_tuple(pair)
    module: dict[str, object] = {"STEP": 1, "FACTORS": np.array([2, 3]), **values}
    exec(f"from __future__ import annotations\n{text}", module)
    for name in ("inner", "outer"):
        function = module[name]
        assert isinstance(function, FunctionType)
        kernel(apart=apart)(function)
    assert isinstance(module["outer"], FunctionType)
    return module["outer"]


def test_the_same_code_has_the_same_fingerprint_wherever_it_stands_and_whatever_it_says() -> None:
    assert fingerprint(outer()) == fingerprint(outer("\n\n" + SAID.replace("itself", "what it does")))


@pytest.mark.parametrize(
    "changed",
    [
        lambda: outer(SAID.replace("int(thing.size)", "int(thing.size) + 1")),
        lambda: outer(SAID.replace("a + STEP", "a - STEP")),
        lambda: outer(STEP=2),
        lambda: outer(FACTORS=np.array([2, 4])),
        lambda: outer(size="i8"),
        lambda: outer(fields=("less", "more")),
        lambda: outer(SAID.replace("outer(a: int", "outer(a: float")),
        lambda: outer(apart=True),
    ],
    ids=[
        "its code",
        "a kernel it calls",
        "a number",
        "an array",
        "a record",
        "a tuple",
        "a parameter",
        "merging",
    ],
)
def test_whatever_is_compiled_changes_it(changed: Callable[[], FunctionType]) -> None:
    assert fingerprint(changed()) != fingerprint(outer())


def test_kernels_read_nothing_but_numbers_arrays_tuples_and_kernels() -> None:
    """What else they could read would be missing in the fingerprint."""
    import dicetown.envs.core.batch
    import dicetown.envs.core.tree
    import dicetown.lab.record.gather  # noqa: F401

    for function in kernels._kernels:
        if ".gpu." in function.__module__:  # which are never compiled for a CPU
            continue
        for name, value in kernels._globals_of(function).items():
            known = value is None or kernels.is_kernel(value) or isinstance(value, int | float | np.ndarray)
            known |= isinstance(value, type) and value in kernels._tuples.values()
            assert known or value is np or type(value).__name__ == "builtin_function_or_method", (
                f"{function.__module__}.{function.__qualname__} reads {name}"
            )
