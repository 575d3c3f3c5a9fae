"""Running a scenario: the steps are played one after the other, then the expectation is judged."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dicetown.game import Game
from dicetown.game.events import Event, Forced, HandedOver
from dicetown.game.notation import notation_for
from dicetown.rules import codes as c
from dicetown.rules.chance import draw_outcome
from dicetown.rules.market import row_to_refill
from dicetown.rules.rng import seeded
from dicetown.scenario.differences import Difference, judge
from dicetown.scenario.model import (
    Check,
    Decision,
    Draw,
    Refusal,
    Scenario,
    Step,
    Take,
    Throw,
    TunaThrow,
)
from dicetown.scenario.refusals import refusal_of_draw, refusal_of_step
from dicetown.scenario.starting_position import deal, set_up

#: What is drawn where a scenario does not say is the same each time.
SEED = 7


@dataclass(slots=True)
class Result:
    """How a scenario came out: what differs, or what kept it from being played to its end."""

    scenario: Scenario
    differences: list[Difference] = field(default_factory=list)
    problem: str | None = None
    events: list[Event] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether all came out as stated."""
        return self.problem is None and not self.differences


class _Refused(Exception):
    """A step that is not possible now; the sentence says what is."""


def run_scenario(scenario: Scenario) -> Result:
    """Play a scenario and judge it; never raises for what a scenario does."""
    result = Result(scenario)
    playthrough = _Playthrough(scenario)
    try:
        playthrough.begin()
        for index in range(len(scenario.play)):
            result.differences += playthrough.play(index)
        playthrough.end()
        result.differences += judge(scenario.expect, playthrough.game, "at the end")
    except _Refused as problem:
        result.problem = str(problem)
    result.events = list(playthrough.events)
    return result


