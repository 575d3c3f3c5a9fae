"""What a person typed: a choice, a command, or something that cannot be done now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dicetown.game.notation import Action
from dicetown.suggestions import SHORTEST_PREFIX, match_name, plain
from dicetown.terminal.seats import SeatedGame
from dicetown.words import Choice
from dicetown.words.refusals import why_not_build

#: What can be typed beside choices: the letter, and the word it stands for.
COMMANDS = {
    "h": "help", "u": "undo", "s": "save", "l": "log", "q": "quit", "c": "city", "m": "market", "d": "dice",
}  # fmt: skip

_YES = frozenset({"y", "yes", "j", "ja", "sí", "si"})
_NO = frozenset({"n", "no", "nein"})
#: Letters for what is chosen most.
_SHORTCUTS = {"p": "pass", "k": "keep", "r": "roll 1", "1d": "roll 1", "2d": "roll 2"}


@dataclass(frozen=True, slots=True)
class Chosen:
    """An action to play."""

    action: Action


@dataclass(frozen=True, slots=True)
class Command:
    """One of :data:`COMMANDS` by its word, or ``card``; with what was typed after it."""

    word: str
    argument: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing that can be done, and why."""

    why: str


Typed = Chosen | Command | Refused


def read_line(line: str, table: SeatedGame, choices: Sequence[Choice]) -> Typed:
    """Make sense of a typed line."""
    typed = " ".join(line.split())
    if not typed:
        return Chosen(choices[0].action) if len(choices) == 1 else _refuse(table, "refuse.choose")
    if typed.startswith("?"):
        return Command("card", typed[1:].strip())
    if typed.isdecimal():
        return _by_number(int(typed), table, choices)
    found = _by_notation(typed.lower(), choices) or _by_name(typed, table, choices)
    if found is not None:
        return Chosen(found.action)
    word, _, rest = typed.partition(" ")
    if word.lower() in COMMANDS:
        return Command(COMMANDS[word.lower()], rest)
    if word.lower() in COMMANDS.values():
        return Command(word.lower(), rest)
    return _explain(typed, table)


def _by_number(number: int, table: SeatedGame, choices: Sequence[Choice]) -> Typed:
    if 1 <= number <= len(choices):
        return Chosen(choices[number - 1].action)
    return Refused(table.speaker.say("refuse.number", last=len(choices)))


def _by_notation(typed: str, choices: Sequence[Choice]) -> Choice | None:
    """A move as files write it, or a letter or two for it."""
    wanted = _SHORTCUTS.get(typed, typed)
    for choice in choices:
        text = choice.action.text
        if (
            text == wanted
            or (text.endswith(" yes") and typed in _YES)
            or (text.endswith(" no") and typed in _NO)
        ):
            return choice
    rerolls = [choice for choice in choices if choice.action.text.startswith("reroll")]
    return rerolls[0] if typed in ("r", "reroll") and len(rerolls) == 1 else None


def _by_name(typed: str, table: SeatedGame, choices: Sequence[Choice]) -> Choice | None:
    """The only choice whose card or player is called so, or begins so."""
    wanted = plain(_without_verb(typed))
    names = [(plain(name), choice) for choice in choices for name in _names_of(choice, table)]
    exact = {choice.action.number: choice for name, choice in names if name == wanted}
    if not exact and len(wanted) >= SHORTEST_PREFIX:
        exact = {choice.action.number: choice for name, choice in names if name.startswith(wanted)}
    return next(iter(exact.values())) if len(exact) == 1 else None


def _names_of(choice: Choice, table: SeatedGame) -> list[str]:
    if choice.thing is None:
        return [choice.text]
    closed = " closed" if choice.action.text.endswith(" closed") else ""
    return [choice.text, choice.thing + closed, table.speaker.thing(choice.thing) + closed]


def _without_verb(typed: str) -> str:
    verb, _, rest = typed.partition(" ")
    return (
        rest
        if rest and verb.lower() in ("build", "give", "take", "card", "landmark", "first", "player")
        else typed
    )


def _explain(typed: str, table: SeatedGame) -> Refused:
    """Say why a card cannot be built, if a card was meant."""
    thing = find_thing(_without_verb(typed), table)
    if thing is not None:
        return Refused(why_not_build(table.speaker, table.game, thing))
    return Refused(table.speaker.say("refuse.unknown", typed=typed))


def find_thing(typed: str, table: SeatedGame) -> str | None:
    """The card or landmark of this game that somebody means."""
    speaker = table.speaker
    things = [*speaker.establishments, *speaker.landmarks]
    return match_name(typed, [(thing, (thing, speaker.thing(thing))) for thing in things])


def _refuse(table: SeatedGame, key: str) -> Refused:
    return Refused(table.speaker.say(key))
