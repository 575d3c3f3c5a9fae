"""Whole games between bots, compiled: the loops that everything that plays by the million is built on.

:mod:`whole_game` plays to the end, :mod:`stepwise` stops wherever somebody must decide, :mod:`table` holds
what a thread needs for either; ``gpu/`` has the same games for ten thousand threads of a GPU.
"""
