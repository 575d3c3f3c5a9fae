"""A game looked back on: what every choice and every roll was worth."""

from dicetown.review.moments import Decision, Moment, Stroke
from dicetown.review.picture import Labels, draw_picture, sparkline
from dicetown.review.review import Player, Review, review

__all__ = [
    "Decision",
    "Labels",
    "Moment",
    "Player",
    "Review",
    "Stroke",
    "draw_picture",
    "review",
    "sparkline",
]
