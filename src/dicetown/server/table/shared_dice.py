"""The players' part in the dice: words that are committed to, then frozen, then revealed, or forfeited.

Nobody may know another's word while they can still choose their own. So there are three steps: in the lobby
pages commit to words that only they know; when the host starts, the commitments are frozen and told to
everybody; then the pages reveal. The game begins when all have, or after some seconds without the rest.
"""

from __future__ import annotations

import msgspec

from dicetown import fair
from dicetown.server import wire
from dicetown.server.journal.entries import Committed, Frozen, Revealed, Started
from dicetown.server.journal.played_game import PlayedGame
from dicetown.server.journal.summary import Summary
from dicetown.server.table.table import Table
from dicetown.server.wire.refusals import Refused


async def commit(table: Table, guest: str, request: wire.Commit) -> None:
    """A player commits to a word, or to another one; nobody can once the host has started."""
    async with table.lock:
        summary = table.state.summary
        table.check_holder(guest, request.seat)
        table.check_open()
        if summary.stage != "lobby" or summary.is_starting:
            raise Refused("has_begun")
        if summary.chairs[request.seat].commitment != request.commitment:
            await table.write(Committed(request.seat, request.commitment), guest=guest)


async def freeze(table: Table) -> None:
    """Let no commitment change any more, and wait for the words; the lock is held.

    Where nobody has committed to a word there is nothing to wait for.
    """
    commitments = [chair.commitment for chair in table.state.summary.chairs]
    if any(commitments):
        await table.write(Frozen(commitments))
    else:
        await table.write(_started(table.state.summary, [""] * len(commitments)))


async def reveal(table: Table, guest: str, request: wire.Reveal) -> None:
    """A player reveals the word they have committed to; with the last one the game begins."""
    async with table.lock:
        summary = table.state.summary
        table.check_holder(guest, request.seat)
        table.check_open()  # a closed table has told its secret: with it, the dice would be known
        if summary.frozen is None:
            raise Refused("not_frozen" if summary.stage == "lobby" else "has_begun")
        if fair.commit_to_word(request.seat, request.word) != summary.frozen[request.seat]:
            raise Refused("wrong_word")
        if summary.words is not None or summary.revealed[request.seat]:
            return  # it has been told, or is too late: the game goes on without it
        words = [*summary.revealed[: request.seat], request.word, *summary.revealed[request.seat + 1 :]]
        revealed = Revealed(request.seat, request.word)
        if summary.missing_words == [request.seat]:
            await table.write(revealed, _started(summary, words), guest=guest)
        else:
            await table.write(revealed, guest=guest)


async def begin_without_missing(table: Table) -> None:
    """Time is up: who has not revealed a word forfeits it, and the game begins."""
    async with table.lock:
        summary = table.state.summary
        if summary.is_starting:
            await table.write(_started(summary, list(summary.revealed)))


def _started(summary: Summary, words: list[str]) -> Started:
    """The beginning of the game with these words: what is dealt follows from them, too."""
    tried = msgspec.structs.replace(summary, words=words, fair=fair.VERSION)
    return Started(words, PlayedGame(tried).open().moves, fair.VERSION)
