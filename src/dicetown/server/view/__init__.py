"""What a page is shown: a table and its journal in words, the scene, the question, what may come, and results.

Everything here is made from a game, from where a table stands or from what is in the boxes; nothing changes any.
"""
