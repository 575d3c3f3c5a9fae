"""What happens around a game: people sit down and leave, the host sees to seats, the game begins."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from dicetown.server import wire
from dicetown.server.common.settings import Settings
from dicetown.server.journal.entries import (
    Chair,
    Changed,
    Closed,
    Joined,
    Left,
    Paced,
    Paused,
    Resumed,
)
from dicetown.server.journal.summary import Summary
from dicetown.server.table import shared_dice
from dicetown.server.table.table import Table
from dicetown.server.view.catalogue import bots
from dicetown.server.wire.names import check_name, name_bot, told_apart
from dicetown.server.wire.refusals import Refused
from dicetown.server.wire.texts import USUAL, say
from dicetown.server.workers.thinkers import STAND_IN


async def join(table: Table, guest: str, request: wire.Join) -> None:
    """A guest takes a seat that waits for somebody."""
    name = check_name(request.name)
    async with table.lock:
        summary = table.state.summary
        table.check_open()
        if summary.seats_of(guest):
            raise Refused("sits_already")
        seat = _free_seat(summary, guest, request.seat)
        others = [chair.name for k, chair in enumerate(summary.chairs) if k != seat]
        await table.write(Joined(seat, guest, told_apart(name, others)), guest=guest)


def _free_seat(summary: Summary, guest: str, wanted: int | None) -> int:
    """The seat a guest gets: the one asked for or kept for them, or any."""
    if wanted is not None and wanted >= len(summary.chairs):
        raise Refused("no_such_seat")
    free = [seat for seat, chair in enumerate(summary.chairs) if chair.kind == "open"]
    mine = [seat for seat in free if summary.chairs[seat].kept_for in (None, guest)]
    mine.sort(key=lambda seat: summary.chairs[seat].kept_for is None)
    if wanted is not None:
        if wanted not in mine:
            raise Refused("seat_taken")
        return wanted
    if not mine:
        raise Refused("has_begun" if summary.is_going_on else "table_full")
    return mine[0]


async def leave(table: Table, guest: str) -> None:
    """A guest gives all seats back: a bot plays them on for the others; a game without others ends."""
    async with table.lock:
        summary = table.state.summary
        table.check_open()
        seats = summary.seats_of(guest)
        if not seats and guest != summary.host:
            raise Refused("not_your_seat")
        others = [chair.guest for chair in summary.chairs if chair.guest not in (None, guest)]
        name = summary.name_of(guest) or ""
        if summary.is_going_on and not others:  # the seats stay as they were, for the record
            await table.write(Closed(name=name), guest=guest)
            return
        bot = STAND_IN if summary.is_going_on else None
        host = others[0] if guest == summary.host and others else None
        left = Left(seats, name, bot, host)
        if others:
            await table.write(left, guest=guest)
        else:
            await table.write(left, Closed(), guest=guest)


# -------------------------------------------------------------------------------- the host


def check_host(table: Table, guest: str) -> None:
    """Refuse who is not the host; while the host has been gone for long, every player may stand in."""
    summary = table.state.summary
    if guest != summary.host and not (summary.seats_of(guest) and table.automation.is_given_up(summary.host)):
        raise Refused("not_host")


async def change_seat(table: Table, guest: str, seat: int, request: wire.ChangeSeat) -> None:
    """The host sends a player away, gives a seat to a bot, opens it or renames who sits there."""
    async with table.lock:
        summary = table.state.summary
        check_host(table, guest)
        table.check_open()
        if not 0 <= seat < len(summary.chairs):
            raise Refused("no_such_seat")
        if guest != summary.host and summary.chairs[seat].guest == summary.host:
            raise Refused("hosts_seat")  # who stands in for the host looks after the others' seats
        if request.do == "fill" and summary.is_going_on:
            chair = _taken_over(table, seat, request)
        else:
            chair = _changed(summary, seat, request, table.resources.settings)
        await table.write(Changed(seat, request.do, chair, summary.chairs[seat].name), guest=guest)


def _taken_over(table: Table, seat: int, request: wire.ChangeSeat) -> Chair:
    """A seat that a bot takes over in mid-game: nobody plays it any more, and the bot is the usual one.

    Else a host who is about to lose could swap a player for a bot that plays badly.
    """
    summary, chair = table.state.summary, table.state.summary.chairs[seat]
    given_up = chair.stand_in is not None or (chair.guest and table.automation.is_given_up(chair.guest))
    if chair.kind == "bot" or (chair.kind == "person" and not given_up):
        raise Refused("seat_taken")
    if request.bot not in (None, STAND_IN):
        raise Refused("usual_bot")
    others = [other.name for k, other in enumerate(summary.chairs) if k != seat]
    wished = told_apart(check_name(request.name), others) if request.name else None
    return Chair("bot", wished or chair.name or name_bot(summary.names), bot=STAND_IN)


def _changed(summary: Summary, seat: int, request: wire.ChangeSeat, settings: Settings) -> Chair:
    chair = summary.chairs[seat]
    others = [other.name for k, other in enumerate(summary.chairs) if k != seat]
    match request.do:
        case "rename":
            if chair.kind == "open":
                raise Refused("no_such_seat")
            return msgspec.structs.replace(chair, name=told_apart(check_name(request.name or ""), others))
        case "fill":
            bot = check_bot(request.bot or STAND_IN, settings)
            wished = told_apart(check_name(request.name), others) if request.name else None
            return Chair("bot", wished or name_bot(summary.names), bot=bot)
        case "kick":
            if chair.kind != "person":
                raise Refused("no_such_seat")
            if chair.guest == summary.host and not chair.here:
                raise Refused("own_seat")
            if summary.is_going_on:
                return Chair("bot", chair.name, bot=STAND_IN)
            return Chair("open", "")
        case "open":
            if chair.guest == summary.host and not chair.here:
                raise Refused("own_seat")
            if summary.is_going_on:  # a bot keeps the seat warm, under the name that everybody knows
                return Chair("open", chair.name, stand_in=chair.player or STAND_IN)
            return Chair("open", "")


def check_bot(bot: str, settings: Settings) -> str:
    """A bot that can be given a seat; nothing else, and certainly no program of a guest's choice."""
    if bot not in known_bots() and bot not in settings.bots:
        raise Refused("no_bot")
    return bot


