"""Who speaks: a ruleset and the players' names, in one language."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from dicetown.letters import isolated, seen
from dicetown.material import Establishment, HouseFacts, Landmark, describe
from dicetown.rules.ruleset import Ruleset
from dicetown.words.language import catalogue_for

_RULESETS_KEPT = 256


class Speaker:
    """Names the cards and players of a game, and fills the templates of a language.

    >>> speaker = Speaker(Ruleset("deluxe"), ["Ana", "Ben"], "es")
    >>> speaker.thing("cafe"), speaker.copies("cafe", 2), speaker.coins(1)
    ('Cafetería', 'Cafetería ×2', '1 moneda')
    """

    def __init__(
        self, ruleset: Ruleset, names: Sequence[str], language: str, *, on_page: bool = False
    ) -> None:
        """On a page (not in a terminal) names that run leftwards are set apart, with marks nobody sees."""
        self.ruleset = ruleset
        self.names = [isolated(_printable(name)) if on_page else _printable(name) for name in names]
        self.language = language
        self.catalogue = catalogue_for(language)
        self.say = self.catalogue.say  # fills a template
        self.establishments, self.landmarks = _things_of(ruleset)
        self._things = _names_of(ruleset, language)

    def card(self, thing: str) -> Establishment | Landmark:
        """An establishment or landmark of this game."""
        return self.establishments.get(thing) or self.landmarks[thing]

    def thing(self, thing: str) -> str:
        """The name printed on an establishment or landmark."""
        return self._things[thing]

    def copies(self, thing: str, copies: int) -> str:
        """A name with its number of copies, if there are several."""
        return self.thing(thing) if copies == 1 else f"{self.thing(thing)} ×{copies}"

    def coins(self, amount: int) -> str:
        """An amount with its noun."""
        return self.say("part.coins", amount)

    def number(self, thing: str) -> str:
        """The totals that activate an establishment, as a card shows them: ``2–3``."""
        return "–".join(map(str, self.establishments[thing].rolls))

    def effect(self, thing: str) -> str:
        """What a card does, in one sentence or two."""
        facts = HouseFacts.of(msgspec.structs.asdict(self.ruleset.rules))
        return describe(self.ruleset.game, self.card(thing), self.language, facts)

    def sets(self) -> str:
        """The sets in play, by name."""
        return ", ".join(part.name[self.language] for part in self.ruleset.sets)

    def edition(self) -> str:
        """The name of the edition."""
        return self.ruleset.edition.name[self.language]


@lru_cache(maxsize=_RULESETS_KEPT)
def _things_of(ruleset: Ruleset) -> tuple[dict[str, Establishment], dict[str, Landmark]]:
    """Establishments and landmarks by their ids; who speaks at a hundred tables knows them once."""
    landmarks = {mark.id: mark for mark in ruleset.landmarks}
    if ruleset.city_hall is not None:
        landmarks[ruleset.city_hall.id] = ruleset.city_hall
    return {card.id: card for card in ruleset.cards}, landmarks


@lru_cache(maxsize=_RULESETS_KEPT)
def _names_of(ruleset: Ruleset, language: str) -> dict[str, str]:
    """What all of them are called."""
    establishments, landmarks = _things_of(ruleset)
    names = {name: landmark.name[language] for name, landmark in landmarks.items()}
    return names | {name: card.name[language] for name, card in establishments.items()}


def _printable(name: str) -> str:
    """A name without characters that would move a terminal's cursor: names come from files, too."""
    return seen(name, "\N{REPLACEMENT CHARACTER}")
