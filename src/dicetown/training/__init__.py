"""How the champion learns: games of all tables, a network for them, and lessons by playing itself.

Needs PyTorch (``pip install 'dicetown[train]'``); what it makes plays without.
"""
