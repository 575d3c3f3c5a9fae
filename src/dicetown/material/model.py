"""What can be printed on a card: the data model of the boxes.

Everything the engine runs and everything a player reads about a card comes from these
structures; there is no second description of a card anywhere. They are read from the TOML
files beside this module by :mod:`dicetown.material.loader`, which also joins what things are called
in each language, and checks what types alone cannot (ids that exist, numbers that make sense).
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from dicetown.languages import Language

Colour = Literal["blue", "green", "red", "purple"]
Whose = Literal["own", "everyone", "theirs"]
Market = Literal["stacks", "line10", "rows552", "rows555"]
MARKETS: tuple[Market, ...] = ("stacks", "line10", "rows552", "rows555")
Names: TypeAlias = dict[str, str]


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A piece of material: nothing may be changed, nothing misspelt goes unnoticed."""


class Per(Part, frozen=True):
    """Multiply by a count: cards with one of these icons, or copies of these cards.

    ``of`` says whose cards are counted: the owner's, everyone's (Soda Bottling Plant), or
    those of the player who pays (Publisher). ``landmarks`` counts the payer's landmarks.
    """

    icons: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    landmarks: bool = False
    of: Whose = "own"


class OwnerNeeds(Part, frozen=True):
    """What the card's owner must have for it to act: a landmark, or few landmarks."""

    landmark: str | None = None
    landmarks_below: int | None = None


class RollerNeeds(Part, frozen=True):
    """What the roller must have to owe anything."""

    landmarks_at_least: int


# ------------------------------------------------------- effects of establishments


class Income(Part, frozen=True, tag_field="kind", tag="income"):
    """Coins from the bank; ``then = "close"`` closes the card afterwards (Winery)."""

    amount: int
    per: Per | None = None
    owner_needs: OwnerNeeds | None = None
    then: Literal["close"] | None = None


class Fee(Part, frozen=True, tag_field="kind", tag="fee"):
    """Coins from the roller; ``"all"`` takes everything they have."""

    amount: int | Literal["all"]
    owner_needs: OwnerNeeds | None = None
    roller_needs: RollerNeeds | None = None


class CollectEach(Part, frozen=True, tag_field="kind", tag="collect_each"):
    """Coins from every opponent."""

    amount: int
    per: Per | None = None


class CollectOne(Part, frozen=True, tag_field="kind", tag="collect_one"):
    """Coins from one opponent of choice."""

    amount: int


class Swap(Part, frozen=True, tag_field="kind", tag="swap"):
    """Exchange one establishment with an opponent; ``any``: purple ones too."""

    any: bool = False


class Tax(Part, frozen=True, tag_field="kind", tag="tax"):
    """Half the coins of each opponent who has reached the tax threshold."""


class Share(Part, frozen=True, tag_field="kind", tag="share"):
    """All coins are pooled and split evenly, the bank rounding up."""


class Demolish(Part, frozen=True, tag_field="kind", tag="demolish"):
    """Turn one own landmark back and get coins for it."""

    amount: int


class Move(Part, frozen=True, tag_field="kind", tag="move"):
    """Give an own establishment to an opponent and get coins for it."""

    amount: int


class Loan(Part, frozen=True, tag_field="kind", tag="loan"):
    """Coins once when built; coins back to the bank whenever activated."""

    on_build: int
    pay: int


class Renovate(Part, frozen=True, tag_field="kind", tag="renovate"):
    """Close one card type for everybody and get coins per newly closed copy."""

    amount: int


class Startup(Part, frozen=True, tag_field="kind", tag="startup"):
    """Collect from every opponent what has been invested in the card (R24-R27)."""


class Convention(Part, frozen=True, tag_field="kind", tag="convention"):
    """Activate one own type as if rolled, then return this card (R47, R48)."""


class Tuna(Part, frozen=True, tag_field="kind", tag="tuna"):
    """Two dice are rolled once for all; each boat pays their sum (R32)."""

    owner_needs: OwnerNeeds | None = None


Effect: TypeAlias = (
    Income | Fee | CollectEach | CollectOne | Swap | Tax | Share | Demolish | Move | Loan
    | Renovate | Startup | Convention | Tuna
)  # fmt: skip


# ------------------------------------------------------------- effects of landmarks


class TwoDice(Part, frozen=True, tag_field="kind", tag="two_dice"):
    """The player may roll two dice."""


class Bonus(Part, frozen=True, tag_field="kind", tag="bonus"):
    """Cards with one of the icons that pay, pay more."""

    icons: tuple[str, ...]
    amount: int


class DoublesTurn(Part, frozen=True, tag_field="kind", tag="doubles_turn"):
    """Doubles: another turn after this one."""


class Reroll(Part, frozen=True, tag_field="kind", tag="reroll"):
    """The dice may be rolled again once per turn."""


class AddToTotal(Part, frozen=True, tag_field="kind", tag="add_to_total"):
    """A total of at least ``least`` may be raised by exactly ``amount``."""

    least: int
    amount: int


class IdlePay(Part, frozen=True, tag_field="kind", tag="idle_pay"):
    """Nothing built this turn: coins from the bank."""

    amount: int