def known_bots() -> Sequence[str]:
    """The bots that can be given a seat at every service."""
    return [bot.id for bot in bots(USUAL)]


async def start(table: Table, guest: str) -> None:
    """The host lets the game begin, as soon as the words for the dice have been revealed."""
    async with table.lock:
        check_host(table, guest)
        await begin(table)


async def begin(table: Table) -> None:
    """Begin the game, or ask for the words first; the lock is held."""
    summary = table.state.summary
    table.check_open()
    if summary.stage != "lobby" or summary.is_starting:
        raise Refused("has_begun")
    if any(chair.kind == "open" for chair in summary.chairs):
        raise Refused("seats_open")
    await shared_dice.freeze(table)


async def pause(table: Table, guest: str) -> None:
    """The host pauses the game."""
    async with table.lock:
        summary = table.state.summary
        check_host(table, guest)
        table.playing()
        await table.write(Paused(summary.name_of(guest) or say(USUAL, "seat.guest")), guest=guest)


async def resume(table: Table, guest: str) -> None:
    """The host lets it go on."""
    async with table.lock:
        summary = table.state.summary
        check_host(table, guest)
        if summary.stage != "paused":
            table.playing()
            return  # it goes on already
        await table.write(Resumed(summary.name_of(guest) or say(USUAL, "seat.guest")), guest=guest)


async def change_pace(table: Table, guest: str, pace: wire.Pace) -> None:
    """The host, or the only person who plays, lets the bots play more quickly or more slowly."""
    async with table.lock:
        summary = table.state.summary
        if set(summary.holders) != {guest}:
            check_host(table, guest)
        table.check_open()
        if summary.settings.pace != pace:
            await table.write(Paced(summary.name_of(guest) or say(USUAL, "seat.guest"), pace), guest=guest)
            table.automation.change_pace()
