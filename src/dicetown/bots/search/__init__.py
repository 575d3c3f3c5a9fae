"""Bots that think: a search tree over choices and chance, grown one playout at a time within a budget."""
