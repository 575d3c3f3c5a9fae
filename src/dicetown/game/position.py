"""A position as one line of text, and back.

    deluxe base {} | 3 bakery*2 +radio_tower | 5 cafe*2~1 $4 | market mine*6 | deck | turn=1 phase=build

First the ruleset (edition, sets, house rules as JSON without spaces), then one part per player: coins,
establishments (``*2``: two copies, ``~1``: one of them closed), landmarks built (``+``), coins on the Tech
Startup (``$``); then the market and the deck, and last whose turn it is and what is being waited for.
Everything in a state is in the text, so a position read back goes on exactly as the original would.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from dicetown.errors import NotationError, RulesetError
from dicetown.game.notation import notation_for
from dicetown.rules import codes as c
from dicetown.rules.layout import STATE, new
from dicetown.rules.market import count_rows
from dicetown.rules.ruleset import Ruleset
from dicetown.rules.sanity import find_flaw
from dicetown.rules.tables import tables_for

PHASE_NAMES = {
    c.ROLL: "roll", c.REROLL: "reroll", c.ADD_TWO: "add_two", c.ORDER: "order", c.PLAYER: "player",
    c.GIVE: "give", c.TAKE: "take", c.CARD: "card", c.LANDMARK: "landmark", c.BUILD: "build",
    c.INVEST: "invest", c.DICE: "dice", c.TUNA: "tuna", c.DRAW: "draw", c.OVER: "over",
}  # fmt: skip
_PHASES = {name: phase for phase, name in PHASE_NAMES.items()}
_SEAT_FIELDS = ("coins", "built", "invested", "owned", "closed")
_SHARED_FIELDS = ("market", "deck", "row_types", "row_deck", "due")
#: Scalars that follow the players, in this order; those at their default are left out.
_SCALARS = tuple(name for name in STATE.names or () if name not in (*_SEAT_FIELDS, *_SHARED_FIELDS))
_DEFAULTS = {"winner": c.NOBODY, "acting": c.NOTHING, "host": c.NOTHING}
_THING = re.compile(r"([a-z][a-z0-9_]*)(?:\*(\d{1,3}))?(?:~(\d{1,3}))?")
_MOST_COINS = 100_000_000  # five such purses in one hand still fit a 32-bit number


def write_position(ruleset: Ruleset, players: int, s: Any) -> str:
    """The text of a state."""
    names = notation_for(ruleset, players).things
    house = msgspec.json.encode(ruleset.house, order="deterministic").decode().replace(" ", "\\u0020")
    parts = [f"{ruleset.edition.id} {'+'.join(ruleset.set_ids)} {house}"]
    parts += [_write_seat(names, s, seat) for seat in range(players)]
    parts += [f"{pile} {_write_pile(names, getattr(s, pile))}".strip() for pile in ("market", "deck")]
    parts.append(_write_scalars(s))
    return " | ".join(parts)


def _write_seat(names: dict[int, str], s: Any, seat: int) -> str:
    words = [str(int(s.coins[seat]))]
    for thing, name in names.items():
        if thing >= c.MAX_CARDS:
            if int(s.built[seat]) >> (thing - c.MAX_CARDS) & 1:
                words.append(f"+{name}")
        elif s.owned[seat, thing] > 0:
            copies, closed = int(s.owned[seat, thing]), int(s.closed[seat, thing])
            words.append(name + (f"*{copies}" if copies > 1 else "") + (f"~{closed}" if closed else ""))
    if s.invested[seat]:
        words.append(f"${int(s.invested[seat])}")
    return " ".join(words)


def _write_pile(names: dict[int, str], counts: Any) -> str:
    words = [
        name + (f"*{int(counts[thing])}" if counts[thing] > 1 else "")
        for thing, name in names.items()
        if counts[thing] > 0
    ]
    return " ".join(words)


def _write_scalars(s: Any) -> str:
    words = [f"turn={s.turn}", f"phase={PHASE_NAMES[s.phase]}"]
    for name in _SCALARS:
        value = getattr(s, name)
        if name not in ("turn", "phase") and value != _DEFAULTS.get(name, 0):
            words.append(f"{name}={value}")
    due = s.due.tolist()
    while due and due[-1] == 0:
        due.pop()
    if due:
        words.append("due=" + ",".join(map(str, due)))
    return " ".join(words)


def read_position(text: str) -> tuple[Ruleset, int, Any]:
    """The ruleset, number of players and state of a text; anything that is no position is refused."""
    parts = [part.strip() for part in text.strip().split("|")]
    players = len(parts) - 4
    if players < 1:
        raise NotationError(
            "This is no position: it needs a ruleset, the players, market, deck and whose turn it is, "
            "with | between them."
        )
    ruleset = _read_ruleset(parts[0])
    try:
        t = tables_for(ruleset, ruleset.check_players(players))
    except RulesetError as problem:
        raise NotationError(f"The position cannot be played: {problem}") from None
    numbers = notation_for(ruleset, players).numbers
    s = new(STATE)
    for name, value in _DEFAULTS.items():
        setattr(s, name, value)
    for seat in range(players):
        _read_seat(numbers, s, seat, parts[1 + seat])
    _read_pile(numbers, s.market, "market", parts[-3])
    _read_pile(numbers, s.deck, "deck", parts[-2])
    _read_scalars(s, parts[-1])
    count_rows(t, s)
    if flaw := find_flaw(t, s):
        raise NotationError(f"The position is impossible: {flaw}.")
    return ruleset, players, s


def _read_ruleset(part: str) -> Ruleset:
    words = part.split()
    if len(words) != 3:
        raise NotationError(f'"{part}" is no ruleset; it reads like "deluxe base+harbor {{}}".')
    try:
        house = msgspec.json.decode(words[2], type=dict[str, Any])
        return Ruleset(words[0], sets=words[1].split("+"), house=house)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as problem:
        raise NotationError(f'"{words[2]}" is no list of house rules ({problem}).') from None
    except RulesetError as problem:
        raise NotationError(f"The position cannot be played: {problem}") from None


def _read_seat(numbers: dict[str, int], s: Any, seat: int, part: str) -> None:
    words = part.split()
    if not words:
        raise NotationError(f"Player {seat} has no coins in the position; write 0 for none.")
    s.coins[seat] = _number(words[0], "coins", _MOST_COINS)
    for word in words[1:]:
        if word.startswith("+"):
            landmark = _thing(numbers, word[1:]) - c.MAX_CARDS
            if landmark < 0:
                raise NotationError(f'"{word}" is no landmark.')
            s.built[seat] |= 1 << landmark
        elif word.startswith("$"):
            s.invested[seat] = _number(word[1:], "invested coins", _MOST_COINS)
        else:
            card, copies, closed = _copies(numbers, word)
            if card >= c.MAX_CARDS:
                raise NotationError(f'"{word}" is a landmark; write it as "+{word}".')
            if s.owned[seat, card]:
                raise NotationError(f'"{word}" names a card of player {seat} twice.')
            s.owned[seat, card], s.closed[seat, card] = copies, closed


def _read_pile(numbers: dict[str, int], counts: Any, name: str, part: str) -> None:
    words = part.split()
    if not words or words[0] != name:
        raise NotationError(f'"{part}" should be the {name} and begin with that word.')
    for word in words[1:]:
        thing, copies, closed = _copies(numbers, word)
        if closed or counts[thing]:
            raise NotationError(f'"{word}" is closed, or named twice, in the {name}.')
        counts[thing] = copies


def _read_scalars(s: Any, part: str) -> None:
    seen: set[str] = set()
    for word in part.split():
        name, _, value = word.partition("=")
        if name in seen or (name not in _SCALARS and name != "due"):
            raise NotationError(f'"{word}" says nothing about a position (or says it twice).')
        seen.add(name)
        if name == "due":
            due = [_number(one, name, c.NO_LIMIT) for one in value.split(",")]
            if len(due) > c.MAX_AGENDA:
                raise NotationError(f'"{word}" lists more cards than can act on one roll.')
            s.due[: len(due)] = due
        elif name == "phase":
            if value not in _PHASES:
                raise NotationError(f'"{value}" is no phase; known: {", ".join(_PHASES)}.')
            s.phase = _PHASES[value]
        else:
            assert STATE.fields is not None
            most = 2 ** (8 * STATE.fields[name][0].itemsize - 1) - 1
            setattr(s, name, -1 if value == "-1" else _number(value, name, most))
    if not {"turn", "phase"} <= seen:
        raise NotationError("A position must say whose turn it is and the phase: turn=0 phase=roll.")


def _copies(numbers: dict[str, int], word: str) -> tuple[int, int, int]:
    match = _THING.fullmatch(word)
    if match is None:
        raise NotationError(f'"{word}" is no card; a card reads like "cafe", "cafe*2" or "cafe*2~1".')
    name, copies, closed = match.groups()
    number = int(copies or 1), int(closed or 0)
    if number[0] > c.NO_LIMIT or number[1] > number[0]:
        raise NotationError(f'"{word}" has more copies than there can be.')
    return _thing(numbers, name), *number


def _thing(numbers: dict[str, int], name: str) -> int:
    if name not in numbers:
        raise NotationError(f'"{name}" is no card or landmark of this ruleset.')
    return numbers[name]


def _number(word: str, what: str, most: int) -> int:
    if not re.fullmatch(r"\d{1,10}", word, re.ASCII) or int(word) > most:
        raise NotationError(f'"{word}" is no number for {what}; 0 to {most} are accepted.')
    return int(word)
