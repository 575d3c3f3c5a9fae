"""Before a game: what is played and who plays. Enter starts; a number changes a line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dicetown.bots import BOTS
from dicetown.errors import DicetownError
from dicetown.game import Game
from dicetown.languages import LANGUAGES
from dicetown.material.catalogue import Catalogue
from dicetown.rules.ruleset import Ruleset
from dicetown.rules.typed_rules import known_rules, read_rule
from dicetown.terminal.saves import interrupted_games, load_game
from dicetown.terminal.seats import STANDARD_BOT, Seat, name_of_user, read_players
from dicetown.terminal.views import Ask
from dicetown.words import catalogue_for, facts_of

_LINES = ("edition", "sets", "players", "house", "language", "resume")
_SHOWN_GAMES = 5

Say = Callable[[str], None]


class NotPlaying(Exception):
    """Somebody left before the game began."""


@dataclass(frozen=True)
class Plan:
    """What shall be played. For a first game: the box of one's language, its base game, two bots."""

    language: str
    edition: str
    sets: tuple[str, ...]
    players: str
    house: dict[str, Any] = field(default_factory=dict)
    resume: Path | None = None

    @classmethod
    def first_game(cls, language: str) -> Plan:
        """What to propose to somebody who said nothing."""
        you = name_of_user(catalogue_for(language).say("setup.you"))
        return cls(language, facts_of(language).edition, ("base",), f"{you},{STANDARD_BOT},{STANDARD_BOT}")

    def ruleset(self) -> Ruleset:
        """The rules of the plan."""
        return Ruleset(self.edition, sets=self.sets, house=self.house)

    def seats(self) -> list[Seat]:
        """The players of the plan."""
        return read_players(self.players, you=catalogue_for(self.language).say("setup.you"))

    def begin(self, seed: int | None) -> tuple[Game, list[Seat]]:
        """The game of the plan, and who plays it."""
        if self.resume is not None:
            return load_game(self.resume, seed)
        seats = self.seats()
        return Game(self.ruleset(), names=[seat.name for seat in seats], seed=seed), seats


