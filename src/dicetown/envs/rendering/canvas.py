"""A sheet to paint on: boxes, words, coins, dice.

It is painted at twice its size and reduced, so that edges are smooth. The font is the one inside Pillow; it
has plain letters only, so accents are left out and a dash is a hyphen.
"""

from __future__ import annotations

import unicodedata
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

_FINER = 2
_PLAIN = str.maketrans({"–": "-", "×": "x", "’": "'", "ß": "ss", "…": "..."})
#: Where the pips of a die are, in fourths of its side.
_PIPS = {
    1: [(2, 2)],
    2: [(1, 1), (3, 3)],
    3: [(1, 1), (2, 2), (3, 3)],
    4: [(1, 1), (1, 3), (3, 1), (3, 3)],
    5: [(1, 1), (1, 3), (2, 2), (3, 1), (3, 3)],
    6: [(1, 1), (1, 2), (1, 3), (3, 1), (3, 2), (3, 3)],
}
COIN, COIN_RIM, COIN_INK = "#f2b92c", "#b87a0a", "#3a2800"


def plain(words: str) -> str:
    """Words in the letters that the font has.

    >>> plain("Café 2–3 ×4")
    'Cafe 2-3 x4'
    """
    apart = unicodedata.normalize("NFD", words.translate(_PLAIN))
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def width_of(words: str, size: float) -> float:
    """How wide words are."""
    return _font(size).getlength(plain(words)) / _FINER


@cache
def _font(size: float) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size * _FINER)
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font


class Canvas:
    """A picture in the making; all lengths are in its own pixels."""

    def __init__(self, width: int, height: int, paper: str) -> None:
        self._image = Image.new("RGB", (width * _FINER, height * _FINER), paper)
        self._brush = ImageDraw.Draw(self._image)

    def box(
        self, x: float, y: float, width: float, height: float, fill: str, line: str = "", round_by: float = 6
    ) -> None:
        """A box with round corners, and a line around it if one is wanted."""
        corners = _finer(x, y, x + width, y + height)
        self._brush.rounded_rectangle(
            corners, round_by * _FINER, fill, line or None, 2 * _FINER if line else 0
        )

    def words(
        self, x: float, y: float, words: str, size: float, ink: str, anchor: str = "lm", bold: bool = False
    ) -> None:
        """Words at a place; the anchor is Pillow's: left, middle or right, then top, middle or baseline."""
        stroke = size / 18 if bold else 0
        self._brush.text(
            (x * _FINER, y * _FINER), plain(words), ink, _font(size), anchor, stroke_width=stroke
        )

    def coins(self, x: float, y: float, amount: int, radius: float) -> None:
        """A coin with an amount on it; the coin is as wide as the amount needs."""
        wide = max(0.0, width_of(str(amount), radius * 1.2) - radius * 1.2)
        left, top, right, bottom = x - radius - wide / 2, y - radius, x + radius + wide / 2, y + radius
        self._brush.rounded_rectangle(
            _finer(left, top, right, bottom), radius * _FINER, COIN, COIN_RIM, round(radius / 7 * _FINER)
        )
        self.words(x, y, str(amount), radius * 1.2, COIN_INK, "mm", bold=True)

    def die(self, x: float, y: float, side: float, shows: int, ink: str) -> None:
        """A die, by its upper left corner."""
        self.box(x, y, side, side, "#ffffff", ink, side / 5)
        pip = side / 10
        for column, row in _PIPS[shows]:
            cx, cy = x + column * side / 4, y + row * side / 4
            self._brush.ellipse(_finer(cx - pip, cy - pip, cx + pip, cy + pip), ink)

    def pixels(self) -> NDArray[np.uint8]:
        """What has been painted: height, width, and three colours."""
        return np.asarray(self._image.reduce(_FINER), np.uint8)


def _finer(*lengths: float) -> tuple[float, ...]:
    return tuple(length * _FINER for length in lengths)
