"""A bot asked about a game: what to do now, and what every choice and every roll so far was worth."""

from dicetown.review.advice import Advice, advise
from dicetown.review.moments import Decision, Moment, Stroke
from dicetown.review.picture import Labels, draw_picture, sparkline
from dicetown.review.review import Player, Review, review

__all__ = [
    "Advice",
    "Decision",
    "Labels",
    "Moment",
    "Player",
    "Review",
    "Stroke",
    "advise",
    "draw_picture",
    "review",
    "sparkline",
]
