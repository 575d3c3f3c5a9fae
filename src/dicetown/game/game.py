"""A game: the friendly face of the engine.

:class:`Game` keeps the history, lets chance happen, explains what is legal, undoes, saves and loads. It
runs the rules interpreted; bots and simulations use the same rules compiled.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from dicetown.errors import IllegalAction, NotationError, RulesetError
from dicetown.game.events import Event
from dicetown.game.notation import Action, Move, Outcome, notation_for
from dicetown.game.past import EventLog, Past, StoredPast, desk, state_of
from dicetown.game.position import read_position, write_position
from dicetown.game.preview import Preview, look_ahead, reachable_totals, worth_of_copy
from dicetown.game.record import GameRecord
from dicetown.letters import can_be_written, seen
from dicetown.rules import codes as c
from dicetown.rules.chance import can_happen, draw_outcome, find_outcomes, waits_for_chance
from dicetown.rules.choices import find_choices
from dicetown.rules.city import price
from dicetown.rules.layout import OUTCOMES, STATE, copy, new, plain, record_class
from dicetown.rules.market import count_rows
from dicetown.rules.rng import RNG, seeded
from dicetown.rules.ruleset import Ruleset
from dicetown.rules.step import decide, happen, start, take
from dicetown.rules.tables import plain_tables_for, tables_for

_PRICES_KEPT = 1024
#: What a position waits for, in the words of scenario files.
PHASES = {
    c.ROLL: "roll", c.DICE: "roll", c.REROLL: "reroll", c.ADD_TWO: "add_two", c.TUNA: "tuna",
    c.ORDER: "choose", c.PLAYER: "choose", c.GIVE: "choose", c.TAKE: "choose", c.CARD: "choose",
    c.LANDMARK: "choose", c.BUILD: "build", c.DRAW: "build", c.INVEST: "invest", c.OVER: "over",
}  # fmt: skip


class StoredGame(msgspec.Struct, array_like=True, frozen=True):
    """A game with all of its past, as numbers."""

    chance: Literal["auto", "manual"]
    seed: int
    luck: bytes
    state: bytes
    moves: str
    events: tuple[str, bytes]
    past: StoredPast


class Game:
    """A game of Machi Koro.

    >>> game = Game(Ruleset("deluxe", sets=["base"]), players=2, seed=7)
    >>> [str(action) for action in game.legal_actions()]
    ['roll 1']
    >>> events = game.play("roll 1")
    >>> game.to_move, game.phase
    (0, 'build')
    >>> game.play("build stadium")
    Traceback (most recent call last):
    dicetown.errors.IllegalAction: "build stadium" is not possible now; legal: pass, build ...

    With ``chance="manual"`` dice and draws are moves, too: play them as ``"dice 3 4"`` or ``"draw mine"``
    whenever :attr:`waits_for_chance`. Otherwise they happen by themselves, from ``seed``.
    """

    def __init__(
        self,
        ruleset: Ruleset | None = None,
        players: int | None = None,
        seed: int | None = None,
        names: Sequence[str] | None = None,
        chance: Literal["auto", "manual"] = "auto",
    ) -> None:
        self.ruleset = ruleset or Ruleset()
        self.players = self.ruleset.check_players(_count_players(players, names))
        self.names: list[str] = [_check_name(name) for name in names] if names else self._plain_names()
        if len(self.names) != self.players:
            raise RulesetError(f"{self.players} players need {self.players} names, not {len(self.names)}.")
        self.seed = secrets.randbits(63) if seed is None else seed
        self.chance = chance
        self.tables = tables_for(self.ruleset, self.players)
        self.notation = notation_for(self.ruleset, self.players)
        self.state = new(STATE)
        self.moves: list[Move] = []
        self.events = EventLog(self.notation)
        self._luck: bytes = seeded(self.seed).whole.tobytes()  # random numbers, as far as they are drawn
        self.plain_tables = plain_tables_for(self.ruleset, self.players)
        start(self.plain_tables, desk.lay(self.state), desk.log, desk.choices)
        self._take_from_desk()
        self._past = Past(self.plain_tables, self.state)
        self._let_chance_happen()

    def _plain_names(self) -> list[str]:
        return [f"Player {seat + 1}" for seat in range(self.players)]

    # ------------------------------------------------------------- where it stands

    @property
    def to_move(self) -> int | None:
        """The seat that decides (for chance: the active seat), or None when the game is over."""
        state = self.state  # asked many times for every move, so in one step
        if state.phase == c.OVER:
            return None
        turn: int = state.turn
        return turn if turn > 0 else 0

    @property
    def turn(self) -> int:
        """Whose turn it is; the first player's while the market is dealt."""
        turn: int = self.state.turn
        return turn if turn > 0 else 0

    @property
    def phase(self) -> str:
        """What is asked: roll, reroll, add_two, tuna, choose, build, invest or over."""
        return PHASES[self.state.phase]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state.phase == c.OVER)

    @property
    def winner(self) -> int | None:
        """The seat that has won, or None."""
        return None if self.state.winner == c.NOBODY else self.state.winner

    @property
    def waits_for_chance(self) -> bool:
        """Whether dice or a draw are due (only with ``chance="manual"``)."""
        return bool(waits_for_chance(self.state))

    @property
    def turns(self) -> int:
        """How many turns have been finished."""
        return int(self.state.turns)

    @property
    def round(self) -> int:
        """Which round it is, from 1: extra turns make none longer, and start rounds are part of the first."""
        return (self.turns - self.events.count_extra_turns()) // self.players + 1

    def coins(self, seat: int) -> int:
        """The coins of a player."""
        return int(self.state.coins[seat])

    def invested(self, seat: int) -> int:
        """The coins a player has put on the Tech Startup."""
        return int(self.state.invested[seat])

    def cards(self, seat: int) -> dict[str, int]:
        """A player's establishments with their number of copies, sorted by number."""
        return self._named(self.state.owned[seat])

    def closed(self, seat: int) -> dict[str, int]:
        """How many of a player's copies are closed."""
        return self._named(self.state.closed[seat])

    def landmarks(self, seat: int) -> list[str]:
        """The landmarks a player has built, City Hall aside."""
        built = int(self.state.built[seat])
        return [mark.id for bit, mark in enumerate(self.ruleset.landmarks) if built >> bit & 1]

    def price(self, landmark: str, seat: int) -> int:
        """What a landmark costs a player now.

        >>> Game(Ruleset("deluxe", sets=["base"]), players=2, seed=7).price("train_station", 0)
        4
        """
        return self.prices(seat)[self.notation.numbers[landmark]]

    def prices(self, seat: int) -> tuple[int, ...]:
        """What everything costs a player now, by the numbers of things."""
        if self.ruleset.fixed_prices:
            return _prices(self.ruleset, self.players, 0, ())
        return _prices(self.ruleset, self.players, seat, tuple(self.state.built.tolist()))

    @property
    def market(self) -> dict[str, int]:
        """The establishments that can be built from, with the copies that lie out."""
        return self._named(self.state.market[: c.MAX_CARDS])

    @property
    def landmark_market(self) -> list[str]:
        """The landmarks that lie out for all (Machi Koro 2); empty where everybody has their own."""
        if not self.tables.shared_landmarks:
            return []
        return [
            mark.id
            for bit, mark in enumerate(self.ruleset.landmarks)
            if self.state.market[c.MAX_CARDS + bit] > 0
        ]

    @property
    def deck(self) -> dict[str, int]:
        """What is left to be drawn, establishments and landmarks, by count."""
        left = self._named(self.state.deck[: c.MAX_CARDS])
        marks = enumerate(self.ruleset.landmarks)
        return left | {mark.id: 1 for bit, mark in marks if self.state.deck[c.MAX_CARDS + bit] > 0}

    def _named(self, counts: Any) -> dict[str, int]:
        cards = enumerate(self.ruleset.cards)
        return {card.id: int(counts[number]) for number, card in cards if counts[number] > 0}

    # ------------------------------------------------------------------- choosing

    def legal_actions(self) -> list[Action]:
        """What the player to move may do, in a fixed order; empty while chance is due or all is over."""
        action = self.notation.action
        return [action(number) for number in self._legal_numbers]

    def legal_mask(self) -> NDArray[np.bool_]:
        """The legal actions as a mask over all action numbers, for those who learn.

        >>> mask = Game(Ruleset("deluxe"), players=2, seed=7).legal_mask()
        >>> int(mask.sum()), mask.shape == (c.N_ACTIONS,)
        (1, True)
        """
        mask = np.zeros(c.N_ACTIONS, np.bool_)
        mask[self._legal_numbers] = True
        return mask

    def chance_outcomes(self) -> list[tuple[Outcome, Fraction]]:
        """What chance may bring and how likely, while it is due."""
        found = new(OUTCOMES)
        find_outcomes(self.tables, self.state, found)
        weights = found.weight[: found.count].tolist()
        return [
            (self.notation.outcome(self.state.phase, number), Fraction(weight, sum(weights)))
            for number, weight in zip(found.outcome[: found.count].tolist(), weights, strict=True)
        ]

    def play(self, move: Move | str) -> list[Event]:
        """Play a decision (or, with manual chance, an outcome) and return the events it caused.

        Raises :class:`~dicetown.errors.IllegalAction` and changes nothing if it is not legal now.
        """
        before = len(self.events)
        self.advance(move)
        return self.events[before:]

    def advance(self, move: Move | str) -> None:
        """Play a move like :meth:`play`, for who does not want to know what it caused."""
        found = self._legal(move)
        self._past.add(self.state, self._luck, len(self.moves), len(self.events))
        self._take(found)
        self._let_chance_happen()

    def _take(self, move: Move) -> None:
        """Let a legal move happen."""
        self.moves.append(move)
        step = happen if isinstance(move, Outcome) else decide
        step(self.plain_tables, desk.lay(self.state), desk.log, desk.choices, move.number)
        self._take_from_desk()

    def _take_from_desk(self) -> None:
        """Take over what the rules have done on the desk: where the game stands, what happened, is legal."""
        self.state.whole[:] = desk.state.whole
        self.events.hear(desk.told())
        self._legal_numbers = desk.legal()

    def _find_legal(self) -> None:
        """Look what is legal in a state that nobody has just played to."""
        find_choices(self.plain_tables, desk.lay(self.state), desk.choices)
        self._legal_numbers = desk.legal()

    def _legal(self, move: Move | str) -> Move:
        """The move, if it is legal now; if it is not, the sentence that says so names all that are."""
        found = self.notation.look_up(str(move))
        if found is not None and self._is_legal(found):
            return found
        with suppress(NotationError):
            if self._is_legal(found := self.notation.parse(str(move))):
                return found
        legal: list[Move] = [*self.legal_actions(), *(outcome for outcome, _ in self.chance_outcomes())]
        texts = {str(one): one for one in legal}
        wanted = " ".join(str(move).lower().split())
        if wanted == "reroll":  # what people write where there is one way to do it
            wanted = next((text for text in texts if text.startswith("reroll")), wanted)
        if wanted in texts:
            return texts[wanted]
        if self.over:
            raise IllegalAction(f'"{move}" is not possible: the game is over.')
        try:
            self.notation.parse(str(move))
        except NotationError as problem:
            raise IllegalAction(f"{problem} Legal now: {', '.join(texts)}.") from None
        raise IllegalAction(f'"{move}" is not possible now; legal: {", ".join(texts)}.')

    def _is_legal(self, move: Move) -> bool:
        if isinstance(move, Action):
            return move.number in self._legal_numbers
        is_possible = can_happen(self.plain_tables, desk.lay(self.state), move.number)
        return is_possible and self.notation.outcome(self.state.phase, move.number) == move

    def _let_chance_happen(self) -> None:
        """With automatic chance, dice fall and cards are drawn until somebody must decide."""
        if self.chance != "auto" or not waits_for_chance(self.state):
            return
        rng = _luck_of(self._luck)
        while waits_for_chance(self.state):
            number = draw_outcome(self.tables, self.state, rng)
            self._take(self.notation.outcome(self.state.phase, number))
        self._luck = rng.whole.tobytes()

    def undo(self) -> None:
        """Take the last decision back, with all the chance that followed it (manual: the last move)."""
        if not self._past:
            raise IllegalAction("There is nothing to undo: no move has been played.")
        before = self._past.pop(self.moves)
        self.state = before.state
        self._luck = before.luck
        del self.moves[before.moves :]
        self.events.cut(before.events)
        self._find_legal()

    def taking(self, action: Action) -> Any:
        """The state that a legal decision leads to before all that follows; only to be looked at, at once."""
        take(self.plain_tables, desk.lay(self.state), desk.deaf, action.number)
        return desk.state

    @property
    def past(self) -> Past:
        """What undo goes back to."""
        return self._past

    @property
    def can_undo(self) -> bool:
        """Whether a move has been played."""
        return bool(self._past)

    def preview(self, total: int, dice: tuple[int, ...] | None = None) -> Preview:
        """What each player would gain or lose if the dice showed that total now.

        >>> game = Game(Ruleset("deluxe", sets=["base"]), players=2, seed=7)
        >>> game.preview(1).gains
        (1, 1)
        """
        return look_ahead(self.plain_tables, self.state, total, dice)

    def totals(self) -> range:
        """What the player on turn can roll now, with one die, with two, and with what a Harbor adds.

        Nothing where nobody rolls: in the start rounds, and when the game is over.
        """
        return range(0) if self.over else reachable_totals(self.tables, self.state)

    def worth(self, thing: str, seat: int) -> tuple[float, float]:
        """What one more copy of a thing would earn a player in a round of everybody's turns, on average.

        If everybody rolled one die, and if two. It is the difference that the thing makes to every roll now:
        purses, cities and closed cards included, rerolls and a Harbor's addition left aside.

        >>> one, two = Game(names=["Ana", "Ben"], seed=1).worth("wheat_field", 0)
        >>> round(one, 3), two
        (0.333, 0.0)
        """
        if thing not in self.notation.numbers:
            raise IllegalAction(f'"{thing}" is no card or landmark of this game.')
        return worth_of_copy(self.tables, self.state, self.notation.numbers[thing], seat)

    # --------------------------------------------------------------- keeping games

    def save(self, path: str | os.PathLike[str] | None = None) -> str:
        """The game as JSON (format ``dicetown/1``); written to a file if one is named.

        >>> game = Game(Ruleset("deluxe", sets=["base"]), players=2, seed=7)
        >>> again = Game.load(game.save())
        >>> again.position() == game.position()
        True
        """
        moves = [move.text for move in self.moves]
        record = GameRecord(ruleset=self.ruleset.as_dict(), players=self.names, moves=moves)
        text = record.to_json()
        if path is not None:
            record.write(Path(path))
        return text

    @classmethod
    def load(cls, source: str | os.PathLike[str], seed: int | None = None) -> Game:
        """The game of a saved text or file, ready to go on; each move is checked as it is replayed."""
        *_, (game, _) = cls.retrace(source, seed)
        game.chance = "auto"
        # Undo goes back to decisions; dice and draws were moves only while they were replayed.
        game._past.drop([bool(waits_for_chance(state)) for _, _, state in game._past.moments(game.moves)])
        game._let_chance_happen()
        return game

    @classmethod
    def retrace(
        cls, source: str | os.PathLike[str], seed: int | None = None
    ) -> Iterator[tuple[Game, str | None]]:
        """A saved game before each of its moves, dice and draws included, and at last as it stands (None).

        It is one game that goes on between two steps: copy what you want to keep.

        >>> saved = Game(Ruleset("deluxe", sets=["base"]), players=2, seed=7).save()
        >>> [(game.phase, move) for game, move in Game.retrace(saved)]
        [('roll', None)]
        """
        record = GameRecord.read(source)
        game = cls.of_record(record, seed)
        for number, move in enumerate(record.moves, start=1):
            yield game, move
            try:
                game.play(move)
            except IllegalAction as problem:
                raise NotationError(f"{record.place}: move {number} cannot be played: {problem}") from None
        yield game, None

    @classmethod
    def of_record(cls, record: GameRecord, seed: int | None = None) -> Game:
        """The game of a record before its first move; dice and draws are moves, as they are in the record."""
        try:
            return cls(Ruleset(**record.ruleset), names=record.players, seed=seed, chance="manual")
        except RulesetError as problem:
            raise NotationError(f"{record.place}: {problem}") from None

    def position(self) -> str:
        """The position as one line of text; :meth:`from_position` reads it back."""
        return write_position(self.ruleset, self.players, self.state)

    @classmethod
    def from_position(
        cls, text: str, seed: int | None = None, chance: Literal["auto", "manual"] = "auto"
    ) -> Game:
        """A game that goes on from a position; its history begins there.

        >>> game = Game(Ruleset("neue_stadt"), players=3, seed=1)
        >>> Game.from_position(game.position()).legal_actions() == game.legal_actions()
        True
        """
        ruleset, players, state = read_position(text)
        return cls.from_state(ruleset, players, state, seed, chance)

    @classmethod
    def from_state(
        cls,
        ruleset: Ruleset,
        players: int,
        state: Any,
        seed: int | None = None,
        chance: Literal["auto", "manual"] = "auto",
    ) -> Game:
        """A game that goes on from an engine state, which is copied."""
        game = cls(ruleset, players, seed=seed, chance="manual")
        game.state = copy(state)
        count_rows(game.tables, game.state)
        game.moves, game.events = [], EventLog(game.notation)
        game._past = Past(game.plain_tables, game.state)
        game.chance = chance
        game._find_legal()
        game._let_chance_happen()
        return game

    def stored(self) -> StoredGame:
        """The game with its history, in a few kilobytes that only this version of Dicetown can read.

        >>> game = Game(Ruleset("deluxe", sets=["base"]), players=2, seed=7)
        >>> events = game.play("roll 1")
        >>> again = Game.restored(game.ruleset, game.names, game.stored())
        >>> again.undo()
        >>> again.legal_actions()
        [Action(number=0, text='roll 1')]
        """
        moves = "\n".join(move.text for move in self.moves)
        rows = self.events.rows(0, len(self.events))
        state = self.state.array.tobytes()
        return StoredGame(self.chance, self.seed, self._luck, state, moves, rows, self._past.stored())

    @classmethod
    def restored(cls, ruleset: Ruleset, names: Sequence[str], stored: StoredGame) -> Game:
        """The game that was stored; nothing of it is checked."""
        game = cls(ruleset, names=names, seed=stored.seed, chance="manual")
        game.chance = stored.chance
        game.state, game._luck = state_of(stored.state), stored.luck
        game.moves = [game.notation.parse(text) for text in stored.moves.split("\n")] if stored.moves else []
        game.events = EventLog.read(game.notation, stored.events)
        game._past = Past.restored(game.plain_tables, stored.past)
        game._find_legal()
        return game

    def __repr__(self) -> str:
        return (
            f"<Game {self.ruleset.edition.id}, {self.players} players, turn {self.turns + 1}, {self.phase}>"
        )


@lru_cache(maxsize=_PRICES_KEPT)
def _prices(ruleset: Ruleset, players: int, seat: int, built: tuple[int, ...]) -> tuple[int, ...]:
    """What things cost a player: asked in every turn, and nothing but landmarks ever changes it (R53)."""
    tables, state = plain_tables_for(ruleset, players), plain(new(STATE))
    for owner, skyline in enumerate(built):
        state.built[owner] = skyline
    landmarks = [price(tables, state, seat, bit) for bit in range(len(ruleset.landmarks))]
    return (*tables.cost.tolist(), *landmarks)


def _luck_of(luck: bytes) -> Any:
    return record_class(RNG)(np.frombuffer(luck, RNG).copy())


def _count_players(players: int | None, names: Sequence[str] | None) -> int:
    if players is None:
        return len(names) if names else 2
    return players


def _check_name(name: str) -> str:
    if not name.strip():
        raise RulesetError("A player's name is empty; give every player a name.")
    if not can_be_written(name):
        raise RulesetError(f'The name "{seen(name, "?")}" is not UTF-8; no saved game could hold it.')
    return name.strip()
