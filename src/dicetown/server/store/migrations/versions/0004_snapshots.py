"""Snapshots: where tables stood, for who opens them.

Only an addition: a Dicetown of the shape before goes on writing journals, and leaves snapshots alone. They
are older than the journal then, never wrong.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table of snapshots."""
    op.create_table(
        "snapshots",
        sa.Column("code", sa.String(8), sa.ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("version", sa.String(32), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    """Remove it: nothing is lost by that."""
    op.drop_table("snapshots")