class _Playthrough:
    """A scenario being played."""

    game: Game  # from `begin` on

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.steps = scenario.play
        self.notation = notation_for(scenario.ruleset, scenario.players)
        self.rng = seeded(SEED)
        self.draws: deque[tuple[int, str]] = deque()  # cards to be drawn next, with the step that says so
        self.events: Sequence[Event] = []  # all that happened
        self.recent: list[Event] = []  # what the last decision caused
        self.happened: list[str] = []  # forced decisions among it that no step has named yet

    # ------------------------------------------------------------------- the course

    def begin(self) -> None:
        """Set up the position; the market is dealt by leading ``draw:`` steps as far as they go."""
        ruleset, position = self.scenario.ruleset, self.scenario.position
        for index in range(self._leading_draws()):
            self._write_down_draws(index)
        state = set_up(ruleset, position)
        deal(ruleset, position, state, self._next_card)
        self.game = Game.from_state(ruleset, self.scenario.players, state, seed=SEED, chance="manual")
        self.events = self.game.events

    def play(self, index: int) -> list[Difference]:
        """Play one step; a check in the middle may find differences."""
        step = self.steps[index]
        if not self._draws_are_written_from(index):
            self._finish_draws()
        if isinstance(step, Check):
            return judge(step.expect, self.game, f"at step {index + 1}")
        if isinstance(step, Refusal):
            return self._try(step, index)
        if isinstance(step, Draw):
            if index >= self._leading_draws():
                self._write_down_draws(index)
        else:
            self._do(step, index)
        while self.draws and self._draw_is_due:
            self._draw_one()
        return []

    def end(self) -> None:
        """What nobody decides happens; a draw that is left over was never due."""
        self._finish_draws()
        if self.draws:
            number, thing = self.draws[0]
            raise _Refused(
                f"step {number}: the draw of {thing} is left over; no draw was due for it, so leave it out."
            )

    # ------------------------------------------------------------------------ draws

    @property
    def _draw_is_due(self) -> bool:
        return bool(self.game.state.phase == c.DRAW)

    def _leading_draws(self) -> int:
        """How many ``draw:`` steps open the play."""
        return next((n for n, step in enumerate(self.steps) if not isinstance(step, Draw)), len(self.steps))

    def _write_down_draws(self, index: int) -> None:
        step = self.steps[index]
        assert isinstance(step, Draw)
        self.draws.extend((index + 1, thing) for thing in step.things)

    def _draws_are_written_from(self, index: int) -> bool:
        """Whether a step about draws is next, apart from checks: then draws that are due wait for it."""
        for step in self.steps[index:]:
            tried = step.step if isinstance(step, Refusal) else step
            if isinstance(tried, Draw):
                return True
            if not isinstance(step, Check | Refusal):
                return False
        return False

    def _finish_draws(self) -> None:
        while self._draw_is_due:
            self._draw_one()

    def _draw_one(self) -> None:
        number = self._next_card(self.game.tables, self.game.state)
        self._let_happen(f"draw {self.notation.thing(number)}")

    def _next_card(self, t: Any, s: Any) -> int:
        """The next card for the market: as written, else at random."""
        if not self.draws:
            return draw_outcome(t, s, self.rng)
        number, thing = self.draws.popleft()
        return self._drawable(t, s, thing, number)

    def _drawable(self, t: Any, s: Any, thing: str, number: int) -> int:
        """The card with this name, if it can be drawn now."""
        row = row_to_refill(t, s) if s.phase == c.DRAW else c.NOTHING
        things = self.notation.things.items()
        possible = {name: n for n, name in things if row >= 0 and t.row_of[n] == row and s.deck[n] > 0}
        if thing not in possible:
            raise _Refused(refusal_of_draw(number, thing, list(possible)))
        return possible[thing]

    def _let_happen(self, outcome: str) -> None:
        events = self.game.play(outcome)
        self.recent += events
        self.happened += [event.action for event in events if isinstance(event, Forced)]

    # ------------------------------------------------------------------------ steps

    def _do(self, step: Step, index: int) -> None:
        done = False
        if isinstance(step, Throw):
            done = self._throw(step)
        elif isinstance(step, TunaThrow):
            done = self._play_if_possible(f"tuna {' '.join(map(str, step.dice))}")
        elif isinstance(step, Decision):
            done = self._decide(step)
        elif isinstance(step, Take):
            done = self._take(step)
        if not done:
            raise _Refused(refusal_of_step(index + 1, step, self.game))

    def _throw(self, step: Throw) -> bool:
        if not self._play_if_possible(f"{step.word} {len(step.dice)}"):
            return False
        self._let_happen(f"dice {' '.join(map(str, step.dice))}")
        return True

    def _decide(self, step: Decision) -> bool:
        """Take the decision if it is due, or find that it has happened by itself."""
        if any(self._play_if_possible(move) for move in step.moves):
            return True
        return any(self._has_happened(move) for move in step.moves)

    def _take(self, step: Take) -> bool:
        """Choose the player and take the card; either may have happened by itself."""
        state = self.game.state
        if state.phase == c.PLAYER and self.game.tables.effect[state.acting] == c.SWAP:
            self._play_if_possible(f"player {step.player}")
        if state.phase == c.TAKE and state.partner != step.player:
            return False
        if any(self._play_if_possible(move) for move in step.moves):
            return True
        taken = any(
            isinstance(event, HandedOver) and (event.giver, event.card) == (step.player, step.card)
            for event in self.recent
        )
        return taken and any(self._has_happened(move) for move in step.moves)

    def _play_if_possible(self, move: str) -> bool:
        game = self.game
        possible = {str(one) for one in game.legal_actions()}
        if game.state.phase == c.TUNA:
            possible |= {str(outcome) for outcome, _ in game.chance_outcomes()}
        if move not in possible:
            return False
        self.recent, self.happened = [], []
        self._let_happen(move)
        return True

    def _has_happened(self, move: str) -> bool:
        """Whether a forced decision said the same; it and those before it are then told."""
        if move not in self.happened:
            return False
        del self.happened[: self.happened.index(move) + 1]
        return True

    # ---------------------------------------------------------------------- illegal

    def _try(self, refusal: Refusal, index: int) -> list[Difference]:
        """A step that must be refused is tried, and taken back if it was not."""
        moves, before = len(self.game.moves), (self.recent, self.happened)
        self.recent, self.happened = [], []  # what happened by itself is not possible *now*
        try:
            if isinstance(refusal.step, Draw):
                for thing in refusal.step.things:
                    self._drawable(self.game.tables, self.game.state, thing, index + 1)
                    self._let_happen(f"draw {thing}")
            else:
                self._do(refusal.step, index)
        except _Refused:
            differences = []
        else:
            differences = [Difference(f"at step {index + 1}", refusal.text, "refused", "possible")]
        while len(self.game.moves) > moves:
            self.game.undo()
        self.recent, self.happened = before
        return differences
