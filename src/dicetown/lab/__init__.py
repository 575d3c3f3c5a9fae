"""What the numbers say: games played by the million, written down, and looked at.

Samples of games are gathered into a folder (:mod:`~dicetown.lab.sampling`), one row for each game, player and
purchase. Studies (:mod:`~dicetown.lab.study`) read them and answer questions, each with a
:class:`~dicetown.lab.section.Section` of a report.
"""
