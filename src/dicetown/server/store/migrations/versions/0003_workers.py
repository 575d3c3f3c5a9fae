"""Several workers: who lives, and which table is whose.

Only additions, so that a Dicetown of the shape before can go on writing meanwhile.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table of workers, and note owners at tables and entries."""
    op.create_table(
        "workers",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("address", sa.String(255), nullable=False),
        sa.Column("version", sa.String(32), nullable=False),
        sa.Column("protocol", sa.Integer, nullable=False),
        sa.Column("host", sa.String(255), nullable=False),
        sa.Column("pid", sa.Integer, nullable=False),
        sa.Column("since", sa.Double, nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
        sa.Column("leaving", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.add_column("tables", sa.Column("owner", sa.String(32)))
    op.add_column("tables", sa.Column("fence", sa.BigInteger, nullable=False, server_default=sa.text("0")))
    op.create_index("tables_by_owner", "tables", ["owner"])
    op.add_column("entries", sa.Column("fence", sa.BigInteger))


def downgrade() -> None:
    """Forget them."""
    op.drop_column("entries", "fence")
    op.drop_index("tables_by_owner", "tables")
    op.drop_column("tables", "fence")
    op.drop_column("tables", "owner")
    op.drop_table("workers")
