"""Bots that are programs of their own, in any language: the lines they are spoken to with, and the process
behind them.
"""
