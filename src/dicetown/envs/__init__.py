"""Environments for people who train agents: PettingZoo, Gymnasium, OpenSpiel, and batches on CPU and GPU."""
