"""The lines that Dicetown and a program that plays exchange: one JSON object each, as chess engines have UCI.

Dicetown says ``hello``, and the program answers ``hello``. For each choice Dicetown says ``position`` and
``go``, and the program answers ``choice``. Before that it may say ``info``, which nobody minds. ``quit`` is
the last thing it hears. docs/bots.md shows a dialogue.
"""

from __future__ import annotations

import json
from typing import Any

from dicetown.bots.view import View
from dicetown.errors import BotFault
from dicetown.game import PHASES
from dicetown.letters import seen
from dicetown.rules import codes as c
from dicetown.rules.city import price

PROTOCOL = "dicetown-bot/1"
Message = dict[str, Any]

#: What a line may hold at most; a choice takes some fifty bytes.
LONGEST_LINE = 65_536
#: How many lines of ``info`` may come before a choice.
MOST_LINES = 1_000
_SHOWN = 60  # characters of a bad line that are repeated in a sentence


def encode(message: Message) -> bytes:
    """A message as a line.

    >>> encode({"type": "quit"}).decode()[:-1]
    '{"type": "quit"}'
    """
    return json.dumps(message, ensure_ascii=False).encode() + b"\n"


def decode(line: bytes) -> Message:
    """The message of a line.

    >>> decode(b'{"type": "choice", "action": "pass"}')["action"]
    'pass'
    >>> decode(b"pass")
    Traceback (most recent call last):
    dicetown.errors.BotFault: It said "pass", which is no line of JSON with a type.
    """
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):  # text that is no UTF-8 is a ValueError, too
        message = None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise BotFault("garbage", f'It said "{shorten(line)}", which is no line of JSON with a type.')
    return message


def shorten(line: bytes | str, most: int = _SHOWN) -> str:
    """A line as it can be repeated in a sentence: printable, and not too long."""
    text = line.decode(errors="replace") if isinstance(line, bytes) else line
    text = seen(text[: 4 * most], " ").strip()
    return text if len(text) <= most else text[:most] + "…"


def hello(seconds: float) -> Message:
    """The greeting: which protocol is spoken, and how long a choice will usually be allowed to take."""
    return {"type": "hello", "protocol": PROTOCOL, "budget": seconds}


def position(view: View) -> Message:
    """All that is to be seen: the position as text, in numbers, and what may be done."""
    s, things = view.state, view.notation.things
    return {
        "type": "position",
        "position": view.position(),
        **view.ruleset.as_dict(),
        "seat": view.seat,
        "phase": PHASES[s.phase],
        "turns": int(s.turns),
        "players": [
            {
                "coins": int(s.coins[seat]),
                "cards": _named(things, s.owned[seat]),
                "closed": _named(things, s.closed[seat]),
                "landmarks": [
                    name
                    for thing, name in things.items()
                    if thing >= c.MAX_CARDS and int(s.built[seat]) >> (thing - c.MAX_CARDS) & 1
                ],
                "invested": int(s.invested[seat]),
            }
            for seat in range(view.players)
        ],
        "market": _named(things, s.market),
        "deck": _named(things, s.deck),
        "landmarks": [name for thing, name in things.items() if thing >= c.MAX_CARDS],
        "prices": {name: _price(view, thing) for thing, name in things.items()},
        "legal": [str(action) for action in view.legal_actions],
    }


def _named(things: dict[int, str], counts: Any) -> dict[str, int]:
    cards = [(thing, name) for thing, name in things.items() if thing < c.MAX_CARDS]
    return {name: int(counts[thing]) for thing, name in cards if counts[thing] > 0}


def _price(view: View, thing: int) -> int:
    """What something costs the player who decides."""
    if thing < c.MAX_CARDS:
        return int(view.tables.cost[thing])
    return price(view.tables, view.state, view.seat, thing - c.MAX_CARDS)


def go(budget: float, seed: int) -> Message:
    """The question: choose within so many seconds; the seed is for a bot that plays dice of its own."""
    return {"type": "go", "budget": budget, "seed": seed}


def choice(action: str) -> Message:
    """The answer."""
    return {"type": "choice", "action": action}
