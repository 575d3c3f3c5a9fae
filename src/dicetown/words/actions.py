"""What can be chosen: a label for each action, and a note on what it would bring."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from dicetown.game import Game
from dicetown.game.notation import Action
from dicetown.game.questions import gains_of
from dicetown.rules import codes as c
from dicetown.rules.city import power
from dicetown.words.speaker import Speaker


class Choice(NamedTuple):
    """One of the things that can be chosen now.

    ``text`` is short (on a list of choices under a question), ``note`` says what it costs or brings;
    ``thing`` is the card or landmark it is about, if it is about one; ``gains`` is what it brings everybody,
    where it settles what the dice that lie amount to.
    """

    action: Action
    text: str
    note: str = ""
    thing: str | None = None
    gains: list[int] | None = None


def describe_choices(speaker: Speaker, game: Game) -> list[Choice]:
    """The legal actions in words, in their fixed order."""
    return [describe_choice(speaker, game, action) for action in game.legal_actions()]


def label(speaker: Speaker, game: Game, action: Action) -> str:
    """An action in words that need no question: "Build the Café (2 coins)".

    >>> from dicetown import Ruleset
    >>> game = Game(Ruleset("deluxe", sets=["base"]), players=2, seed=7)
    >>> label(Speaker(game.ruleset, game.names, "en"), game, game.legal_actions()[0])
    'Roll one die'
    """
    choice = describe_choice(speaker, game, action)
    text = name_move(speaker, action.text)
    return f"{text} ({choice.note})" if choice.note else text


def name_move(speaker: Speaker, text: str) -> str:
    """A decision in words, from its notation alone.

    >>> name_move(Speaker(Game().ruleset, ["Ana", "Ben"], "en"), "player 1")
    'Choose Ben'
    """
    word, _, rest = text.partition(" ")
    if word in _WITH_THING:
        name, _, closed = rest.partition(" ")
        thing = speaker.say("part.closed", thing=speaker.thing(name)) if closed else speaker.thing(name)
        return speaker.say(f"action.{word}", thing=thing)
    if word == "player":
        return speaker.say("action.player", name=speaker.names[int(rest)])
    return speaker.say(f"action.{_PLAIN[text]}")


_WITH_THING = frozenset({"build", "first", "give", "take", "card", "landmark"})
_PLAIN = {
    "roll 1": "roll_one", "roll 2": "roll_two", "keep": "keep", "reroll 1": "reroll_one",
    "reroll 2": "reroll_two", "add_two yes": "add", "add_two no": "add_not", "decline": "decline",
    "pass": "pass", "invest yes": "invest", "invest no": "invest_not",
}  # fmt: skip


def describe_choice(speaker: Speaker, game: Game, action: Action) -> Choice:
    """An action as it stands on a list under its question."""
    word, _, rest = action.text.partition(" ")
    if word in _WITH_THING:
        name, _, closed = rest.partition(" ")
        text = speaker.say("action.first", thing=speaker.thing(name)) if word == "first" else None
        text = text or (speaker.say("part.closed", thing=speaker.thing(name)) if closed else None)
        return Choice(action, text or speaker.thing(name), _NOTES[word](speaker, game, action, name), name)
    if word == "player":
        seat = int(rest)
        return Choice(action, speaker.names[seat], _note_player(speaker, game, action, seat))
    text = _plain_text(speaker, game, action)
    if (gains := gains_of(game, action)) is not None:
        return Choice(action, text, tell_gains(speaker, gains), gains=gains)
    return Choice(action, text, _note_idle(speaker, game) if action.number == c.PASS else "")


def _plain_text(speaker: Speaker, game: Game, action: Action) -> str:
    """The texts that name the numbers at stake: "Keep the 7", "Add 2: 12"."""
    total = game.state.total
    match action.number:
        case c.KEEP:
            return speaker.say("action.keep_total", total=total)
        case c.ADD:
            more = _raise(game)
            return speaker.say("action.add_to", by=more, total=total + more)
        case c.ADD_NOT:
            return speaker.say("action.add_not_to", total=total)
    return name_move(speaker, action.text)


def idle_pay(game: Game) -> int:
    """What who builds nothing now is paid for that (an Airport does)."""
    if game.state.start_left:
        return 0
    return power(game.plain_tables, game.state, game.turn, c.POWER_IDLE_PAY)


def _note_idle(speaker: Speaker, game: Game) -> str:
    idle = idle_pay(game)
    return speaker.say("note.idle_pay", coins=speaker.coins(idle)) if idle else ""


def _raise(game: Game) -> int:
    """What a Harbor would add."""
    return power(game.plain_tables, game.state, game.turn, c.POWER_ADD)


def tell_gains(speaker: Speaker, gains: Sequence[int]) -> str:
    """What the dice that lie would bring everybody."""
    told = [f"{speaker.names[seat]} {sign(gain)}" for seat, gain in enumerate(gains) if gain]
    return ", ".join(told) or speaker.say("note.nothing")


def sign(amount: int) -> str:
    """A gain or loss with its sign.

    >>> sign(3), sign(-2), sign(0)
    ('+3', '−2', '0')
    """
    return f"+{amount}" if amount > 0 else f"−{-amount}" if amount < 0 else "0"


def price_of(game: Game, thing: str, seat: int | None = None) -> int:
    """What an establishment or landmark costs a player now."""
    return game.price(thing, game.turn if seat is None else seat)


# -------------------------------------------------------------------------- notes


def _note_price(speaker: Speaker, game: Game, action: Action, thing: str) -> str:
    cost = price_of(game, thing)
    return speaker.coins(cost) if cost else speaker.say("note.free")


def _note_owned(speaker: Speaker, game: Game, action: Action, thing: str) -> str:
    """How many copies of what may be given or taken there are."""
    word = action.text.partition(" ")[0]
    owner = game.turn if word == "give" else game.state.partner
    number, s = game.notation.numbers[thing], game.state
    closed = int(s.closed[owner, number])
    copies = closed if action.text.endswith(" closed") else int(s.owned[owner, number]) - closed
    return f"×{copies}" if copies > 1 else ""


def _note_type(speaker: Speaker, game: Game, action: Action, thing: str) -> str:
    """How many cards of a type would act (Convention Center), or close, and what that brings."""
    if int(game.tables.effect[game.state.acting]) == c.CONVENTION:
        copies = int(game.state.owned[game.turn, game.notation.numbers[thing]])
        return f"×{copies}" if copies > 1 else ""
    number, s = game.notation.numbers[thing], game.state
    copies = int(s.owned[:, number].sum() - s.closed[:, number].sum())
    return f"×{copies}, {sign(gain_of(game, action))}" if copies else "–"


def _note_player(speaker: Speaker, game: Game, action: Action, seat: int) -> str:
    return speaker.say("note.has", coins=speaker.coins(game.coins(seat)))


def _note_gain(speaker: Speaker, game: Game, action: Action, thing: str) -> str:
    gain = gain_of(game, action)
    return sign(gain) if gain else ""


def _no_note(speaker: Speaker, game: Game, action: Action, thing: str) -> str:
    return ""


_NOTES: dict[str, Callable[[Speaker, Game, Action, str], str]] = {
    "build": _note_price,
    "first": _no_note,
    "give": _note_owned,
    "take": _note_owned,
    "card": _note_type,
    "landmark": _note_gain,
}


def gain_of(game: Game, action: Action) -> int:
    """What an action brings the player on turn at once."""
    return int(game.taking(action).coins[game.turn]) - game.coins(game.turn)