class SetupDialogue:
    """The dialogue before a game."""

    def __init__(self, plan: Plan, ask: Ask, say: Say) -> None:
        self.plan = plan
        self.ask = ask
        self.say = say

    @property
    def words(self) -> Catalogue:
        """What can be said in the language chosen so far."""
        return catalogue_for(self.plan.language)

    def run(self) -> Plan:
        """Show the plan and change it until Enter accepts it."""
        while True:
            self._show()
            answer = self.ask(self.words.say("setup.prompt")).strip().lower()
            if not answer:
                return self.plan
            if answer[0] == "q":
                raise NotPlaying
            if answer.isdecimal() and 0 < int(answer) <= len(_LINES):
                self._change(_LINES[int(answer) - 1])
                if self.plan.resume is not None:
                    return self.plan
            else:
                self.say(self.words.say("refuse.number", last=len(_LINES)))

    def _show(self) -> None:
        say = self.words.say
        values = self._values()
        self.say("")
        self.say(say("setup.title"))
        self.say("")
        wide = max(len(say(f"setup.{line}")) for line in values)
        for number, line in enumerate(_LINES, start=1):
            self.say(f"  {number}  {say(f'setup.{line}').ljust(wide)}  {values.get(line, '')}".rstrip())
        self.say("")

    def _values(self) -> dict[str, str]:
        language, rules = self.plan.language, self.plan.ruleset()
        house = ", ".join(f"{name}={_written(value)}" for name, value in self.plan.house.items())
        return {
            "edition": rules.edition.name[language],
            "sets": ", ".join(part.name[language] for part in rules.sets),
            "players": ", ".join(self._seat_name(seat) for seat in self.plan.seats()),
            "house": house or self.words.say("setup.no_house"),
            "language": facts_of(self.plan.language).name,
        }

    def _seat_name(self, seat: Seat) -> str:
        return self.words.say("setup.bot", name=seat.name, bot=seat.bot) if seat.bot else seat.name

    def _change(self, line: str) -> None:
        """Change one line of the plan; what cannot be played is said and not taken over."""
        changes: dict[str, Callable[[], Plan]] = {
            "edition": self._ask_edition,
            "sets": self._ask_sets,
            "players": self._ask_players,
            "house": self._ask_house,
            "language": self._ask_language,
            "resume": self._ask_file,
        }
        try:
            plan = changes[line]()
            self._check(plan)
        except DicetownError as problem:
            self.say(str(problem))
        else:
            self.plan = plan

    def _check(self, plan: Plan) -> None:
        if plan.resume is not None:
            load_game(plan.resume)
        else:
            plan.ruleset().check_players(len(plan.seats()))

    # ------------------------------------------------------------------ the questions

    def _ask_edition(self) -> Plan:
        editions = list(self.plan.ruleset().material.editions.values())
        language = self.plan.language
        self._list([f"{one.name[language]} – {one.blurb[language]}" for one in editions])
        chosen = self._pick(self.words.say("setup.ask_edition"), [one.id for one in editions])
        if chosen == [self.plan.edition] or not chosen:
            return self.plan
        return self._with_fewer_players(replace(self.plan, edition=chosen[0], sets=("base",), house={}))

    def _with_fewer_players(self, plan: Plan) -> Plan:
        """Keep as many players as the new box allows."""
        most = plan.ruleset().max_players
        return replace(plan, players=",".join(plan.players.split(",")[:most]))

    def _ask_sets(self) -> Plan:
        sets = self.plan.ruleset().edition.sets
        self._list([part.name[self.plan.language] for part in sets])
        chosen = self._pick(self.words.say("setup.ask_sets"), [part.id for part in sets])
        if not chosen:
            return self.plan
        return replace(self.plan, sets=tuple(dict.fromkeys([sets[0].id, *chosen])))

    def _ask_players(self) -> Plan:
        rules = self.plan.ruleset()
        for bot in BOTS.values():
            self.say(f"  {bot.name}: {bot.description[self.plan.language]}")
        self.say(self.words.say("setup.how_players"))
        least, most = rules.min_players, rules.max_players
        answer = self.ask(self.words.say("setup.ask_players", least=least, most=most)).strip()
        return replace(self.plan, players=answer) if answer else self.plan

    def _ask_house(self) -> Plan:
        for rule, value in known_rules(self.plan.ruleset()).items():
            self.say(f"  {rule} = {_written(value)}")
        self.say(self.words.say("setup.how_house"))
        answer = self.ask(self.words.say("setup.ask_house")).strip()
        if not answer:
            return replace(self.plan, house={})
        name, value = read_rule(answer)
        return replace(self.plan, house={**self.plan.house, name: value})

    def _ask_language(self) -> Plan:
        self._list([facts_of(language).name for language in LANGUAGES])
        chosen = self._pick(self.words.say("setup.ask_language"), list(LANGUAGES))
        return replace(self.plan, language=chosen[0]) if chosen else self.plan

    def _ask_file(self) -> Plan:
        games = interrupted_games()[:_SHOWN_GAMES]
        self._list([path.name for path in games])
        answer = self.ask(self.words.say("setup.ask_file")).strip()
        if not answer:
            return self.plan
        number = int(answer) - 1 if answer.isdecimal() else -1
        path = games[number] if 0 <= number < len(games) else Path(answer).expanduser()
        return replace(self.plan, resume=path)

    def _list(self, lines: Sequence[str]) -> None:
        for number, line in enumerate(lines, start=1):
            self.say(f"  {number}  {line}")

    def _pick(self, question: str, ids: Sequence[str]) -> list[str]:
        """Ids chosen by number or by name, with commas between them; empty for Enter."""
        answer = self.ask(question).strip()
        words = [word.strip().lower() for word in answer.split(",") if word.strip()]
        return [
            ids[int(word) - 1] if word.isdecimal() and 0 < int(word) <= len(ids) else word for word in words
        ]


def _written(value: object) -> str:
    """A house rule's value as it is typed."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
