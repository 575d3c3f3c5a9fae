"""A table as numbered entries that are never changed, and where it stands after them: the fold over its
journal.
"""
