"""Checking a game: whether its dice are the ones that were promised, and what that is worth."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeAlias

from dicetown.errors import IllegalAction
from dicetown.fair.dealing import dice_of
from dicetown.fair.numbers import weighed
from dicetown.fair.promises import commit_to_word, commitment, has_forfeited
from dicetown.game import Game
from dicetown.game.record import Fair, GameRecord

#: What is found out about a record. Only the first is good.
Finding: TypeAlias = Literal[
    "holds",  # every die and draw follows from what was promised
    "no_promise",  # nothing was promised about its dice
    "not_revealed",  # the game is not over, or its secret has been kept back
    "empty",  # it has no moves
    "wrong_commitment",  # the secret is not the one that was promised
    "wrong_word",  # a player's word is not the one that was promised
    "other_commitment",  # the record has another commitment than who checks was shown
    "other_word",  # the record has another word than who checks had
    "wrong_chance",  # a die or draw is another one
    "missing_chance",  # a die or draw is due, but the record goes on without it
    "wrong_move",  # a decision that the rules do not allow
    "unfinished",  # it stops before the game is over
]
#: What only who was there can check, by telling what was shown to them.
Unchecked: TypeAlias = Literal["commitment", "commitments", "word"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What :func:`verify` found: the first thing that does not hold, or that all does.

    ``move`` counts the moves of the record from 1, dice and draws included; ``chances`` is the number of dice
    and draws that were found right; ``seat`` is whose word or commitment is meant, None for the dealer's.
    ``mixed`` are the seats that had a word of their own in the dice, ``forfeited`` those that kept it back.
    """

    finding: Finding
    chances: int = 0
    move: int | None = None
    expected: str | None = None
    found: str | None = None
    seat: int | None = None
    version: int | None = None
    closed: bool = False
    mixed: list[int] = field(default_factory=list)
    forfeited: list[int] = field(default_factory=list)
    unchecked: list[Unchecked] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether the dice are what was promised."""
        return self.finding == "holds"

    def as_dict(self) -> dict[str, Any]:
        """The verdict, for JSON."""
        return {"holds": self.holds, **asdict(self)}


def verify(
    source: GameRecord | str | os.PathLike[str],
    promised: str | None = None,
    committed: Mapping[int, str] | None = None,
    words: Mapping[int, str] | None = None,
) -> Verdict:
    """Recompute every die and draw of a saved game; it must have its secret.

    ``promised`` is the dealer's commitment as it was shown before the game, ``committed`` those of the
    players and ``words`` one's own, by seat: what is not given cannot be compared, and the verdict says so.

    >>> verify(Game(chance="manual").save()).finding
    'no_promise'
    """
    record = source if isinstance(source, GameRecord) else GameRecord.read(source)
    fair = record.fair
    if fair is None:
        return Verdict("no_promise")
    if fair.secret is None:
        return Verdict("not_revealed", version=fair.version)
    if not record.moves:
        return Verdict("empty", version=fair.version)
    broken = _check_promises(fair) or _check_against_memory(fair, promised, committed or {}, words or {})
    if broken is not None:
        return broken
    return _compare(record, fair, _unchecked(fair, promised, committed or {}, words or {}))


def _check_promises(fair: Fair) -> Verdict | None:
    """Whether secret and words are those that were committed to; who has no commitment has no word."""
    found = commitment(bytes.fromhex(fair.secret or ""))
    if found != fair.commitment:
        return Verdict("wrong_commitment", expected=fair.commitment, found=found, version=fair.version)
    for seat, expected in enumerate(fair.commitments):
        word = fair.words[seat]
        if word and (found := commit_to_word(seat, word)) != expected:
            return Verdict("wrong_word", expected=expected, found=found, seat=seat, version=fair.version)
    return None


def _check_against_memory(
    fair: Fair, promised: str | None, committed: Mapping[int, str], words: Mapping[int, str]
) -> Verdict | None:
    """Whether the record has what who checks was shown, and had."""
    if promised is not None and promised != fair.commitment:
        return Verdict("other_commitment", expected=promised, found=fair.commitment, version=fair.version)
    kept: list[tuple[Finding, Mapping[int, str], Mapping[int, str | None]]] = [
        ("other_commitment", committed, dict(enumerate(fair.commitments))),
        ("other_word", words, dict(enumerate(fair.words))),
    ]
    for finding, shown, recorded in kept:
        for seat, expected in shown.items():
            if (found := recorded.get(seat)) != expected:
                return Verdict(finding, expected=expected, found=found, seat=seat, version=fair.version)
    return None


def _unchecked(
    fair: Fair, promised: str | None, committed: Mapping[int, str], words: Mapping[int, str]
) -> list[Unchecked]:
    """What was not compared, though it could be."""
    bound = {seat for seat, one in enumerate(fair.commitments) if one is not None}
    unchecked: list[Unchecked] = []
    if promised is None:
        unchecked.append("commitment")
    if not bound <= committed.keys():
        unchecked.append("commitments")
    if any(fair.words) and not words:
        unchecked.append("word")
    return unchecked


def _compare(record: GameRecord, fair: Fair, unchecked: list[Unchecked]) -> Verdict:
    """Go through a game, and let every die fall and every card be drawn again."""
    game = Game.of_record(record)
    dice = dice_of(fair.version, bytes.fromhex(fair.secret or ""), fair.words)
    chances = 0

    def verdict(finding: Finding, **where: Any) -> Verdict:
        bound = fair.commitments or [None] * len(fair.words)
        return Verdict(
            finding,
            chances,
            **where,
            version=fair.version,
            closed=fair.closed,
            mixed=[seat for seat, word in enumerate(fair.words) if word],
            forfeited=[seat for seat, one in enumerate(bound) if has_forfeited(one, fair.words[seat])],
            unchecked=unchecked,
        )

    for number, text in enumerate(record.moves, start=1):
        if game.waits_for_chance:
            due, written = dice.fall(game), " ".join(text.lower().split())
            if written != due.text:
                possible = any(written == outcome.text for outcome, _ in weighed(game))
                finding: Finding = "wrong_chance" if possible else "missing_chance"
                return verdict(finding, move=number, expected=due.text, found=text)
            chances += 1
        try:
            game.play(text)
        except IllegalAction:
            return verdict("wrong_move", move=number, found=text)
    return verdict("holds" if game.over or fair.closed else "unfinished")
