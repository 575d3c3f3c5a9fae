"""Whole games between bots, compiled: the loops that everything that plays by the million is built on.

:mod:`whole_game` plays to the end, :mod:`in_step` plays many games side by side and asks networks for all of
them at once, :mod:`stepwise` stops wherever somebody must decide, :mod:`table` holds what a thread needs;
``gpu/`` has the same games for ten thousand threads of a GPU.
"""
