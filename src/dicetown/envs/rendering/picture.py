"""A picture of the table: the cities, beside them the market, above them the dice and what is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dicetown.envs.rendering.canvas import Canvas, width_of
from dicetown.envs.rendering.lines import situation, thrown, title
from dicetown.game import Game
from dicetown.text.market import landmarks_to_build, market_title
from dicetown.words import Speaker
from dicetown.words.actions import price_of

WIDTH, HEIGHT = 1200, 900
_TOP, _GAP, _EDGE = 76, 10, 12
_CITIES = 770  # where the cities end and the market begins
_HEAD = 42  # the line with a player's name and coins

_PAPER, _RAISED, _SUNKEN = "#faf4e8", "#fffdf8", "#f1e8d7"
_INK, _QUIET, _LINE, _ACCENT = "#2b231d", "#665a4f", "#e2d6c2", "#b1430a"
_BANDS = {"blue": "#1f6db5", "green": "#2b7a3d", "red": "#c12c4c", "purple": "#7a40ab", "gold": "#e3a91c"}
_TINTS = {"blue": "#e2eefa", "green": "#e3f1e0", "red": "#fbe6e8", "purple": "#f0e6f8", "gold": "#fbf0d2"}
_BAND_INK = {"gold": "#3a2800"}
_SEATS = ("#a03c10", "#0f6d70", "#e44fae", "#262c4f", "#859316")
_SIZES = (17, 15, 14, 13, 12, 11, 10, 9, 8)


@dataclass(frozen=True)
class _Chip:
    """A card in short: its colour, the totals that activate it, its name, and how many there are."""

    colour: str
    number: str
    name: str
    note: str = ""
    built: bool = True

    def width(self, size: float) -> float:
        band = width_of(self.number, size) + size if self.number else size * 0.8
        note = width_of(f" {self.note}", size) if self.note else 0
        return band + width_of(self.name, size) + note + size * 1.1

    def paint(self, canvas: Canvas, x: float, y: float, size: float, width: float = 0) -> None:
        width = width or self.width(size)
        high = size * 1.6
        band = width_of(self.number, size) + size if self.number else size * 0.8
        paper = _TINTS[self.colour] if self.built else _RAISED
        canvas.box(x, y, width, high, paper, _LINE if self.built else _BANDS[self.colour], size / 3)
        if self.built:
            canvas.box(x, y, band, high, _BANDS[self.colour], round_by=size / 3)
        ink = _BAND_INK.get(self.colour, "#ffffff")
        canvas.words(x + band / 2, y + high / 2, self.number, size, ink, "mm")
        canvas.words(x + band + size * 0.4, y + high / 2, self.name, size, _INK if self.built else _QUIET)
        canvas.words(x + width - size * 0.5, y + high / 2, self.note, size, _INK, "rm", bold=True)


def paint_table(speaker: Speaker, game: Game) -> NDArray[np.uint8]:
    """The picture, as rows of pixels of red, green and blue."""
    canvas = Canvas(WIDTH, HEIGHT, _PAPER)
    _paint_top(canvas, speaker, game)
    high = (HEIGHT - _TOP - _EDGE + _GAP) / game.players
    for seat in range(game.players):
        _paint_city(canvas, speaker, game, seat, _TOP + seat * high, high - _GAP)
    _paint_market(canvas, speaker, game)
    return canvas.pixels()


def _paint_top(canvas: Canvas, speaker: Speaker, game: Game) -> None:
    canvas.words(_EDGE, 22, title(speaker, game), 17, _QUIET)
    x = float(_EDGE)
    for shows in thrown(game):
        canvas.die(x, 37, 30, shows, _INK)
        x += 38
    canvas.words(x + 2, 53, situation(speaker, game), 19, _INK, bold=True)


# ---------------------------------------------------------------------------- cities


def _paint_city(canvas: Canvas, speaker: Speaker, game: Game, seat: int, top: float, high: float) -> None:
    asked = seat in (game.to_move, game.winner)
    width = _CITIES - 2 * _EDGE
    canvas.box(_EDGE, top, width, high, _RAISED, _ACCENT if asked else _LINE, 10)
    canvas.box(_EDGE + 10, top + 10, 24, 24, _SEATS[seat], round_by=12)
    canvas.words(_EDGE + 22, top + 22, str(seat), 15, "#ffffff", "mm", bold=True)
    canvas.words(_EDGE + 44, top + 22, speaker.names[seat], 20, _INK, bold=asked)
    canvas.coins(_EDGE + width - 34, top + 23, game.coins(seat), 15)
    canvas.words(_EDGE + width - 74, top + 22, _standing(speaker, game, seat), 15, _QUIET, "rm")
    chips = [*_landmark_chips(speaker, game, seat), *_card_chips(speaker, game, seat)]
    _flow(canvas, chips, _EDGE + 12, top + _HEAD, width - 24, high - _HEAD - 8)


def _standing(speaker: Speaker, game: Game, seat: int) -> str:
    """Landmarks built, and coins that lie on a card."""
    needed = f"{len(game.landmarks(seat))} of {speaker.ruleset.landmarks_to_win} landmarks"
    put = game.invested(seat)
    return f"{speaker.say('screen.invested', put)} · {needed}" if put else needed


def _landmark_chips(speaker: Speaker, game: Game, seat: int) -> list[_Chip]:
    """What stands; and, where everybody has landmarks of their own, what does not yet."""
    built = game.landmarks(seat)
    mine = built if speaker.ruleset.edition.shared_landmarks else [mark.id for mark in game.ruleset.landmarks]
    return [_Chip("gold", "", speaker.thing(mark), built=mark in built) for mark in mine]


def _card_chips(speaker: Speaker, game: Game, seat: int) -> list[_Chip]:
    closed = game.closed(seat)
    chips = []
    for card, copies in game.cards(seat).items():
        note = f"×{copies}" if copies > 1 else ""
        if shut := closed.get(card, 0):
            note += f" ({shut} closed)"
        colour = speaker.establishments[card].colour
        chips.append(_Chip(colour, speaker.number(card), speaker.thing(card), note.strip()))
    return chips


def _flow(canvas: Canvas, chips: Sequence[_Chip], left: float, top: float, width: float, high: float) -> None:
    """Chips line after line, as large as all of them fit."""
    for size in _SIZES:
        places = _places(chips, size, width)
        if not places or places[-1][1] + size * 1.6 <= high:
            break
    for chip, (x, y) in zip(chips, places, strict=True):
        chip.paint(canvas, left + x, top + y, size)


def _places(chips: Sequence[_Chip], size: float, width: float) -> list[tuple[float, float]]:
    x = y = 0.0
    places = []
    for chip in chips:
        wide = chip.width(size)
        if x and x + wide > width:
            x, y = 0.0, y + size * 1.95
        places.append((x, y))
        x += wide + size * 0.5
    return places


# ---------------------------------------------------------------------------- market


def _paint_market(canvas: Canvas, speaker: Speaker, game: Game) -> None:
    left, width = _CITIES, WIDTH - _CITIES - _EDGE
    canvas.box(left, _TOP, width, HEIGHT - _TOP - _EDGE, _SUNKEN, _LINE, 10)
    canvas.words(left + 14, _TOP + 22, market_title(speaker, game), 17, _QUIET)
    shared = speaker.ruleset.edition.shared_landmarks
    things = [*game.market, *(landmarks_to_build(speaker, game) if shared else ())]
    each = min(38.0, (HEIGHT - _TOP - _EDGE - 52) / max(len(things), 1))
    size = min(each * 0.55, 15)
    for row, thing in enumerate(things):
        x, y = left + 12, _TOP + 42 + row * each
        _offer(speaker, game, thing).paint(canvas, x, y, size, width - 62)
        canvas.coins(x + width - 40, y + size * 0.8, price_of(game, thing), size * 0.85)


def _offer(speaker: Speaker, game: Game, thing: str) -> _Chip:
    """A thing in the market."""
    if thing in speaker.landmarks:
        return _Chip("gold", "", speaker.thing(thing))
    colour = speaker.establishments[thing].colour
    return _Chip(colour, speaker.number(thing), speaker.thing(thing), f"×{game.market[thing]}")
