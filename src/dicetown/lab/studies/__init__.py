"""The questions: which cards are worth their price, what to buy first, how games go, what is claimed and is
true.
"""
