"""The players' part in the dice: words that are committed to, then frozen, then revealed, or forfeited.

Nobody may know another's word while they can still choose their own. So there are three steps: in the lobby
pages commit to words that only they know; when the host starts, the commitments are frozen and told to
everybody; then the pages reveal. The game begins when all have, or after some seconds without the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from dicetown import fair
from dicetown.server import wire
from dicetown.server.journal.entries import Committed, Frozen, Revealed, Started
from dicetown.server.journal.played_game import Play
from dicetown.server.journal.summary import Head
from dicetown.server.wire.refusals import Refused

if TYPE_CHECKING:
    from dicetown.server.table.table import Table


async def commit(table: Table, guest: str, request: wire.Commit) -> None:
    """A player commits to a word, or to another one; nobody can once the host has started."""
    async with table.lock:
        head = table.standing.head
        table.check_holder(guest, request.seat)
        if head.stage != "lobby" or head.is_starting:
            raise Refused("has_begun")
        if head.chairs[request.seat].commitment != request.commitment:
            await table.write(Committed(request.seat, request.commitment), guest=guest)


async def freeze(table: Table) -> None:
    """Let no commitment change any more, and wait for the words; the lock is held.

    Where nobody has committed to a word there is nothing to wait for.
    """
    commitments = [chair.commitment for chair in table.standing.head.chairs]
    if any(commitments):
        await table.write(Frozen(commitments))
    else:
        await table.write(_started(table.standing.head, [""] * len(commitments)))


async def reveal(table: Table, guest: str, request: wire.Reveal) -> None:
    """A player reveals the word they have committed to; with the last one the game begins."""
    async with table.lock:
        head = table.standing.head
        table.check_holder(guest, request.seat)
        if head.frozen is None:
            raise Refused("not_frozen" if head.stage == "lobby" else "has_begun")
        if fair.commit_to_word(request.seat, request.word) != head.frozen[request.seat]:
            raise Refused("wrong_word")
        if head.words is not None or head.revealed[request.seat]:
            return  # it has been told, or is too late: the game goes on without it
        words = [*head.revealed[: request.seat], request.word, *head.revealed[request.seat + 1 :]]
        revealed = Revealed(request.seat, request.word)
        if head.missing_words == [request.seat]:
            await table.write(revealed, _started(head, words), guest=guest)
        else:
            await table.write(revealed, guest=guest)


async def begin_without_missing(table: Table) -> None:
    """Time is up: who has not revealed a word forfeits it, and the game begins."""
    async with table.lock:
        head = table.standing.head
        if head.is_starting:
            await table.write(_started(head, list(head.revealed)))


def _started(head: Head, words: list[str]) -> Started:
    """The beginning of the game with these words: what is dealt follows from them, too."""
    tried = msgspec.structs.replace(head, words=words, fair=fair.VERSION)
    return Started(words, Play(tried).open().moves, fair.VERSION)