class Help(Part, frozen=True, tag_field="kind", tag="help"):
    """No coins when the build step begins: coins from the bank (City Hall)."""

    amount: int


class DoublesCollect(Part, frozen=True, tag_field="kind", tag="doubles_collect"):
    """Doubles: the roller takes coins from each opponent."""

    amount: int


class DoublesGive(Part, frozen=True, tag_field="kind", tag="doubles_give"):
    """Doubles: the roller gives an establishment to the previous player (R60)."""


class TotalPay(Part, frozen=True, tag_field="kind", tag="total_pay"):
    """The roller of this total gets coins from the bank."""

    total: int
    amount: int


class Console(Part, frozen=True, tag_field="kind", tag="console"):
    """Two dice and not a coin received: coins from the bank for the roller (R56)."""

    amount: int


class Discount(Part, frozen=True, tag_field="kind", tag="discount"):
    """Landmarks (or one ``landmark``) cost less."""

    amount: int
    landmark: str | None = None


class ExtraTurn(Part, frozen=True, tag_field="kind", tag="extra_turn"):
    """Another turn after this one, once, on building."""


class Win(Part, frozen=True, tag_field="kind", tag="win"):
    """Building it wins the game."""


LandmarkEffect: TypeAlias = (
    TwoDice | Bonus | DoublesTurn | Reroll | AddToTotal | IdlePay | Help | DoublesCollect
    | DoublesGive | TotalPay | Console | Discount | ExtraTurn | Win | CollectEach | Tax | Share
)  # fmt: skip


def kind_of(effect: Effect | LandmarkEffect) -> str:
    """Return the effect's ``kind`` as its file spells it.

    >>> kind_of(Fee(amount=1))
    'fee'
    """
    return str(effect.__struct_config__.tag)


# --------------------------------------------------------------------------- cards


class Establishment(Part, frozen=True):
    """An establishment: ``rolls`` is one number, or the first and last of a range.

    ``copies`` is left out for purple cards, whose number is a house rule (``major_copies``).
    """

    id: str
    set: str
    colour: Colour
    icon: str
    rolls: tuple[int, ...]
    cost: int
    effect: Effect
    copies: int | None = None
    name: Names = {}

    @property
    def numbers(self) -> range:
        """All totals that activate the card.

        >>> from dicetown.material import load
        >>> list(load().games["classic"].establishments["tuna_boat"].numbers)
        [12, 13, 14]
        """
        return range(self.rolls[0], self.rolls[-1] + 1)

    @property
    def major(self) -> bool:
        """Purple cards are the major establishments."""
        return self.colour == "purple"


class Landmark(Part, frozen=True):
    """A landmark. ``cost`` is one price, or the prices of one's first, second, third landmark.

    ``reach`` says whom it serves: its ``own``er, ``all`` players, or its builder ``once``.
    ``standing``: it stands from the start and is never counted (City Hall).
    ``needs = "alone_without"``: only while its builder alone has no landmark.
    """

    id: str
    set: str
    cost: tuple[int, ...]
    effect: LandmarkEffect
    reach: Literal["own", "all", "once"] = "own"
    standing: bool = False
    needs: Literal["alone_without"] | None = None
    name: Names = {}


class GameMaterial(Part, frozen=True):
    """All cards of one family of games: ``classic`` (MK1) or ``second`` (MK2)."""

    id: str
    icons: dict[str, Names]
    establishments: dict[str, Establishment]
    landmarks: dict[str, Landmark]


# ------------------------------------------------------------------------ editions


class EditionSet(Part, frozen=True):
    """One set of an edition, and what choosing it changes.

    It brings the cards and landmarks whose ``set`` it is, and the further ``landmarks`` named here.
    ``replaces`` maps cards of other sets to the one that stands in for them, ``house`` changes
    defaults of house rules, ``max_players`` lifts the edition's limit.
    """

    id: str
    name: Names = {}
    landmarks: tuple[str, ...] = ()
    replaces: dict[str, str] = {}
    house: dict[str, object] = {}
    max_players: int | None = None


class MajorCopies(Part, frozen=True):
    """Copies of each purple card: by market kind where named, else ``other``."""

    other: int | Literal["players"]
    five_players: int | None = None
    by_market: dict[str, int | Literal["players"]] = {}


class Edition(Part, frozen=True):
    """A box one can buy: which game, which sets, how many players, which default rules.

    As loaded, ``house`` has a value for every house rule, and names are filled in.
    """

    id: str
    game: str
    min_players: int
    max_players: int
    sets: tuple[EditionSet, ...]
    major_copies: MajorCopies
    language: Language = "en"  # it is printed in
    starting_cards: tuple[str, ...] = ()
    shared_landmarks: bool = False  # one pool for all, prices by one's own number
    free_dice: bool = False  # one die or two, from the start
    costs: dict[str, int] = {}
    house: dict[str, object] = {}
    name: Names = {}
    blurb: Names = {}


class Material(Part, frozen=True):
    """Everything in the boxes."""

    games: dict[str, GameMaterial]
    editions: dict[str, Edition]
