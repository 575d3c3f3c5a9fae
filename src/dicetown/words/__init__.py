"""The game in words: what happens, what is asked and what can be chosen, in three languages.

Sentences come from catalogues (``en.toml``, ``es.toml``, ``de.toml``) of templates with slots and plural
forms; names of cards come from the material. Nothing here decides anything.
"""

from dicetown.words.actions import Choice, describe_choices, label
from dicetown.words.events import Line, narrate
from dicetown.words.language import catalogue_for, language_of_system
from dicetown.words.questions import question
from dicetown.words.speaker import Speaker

__all__ = [
    "Choice",
    "Line",
    "Speaker",
    "catalogue_for",
    "describe_choices",
    "label",
    "language_of_system",
    "narrate",
    "question",
]
