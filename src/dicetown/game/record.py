"""Saved games: ``dicetown/1``, a JSON file of ruleset, names and moves.

Moves are in notation, chance included, so a replay needs no random numbers and nothing else.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from dicetown.errors import NotationError
from dicetown.whole_files import write_whole

FORMAT = "dicetown/1"

#: 32 bytes in hexadecimal.
_Hex: TypeAlias = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class Fair(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What was promised about the dice of a game; :mod:`dicetown.fair` says how they follow from it.

    ``secret`` is None until it is revealed; ``words`` are those of the players, by seat, and ``commitments``
    (since version 2) what was published of them before any was revealed, None for who had none. ``closed``
    says that the game was given up before it was over.
    """

    commitment: _Hex
    secret: _Hex | None
    words: list[str]
    version: Literal[1, 2] = 1
    commitments: list[_Hex | None] = []
    closed: bool = False


class GameRecord(msgspec.Struct, kw_only=True):
    """What a saved game holds. ``place`` says where it was read, for messages.

    ``bots`` names the bot of each seat, None for a person; where nobody is a bot it is left out. ``fair`` is
    there where something was promised about the dice.
    """

    ruleset: dict[str, Any]
    players: list[str]
    moves: list[str]
    bots: list[str | None] = []
    fair: Fair | None = None
    place: str = "the saved game"

    def to_json(self) -> str:
        """The text of a saved game, one move per line."""
        head: dict[str, object] = {"format": FORMAT, "ruleset": self.ruleset, "players": self.players}
        if any(self.bots):
            head["bots"] = self.bots
        if self.fair is not None:
            head["fair"] = self.fair
        lines = [f"  {_json(key)}: {_json(value)}" for key, value in head.items()]
        moves = ",\n    ".join(_json(move) for move in self.moves)
        lines.append(f'  "moves": [\n    {moves}\n  ]' if self.moves else '  "moves": []')
        return "{\n" + ",\n".join(lines) + "\n}\n"

    def write(self, path: Path) -> None:
        """Write the file in one step, so that an interruption cannot leave half a game."""
        content = self.to_json().encode()
        try:
            write_whole(path, content)
        except OSError as problem:
            raise NotationError(f"{path}: the game cannot be saved there ({problem.strerror}).") from None
        except ValueError:  # a NUL in it
            raise NotationError(f"{str(path)!r}: the game cannot be saved there; name a file.") from None

    @classmethod
    def read(cls, source: str | os.PathLike[str]) -> GameRecord:
        """Read a saved game from its text (which begins with a brace) or from a file."""
        if isinstance(source, str) and source.lstrip().startswith("{"):
            return _decode(source, "the saved game")
        if not os.fspath(source):  # a path would take it for the folder we are in
            raise NotationError("No saved game is named; give its file or its text.")
        path = Path(source)
        try:
            return _decode(path.read_text(encoding="utf-8-sig"), str(path))
        except OSError as problem:
            raise NotationError(f"{path}: the game cannot be read ({problem.strerror}).") from None
        except (UnicodeDecodeError, ValueError):
            raise NotationError(f"{path}: this is no saved game, but something else than text.") from None


class _Written(msgspec.Struct):
    """The file as it must look."""

    format: str
    ruleset: _WrittenRuleset
    players: list[str]
    moves: list[str]
    bots: list[str | None] = []
    fair: Fair | None = None


class _WrittenRuleset(msgspec.Struct, forbid_unknown_fields=True):
    edition: str
    sets: list[str]
    house: dict[str, Any] = {}


#: Made here, not when a text is first read: threads that did so at once would crash the process.
_decoder = msgspec.json.Decoder(_Written)


def _decode(text: str, place: str) -> GameRecord:
    _check_format(text, place)
    try:
        written = _decoder.decode(text)
    except msgspec.DecodeError as problem:
        raise NotationError(f"{place}: this is no saved game ({problem}).") from None
    if not written.players:
        raise NotationError(f"{place}: it names no players.")
    if written.bots and len(written.bots) != len(written.players):
        raise NotationError(
            f"{place}: it names {len(written.players)} players but {len(written.bots)} bots; "
            "write null for a player who is no bot."
        )
    if written.fair is not None:
        _check_promise(written.fair, len(written.players), place)
    return GameRecord(
        ruleset=msgspec.structs.asdict(written.ruleset),
        players=written.players,
        moves=written.moves,
        bots=written.bots,
        fair=written.fair,
        place=place,
    )


def _check_promise(fair: Fair, players: int, place: str) -> None:
    if len(fair.words) != players:
        raise NotationError(
            f"{place}: {players} players have {len(fair.words)} words for the dice; "
            "write an empty one for who has none."
        )
    if len(fair.commitments) != (players if fair.version > 1 else 0):
        raise NotationError(
            f"{place}: {players} players have {len(fair.commitments)} commitments to their words; "
            "write null for who has none, and no commitments at all in version 1."
        )


def _check_format(text: str, place: str) -> None:
    """Say first that a format is unknown: a newer file may break every other expectation."""
    try:
        form = msgspec.json.decode(text, type=dict[str, Any]).get("format")
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as problem:
        raise NotationError(f"{place}: this is no saved game ({problem}).") from None
    if form != FORMAT:
        raise NotationError(f'{place}: the format is {form!r}; this version reads "{FORMAT}".')


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
