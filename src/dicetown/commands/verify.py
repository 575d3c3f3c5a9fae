"""``dicetown verify``: whether the dice of saved games were the ones that were promised."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dicetown.commands.figures import print_json
from dicetown.commands.inputs import read_language
from dicetown.fair import Verdict, verify
from dicetown.game import Game
from dicetown.record import GameRecord
from dicetown.terminal.play import make_console
from dicetown.words import Speaker


def run(files: Sequence[Path], language: str | None, as_json: bool) -> int:
    """Verify saved games and say of each what was found; 0 if all hold, 1 if one does not."""
    spoken = read_language(language)
    records = [GameRecord.read(file) for file in files]
    verdicts = [verify(record) for record in records]
    if as_json:
        found = [{"file": str(file), **one.as_dict()} for file, one in zip(files, verdicts, strict=True)]
        print_json({"holds": all(one.holds for one in verdicts), "records": found})
    else:
        console = make_console()
        for file, record, verdict in zip(files, records, verdicts, strict=True):
            speaker = Speaker(Game.of_record(record).ruleset, record.players, spoken)
            sentence = tell_verdict(speaker, verdict)
            told = speaker.say("verify.file", file=file, sentence=sentence) if len(files) > 1 else sentence
            console.print(told, soft_wrap=True, markup=False, highlight=False)
    return 0 if all(one.holds for one in verdicts) else 1


def tell_verdict(speaker: Speaker, verdict: Verdict) -> str:
    """A verdict in a sentence."""
    say, expected, found = speaker.say, "", ""
    if verdict.move is not None:
        expected, found = (_tell_move(speaker, move or "") for move in (verdict.expected, verdict.found))
    match verdict.finding:
        case "holds":
            return say("verify.holds", verdict.chances)
        case "no_promise":
            return say("verify.no_promise")
        case "not_revealed":
            return say("verify.not_revealed")
        case "wrong_commitment":
            return say("verify.wrong_commitment")
        case "wrong_chance":
            return say("verify.wrong_chance", move=verdict.move, expected=expected, found=found)
        case "missing_chance":
            return say("verify.missing_chance", move=verdict.move, expected=expected, found=found)
    return say("verify.wrong_move", move=verdict.move, found=found)


def _tell_move(speaker: Speaker, text: str) -> str:
    """A die or a draw in words; anything else as the record has it."""
    word, _, rest = text.partition(" ")
    if word in ("dice", "tuna"):
        return speaker.say("verify.dice", faces=" + ".join(rest.split()))
    if word == "draw" and (rest in speaker.establishments or rest in speaker.landmarks):
        return speaker.say("verify.draw", card=speaker.thing(rest))
    return speaker.say("verify.move", move=text)
