"""The database: guests, tables, who sits at which, the journals, and who may write.

The journal is the truth. ``tables`` and ``sittings`` repeat of it what lists of tables need.

Who may write is said twice. ``leases`` is for a service of one process, which has the whole database. Where
several processes share one, ``workers`` says which of them live, and each table has an owner among them.
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
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
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
    Column("owner", String(32)),  # of several workers the one that may write; none where there is only one
    Column("fence", BigInteger, nullable=False, server_default=text("0")),  # how many owners there have been
    Index("tables_by_stage", "stage", "public", "active"),
    Index("tables_by_owner", "owner"),
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
    Column("fence", BigInteger),  # the table's when this was written; none where only one could write
    # What makes a request that is sent twice harmless, whatever else fails.
    UniqueConstraint("code", "guest", "key", name="one_entry_for_a_request"),
)

#: What saves folding a journal from its beginning; all of it can be made anew.
snapshots = Table(
    "snapshots",
    schema,
    Column("code", String(8), ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, nullable=False),  # of the last entry that is in it
    Column("version", String(32), nullable=False),  # of what has made it, and can read it
    Column("body", LargeBinary, nullable=False),  # of dicetown.server.journal.snapshots
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

#: Processes that share this database, each for one life: whoever starts again is another one.
workers = Table(
    "workers",
    schema,
    Column("id", String(32), primary_key=True),
    Column("role", String(16), nullable=False),  # game, thinker or gateway
    Column("address", String(255), nullable=False),  # where the others reach it: host:port
    Column("version", String(32), nullable=False),
    Column("protocol", Integer, nullable=False),  # what it says to the others; server/cluster/protocol.py
    Column("host", String(255), nullable=False),
    Column("pid", Integer, nullable=False),
    Column("since", Double, nullable=False),
    Column("seen", Double, nullable=False),  # its last sign of life, by the database's clock
    Column("leaving", Boolean, nullable=False, server_default=false()),  # takes no more tables
)
