"""The bots at a table: made when they are first asked, replaced when they fail, sent home at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dicetown.bots import Bot, make_bot
from dicetown.bots.search import think
from dicetown.bots.search.bots import ThinkingBot
from dicetown.bots.seats import is_own, seat_bot, stand_in
from dicetown.errors import BotFault, DicetownError
from dicetown.game import Game
from dicetown.game.events import Event
from dicetown.terminal.seats import Seat, ask_bot
from dicetown.words import Speaker


class BotPlayers:
    """Who plays at the seats that no person has."""

    def __init__(self, game: Game, seats: list[Seat], speaker: Speaker) -> None:
        self._game, self._seats, self._speaker = game, seats, speaker
        self._bots: dict[int, Bot] = {}
        #: What everybody must be told, and has not been yet.
        self.notices: list[str] = []

    def get_ready(self, say: Callable[[str], None]) -> None:
        """Compile what bots that think need, and say so first, since it takes a while once."""
        bots = [make_bot(seat.bot) for seat in self._seats if seat.bot is not None and is_own(seat.bot)]
        if any(isinstance(bot, ThinkingBot) for bot in bots) and not think.is_ready():
            say(self._speaker.say("bots.compiling", seconds=think.ABOUT_SECONDS))
            think.ready()

    def play(self, seat: int) -> Sequence[Event]:
        """Let the bot at a seat take its turn to choose; one that cannot is replaced, and nothing happens."""
        bot = self._seats[seat].bot
        assert bot is not None
        try:
            if seat not in self._bots:
                self._bots[seat] = seat_bot(bot)
            return self._game.play(ask_bot(self._bots[seat], self._game))
        except BotFault as fault:
            self._replace(seat, fault.kind)
        except DicetownError:
            self._replace(seat, "failed")
        return []

    def _replace(self, seat: int, kind: str) -> None:
        failed = self._seats[seat]
        assert failed.bot is not None
        if seat in self._bots:
            self._bots.pop(seat).close()
        self._seats[seat] = Seat(failed.name, stand_in(failed.bot))
        what = self._speaker.say(f"fault.{kind}")
        self.notices.append(
            self._speaker.say("fault.replaced", name=failed.name, what=what, bot=self._seats[seat].bot)
        )

    def tell(self) -> str:
        """What everybody must be told, once."""
        told = " ".join(self.notices)
        self.notices.clear()
        return told

    def close(self) -> None:
        """Send all bots home."""
        for bot in self._bots.values():
            bot.close()
        self._bots.clear()
