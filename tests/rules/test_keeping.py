"""Compiled code is kept in the folder of its kernel or nowhere, and rules are compiled either way."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType

import pytest
from numba.core.caching import IndexDataCacheFile, _CacheLocator

from dicetown import readiness
from dicetown.playout import table
from dicetown.readiness import get_ready
from dicetown.rules import kernel, rng
from dicetown.rules.rng import multiply_high


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where compiled code is kept meanwhile, by a process that has compiled nothing yet."""
    here = tmp_path / "kernels"
    monkeypatch.setattr(kernel, "_twins", {})
    monkeypatch.setattr(kernel, "cache_root", lambda: here)
    monkeypatch.setattr(readiness, "cache_root", lambda: here)
    kernel.cache_folder.cache_clear()
    yield here
    kernel.cache_folder.cache_clear()


def test_where_nothing_can_be_kept_it_is_compiled_said_and_written_nowhere_else(folder: Path) -> None:
    folder.write_text("Here should be a folder.")
    package = Path(rng.__file__).parent
    before, said = sorted(package.rglob("*")), list[str]()
    assert not get_ready("the dice", 1, multiply_high, say=said.append)
    assert kernel.compiled(multiply_high)(1 << 31, 6) == 3
    assert said == [
        "Compiling the dice (once, about 1 s) …",
        f"{folder}: what was compiled cannot be kept there, and is compiled again each time.",
    ]
    assert sorted(package.rglob("*")) == before


def test_a_full_disk_keeps_nobody_from_playing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def save(self: IndexDataCacheFile, name: str, data: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(IndexDataCacheFile, "_save_data", save)
    assert kernel.compiled(multiply_high)(1 << 31, 6) == 3
    assert not kernel.is_kept(multiply_high)


def test_what_can_only_be_read_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write(self: _CacheLocator) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    kernel.compiled(multiply_high)
    kernel._twins.clear()
    monkeypatch.setattr(_CacheLocator, "ensure_cache_path", write)
    twin = kernel.compiled(multiply_high)
    assert (sum(twin.stats.cache_hits.values()), sum(twin.stats.cache_misses.values())) == (1, 0)


def test_a_folder_that_nobody_may_look_into_is_left_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*where: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    assert isinstance(multiply_high, FunctionType)
    monkeypatch.setattr(Path, "exists", refuse)
    monkeypatch.setattr(Path, "rglob", refuse)
    assert not kernel.is_kept(multiply_high)
    assert kernel._make_room(multiply_high).is_relative_to(folder)


def test_what_compiling_took_is_noted_where_that_is_possible(folder: Path) -> None:
    assert table._noted() is None
    table._note(12.34)
    assert table._noted() == 12.3
    next(folder.rglob(table._TIMING)).write_text("")  # as a full disk leaves it
    assert table._noted() is None


def test_what_compiling_took_is_not_noted_below_a_file(folder: Path) -> None:
    folder.write_text("Here should be a folder.")
    table._note(12.34)
    assert table._noted() is None
