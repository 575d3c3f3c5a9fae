"""Bots against bots: many games, and how fast they are played."""

from dicetown.arena.benchmark import Benchmark, Measurement, benchmark
from dicetown.arena.simulate import Simulation, simulate, wilson
from dicetown.arena.table import BotTable, Readiness, bots_for, is_ready, ready

__all__ = [
    "Benchmark",
    "BotTable",
    "Measurement",
    "Readiness",
    "Simulation",
    "benchmark",
    "bots_for",
    "is_ready",
    "ready",
    "simulate",
    "wilson",
]
