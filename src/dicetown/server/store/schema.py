"""The database: guests, tables, who sits at which, the journals, and who may write.

The journal is the truth. ``tables`` and ``sittings`` repeat of it what lists of tables need.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

schema = MetaData()

guests = Table(
    "guests",
    schema,
    Column("id", String(32), primary_key=True),
    Column("name", String(64), nullable=False),
    Column("seen", Double, nullable=False),
)

tables = Table(
    "tables",
    schema,
    Column("code", String(8), primary_key=True),
    Column("stage", String(16), nullable=False),
    Column("public", Boolean, nullable=False),
    Column("active", Double, nullable=False),  # when something last happened, to the minute
    Column("head", Text, nullable=False),  # JSON of dicetown.server.journal.summary.Summary
    Index("tables_by_stage", "stage", "public", "active"),
)

sittings = Table(
    "sittings",
    schema,
    Column("guest", String(32), primary_key=True),
    Column("code", String(8), ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
    Index("sittings_by_table", "code"),
)

reviews = Table(
    "reviews",
    schema,
    Column("code", String(8), ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
    Column("body", Text, nullable=False),  # JSON, in no language
)

entries = Table(
    "entries",
    schema,
    Column("code", String(8), ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("body", Text, nullable=False),  # JSON of dicetown.server.journal.entries
    Column("guest", String(32)),
    Column("key", String(64)),
    Column("at", Double, nullable=False),
    # What makes a request that is sent twice harmless, whatever else fails.
    UniqueConstraint("code", "guest", "key", name="one_entry_for_a_request"),
)

leases = Table(
    "leases",
    schema,
    Column("name", String(32), primary_key=True),
    Column("fence", BigInteger, nullable=False),  # how many owners there have been
    Column("host", String(255), nullable=False),
    Column("pid", Integer, nullable=False),
    Column("since", Double, nullable=False),
)
