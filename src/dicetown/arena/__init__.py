"""Bots against bots: many games, and how fast they are played."""

from dicetown.arena.benchmark import Benchmark, Measurement, benchmark
from dicetown.arena.contests.contestants import enter
from dicetown.arena.contests.standings import Standings
from dicetown.arena.contests.tournament import Tournament, play_tournament
from dicetown.arena.simulate import Simulation, simulate
from dicetown.intervals import wilson
from dicetown.playout.table import BotTable, Readiness, bots_for, is_ready, ready

__all__ = [
    "Benchmark",
    "BotTable",
    "Measurement",
    "Readiness",
    "Simulation",
    "Standings",
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
