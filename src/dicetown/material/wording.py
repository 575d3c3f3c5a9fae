"""The sentence on a card, composed from the data that the engine runs.

Nothing here knows a card. The kind of an effect chooses a template of the language, each field of the
effect fills a slot, and house rules that change what happens change what is said. So a card whose
amount is changed in its file reads as it plays, and a new card has its sentence in every language.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from dicetown.material.catalogue import Catalogue, catalogue
from dicetown.material.model import (
    Bonus,
    Colour,
    Discount,
    Effect,
    Establishment,
    GameMaterial,
    Income,
    Landmark,
    LandmarkEffect,
    Names,
    OwnerNeeds,
    Per,
    RollerNeeds,
    Swap,
    kind_of,
)
from dicetown.material.reading import read


class HouseFacts(msgspec.Struct, frozen=True):
    """The house rules that change what a card's sentence says, by their names in the rules.

    ``major_limit`` may be ``"none"`` or ``None``: no limit.
    """

    tax_threshold: int
    renovation_payer: Literal["owners", "bank"]
    business_center_optional: bool
    winery_closes_without_vineyard: bool
    reroll_may_change_dice: bool
    major_limit: int | Literal["none"] | None

    @classmethod
    def of(cls, house: Mapping[str, object]) -> HouseFacts:
        """Take the facts from a complete set of house rules, such as an edition's.

        >>> from dicetown.material import load
        >>> HouseFacts.of(load().editions["neue_stadt"].house).tax_threshold
        11
        """
        return read(cls, dict(house), "House rules")


def describe(game: GameMaterial, card: Establishment | Landmark, language: str, facts: HouseFacts) -> str:
    """Say what a card or landmark of this game does, in one of the languages.

    >>> from dicetown.material import load
    >>> deluxe = load().editions["deluxe"]
    >>> classic = load().games["classic"]
    >>> describe(classic, classic.establishments["cafe"], "en", HouseFacts.of(deluxe.house))
    'When another player rolls this number, they pay you 1 coin.'
    """
    writer = _Writer(game, catalogue("cards", language), facts)
    if isinstance(card, Establishment):
        return writer.establishment(card)
    return writer.landmark(card)


def colour_name(colour: Colour, language: str) -> str:
    """Name one of the four colours.

    >>> colour_name("purple", "de")
    'violett'
    """
    return catalogue("cards", language).say(f"colour.{colour}")


class _Writer:
    """Composes sentences about the cards of one game, in one language, under one set of house rules."""

    def __init__(self, game: GameMaterial, words: Catalogue, facts: HouseFacts) -> None:
        self.game = game
        self.words = words
        self.facts = facts

    def establishment(self, card: Establishment) -> str:
        """Say what happens on a roll, and how many one may have."""
        when = self.words.say(
            f"when.{card.colour}", len(card.numbers), roller_if=self._roller_if(card.effect)
        )
        sentence = self._sentence(self._moment(card.effect), card.effect, when)
        return sentence + (self._major_limit() if card.major else "")

    def landmark(self, landmark: Landmark) -> str:
        """Say what happens on building it, or for whom it does what as long as it stands."""
        effect = landmark.effect
        if landmark.reach == "once":
            sentence = self._sentence(self._moment(effect), effect, self.words.say("when.once"))
        else:
            one = isinstance(effect, Discount) and effect.landmark is not None
            sentence = self._sentence(f"{landmark.reach}.{kind_of(effect)}{'_one' if one else ''}", effect)
        if landmark.standing:
            sentence += self.words.say("part.standing")
        if landmark.needs is not None:
            sentence += self.words.say(f"part.{landmark.needs}")
        return sentence

    def _moment(self, effect: Effect | LandmarkEffect) -> str:
        """Choose the template of what happens at a moment: a roll, or being built."""
        if isinstance(effect, Swap):
            return "effect.swap_may" if self.facts.business_center_optional else "effect.swap_must"
        return f"effect.{kind_of(effect)}"

    def _sentence(self, key: str, effect: Effect | LandmarkEffect, when: str = "") -> str:
        """Fill a template with all that the effect's fields and the house rules say.

        A field that the effect lacks leaves its slot empty; a template has places for those it needs.
        """
        slots = {"when": when, **self._from_house(effect)}
        slots["coins"] = coins = self._coins(getattr(effect, "amount", None))
        slots["gain"] = self._coins(getattr(effect, "on_build", None))
        slots["loss"] = self._coins(getattr(effect, "pay", None))
        slots["payer"] = self.words.say(f"payer.{self.facts.renovation_payer}", coins=coins)
        slots["per"] = self._per(getattr(effect, "per", None))
        slots["owner_if"] = self._owner_if(getattr(effect, "owner_needs", None))
        slots["icons"] = self._icons(getattr(effect, "icons", ()))
        slots["each"] = self._bonus_each(effect) if isinstance(effect, Bonus) else ""
        slots["landmark"] = self._landmark_name(getattr(effect, "landmark", None))
        slots["total"] = getattr(effect, "total", "")
        slots["least"] = getattr(effect, "least", "")
        return self.words.say(key, n=getattr(effect, "amount", None), **slots)

    def _from_house(self, effect: Effect | LandmarkEffect) -> dict[str, object]:
        """Say what depends on house rules, or is the same on every card."""
        say, facts = self.words.say, self.facts
        closes = "then.close" if facts.winery_closes_without_vineyard else "then.close_if_paid"
        no_majors, reopens = say("part.no_majors"), say("part.reopens")
        return {
            "threshold": self._coins(facts.tax_threshold),
            "dice": say("dice.any" if facts.reroll_may_change_dice else "dice.same"),
            "then": say(closes) + reopens if getattr(effect, "then", None) == "close" else "",
            "which": say("part.majors_too") if getattr(effect, "any", False) else no_majors,
            "no_majors": no_majors,
            "reopens": reopens,
        }

    def _coins(self, amount: int | Literal["all"] | None) -> str:
        if amount is None:
            return ""
        return self.words.say("part.all_coins") if amount == "all" else self.words.say("part.coins", amount)

    def _major_limit(self) -> str:
        limit = self.facts.major_limit
        return self.words.say("part.major_limit", limit) if isinstance(limit, int) else ""

    # --------------------------------------------------------- counts and conditions

    def _per(self, per: Per | None) -> str:
        if per is None:
            return ""
        counted = "icons" if per.icons else "cards" if per.cards else "landmarks"
        cards = self._listed("cards", [self.game.establishments[card].name for card in per.cards])
        return self.words.say(f"per.{per.of}_{counted}", icons=self._icons(per.icons), cards=cards)

    def _bonus_each(self, bonus: Bonus) -> str:
        """R14: a bonus counts as often as what it raises; said where the game has such a card."""
        raised = [card.effect for card in self.game.establishments.values() if card.icon in bonus.icons]
        counts = any(isinstance(effect, Income) and effect.per is not None for effect in raised)
        return self.words.say("part.bonus_each") if counts else ""

    def _owner_if(self, needs: OwnerNeeds | None) -> str:
        if needs is None:
            return ""
        if needs.landmark is not None:
            return self.words.say("if.owner_landmark", landmark=self._landmark_name(needs.landmark))
        return self.words.say("if.owner_landmarks_below", needs.landmarks_below)

    def _roller_if(self, effect: Effect) -> str:
        needs: RollerNeeds | None = getattr(effect, "roller_needs", None)
        if needs is None:
            return ""
        return self.words.say("if.roller_landmarks_at_least", needs.landmarks_at_least)

    # ------------------------------------------------------------------------- names

    def _icons(self, icons: Sequence[str]) -> str:
        return self._listed("icons", [self.game.icons[icon] for icon in icons])

    def _landmark_name(self, landmark: str | None) -> str:
        return "" if landmark is None else self.game.landmarks[landmark].name[self.words.language]

    def _listed(self, what: str, names: Sequence[Names]) -> str:
        """Join names as this language does: "cup or bread", "Tassen- oder Brot"."""
        words = [name[self.words.language] for name in names]
        if len(words) < 2:
            return "".join(words)
        between, last = self.words.say(f"join.{what}"), self.words.say(f"join.last_{what}")
        return between.join(words[:-1]) + last + words[-1]
