"""What workers ask each other about their tables, for lists that show tables of all of them."""

from __future__ import annotations

import msgspec
from fastapi import FastAPI, Request, Response

from dicetown.server.journal.summary import write_summary
from dicetown.server.table.table import Table
from dicetown.server.web.service import Service
from dicetown.server.wire.between import STANDINGS, AskStandings, Standing

_asked = msgspec.json.Decoder(AskStandings)


def answer_others(app: FastAPI, service: Service) -> None:
    """Answer what other workers ask; whoever gets here knows the secret."""

    @app.post(STANDINGS, include_in_schema=False)
    async def standings(request: Request) -> Response:
        try:
            asked = _asked.decode(await request.body())
        except msgspec.DecodeError:
            return Response(status_code=400)
        tables = [service.lobby.tables[code] for code in asked.codes if code in service.lobby.tables]
        found = {table.code: _standing(table, asked.whole) for table in tables}
        return Response(msgspec.json.encode(found), media_type="application/json")


def _standing(table: Table, whole: bool) -> Standing:
    return Standing(bool(table.listeners), write_summary(table.state.summary) if whole else None)
