"""What is being played: an edition, some of its sets, and house rules.

A :class:`Ruleset` is made from the material, checks that it can be played, and knows the value of
every rule. :mod:`dicetown.rules.tables` turns it into the arrays that the kernels read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from numbers import Integral
from typing import Any

import msgspec

from dicetown.errors import MaterialError, RulesetError, TooFewLandmarks
from dicetown.material import Edition, EditionSet, Establishment, GameMaterial, Landmark, Material, load
from dicetown.material.house import House
from dicetown.material.model import Discount, Win
from dicetown.material.reading import read
from dicetown.suggestions import did_you_mean

#: House rules that have no default of their own: they follow from edition, sets and players.
LISTS = ("cards", "without_cards", "landmarks")
MAJOR_COPIES = "major_copies"
SWITCHES = (*LISTS, MAJOR_COPIES, *House.__struct_fields__)
MOST_COPIES = 100


class Ruleset:
    """An edition with its sets and house rules.

    >>> rules = Ruleset("deluxe", sets=["base", "harbor"], house={"start_coins": 5})
    >>> rules.rules.market, rules.rules.start_coins, [mark.id for mark in rules.landmarks][:2]
    ('line10', 5, ['harbor', 'train_station'])
    >>> Ruleset("delux")
    Traceback (most recent call last):
    dicetown.errors.RulesetError: There is no edition "delux"; did you mean "deluxe"? Known: ciudad, ...
    """

    def __init__(
        self,
        edition: str = "deluxe",
        sets: Iterable[str] | None = None,
        house: Mapping[str, Any] | None = None,
        material: Material | None = None,
    ) -> None:
        self.material = material or load()
        self.edition: Edition = self.material.editions[_known(edition, self.material.editions, "edition")]
        self.game: GameMaterial = self.material.games[self.edition.game]
        self.sets: tuple[EditionSet, ...] = self._choose_sets(sets)
        self.house: dict[str, Any] = _own_copy(house or {})
        for switch in self.house:
            _known(switch, SWITCHES, "house rule")
        self.rules: House = self._settle_rules()
        self.supply_ids: frozenset[str] = self._choose_supply()
        self.cards: tuple[Establishment, ...] = self._cards_in_play()
        self.landmarks: tuple[Landmark, ...] = self._choose_landmarks()
        self.city_hall: Landmark | None = self._find_city_hall()
        self._check_copies()
        self._check_winnable()

    # ------------------------------------------------------------------ identity

    @property
    def set_ids(self) -> tuple[str, ...]:
        """The ids of the sets chosen, in the edition's order."""
        return tuple(part.id for part in self.sets)

    def as_dict(self) -> dict[str, Any]:
        """What a saved game keeps of the ruleset."""
        return {"edition": self.edition.id, "sets": list(self.set_ids), "house": _own_copy(self.house)}

    @cached_property
    def _key(self) -> bytes:
        return msgspec.json.encode(self.as_dict(), order="deterministic")

    @cached_property
    def _hash(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ruleset):
            return NotImplemented
        return self._key == other._key and self.material == other.material

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        house = f", house={self.house!r}" if self.house else ""
        return f"Ruleset({self.edition.id!r}, sets={list(self.set_ids)!r}{house})"

    # ----------------------------------------------------------------- players

    @property
    def min_players(self) -> int:
        """The fewest players."""
        return self.edition.min_players

    @property
    def max_players(self) -> int:
        """The most players: some sets bring the cards for one more."""
        return max([self.edition.max_players, *(part.max_players or 0 for part in self.sets)])

    def check_players(self, players: int) -> int:
        """The number of players, if this ruleset can be played with so many."""
        if isinstance(players, bool) or not isinstance(players, Integral):
            raise RulesetError(f"The number of players is {players!r}; it must be a whole number.")
        players = int(players)
        if not self.min_players <= players <= self.max_players:
            more = [
                part.id for part in self.edition.sets if self.max_players < players <= (part.max_players or 0)
            ]
            hint = f" (with the set {more[0]} also {players})" if more else ""
            raise RulesetError(
                f"{players} players cannot play {self.edition.id} with these sets; "
                f"accepted are {self.min_players} to {self.max_players}{hint}."
            )
        return players

    # ---------------------------------------------------------------- how many

    def copies(self, card: Establishment, players: int) -> int:
        """How many copies of a card are in the supply, starting cities aside (R45).

        >>> stadium = Ruleset("deluxe").game.establishments["stadium"]
        >>> Ruleset("deluxe").copies(stadium, 3), Ruleset("ciudad").copies(stadium, 3)
        (3, 5)
        """
        if card.id not in self.supply_ids:
            return 0
        if card.copies is not None:
            return card.copies
        number = self.house.get(MAJOR_COPIES)
        if number is None:
            by_box = self.edition.major_copies
            number = by_box.by_market.get(self.rules.market, by_box.other)
            if self.rules.market not in by_box.by_market and players == 5 and by_box.five_players:
                number = by_box.five_players
        return players if number == "players" else int(number)

    @property
    def landmarks_to_win(self) -> int:
        """How many landmarks win the game."""
        wanted = self.rules.landmarks_to_win
        return len(self.landmarks) if wanted == "all" else wanted

    @cached_property
    def fixed_prices(self) -> bool:
        """Whether no landmark's price ever changes."""
        return not any(isinstance(mark.effect, Discount) or len(mark.cost) > 1 for mark in self.landmarks)

    # ------------------------------------------------------------- construction

    def _choose_sets(self, sets: Iterable[str] | None) -> tuple[EditionSet, ...]:
        known = {part.id: part for part in self.edition.sets}
        if sets is None:
            return self.edition.sets
        if not isinstance(sets, Iterable):
            raise RulesetError(f"The sets are {sets!r}; they must be a list of ids.")
        chosen = [sets] if isinstance(sets, str) else list(sets)
        for one in chosen:
            _known(one, known, f"set of {self.edition.id}")
        first = self.edition.sets[0].id
        if first not in chosen:
            raise RulesetError(
                f'The sets {", ".join(chosen) or "(none)"} lack "{first}", which is always in play; '
                f"known for {self.edition.id}: {', '.join(known)}."
            )
        return tuple(part for part in self.edition.sets if part.id in chosen)

    def _settle_rules(self) -> House:
        values = dict(self.edition.house)
        for part in self.sets:
            values |= part.house
        for switch, value in self.house.items():
            if switch in House.__struct_fields__:
                values[switch] = "none" if switch == "major_limit" and value is None else value
        try:
            return read(House, values, "House rules")
        except MaterialError as problem:
            raise RulesetError(str(problem)) from None

    def _choose_supply(self) -> frozenset[str]:
        chosen = {card.id for card in self.game.establishments.values() if card.set in self.set_ids}
        for part in self.sets:
            if part.replaces and set(part.replaces.values()) <= chosen:
                chosen -= set(part.replaces)
        if (cards := self._id_list("cards")) is not None:
            chosen = set(cards)
        chosen -= set(self._id_list("without_cards") or ())
        if not chosen:
            raise RulesetError("The house rules leave no card to build; leave at least one.")
        return frozenset(chosen)

    def _cards_in_play(self) -> tuple[Establishment, ...]:
        """Supply and starting cards in the order in which a table sorts them: by number."""
        wanted = self.supply_ids | set(self.edition.starting_cards)
        cards = [card for card in self.game.establishments.values() if card.id in wanted]
        priced = [
            msgspec.structs.replace(card, cost=self.edition.costs.get(card.id, card.cost)) for card in cards
        ]
        return tuple(sorted(priced, key=lambda card: (card.rolls[0], card.rolls[-1])))

    def _choose_landmarks(self) -> tuple[Landmark, ...]:
        ids = self._id_list("landmarks")
        if ids is None:
            ids = [mark.id for mark in self.game.landmarks.values() if mark.set in self.set_ids]
            ids += [landmark for part in self.sets for landmark in part.landmarks]
        marks = [mark for mark in self.game.landmarks.values() if mark.id in ids and not mark.standing]
        return tuple(sorted(marks, key=lambda mark: mark.cost[0]))

    def _find_city_hall(self) -> Landmark | None:
        standing = [mark for mark in self.game.landmarks.values() if mark.standing]
        return standing[0] if standing and self.rules.city_hall else None

    def _id_list(self, switch: str) -> list[str] | None:
        """The ids a house rule names, checked; None if the rule is not set."""
        value = self.house.get(switch)
        if value is None:
            return None
        if isinstance(value, str) or not isinstance(value, Iterable):
            raise RulesetError(f"The house rule {switch} is {value!r}; it must be a list of ids.")
        marks = {mark.id: mark for mark in self.game.landmarks.values() if not mark.standing}
        known: Mapping[str, object] = marks if switch == "landmarks" else self.game.establishments
        what = "landmark" if switch == "landmarks" else "card"
        return [_known(one, known, what, f" (house rule {switch})") for one in value]

    def _check_copies(self) -> None:
        number = self.house.get(MAJOR_COPIES)
        if number is None or number == "players":
            return
        if isinstance(number, bool) or not isinstance(number, int) or not 0 < number <= MOST_COPIES:
            raise RulesetError(
                f'The house rule {MAJOR_COPIES} is {number!r}; it must be "players" or 1 to {MOST_COPIES}.'
            )

    def _check_winnable(self) -> None:
        if not self.landmarks:
            raise RulesetError("The house rules leave no landmark to build, so nobody could win.")
        # A landmark for who alone has none (R54) cannot be counted on.
        sure = [mark for mark in self.landmarks if mark.needs is None]
        # R55: a Launch Pad wins by itself, however many are wanted.
        if any(isinstance(mark.effect, Win) for mark in sure) or self.landmarks_to_win <= len(sure):
            return
        if self.landmarks_to_win > len(self.landmarks):
            reason = (
                f"The house rule landmarks_to_win is {self.landmarks_to_win}, but only "
                f"{len(self.landmarks)} landmarks are in use, so nobody could win."
            )
        else:
            reason = (
                f"The game needs {self.landmarks_to_win} landmarks to win, but only {len(sure)} "
                "that everybody may build are in use, so nobody could win."
            )
        raise TooFewLandmarks(reason, self.landmarks_to_win, len(sure))


def _own_copy(house: object) -> dict[str, Any]:
    """House rules that nobody else can change, whatever kind of list they came in."""
    if not isinstance(house, Mapping):
        raise RulesetError(f"The house rules are {house!r}; they must be a table of switches and values.")
    return {
        switch: list(value) if isinstance(value, Iterable) and not isinstance(value, str | Mapping) else value
        for switch, value in house.items()
    }


def _known(name: object, known: Iterable[str], what: str, where: str = "") -> str:
    """The name, if it is known; else a sentence with the nearest that are."""
    names = list(known)
    if isinstance(name, str) and name in names:
        return name
    raise RulesetError(f'There is no {what} "{name}"{where}; {did_you_mean(str(name), names)}.')
