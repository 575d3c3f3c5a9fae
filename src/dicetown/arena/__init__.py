"""Bots against bots: many games, and how fast they are played."""

from dicetown.arena.benchmark import Benchmark, Measurement, benchmark
from dicetown.arena.contestants import enter
from dicetown.arena.report import Report
from dicetown.arena.simulate import Simulation, simulate
from dicetown.arena.table import BotTable, Readiness, bots_for, is_ready, ready
from dicetown.arena.tournament import Tournament, play_tournament
from dicetown.intervals import wilson

__all__ = [
    "Benchmark",
    "BotTable",
    "Measurement",
    "Readiness",
    "Report",
    "Simulation",
    "Tournament",
    "benchmark",
    "bots_for",
    "enter",
    "is_ready",
    "play_tournament",
    "ready",
    "simulate",
    "wilson",
]
