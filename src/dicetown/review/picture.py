"""The picture: everybody's chance to win over the game, as an SVG that needs nothing else.

Lines differ in colour and in their dashes, and carry their player's name where they end. Colours and greys
are of middle brightness, so that the picture can be read on light and on dark pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from dicetown.review.moments import Chances
from dicetown.review.review import Review

WIDTH, HEIGHT = 860, 420
LEFT, RIGHT, TOP, BOTTOM = 64, 130, 64, 52  # margins
GREY = "#7a7a7a"
FONT = "font-family='system-ui, sans-serif' font-size='13'"
#: A colour and dashes for each seat.
STYLES = (
    ("#2f7fd0", ""),
    ("#d9730d", "8 4"),
    ("#2a9d68", "2 3"),
    ("#a55fd0", "12 3 2 3"),
    ("#c44f5f", "5 2 1 2 1 2"),
)
_BARS = "▁▂▃▄▅▆▇█"
_TICKS = 12  # turns named on the axis, at most
_APART = 16  # pixels between names at the ends of lines


@dataclass(frozen=True)
class Labels:
    """What the picture says, in the reader's language."""

    title: str
    turn: str
    chance: str
    points: list[str]  # a sentence for each turning point


def curve(review: Review) -> list[Chances]:
    """The chances before the first moment and after each."""
    return [review.start, *(moment.after for moment in review.moments)]


def sparkline(values: Sequence[float], width: int = 60) -> str:
    """A curve in one line of text; each sign is the mean of what falls into it.

    >>> sparkline([0.0, 0.2, 0.5, 1.0])
    '▁▂▅█'
    """
    width = min(width, len(values))
    cuts = [round(k * len(values) / width) for k in range(width + 1)]
    means = [sum(values[low:high]) / (high - low) for low, high in pairwise(cuts)]
    return "".join(_BARS[min(len(_BARS) - 1, int(mean * len(_BARS)))] for mean in means)


def draw_picture(review: Review, names: Sequence[str], labels: Labels) -> str:
    """The SVG of a review."""
    size = f"viewBox='0 0 {WIDTH} {HEIGHT}' width='{WIDTH}' height='{HEIGHT}'"
    title = escape(labels.title)
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' {size} role='img' {FONT}>",
        f"<title>{title}</title>",
        f"<text x='{LEFT}' y='22' fill='{GREY}' font-size='16' font-weight='600'>{title}</text>",
        *_axes(review, labels),
        *_legend(names),
        *_lines(review, names),
        *_markers(review, labels),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _x(review: Review, place: int) -> float:
    """Where a point of the curve stands."""
    return LEFT + (WIDTH - LEFT - RIGHT) * place / max(1, len(review.moments))


def _y(chance: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - chance)


def _axes(review: Review, labels: Labels) -> list[str]:
    """Lines for quarters of the chance, and the turns below."""
    end = _x(review, len(review.moments))
    parts = []
    for percent in (0, 25, 50, 75, 100):
        y = _y(percent / 100)
        faint = "" if percent in (0, 100) else " stroke-opacity='0.35'"
        parts.append(f"<path d='M{LEFT} {y:.1f}H{end:.1f}' stroke='{GREY}'{faint}/>")
        parts.append(
            f"<text x='{LEFT - 8}' y='{y + 4:.1f}' fill='{GREY}' text-anchor='end'>{percent} %</text>"
        )
    for turn, place in _ticks(review):
        x, y = _x(review, place), _y(0)
        parts.append(f"<path d='M{x:.1f} {y:.1f}v5' stroke='{GREY}'/>")
        parts.append(f"<text x='{x:.1f}' y='{y + 19:.1f}' fill='{GREY}' text-anchor='middle'>{turn}</text>")
    middle, half = (LEFT + end) / 2, (TOP + HEIGHT - BOTTOM) / 2
    parts.append(
        f"<text x='{middle:.1f}' y='{HEIGHT - 12}' fill='{GREY}' text-anchor='middle'>"
        f"{escape(labels.turn)}</text>"
    )
    parts.append(
        f"<text transform='translate(16 {half:.1f}) rotate(-90)' fill='{GREY}' text-anchor='middle'>"
        f"{escape(labels.chance)}</text>"
    )
    return parts


def _ticks(review: Review) -> list[tuple[int, int]]:
    """Some turns, in round steps, and where they begin on the curve."""
    begins: dict[int, int] = {}
    for place, moment in enumerate(review.moments):
        begins.setdefault(moment.turn, place)
    last = max(begins, default=1)
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, last) if last / step <= _TICKS)
    return [(turn, place) for turn, place in begins.items() if turn == 1 or turn % step == 0]


def _stroke(seat: int) -> str:
    colour, dashes = STYLES[seat % len(STYLES)]
    return f"stroke='{colour}'" + (f" stroke-dasharray='{dashes}'" if dashes else "")


def _legend(names: Sequence[str]) -> list[str]:
    """A stretch of each line with its name, above the curves."""
    parts, x = [], float(LEFT)
    for seat, name in enumerate(names):
        shown = _shorten(name)
        parts.append(f"<path d='M{x:.0f} 42h30' {_stroke(seat)} stroke-width='2.5' fill='none'/>")
        parts.append(f"<text x='{x + 36:.0f}' y='46' fill='{GREY}'>{escape(shown)}</text>")
        x += 56 + 8 * len(shown)
    return parts


def _lines(review: Review, names: Sequence[str]) -> list[str]:
    """A line for each player, with the name at its end."""
    points, parts = curve(review), []
    for seat, name in enumerate(names):
        steps = " ".join(f"{_x(review, k):.1f},{_y(one[seat]):.1f}" for k, one in enumerate(points))
        parts.append(
            f"<polyline points='{steps}' fill='none' {_stroke(seat)} stroke-width='2.2' "
            f"stroke-linejoin='round'><title>{escape(name)}</title></polyline>"
        )
    end = _x(review, len(review.moments)) + 8
    for seat, y in _name_places([_y(chance) for chance in points[-1]]).items():
        colour = STYLES[seat % len(STYLES)][0]
        parts.append(
            f"<text x='{end:.1f}' y='{y + 4:.1f}' fill='{colour}'>{escape(_shorten(names[seat]))}</text>"
        )
    return parts


def _name_places(heights: Sequence[float]) -> dict[int, float]:
    """Where names stand beside the ends of their lines, pushed up where they would cover each other."""
    places: dict[int, float] = {}
    highest = float("inf")
    for seat in sorted(range(len(heights)), key=lambda one: -heights[one]):
        places[seat] = highest = min(heights[seat], highest - _APART)
    return places


def _markers(review: Review, labels: Labels) -> list[str]:
    """A numbered mark at each turning point, on the line of who it moved most; it tells what happened."""
    parts = []
    for number, (moment, told) in enumerate(
        zip(review.turning_points(), labels.points, strict=True), start=1
    ):
        moved = max(range(len(moment.change)), key=lambda seat: abs(moment.change[seat]))
        x = _x(review, review.moments.index(moment) + 1)
        y = _y(moment.after[moved])
        colour = STYLES[moved % len(STYLES)][0]
        parts.append(
            f"<g><title>{escape(f'{number}. {told}')}</title>"
            f"<circle cx='{x:.1f}' cy='{y:.1f}' r='9' fill='{colour}'/>"
            f"<text x='{x:.1f}' y='{y + 4:.1f}' fill='#ffffff' font-size='12' font-weight='700' "
            f"text-anchor='middle'>{number}</text></g>"
        )
    return parts


def _shorten(name: str, most: int = 14) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"
