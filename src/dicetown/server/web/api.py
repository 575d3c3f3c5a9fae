"""The interface for tables: make one, find it, sit down, begin, look back."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Path, Query, Request, Response, WebSocket

from dicetown.errors import IllegalAction
from dicetown.languages import LANGUAGES
from dicetown.server import wire
from dicetown.server.common.fair_line import Asker
from dicetown.server.journal.played_game import PlayedGame
from dicetown.server.journal.summary import Summary
from dicetown.server.table import seating, shared_dice
from dicetown.server.table.lobby import ruleset_for
from dicetown.server.table.table import Table
from dicetown.server.view import catalogue
from dicetown.server.view.announcements import cards_of
from dicetown.server.view.history import chat_page, log_page
from dicetown.server.view.results import moment_of
from dicetown.server.web.live import converse
from dicetown.server.web.origins import came_from
from dicetown.server.web.service import Service
from dicetown.server.wire.names import check_name
from dicetown.server.wire.refusals import Refused
from dicetown.server.wire.strict_json import StrictRoute, read_json
from dicetown.server.wire.texts import choose_language

# What endpoints are given is found by coroutines: FastAPI would send plain functions to another thread.


async def service_of(request: Request) -> Service:
    """The service that a request is made to."""
    service: Service = request.app.state.service
    return service


async def guest_of(request: Request) -> str:
    """Who asks."""
    guest: str = request.scope["guest"]
    return guest


async def asker_of(request: Request) -> Asker:
    """Who asks, and from where."""
    return Asker(came_from(request.scope), await guest_of(request))


async def language_of(
    request: Request,
    lang: Annotated[
        str | None, Query(description=f"{', '.join(LANGUAGES)}; else by Accept-Language.")
    ] = None,
) -> str:
    """The language to answer in."""
    return choose_language(lang, request.headers.get("accept-language"))


InService = Annotated[Service, Depends(service_of)]
Guest = Annotated[str, Depends(guest_of)]
From = Annotated[Asker, Depends(asker_of)]
Spoken = Annotated[str, Depends(language_of)]


async def table_of(
    service: InService, code: Annotated[str, Path(description="The table's code.", max_length=40)]
) -> Table:
    """The table of an address."""
    return await service.lobby.find(code)


AtTable = Annotated[Table, Depends(table_of)]
Before = Annotated[int | None, Query(ge=1, le=2**53, description="An entry's number; else the end.")]


def refusing(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """What an address may refuse, for the OpenAPI document."""
    always = (413, 422, 429, 503)
    return {status: {"model": wire.Refusal} for status in sorted({*statuses, *always})}


api = APIRouter(prefix="/api", responses=refusing(400), route_class=StrictRoute)


# -------------------------------------------------------------------- what is in the boxes


@api.get("/editions", tags=["boxes"])
async def editions(language: Spoken) -> list[wire.EditionInfo]:
    """All editions with their sets and house rules."""
    return catalogue.editions(language)


@api.get("/cards", tags=["boxes"])
async def cards(
    language: Spoken,
    edition: Annotated[str, Query(max_length=40)] = "deluxe",
    sets: Annotated[str | None, Query(max_length=200, description="With commas; else all.")] = None,
    house: Annotated[str, Query(max_length=2000, description="House rules, as JSON.")] = "{}",
) -> list[wire.CardInfo]:
    """The cards and landmarks of an edition."""
    try:
        rules = read_json(house)
    except Refused:
        raise Refused("bad_house") from None
    if not isinstance(rules, dict):
        raise Refused("bad_house")
    chosen = sets.split(",") if sets else None
    return cards_of(ruleset_for(edition, chosen, rules), language)


@api.get("/bots", tags=["boxes"])
async def bots(service: InService, language: Spoken) -> list[wire.BotInfo]:
    """The bots that can be given a seat."""
    brought = [catalogue.brought_bot(name, meant, language) for name, meant in service.settings.bots.items()]
    return [*catalogue.bots(language), *brought]


# --------------------------------------------------------------------------------- guests


@api.get("/me", tags=["guests"])
async def me(service: InService, guest: Guest, language: Spoken) -> wire.Me:
    """Who asks, with their tables."""
    return await service.lobby.of_guest(guest, language)


@api.patch("/me", tags=["guests"])
async def rename(service: InService, guest: Guest, language: Spoken, request: wire.Rename) -> wire.Me:
    """Choose a name."""
    await service.store.rename(guest, check_name(request.name), service.clock.now())
    return await me(service, guest, language)


# --------------------------------------------------------------------------------- tables


@api.get("/tables", tags=["tables"])
async def tables(service: InService, language: Spoken) -> wire.TableList:
    """Public tables: those that wait for players, and those to watch."""
    return wire.TableList(tables=await service.lobby.public(language))


@api.post("/tables", tags=["tables"], status_code=201)
async def make_table(
    service: InService, asker: From, language: Spoken, request: wire.NewTable
) -> wire.MadeTable:
    """Make a table; if that is one too many, the oldest abandoned game against bots makes room for it."""
    put_away: list[str] = []
    table = await service.lobby.make(asker.name, request, language, asker.address, put_away.append)
    return wire.MadeTable(**msgspec.structs.asdict(table.info(language)), put_away=put_away)


@api.get("/tables/{code}", tags=["tables"], responses=refusing(404))
async def table(table: AtTable, language: Spoken) -> wire.TableInfo:
    """A table, for who has its link."""
    return table.info(language)


@api.delete("/tables/{code}", tags=["tables"], status_code=204, responses=refusing(403, 404))
async def delete_table(service: InService, guest: Guest, code: Annotated[str, Path(max_length=40)]) -> None:
    """Delete a table for good, with its record and all that was said there."""
    await service.delete(code, guest)


@api.post("/tables/{code}/join", tags=["tables"], responses=refusing(404, 409))
async def join(
    service: InService, table: AtTable, guest: Guest, language: Spoken, request: wire.Join
) -> wire.TableInfo:
    """Take a seat."""
    await seating.join(table, guest, request)
    await service.lobby.remember(guest, check_name(request.name))
    return table.info(language)


@api.post("/tables/{code}/leave", tags=["tables"], responses=refusing(403, 404, 409))
async def leave(table: AtTable, guest: Guest, language: Spoken) -> wire.TableInfo:
    """Give the own seats back: to a bot while others play on; a game without others ends."""
    await seating.leave(table, guest)
    return table.info(language)


@api.post("/tables/{code}/seats/{seat}", tags=["tables"], responses=refusing(403, 404, 409))
async def change_seat(
    table: AtTable, guest: Guest, language: Spoken, seat: wire.Seat, request: wire.ChangeSeat
) -> wire.TableInfo:
    """The host changes a seat."""
    await seating.change_seat(table, guest, seat, request)
    return table.info(language)


@api.post("/tables/{code}/start", tags=["tables"], responses=refusing(403, 404, 409))
async def start(table: AtTable, guest: Guest, language: Spoken) -> wire.TableInfo:
    """The host begins the game."""
    await seating.start(table, guest)
    return table.info(language)


@api.post("/tables/{code}/pause", tags=["tables"], responses=refusing(403, 404, 409))
async def pause(table: AtTable, guest: Guest, language: Spoken) -> wire.TableInfo:
    """The host pauses the game."""
    await seating.pause(table, guest)
    return table.info(language)


@api.post("/tables/{code}/resume", tags=["tables"], responses=refusing(403, 404, 409))
async def resume(table: AtTable, guest: Guest, language: Spoken) -> wire.TableInfo:
    """The host lets the game go on."""
    await seating.resume(table, guest)
    return table.info(language)


@api.put("/tables/{code}/pace", tags=["tables"], responses=refusing(403, 404, 409))
async def change_pace(
    table: AtTable, guest: Guest, language: Spoken, request: wire.ChangePace
) -> wire.TableInfo:
    """The host, or the only person who plays, changes how quickly the bots play."""
    await seating.change_pace(table, guest, request.pace)
    return table.info(language)


@api.post("/tables/{code}/rematch", tags=["tables"], responses=refusing(403, 404, 409))
async def rematch(
    service: InService, table: AtTable, asker: From, language: Spoken, request: wire.Rematch | None = None
) -> wire.MadeTable:
    """Another game with the same players; the table for it."""
    if (made_already := await service.lobby.rematch_of(table, language)) is not None:
        return wire.MadeTable(**msgspec.structs.asdict(made_already), put_away=[])
    commitments, put_away = request.commitments if request else (), list[str]()
    following = await service.lobby.rematch(table, asker.name, commitments, asker.address, put_away.append)
    return wire.MadeTable(**msgspec.structs.asdict(following.info(language)), put_away=put_away)


@api.put("/tables/{code}/commitment", tags=["tables"], responses=refusing(403, 404, 409))
async def commit(table: AtTable, guest: Guest, language: Spoken, request: wire.Commit) -> wire.TableInfo:
    """Commit to a word for the dice."""
    await shared_dice.commit(table, guest, request)
    return table.info(language)


@api.put("/tables/{code}/word", tags=["tables"], responses=refusing(403, 404, 409))
async def reveal(table: AtTable, guest: Guest, language: Spoken, request: wire.Reveal) -> wire.TableInfo:
    """Reveal the word, once the host has started."""
    await shared_dice.reveal(table, guest, request)
    return table.info(language)


@api.get("/tables/{code}/log", tags=["tables"], responses=refusing(404))
async def log(table: AtTable, language: Spoken, before: Before = None) -> wire.LogPage:
    """A page of the log: the newest, or the one before an entry."""
    return log_page(table.state, language, before)


@api.get("/tables/{code}/chat", tags=["tables"], responses=refusing(404))
async def chat(table: AtTable, language: Spoken, before: Before = None) -> wire.ChatPage:
    """A page of what was said: the newest, or the one before an entry."""
    return chat_page(table.state, language, before)


@api.websocket("/tables/{code}/live")
async def live(socket: WebSocket, code: str) -> None:
    """The live connection to a table."""
    await converse(socket, socket.app.state.service, socket.scope["guest"], code)


# ------------------------------------------------------------------------------ afterwards


@api.get(
    "/tables/{code}/result",
    tags=["afterwards"],
    responses=refusing(404, 409),
    response_model=wire.Result,
)
async def result(service: InService, table: AtTable, asker: From, request: Request) -> wire.Result | Response:
    """A game in figures that is over, or that was closed before it was."""
    summary, play = ended(table)
    found = await service.results.of(asker, summary, play, request.is_disconnected)
    return found or Response()  # which nobody will read


@api.get("/tables/{code}/moments/{moves}", tags=["afterwards"], responses=refusing(404, 409))
async def moment(
    table: AtTable, language: Spoken, moves: Annotated[int, Path(ge=0, le=1_000_000)]
) -> wire.Moment:
    """A moment of a game, also of one that goes on."""
    async with table.lock:
        play = table.state.play
        if play is None:
            raise Refused("not_begun")
        try:
            return moment_of(play.game, moves, language)
        except IllegalAction:
            raise Refused("no_moment") from None


@api.get("/tables/{code}/review", tags=["afterwards"], responses=refusing(404, 409))
async def review(service: InService, table: AtTable, asker: From, language: Spoken) -> wire.Review:
    """What a bot says about a finished game; it begins when it is first asked for, and takes a while."""
    _, play = finished(table)
    return await service.reviews.of(table, play, language, asker)


def finished(table: Table) -> tuple[Summary, PlayedGame]:
    """The game of a table, which must be over."""
    summary, play = ended(table)
    if summary.stage != "over":
        raise Refused("not_over")
    return summary, play


def ended(table: Table) -> tuple[Summary, PlayedGame]:
    """The game of a table, which must not be going on any more."""
    summary, play = table.state.summary, table.state.play
    if play is None:
        raise Refused("not_begun")
    if not summary.has_ended:
        raise Refused("not_over")
    return summary, play


@api.get("/tables/{code}/record", tags=["afterwards"], responses=refusing(404, 409))
async def record(table: AtTable) -> Response:
    """The game as a file in the format dicetown/1."""
    async with table.lock:
        summary, play = table.state.summary, table.state.play
        if play is None:
            raise Refused("not_begun")
        text = play.record(summary).to_json()
    name = f"dicetown-{summary.code}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="application/json", headers=headers)
