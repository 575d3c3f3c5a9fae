"""Asking a bot: what each legal action is worth to everybody, and how the game would go on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dicetown.bots.bot import Bot
from dicetown.bots.roster import make_bot
from dicetown.bots.search.bots import ThinkingBot
from dicetown.bots.search.main_line import Step
from dicetown.bots.search.think import Candidate, Thought
from dicetown.bots.view import View
from dicetown.errors import BotError, IllegalAction
from dicetown.game import Game
from dicetown.game.notation import Action
from dicetown.intervals import Z


@dataclass(frozen=True)
class Option:
    """A legal action: each player's chance to win after it, as far as the bot can see.

    ``low`` and ``high`` are the 95 % interval of the chance of who decides; ``error`` is its standard error.
    It says how far playouts scatter, not how well the bot plays.
    """

    action: Action
    chances: tuple[float, ...]
    low: float
    high: float
    error: float
    visits: int

    @classmethod
    def of(cls, candidate: Candidate, view: View) -> Option:
        """What a thinker found out about an action."""
        chance, reach = candidate.worth[view.seat], Z * candidate.error
        return cls(
            view.notation.action(candidate.action),
            candidate.worth,
            max(0.0, chance - reach),
            min(1.0, chance + reach),
            candidate.error,
            candidate.visits,
        )

    def as_dict(self) -> dict[str, Any]:
        """The option, for JSON."""
        return {
            "action": self.action.text,
            "chances": list(self.chances),
            "low": self.low,
            "high": self.high,
            "error": self.error,
            "visits": self.visits,
        }


@dataclass(frozen=True)
class Advice:
    """What a bot says about a position; the best option comes first."""

    position: str
    names: list[str]
    seat: int
    bot: str
    options: list[Option]
    main_line: list[Step]
    playouts: int
    seconds: float

    @property
    def best(self) -> Action:
        """What the bot would do."""
        return self.options[0].action

    def as_dict(self) -> dict[str, Any]:
        """The advice, for JSON."""
        line = [{"seat": step.seat, "move": step.move.text} for step in self.main_line]
        return {
            "position": self.position,
            "players": self.names,
            "seat": self.seat,
            "bot": self.bot,
            "best": self.best.text,
            "options": [option.as_dict() for option in self.options],
            "main_line": line,
            "playouts": self.playouts,
            "seconds": self.seconds,
        }

    def __repr__(self) -> str:
        told = ", ".join(f"{one.action} {one.chances[self.seat]:.1%}" for one in self.options[:3])
        more = ", …" if len(self.options) > 3 else ""
        return f"<Advice for {self.names[self.seat]}: {told}{more}>"


def advise(
    game: Game, bot: str | ThinkingBot = "search", seconds: float | None = None, seed: int = 0
) -> Advice:
    """What a bot that thinks says about every legal action: chances to win, and how play would go on.

    It thinks for a second, or for as long as told; ``bot="search:playouts=2000"`` counts playouts instead
    and says the same every time. What thinks is compiled first, which takes up to a minute, once.

    >>> from dicetown import Game, Ruleset
    >>> game = Game(Ruleset("deluxe", sets=["base"]), players=2, seed=7)
    >>> advice = advise(game, "search:playouts=100")
    >>> advice.best, len(advice.options[0].chances)
    (Action(number=0, text='roll 1'), 2)
    """
    thinker = make_thinker(bot, seconds=seconds) if isinstance(bot, str) else bot
    check_advisable(game)
    view = View.of(game)
    thought = thinker.think(view, seed)
    best, *others = options_of(thought)
    return Advice(
        view.position(),
        list(game.names),
        view.seat,
        thinker.name,
        [best, *sorted(others, key=lambda option: -option.chances[view.seat])],
        thought.main_line(),
        thought.playouts,
        thought.seconds,
    )


def check_advisable(game: Game) -> None:
    """Refuse a game in which there is nothing to decide."""
    if game.over:
        raise IllegalAction("The game is over: there is nothing left to decide.")
    if game.waits_for_chance:
        raise IllegalAction(
            "The position waits for dice or a draw; nobody can decide before that has happened."
        )
    if not game.legal_actions():
        raise IllegalAction("There is nothing to decide in this position.")


def options_of(thought: Thought) -> list[Option]:
    """All legal actions of a thought: the best first, and those last that were dropped first."""
    return [Option.of(candidate, thought.view) for candidate in thought.candidates]


def make_thinker(spec: str, **settings: float | None) -> ThinkingBot:
    """The bot of a text, which must be one that thinks; settings that are not None are set.

    >>> make_thinker("search", playouts=500).manner.playouts
    500
    >>> make_thinker("greedy")
    Traceback (most recent call last):
    dicetown.errors.BotError: The bot "greedy" knows no chances of victory; ask one that thinks, such as ...
    """
    bot: Bot = make_bot(spec)
    if not isinstance(bot, ThinkingBot):
        bot.close()
        raise BotError(
            f'The bot "{bot.name}" knows no chances of victory; ask one that thinks, such as search.'
        )
    chosen = [f":{name}={value}" for name, value in settings.items() if value is not None]
    if not chosen:
        return bot
    again = make_bot(spec + "".join(chosen))
    assert isinstance(again, ThinkingBot)
    return again
