"""A session at the keyboard: people choose, bots play, and nothing is lost."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dicetown.errors import DicetownError
from dicetown.game import Game
from dicetown.suggestions import match_name
from dicetown.terminal import pages
from dicetown.terminal.bot_players import BotPlayers
from dicetown.terminal.saves import Keeper
from dicetown.terminal.seats import Seat, SeatedGame
from dicetown.terminal.typed_line import Chosen, Command, Refused, find_thing, read_line
from dicetown.terminal.views import Ask, View
from dicetown.text.result import result_rows
from dicetown.words import Choice, Speaker


class Leave(Exception):
    """Somebody wants to stop playing."""


class Session:
    """One game from here to its end, or until somebody leaves."""

    def __init__(
        self, game: Game, seats: Sequence[Seat], language: str, view: View, ask: Ask, keeper: Keeper
    ) -> None:
        self.game = game
        self.seats = list(seats)
        self.speaker = Speaker(game.ruleset, game.names, language)
        self.table = SeatedGame(game, self.seats, self.speaker)
        self.bots = BotPlayers(game, self.seats, self.speaker)
        self.view = view
        self.ask = ask
        self.keeper = keeper
        self._undoable = _count_decisions(game, self.seats)

    def run(self) -> None:
        """Play until the game is over or somebody leaves."""
        self.bots.get_ready(self.view.say)
        self.view.happen(self.table, self.game.events)
        try:
            while not self.game.over:
                self._take_step()
            self._finish()
        except Leave:
            self.view.say(self.speaker.say("save.bye"))
        finally:
            self.bots.close()

    def _take_step(self) -> None:
        assert self.game.to_move is not None
        if self.seats[self.game.to_move].bot is not None:
            self.view.happen(self.table, self.bots.play(self.game.to_move))
        else:
            self._let_person_decide()

    # -------------------------------------------------------------- a person decides

    def _let_person_decide(self) -> None:
        """Ask until a decision is made."""
        message = self.bots.tell()
        while True:
            choices = self.table.choices()
            self.view.ask(self.table, message)
            typed = read_line(self.ask(self.speaker.say("screen.prompt")), self.table, choices)
            match typed:
                case Chosen(action):
                    self._undoable += 1
                    self.view.happen(self.table, self.game.play(action))
                    return
                case Refused(why):
                    message = why
                case Command("undo", _):
                    message = self.speaker.say("undo.done" if self._undo() else "undo.nothing")
                case Command(word, argument):
                    message = self._obey(word, argument, choices)

    def _obey(self, word: str, argument: str, choices: Sequence[Choice]) -> str:
        """Do what was asked for; returns what to say about it, if anything."""
        match word:
            case "save":
                return self._save(argument)
            case "quit":
                return self._quit()
            case "card":
                return self._show_card(argument, choices)
            case "city":
                return self._show_city(argument)
            case "help":
                self.view.page(self.table, pages.help_page(self.table))
            case "market":
                self.view.page(self.table, pages.market_page(self.table))
            case "log":
                self.view.page(self.table, pages.log_page(self.table))
            case "dice":
                self.view.page(self.table, pages.odds_page(self.table, self.view.width))
        return ""

    def _undo(self) -> bool:
        """Back to the last decision of a person, through what bots and chance did since."""
        if self._undoable == 0:
            return False
        self._undoable -= 1
        self.game.undo()
        while not self.table.person_decides:
            self.game.undo()
        return True

    # ----------------------------------------------------------------- things to read

    def _show_card(self, name: str, choices: Sequence[Choice]) -> str:
        """A card by its name or the number of a choice; without either, all that can be chosen."""
        if not name:
            things = [choice.thing for choice in choices if choice.thing] or list(
                self.game.cards(self.game.turn)
            )
        elif name.isdecimal() and 0 < int(name) <= len(choices):
            things = [choices[int(name) - 1].thing or ""]
        else:
            things = [find_thing(name, self.table) or ""]
        if "" in things:
            return self.speaker.say("refuse.no_card", typed=name)
        self.view.page(
            self.table,
            [line for thing in dict.fromkeys(things) for line in pages.card_page(self.table, thing)],
        )
        return ""

    def _show_city(self, name: str) -> str:
        seat = self._find_seat(name)
        if name and seat is None:
            return self.speaker.say("refuse.no_player", typed=name, names=", ".join(self.speaker.names))
        self.view.page(self.table, pages.cities_page(self.table, seat))
        return ""

    def _find_seat(self, name: str) -> int | None:
        if name.isdecimal():
            return int(name) - 1 if 0 < int(name) <= self.game.players else None
        known = [(str(seat), (one,)) for seat, one in enumerate(self.speaker.names)]
        found = match_name(name, known) if name else None
        return None if found is None else int(found)

    # -------------------------------------------------------------------- keeping it

    def _save(self, name: str = "") -> str:
        """Save under a name that was typed or is asked for; returns what to say about it."""
        suggested = self.keeper.suggest(self.game)
        if not name:
            name = self.ask(self.speaker.say("save.name", file=suggested)).strip()
        path = Path(name).expanduser() if name else suggested
        if not self.keeper.may_write(path):
            if not self._agrees(self.speaker.say("save.replace", file=path), otherwise=False):
                return self.speaker.say("save.not_saved")
            self.keeper.claim(path)
        try:
            self.keeper.save(self.game, self.seats, path)
        except DicetownError as problem:
            return str(problem)
        return self.speaker.say("save.saved", file=path)

    def _quit(self) -> str:
        """Leave, not without offering to save; returns why not, if it does."""
        message = ""
        wanted = self.keeper.save_to is not None
        if wanted:
            message = self._save(str(self.keeper.save_to))
        elif not self.keeper.is_saved(self.game):
            wanted = self._agrees(self.speaker.say("save.first"), otherwise=True)
            message = self._save() if wanted else ""
        if wanted and not self.keeper.is_saved(self.game):
            return message  # it could not be saved: rather stay than lose the game
        if message:
            self.view.say(message)
        raise Leave

    def _agrees(self, question: str, otherwise: bool) -> bool:
        """Ask for yes or no; an empty line is the answer given in capitals."""
        while True:
            answer = self.ask(question).strip().lower()
            if not answer:
                return otherwise
            if answer[0] in self.speaker.say("save.yes"):
                return True
            if answer[0] in self.speaker.say("save.no"):
                return False

    def _finish(self) -> None:
        """Tell the result and offer to keep the record."""
        if told := self.bots.tell():
            self.view.say(told)
        self.view.say("")
        for line in result_rows(self.speaker, self.game):
            self.view.say(line.plain)
        self.view.say("")
        if self.keeper.save_to is not None:
            self.view.say(self._save(str(self.keeper.save_to)))
        elif not self.keeper.is_saved(self.game):
            try:
                if self._agrees(self.speaker.say("save.record"), otherwise=False):
                    self.view.say(self._save())
            except EOFError:
                self.view.say("")


def _count_decisions(game: Game, seats: Sequence[Seat]) -> int:
    """How many decisions of people are in a game that is taken up again."""
    again = Game(game.ruleset, names=game.names, chance="manual")
    count = 0
    for move in game.moves:
        decided_by = again.to_move
        if not again.waits_for_chance and decided_by is not None and seats[decided_by].bot is None:
            count += 1
        again.play(move)
    return count
