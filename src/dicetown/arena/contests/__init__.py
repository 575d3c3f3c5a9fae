"""Contests: who plays whom from which seat, the games, the log that an interrupted contest goes on from, and
the ratings.
"""
