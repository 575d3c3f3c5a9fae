"""What the numbers say: games played by the million, written down, and looked at.

Samples of games are gathered into a folder (:mod:`~dicetown.lab.record.gather`), one row for each game,
player and purchase. Studies (:mod:`~dicetown.lab.studies.study`) read them and answer questions, each with a
:class:`~dicetown.lab.findings.section.Section` of a report.
"""
