"""What a page is shown of a game: the scene, the question, the log in words, what may come, and results.

Everything here is made from a :class:`~dicetown.game.Game` or from what is in the boxes; nothing knows a
table.
"""
