"""Guests, tables, sittings, reviews and journals."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the first tables."""
    op.create_table(
        "guests",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
    )
    op.create_table(
        "tables",
        sa.Column("code", sa.String(8), primary_key=True),
        sa.Column("stage", sa.String(16), nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("active", sa.Double, nullable=False),
        sa.Column("head", sa.Text, nullable=False),
    )
    op.create_index("tables_by_stage", "tables", ["stage", "public", "active"])
    op.create_table(
        "sittings",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column("code", sa.String(8), sa.ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
    )
    op.create_index("sittings_by_table", "sittings", ["code"])
    op.create_table(
        "reviews",
        sa.Column("code", sa.String(8), sa.ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_table(
        "entries",
        sa.Column("code", sa.String(8), sa.ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("guest", sa.String(32)),
        sa.Column("key", sa.String(64)),
        sa.Column("at", sa.Double, nullable=False),
        sa.UniqueConstraint("code", "guest", "key", name="one_entry_for_a_request"),
    )


def downgrade() -> None:
    """Remove them."""
    for name in ("entries", "reviews", "sittings", "tables", "guests"):
        op.drop_table(name)
