"""What all environments are built on: sights and actions as numbers, and games that stop at choices.

A :class:`~dicetown.envs.core.batch.Batch` steps thousands of games in one compiled call, ``one_game`` a
single one; nothing here knows a library of environments.
"""
