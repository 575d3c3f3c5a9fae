"""Rows as Parquet: small columns, well packed, in row groups that several threads can read at once."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from dicetown.errors import LabError
from dicetown.extras import need
from dicetown.lab.record.bulk import Rows

_ROW_GROUP = 1 << 17
#: Columns that hold something else than they are kept as while games are played.
_KEPT_AS: Mapping[str, Mapping[str, str]] = {
    "games": {"endless": "bool"},
    "players": {"won": "bool"},
    "purchases": {"won": "bool", "earned": "f4"},
}


def as_files(rows: Rows) -> dict[str, bytes]:
    """The three files of a part."""
    return {name: _as_parquet(getattr(rows, name), kept_as) for name, kept_as in _KEPT_AS.items()}


def _as_parquet(rows: NDArray[Any], kept_as: Mapping[str, str]) -> bytes:
    # Not Polars: it takes Ctrl-C for itself while it writes, and nobody else hears of it.
    pa, pq = need("lab", "pyarrow", "pyarrow.parquet", what="The lab")
    names = rows.dtype.names or ()
    columns = [rows[name].astype(kept_as.get(name, rows[name].dtype), order="C") for name in names]
    file = io.BytesIO()
    table = pa.table([pa.array(column) for column in columns], names=list(names))
    pq.write_table(table, file, compression="zstd", row_group_size=_ROW_GROUP)
    return file.getvalue()


def count_rows(path: Path) -> int:
    """How many rows a file has."""
    (pq,) = need("lab", "pyarrow.parquet", what="The lab")
    try:
        return int(pq.read_metadata(path).num_rows)
    except (OSError, ValueError) as problem:
        raise LabError(f"{path}: this is no Parquet file ({problem}).") from None
