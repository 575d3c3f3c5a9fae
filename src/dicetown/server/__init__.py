"""The table in the browser: a service that keeps tables, seats players and passes their moves on.

It knows no rule: what is legal, what happens and what it is called comes from :class:`dicetown.game.Game`
and :mod:`dicetown.words`.
"""
