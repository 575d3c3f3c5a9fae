"""Run by Alembic: the connection is handed over by :func:`dicetown.server.store.migrations.migrate`."""

from __future__ import annotations

from alembic import context

from dicetown.server.store.schema import schema

if hasattr(context, "config"):  # not where the module is only imported, to look for its examples
    context.configure(
        connection=context.config.attributes["connection"], target_metadata=schema, render_as_batch=True
    )
    with context.begin_transaction():
        context.run_migrations()
