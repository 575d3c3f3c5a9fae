"""Puts a table with a game in a chosen position into a service's database, for a page to open it.

The journal is the one that the service would have written, only that the dice fell as the game's moves say.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

from playwright._impl._api_structures import SetCookieParam
from sqlalchemy import insert

from dicetown.game import Game
from dicetown.game.notation import Outcome
from dicetown.server.journal.entries import (
    Body,
    Chair,
    Entry,
    Made,
    Moved,
    Over,
    Pace,
    Started,
    TableSettings,
)
from dicetown.server.journal.fold import TableState
from dicetown.server.store.additions import Addition, write_all
from dicetown.server.store.database_url import open_engine
from dicetown.server.store.schema import reviews
from dicetown.server.table.lobby import new_code
from dicetown.server.web.guests import COOKIE, Guests

#: Every entry of the journal came so many seconds after the one before.
_SECONDS_BETWEEN = 4.0


def new_guest(database: Path) -> tuple[str, SetCookieParam]:
    """A guest of a service, and the signed cookie that makes a browser theirs."""
    guests = Guests(Path(f"{database}.key").read_text().strip())
    guest = guests.new()
    return guest, {"name": COOKIE, "value": guests.sign(guest)}


def set_table(
    database: Path,
    game: Game,
    guest: str,
    bots: Sequence[str | None] = (),
    pace: Pace = "instant",
) -> str:
    """Put up a table at which a game stands as it does now, and tell its code.

    The guest holds the first seat. The others are the bots named for them (``bots`` is by seat), or people
    who are not here: then the game waits at their turns. It has the same dice every time.
    """
    seats = zip(game.names, [*bots, *[None] * game.players], range(game.players), strict=False)
    chairs = [
        Chair("bot", name, bot=bot) if bot else Chair("person", name, guest=guest if seat == 0 else f"{seat}")
        for name, bot, seat in seats
    ]
    settings = TableSettings(
        edition=game.ruleset.edition.id,
        sets=list(game.ruleset.set_ids),
        house=game.ruleset.house,
        timer="off",
        pace=pace,
        public=False,
    )
    made = Made(settings, chairs, guest, hashlib.sha256(game.save().encode()).hexdigest())
    code = new_code()
    _write(database, code, [made, *_journal(game, [chair.kind == "bot" for chair in chairs])])
    return code


def keep_review(database: Path, code: str, seen: dict[str, Any]) -> None:
    """Keep the review of a table's game, as if it had been made already."""
    engine = open_engine(str(database))
    with engine.begin() as connection:
        connection.execute(insert(reviews).values(code=code, body=json.dumps(seen)))
    engine.dispose()


def _journal(game: Game, are_bots: Sequence[bool]) -> Iterator[Body]:
    """The entries of a game: the deal, then each decision with the chance that followed it."""
    again = Game(game.ruleset, names=game.names, seed=0, chance="manual")
    left = list(game.moves)

    def chance() -> list[str]:
        fell = [move.text for move in takewhile(lambda move: isinstance(move, Outcome), left)]
        del left[: len(fell)]
        return fell

    dealt = chance()
    _play(again, dealt)
    yield Started([""] * game.players, dealt)
    while left:
        seat, moves = again.turn, [left.pop(0).text, *chance()]
        _play(again, moves)
        yield Moved(seat, moves, are_bots[seat])
    if game.over:
        yield Over(game.winner)


def _play(game: Game, moves: Sequence[str]) -> None:
    for move in moves:
        game.play(move)


def _write(database: Path, code: str, bodies: Sequence[Body]) -> None:
    """Write a journal that ends now."""
    began = time.time() - _SECONDS_BETWEEN * len(bodies)
    entries = [
        Entry(number, began + _SECONDS_BETWEEN * number, body) for number, body in enumerate(bodies, start=1)
    ]
    summary = TableState.fold(code, entries).summary
    addition = Addition(code, entries, summary, entries[-1].at, new=True)

    engine = open_engine(str(database))  # beside the service, which has the database for itself otherwise
    with engine.begin() as connection:
        write_all(connection, [addition])
    engine.dispose()
