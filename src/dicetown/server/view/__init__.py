"""What a page is shown: a table and its journal in words, the scene, the question, what may come, results.

Everything here is made from a game, from where a table stands or from what is in the boxes, and changes
nothing of it.
"""
