"""What is in the boxes: cards, landmarks and editions, and what is said about them.

:mod:`dicetown.material.model` has every field of a card, and every effect.
"""

from dicetown.material.house import House
from dicetown.material.loader import load
from dicetown.material.model import (
    Colour,
    Edition,
    EditionSet,
    Establishment,
    GameMaterial,
    Landmark,
    Material,
    kind_of,
)
from dicetown.material.wording import HouseFacts, colour_name, describe

__all__ = [
    "Colour",
    "Edition",
    "EditionSet",
    "Establishment",
    "GameMaterial",
    "House",
    "HouseFacts",
    "Landmark",
    "Material",
    "colour_name",
    "describe",
    "kind_of",
    "load",
]
