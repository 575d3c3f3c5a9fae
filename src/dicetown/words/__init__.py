"""The game in words: what happens, what is asked and what can be chosen, in every language.

Sentences come from catalogues of templates with slots and plural forms (``languages/*/game.toml``);
names of cards come from the material. Nothing here decides anything.
"""

from dicetown.words.actions import Choice, describe_choices, label
from dicetown.words.events import Line, narrate
from dicetown.words.language import catalogue_for, facts_of, language_of_system
from dicetown.words.questions import question
from dicetown.words.speaker import Speaker

__all__ = [
    "Choice",
    "Line",
    "Speaker",
    "catalogue_for",
    "describe_choices",
    "facts_of",
    "label",
    "language_of_system",
    "narrate",
    "question",
]
