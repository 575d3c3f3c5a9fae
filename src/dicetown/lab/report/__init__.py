"""Findings for people: in a terminal, as Markdown, and as one page with charts."""
