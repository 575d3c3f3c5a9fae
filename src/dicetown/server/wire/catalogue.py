"""What is in the boxes, as it travels: editions, sets, house rules, cards, bots."""

from __future__ import annotations

from typing import Literal

from dicetown.languages import Language
from dicetown.server.wire.base import Message


class SetInfo(Message, frozen=True, kw_only=True):
    """A set of an edition."""

    id: str
    name: str
    sentence: str
    needed: bool  # the base of the edition: always in play
    max_players: int  # at a table with this set


class HouseRule(Message, frozen=True, kw_only=True):
    """A house rule that a table may change."""

    id: str
    name: str
    sentence: str
    kind: Literal["switch", "number", "choice"]
    usual: bool | int | str  # in this edition, with its usual sets
    least: int | None = None
    most: int | None = None
    options: list[HouseOption] = []


class HouseOption(Message, frozen=True, kw_only=True):
    """One of the values of a house rule that is a choice."""

    value: str | int
    name: str


class EditionInfo(Message, frozen=True, kw_only=True):
    """An edition, as a box on the start page."""

    id: str
    name: str
    sentence: str  # one honest sentence: what is special about it
    language: Language  # of the printed edition
    min_players: int
    max_players: int
    sets: list[SetInfo]
    house: list[HouseRule]


class Gist(Message, frozen=True, kw_only=True):
    """What an establishment does, for signs instead of a sentence."""

    kind: str  # of its effect, as the material names it
    coins: int | None  # what it brings; None if that depends
    symbols: list[str]  # for each card with one of these
    cards: list[str]  # for each of these cards


class CardInfo(Message, frozen=True, kw_only=True):
    """An establishment or landmark: everything that is printed on it, derived from its data."""

    id: str
    name: str
    text: str
    kind: Literal["establishment", "landmark"]
    colour: Literal["blue", "green", "red", "purple", "gold"]
    rolls: list[int]  # first and last total (or only one); empty for landmarks
    number: str  # as printed: "2–3"; empty for landmarks
    symbol: str  # the kind of card: wheat, cow, cup, factory …
    cost: int
    set: str
    gist: Gist | None  # of an establishment


class BotInfo(Message, frozen=True, kw_only=True):
    """A bot that can be given a seat."""

    id: str
    name: str
    sentence: str
    level: int  # 1 beginner … 5 master; 0 for others
    needs_warming: bool  # it compiles for a minute when it first plays on a machine
