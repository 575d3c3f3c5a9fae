"""``dicetown verify``: whether the dice of saved games were the ones that were promised."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from dicetown.commands.figures import print_json
from dicetown.commands.inputs import read_language
from dicetown.commands.options import Json, Language, unset
from dicetown.console import make_console
from dicetown.errors import NotationError
from dicetown.fair import Verdict, verify
from dicetown.game import Game
from dicetown.game.record import GameRecord
from dicetown.words import Speaker

_HEX = re.compile(r"[0-9a-f]{64}")


def run(
    records: Annotated[
        list[Path], typer.Argument(help="Saved games of a table.", metavar="RECORD", show_default=False)
    ],
    commitment: Annotated[
        list[str] | None,
        unset("What the service showed before the game; SEAT=HEX for what it showed of a player.", "HEX"),
    ] = None,
    word: Annotated[list[str] | None, unset("Your own word for the dice.", "SEAT=WORD")] = None,
    lang: Language = None,
    json: Json = False,
) -> int:
    """Check that the dice were fair: recompute every die and draw of a game from what was promised before it.

    A table promises its dice before the game and reveals their secret when it is over; the record has both,
    and the words of the players with what was promised of them. Whether that is what you were shown before
    the game, only you can say: the page at the table has the whole command to copy. Seats count from 0.

    Exits with 0 when all records hold, with 1 when one does not, and says at which move.

    For example: dicetown verify game.json
    """
    spoken = read_language(lang)
    if len(records) > 1 and (commitment or word):
        raise NotationError("Commitments and words belong to one game; name one record with them.")
    promised, committed = _read_commitments(commitment or [])
    own = _words_by_seat(word or [])
    games = [GameRecord.read(file) for file in records]
    verdicts = [verify(record, promised, committed, own) for record in games]
    if json:
        found = [{"file": str(file), **one.as_dict()} for file, one in zip(records, verdicts, strict=True)]
        print_json({"holds": all(one.holds for one in verdicts), "records": found})
    else:
        console = make_console()
        for file, record, verdict in zip(records, games, verdicts, strict=True):
            speaker = Speaker(Game.of_record(record).ruleset, record.players, spoken)
            for sentence in [tell_verdict(speaker, verdict), *tell_notes(speaker, verdict)]:
                told = speaker.say("verify.file", file=file, sentence=sentence)
                console.print(told if len(records) > 1 else sentence, soft_wrap=True)
    return 0 if all(one.holds for one in verdicts) else 1


def _read_commitments(given: Sequence[str]) -> tuple[str | None, dict[int, str]]:
    """The service's commitment, and those of the players by seat."""
    promised: str | None = None
    committed: dict[int, str] = {}
    for text in given:
        one = text.strip().lower()
        if "=" in one:
            seat, one = _by_seat(one, "--commitment")
            _check_once(committed.get(seat), one, f"--commitment: seat {seat}")
            committed[seat] = one
        else:
            _check_once(promised, one, "--commitment: the service")
            promised = one
        if not _HEX.fullmatch(one):
            raise NotationError(f'--commitment: "{text}" is no commitment; it has 64 hexadecimal digits.')
    return promised, committed


def _words_by_seat(given: Sequence[str]) -> dict[int, str]:
    """The words of players, by seat."""
    words: dict[int, str] = {}
    for text in given:
        seat, word = _by_seat(text, "--word")
        _check_once(words.get(seat), word, f"--word: seat {seat}")
        words[seat] = word
    return words


def _check_once(before: str | None, now: str, whose: str) -> None:
    """Of two that differ only one could be checked, and "holds" would be said of both."""
    if before is not None and before != now:
        raise NotationError(f"{whose} has two that differ; name the one that was shown to you.")


def _by_seat(text: str, option: str) -> tuple[int, str]:
    seat, equals, value = text.partition("=")
    if not equals or not seat.strip().isdecimal():
        raise NotationError(f'{option}: "{text}" does not say whose it is; write it like 0=…, seats from 0.')
    return int(seat), value


def tell_verdict(speaker: Speaker, verdict: Verdict) -> str:
    """A verdict in a sentence."""
    say, finding = speaker.say, verdict.finding
    match finding:
        case "holds":
            return say("verify.holds", verdict.chances)
        case "wrong_word" | "other_word":
            return say(f"verify.{finding}", name=_name(speaker, verdict.seat))
        case "other_commitment" if verdict.seat is not None:
            return say("verify.other_commitment_of", name=_name(speaker, verdict.seat))
        case "wrong_chance" | "missing_chance":
            expected, found = (_tell_move(speaker, move or "") for move in (verdict.expected, verdict.found))
            return say(f"verify.{finding}", move=verdict.move, expected=expected, found=found)
        case "wrong_move":
            return say("verify.wrong_move", move=verdict.move, found=_tell_move(speaker, verdict.found or ""))
    return say(f"verify.{finding}")


def tell_notes(speaker: Speaker, verdict: Verdict) -> Iterator[str]:
    """What else is to be known about dice that hold: whose words are in them, what was not checked."""
    if not verdict.holds:
        return
    say = speaker.say
    if verdict.closed:
        yield say("verify.closed")
    if verdict.version == 1:
        yield say("verify.first_version")
    elif verdict.mixed:
        without = [seat for seat in range(len(speaker.names)) if seat not in verdict.mixed]
        yield say("verify.mixed", names=_names(speaker, verdict.mixed))
        if without:
            yield say("verify.unmixed", names=_names(speaker, without))
    else:
        yield say("verify.nobody_mixed")
    for seat in verdict.forfeited:
        yield say("verify.forfeited", name=_name(speaker, seat))
    for unchecked in verdict.unchecked:
        yield say(f"verify.unchecked_{unchecked}")


def _name(speaker: Speaker, seat: int | None) -> str:
    """Who sits at a seat; its number, where the table has no such seat."""
    return speaker.names[seat] if seat is not None and seat < len(speaker.names) else f"{seat}"


def _names(speaker: Speaker, seats: Sequence[int]) -> str:
    return ", ".join(_name(speaker, seat) for seat in seats)


def _tell_move(speaker: Speaker, text: str) -> str:
    """A die or a draw in words; anything else as the record has it."""
    word, _, rest = text.partition(" ")
    if word in ("dice", "tuna"):
        return speaker.say("verify.dice", faces=" + ".join(rest.split()))
    if word == "draw" and (rest in speaker.establishments or rest in speaker.landmarks):
        return speaker.say("verify.draw", card=speaker.thing(rest))
    return speaker.say("verify.move", move=text)
