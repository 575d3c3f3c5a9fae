"""Games with fair dice for tests: anything is decided in them, and chance follows from a secret."""

import json
from collections.abc import Sequence
from random import Random
from typing import Any, Literal

from dicetown import Game, Ruleset
from dicetown.fair import Fair, commit_to_word, commitment, dice_of
from dicetown.game.record import GameRecord
from dicetown.testing import random_move

SECRET = bytes(range(32))
EDITIONS = ("ciudad", "deluxe", "grossstadt", "neue_stadt")
SHORT = {"max_turns": 12}
NAMES, WORDS = ["Ana", "Ben", "Caro"], ["uno", "", "ñandú"]


def promise(words: Sequence[str], version: Literal[1, 2] = 2) -> Fair:
    """What is promised about a game: who has no word has committed to none."""
    bound = [commit_to_word(seat, word) if word else None for seat, word in enumerate(words)]
    return Fair(commitment(SECRET), SECRET.hex(), list(words), version, bound if version > 1 else [])


def play_fairly(
    ruleset: Ruleset, words: Sequence[str], seed: int = 1, most: int = 10_000, version: int = 2
) -> Game:
    """A game of as many players as there are words, up to its end or so many moves."""
    game = Game(ruleset, names=NAMES[: len(words)], chance="manual")
    dice, rng = dice_of(version, SECRET, words), Random(seed)
    while not game.over and len(game.moves) < most:
        game.play(dice.fall(game) if game.waits_for_chance else random_move(game, rng))
    return game


def fair_record(
    ruleset: Ruleset, words: Sequence[str], seed: int = 1, most: int = 10_000, version: Literal[1, 2] = 2
) -> GameRecord:
    """The record of such a game, with all that was promised."""
    record = GameRecord.read(play_fairly(ruleset, words, seed, most, version).save())
    record.fair = promise(words, version)
    return record


def changed(record: GameRecord, **values: Any) -> GameRecord:
    """A record with something else in it."""
    return GameRecord.read(json.dumps(json.loads(record.to_json()) | values))


def promising(record: GameRecord, **values: Any) -> GameRecord:
    """A record whose promise has something else in it."""
    return changed(record, fair=json.loads(record.to_json())["fair"] | values)


def chances_in(record: GameRecord) -> list[int]:
    """Where a record has dice and draws."""
    return [k for k, move in enumerate(record.moves) if move.split()[0] in ("dice", "tuna", "draw")]


RECORDS = {edition: fair_record(Ruleset(edition, house=SHORT), WORDS) for edition in EDITIONS}
OLD_RECORDS = {edition: fair_record(Ruleset(edition, house=SHORT), WORDS, version=1) for edition in EDITIONS}
