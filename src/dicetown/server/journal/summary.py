"""The summary of a table: who sits there, what is played and how far it is, without the game itself.

It is folded from the journal; a copy stands beside the journal in the store, for lists of tables.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import msgspec

from dicetown.fair import VERSION, has_forfeited
from dicetown.rules.ruleset import Ruleset
from dicetown.server.journal.entries import (
    Away,
    Back,
    Body,
    Chair,
    Changed,
    Closed,
    Committed,
    Frozen,
    Joined,
    Left,
    Made,
    Moved,
    Over,
    Paced,
    Paused,
    Rematch,
    Reopened,
    Replaced,
    Resumed,
    Revealed,
    Said,
    Started,
    TableSettings,
    Undone,
    WordMixed,
)
from dicetown.server.wire import Stage

#: The stages of a table whose game is neither over nor given up.
RUNNING: tuple[Stage, ...] = ("lobby", "playing", "paused")


class Summary(msgspec.Struct, kw_only=True):
    """What is known of a table without looking at its game."""

    code: str
    settings: TableSettings
    chairs: list[Chair]
    host: str
    secret: str
    created: float
    stage: Stage = "lobby"
    started: float | None = None
    ended: float | None = None
    winner: int | None = None
    round: int = 0
    asked: int | None = None  # who must decide, while the game goes on
    fair: Literal[1, 2] = 1  # the version of the fair dice
    frozen: list[str | None] | None = None  # commitments to words, by seat, once the host has started
    revealed: list[str] = []  # the words that go with them, as they come
    words: list[str] | None = None  # mixed into the dice, by seat, once the game has begun
    rematch: str | None = None
    forsaken: Stage | None = None  # where a table stood that was closed because nobody came

    @classmethod
    def of(cls, code: str, made: Made, at: float) -> Summary:
        """The summary of a new table."""
        chairs = [msgspec.structs.replace(chair) for chair in made.chairs]
        return cls(
            code=code,
            settings=made.settings,
            chairs=chairs,
            host=made.host,
            secret=made.secret,
            created=at,
            fair=VERSION,
        )

    # ------------------------------------------------------------------------ asking

    @property
    def ruleset(self) -> Ruleset:
        """What is played."""
        chosen = self.settings
        return _ruleset(msgspec.json.encode((chosen.edition, chosen.sets, chosen.house)))

    def check(self) -> None:
        """Raise a :class:`~dicetown.errors.RulesetError` if what is played here cannot be played any more."""
        self.ruleset  # noqa: B018

    @property
    def names(self) -> list[str]:
        """Who sits where, by name."""
        return [chair.name for chair in self.chairs]

    @property
    def holders(self) -> set[str]:
        """The guests who hold a seat."""
        return {chair.guest for chair in self.chairs if chair.guest is not None}

    def seats_of(self, guest: str | None) -> list[int]:
        """The seats that a guest holds."""
        return [seat for seat, chair in enumerate(self.chairs) if guest is not None and chair.guest == guest]

    def name_of(self, guest: str) -> str | None:
        """What a guest is called at this table: by the own seat, not those of others at the same device."""
        seats = sorted(self.seats_of(guest), key=lambda seat: self.chairs[seat].here)
        return self.chairs[seats[0]].name if seats else None

    def waits_for(self, guest: str) -> bool:
        """Whether the game waits for a decision of a guest."""
        return self.stage == "playing" and self.asked in self.seats_of(guest)

    @property
    def is_starting(self) -> bool:
        """Whether the host has started, and the words for the dice are being revealed."""
        return self.stage == "lobby" and self.frozen is not None

    @property
    def missing_words(self) -> list[int]:
        """The seats that have committed to a word and not revealed it."""
        words = self.words or self.revealed
        return [seat for seat, one in enumerate(self.frozen or []) if has_forfeited(one, words[seat])]

    @property
    def is_going_on(self) -> bool:
        """Whether the game has been started and is not over."""
        return self.stage in ("playing", "paused") or self.is_starting

    @property
    def has_ended(self) -> bool:
        """Whether the game is over, or the table closed."""
        return self.stage in ("over", "closed")

    @property
    def is_against_bots(self) -> bool:
        """Whether one person at most plays, against bots: nobody else is waited for, nor sits beside them."""
        people = [chair for chair in self.chairs if chair.kind != "bot"]
        return len(people) <= 1 and all(one.kind == "person" and not one.here for one in people)

    @property
    def is_somebodys(self) -> bool:
        """Whether somebody could come back and go on: to a game of bots alone nobody does."""
        return bool(self.holders) or not self.is_going_on

    @property
    def is_settled(self) -> bool:
        """Whether the game will never go on: only then may the secret of its dice be told."""
        return self.stage == "over" or (self.stage == "closed" and self.forsaken is None)

    # ----------------------------------------------------------------------- folding

    def apply(self, body: Body, at: float) -> None:
        """Let an entry of the journal happen."""
        if isinstance(body, _OF_THE_GAME):
            return
        match body:
            case Joined(seat, guest, name):
                self.chairs[seat] = Chair("person", name, guest=guest, here=self.chairs[seat].here)
            case Left(seats, _, bot, host):
                for seat in seats:
                    self._give_up(seat, bot)
                self.host = host or self.host
            case Changed(seat, _, chair, _):
                self.chairs[seat] = msgspec.structs.replace(chair)
            case WordMixed(seat, word):
                self.chairs[seat].word = word
            case Committed(seat, commitment):
                self.chairs[seat].commitment = commitment
            case Frozen(commitments):
                self.frozen, self.revealed = commitments, [""] * len(commitments)
            case Revealed(seat, word):
                self.revealed[seat] = word
            case Away(seat, bot):
                self.chairs[seat].stand_in = bot
            case Back(seat):
                self.chairs[seat].stand_in = None
            case Replaced(seat, bot, _):
                self._replace(seat, bot)
            case Paced(_, pace):
                self.settings = msgspec.structs.replace(self.settings, pace=pace)
            case _:
                self._change_stage(body, at)

    def _change_stage(self, body: Body, at: float) -> None:
        match body:
            case Started(words, _, version):
                self.stage, self.started, self.words, self.fair = "playing", at, words, version
            case Paused():
                self.stage = "paused"
            case Resumed():
                self.stage = "playing"
            case Over(winner):
                self.stage, self.ended, self.winner = "over", at, winner
            case Rematch(code):
                self.rematch = code
            case Closed(forsaken):
                self.forsaken = self.stage if forsaken else None
                self.stage, self.ended = "closed", at
            case Reopened():
                self.stage, self.ended, self.forsaken = self.forsaken or "lobby", None, None

    def _give_up(self, seat: int, bot: str | None) -> None:
        name = self.chairs[seat].name
        self.chairs[seat] = Chair("bot", name, bot=bot) if bot else Chair("open", "")

    def _replace(self, seat: int, bot: str) -> None:
        chair = self.chairs[seat]
        if chair.kind == "bot":
            chair.bot = bot
        else:
            chair.stand_in = bot


#: Most entries are of the game or the chat, and change nothing about the table itself.
_OF_THE_GAME = (Moved, Undone, Said, Made)
#: Made here, not when a text is first read: threads that did so at once would crash the process.
_decoder = msgspec.json.Decoder(Summary)


def write_summary(summary: Summary) -> str:
    """The text of a summary."""
    return msgspec.json.encode(summary).decode()


def read_summary(text: str) -> Summary:
    """The summary of a text."""
    return _decoder.decode(text)


@lru_cache(maxsize=256)
def _ruleset(chosen: bytes) -> Ruleset:
    """Rulesets are made once: many tables play the same."""
    edition, sets, house = msgspec.json.decode(chosen)
    return Ruleset(edition, sets=sets, house=house)
