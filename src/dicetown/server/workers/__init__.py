"""Other processes, in which everything is done that takes a while: bots, hints, odds, reviews."""
