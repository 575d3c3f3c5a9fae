"""Bots that follow rules: what cards and landmarks are worth, and the greedy bot, the planner and the lists
on top of it.
"""
