"""How tables stand that other workers have: asked when a list shows them, and not waited for long."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import msgspec

from dicetown.server.cluster.asking import Answer, NoAnswer, NotAsked, Question
from dicetown.server.cluster.fleet import Known
from dicetown.server.table.sharing import Sharing
from dicetown.server.wire.between import HOP, STANDINGS, AskStandings, Standing, hop_key

#: Seconds that a list waits for other workers; then it shows what is stored, which may be some moves old.
_PATIENCE = 0.5

_standings = msgspec.json.Decoder(dict[str, Standing])


class Neighbours:
    """The other workers, as one of them asks them."""

    def __init__(self, sharing: Sharing, secret: str) -> None:
        self._sharing = sharing
        self._key = hop_key(secret).encode()

    async def ask(self, codes: Sequence[str], whole: bool) -> dict[str, Standing]:
        """What the others know of some tables; nothing of those that nobody has in memory."""
        others = self._sharing.others
        if not codes or not others:
            return {}
        body = msgspec.json.encode(AskStandings(list(codes), whole))
        headers = [(b"host", b"localhost"), (HOP.encode(), self._key), (b"content-type", b"application/json")]
        question = Question("POST", STANDINGS.encode(), headers, body)
        asked = [self._ask(Known(one.id, one.address), question) for one in others]
        return {code: found for one in await asyncio.gather(*asked) for code, found in one.items()}

    async def _ask(self, worker: Known, question: Question) -> dict[str, Standing]:
        try:
            async with asyncio.timeout(_PATIENCE), Answer(question, worker) as answer:
                body = b"".join([part async for part in answer.body()])
                return _standings.decode(body) if answer.status == 200 else {}
        except (TimeoutError, NotAsked, NoAnswer, msgspec.DecodeError):
            return {}
