"""Who sits at the table: people at the keyboard, and bots."""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from dicetown.bots import Bot, View, known_bots
from dicetown.bots.programs.pipe import PIPE, PipeBot
from dicetown.bots.seats import seat_bot
from dicetown.errors import RulesetError
from dicetown.game import Game
from dicetown.game.notation import Action
from dicetown.letters import alike, can_be_written, seen
from dicetown.rules.codes import MAX_PLAYERS
from dicetown.words import Choice, Speaker, describe_choices, question

STANDARD_BOT = "greedy"
_DIGITS = 2  # of a number of players; with more it is a slip, and nobody lays so many seats


@dataclass(frozen=True, slots=True)
class Seat:
    """A player: a person, or a bot by its name."""

    name: str
    bot: str | None = None


@dataclass(frozen=True)
class SeatedGame:
    """A game with who sits at it, put into words by a speaker: what a view shows."""

    game: Game
    seats: Sequence[Seat]
    speaker: Speaker

    @property
    def person_decides(self) -> bool:
        """Whether somebody at the keyboard is to move."""
        return self.game.to_move is not None and self.seats[self.game.to_move].bot is None

    def choices(self) -> list[Choice]:
        """What can be chosen now, in words; the first is number 1."""
        return describe_choices(self.speaker, self.game)

    def question(self) -> str:
        """What is asked, and whom."""
        name = self.speaker.names[self.game.turn]
        return self.speaker.say("screen.asks", name=name, question=question(self.speaker, self.game))


def read_players(text: str, you: str) -> list[Seat]:
    """The seats of a list: a name is a person, a bot's name that bot, ``name:bot`` a bot with a name.

    A bot may have options (``greedy:slips=50``) or be a program (``pipe:python3 my_bot.py``). A single
    number is you and so many bots that it comes true.

    >>> read_players("Ana, greedy, Max:random", you="Eve")
    [Seat(name='Ana', bot=None), Seat(name='Greedy', bot='greedy'), Seat(name='Max', bot='random')]
    >>> [seat.name for seat in read_players("3", you="Eve")]
    ['Eve', 'Greedy', 'Greedy 2']
    """
    if not can_be_written(text):
        raise RulesetError(f'The players "{seen(text, "?")}" are not UTF-8; no saved game could hold them.')
    words = [word.strip() for word in text.split(",")]
    if len(words) == 1 and words[0].isdecimal():
        words = [you] + [STANDARD_BOT] * (_read_count(words[0]) - 1)
    seats: list[Seat] = []
    for word in words:
        seats.append(_read_player(word, {alike(seat.name) for seat in seats}))
    return seats


def _read_count(word: str) -> int:
    """How many players a number is; what a ruleset says of a number needs as many seats."""
    if len(word) > _DIGITS or int(word) == 0:
        raise RulesetError(f"{word} players cannot play; accepted are 2 to {MAX_PLAYERS}.")
    return int(word)


def _read_player(word: str, taken: set[str]) -> Seat:
    if not word:
        raise RulesetError("A player's name is empty; a list of players reads like Ana,Ben,greedy.")
    if word in known_bots():
        return Seat(_free_name(word.capitalize(), taken), word)
    if word.startswith(PIPE):
        program = Path(PipeBot.read(word).command[-1]).stem
        return Seat(_free_name(program.capitalize(), taken), word)
    name, colon, bot = (part.strip() for part in word.partition(":"))
    if name in known_bots() and "=" in bot:
        return Seat(_free_name(name.capitalize(), taken), check_bot(word))
    if colon and not name:
        raise RulesetError(f'"{word}" gives a bot no name; write {bot}, or a name before the colon.')
    if seen(name, "") != name:
        raise RulesetError(
            f'The name "{seen(name, "?")}" has characters that nobody can see; leave them out.'
        )
    if alike(name) in taken:
        raise RulesetError(f"Two players are called {name}; give each a name of their own.")
    return Seat(name, check_bot(bot) if colon else None)


def check_bot(bot: str) -> str:
    """The text of a bot, if it can be made."""
    seat_bot(bot).close()
    return bot


def _free_name(name: str, taken: set[str]) -> str:
    """The name, with a number if somebody has it already."""
    number, free = 1, name
    while alike(free) in taken:
        number += 1
        free = f"{name} {number}"
    return free


def seats_of(names: Sequence[str], bots: Sequence[str | None]) -> list[Seat]:
    """The seats of a saved game."""
    bots = bots or [None] * len(names)
    return [Seat(name, bot and check_bot(bot)) for name, bot in zip(names, bots, strict=True)]


def name_of_user(otherwise: str) -> str:
    """What to call the person at the keyboard who did not say."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError):  # no such user, as in a bare container
        return otherwise
    return otherwise if name in ("", "root") or not name.isalnum() else name.capitalize()


def ask_bot(bot: Bot, game: Game) -> Action:
    """What a bot decides.

    Its random numbers follow from the game's seed and the moves so far, so that taking a move back and
    playing it again brings the same answer.
    """
    return bot.choose(View.of(game), Random(f"{game.seed} {len(game.moves)}"))


def choose_for(bot: str, game: Game) -> Action:
    """What the bot of a text decides."""
    return ask_bot(seat_bot(bot), game)
