"""What agents see is all there is: a position can be rebuilt from it, and goes on as the real one does."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, note
from numpy.typing import NDArray
from tests.envs.rebuilding import Sheet, rebuild
from tests.envs.tables import HOUSES, every_table, walk
from tests.properties.effort import examples

from dicetown import Ruleset
from dicetown.bots import minds_for
from dicetown.bots.mind import MIND
from dicetown.envs import spaces
from dicetown.envs.core.batch import PATIENCE, frame_of, opening_of
from dicetown.envs.core.one_game import OneGame
from dicetown.envs.core.steps import (
    EVERYBODY,
    GOES_ON,
    Outcome,
    Shown,
    act_in_slot,
    begin_slot,
    go_on,
)
from dicetown.errors import EnvError
from dicetown.game import Game
from dicetown.rules.choices import find_choices
from dicetown.rules.kernel import compiled
from dicetown.rules.layout import CHOICES, LOG, STATE, copy, new, record_class
from dicetown.rules.rng import RNG
from dicetown.rules.step import take
from dicetown.sight.spec import Spec, spec_for
from dicetown.sight.write import mark_legal, meant_by, see
from dicetown.testing import Setup, differing_fields, seeds, setups

# ---------------------------------------------------------------------------- facts


@pytest.mark.parametrize(("ruleset", "players"), every_table())
def test_every_legal_action_has_a_number_and_every_fact_a_place(ruleset: Ruleset, players: int) -> None:
    spec = spec_for(ruleset, players)
    space = spaces.observations(spec)
    for step, game in enumerate(walk(ruleset, players)):
        seen = game.seen_by(game.seat)
        assert space.contains(seen)
        if step % 12 == 0:
            table = game.as_game()
            check_facts(table, Sheet(spec, seen), game.seat)
            assert legal_names(game) == sorted(str(action) for action in table.legal_actions())


def legal_names(game: OneGame) -> list[str]:
    """The legal actions of a mask, in the game's own notation."""
    names = [game.spec.action_names[number] for number in np.flatnonzero(game.mask)]
    players, seat = game.spec.players, game.seat
    seats = {f"player +{k}": f"player {(seat + k) % players}" for k in range(1, players)}
    return sorted(seats.get(name, name) for name in names)


def check_facts(game: Game, sheet: Sheet, me: int) -> None:
    cards = [card.id for card in game.ruleset.cards]
    marks = [mark.id for mark in game.ruleset.landmarks]
    for k in range(game.players):
        who, seat = ("me" if k == 0 else f"player+{k}"), (me + k) % game.players
        assert sheet.one(f"{who}.coins") == game.coins(seat)
        assert sheet.one(f"{who}.invested_coins") == game.invested(seat)
        assert named(cards, sheet.many(f"{who}.owned")) == game.cards(seat)
        assert named(cards, sheet.many(f"{who}.closed")) == game.closed(seat)
        assert list(named(marks, sheet.many(f"{who}.built"))) == game.landmarks(seat)
    lying = dict.fromkeys(game.landmark_market, 1)
    assert named(cards + marks, sheet.many("market")) == game.market | lying
    assert named(cards + marks, sheet.many("deck")) == game.deck
    assert sheet.which("turn") == (game.turn - me) % game.players
    assert sheet.which("phase") == game.state.phase
    if game.phase == "roll":
        assert sheet.one("dice") == sheet.one("total") == 0
    elif not game.state.start_left:
        assert sheet.one("dice") == 1 + (sheet.one("other_die") > 0) == game.state.dice
        assert sheet.one("die") == game.state.die


def named(names: list[str], counts: list[int]) -> dict[str, int]:
    return {name: count for name, count in zip(names, counts, strict=False) if count}


def test_everybody_sees_the_same_table_from_another_seat() -> None:
    for game in walk(Ruleset("deluxe", house={"market": "stacks"}), 5, choices=300):
        positions = [rebuild(game.spec, game.seen_by(seat), seat) for seat in range(5)]
        for other in positions[1:]:
            assert differing_fields(positions[0], other) == []


# ---------------------------------------------------------------------------- nothing is hidden


@pytest.mark.parametrize("house", HOUSES.values(), ids=HOUSES)
@pytest.mark.parametrize("edition", ["ciudad", "deluxe", "grossstadt", "neue_stadt"])
def test_a_position_rebuilt_from_what_is_seen_goes_on_as_the_real_one(
    edition: str, house: dict[str, Any]
) -> None:
    for players in (2, 4):
        check_nothing_is_hidden(Ruleset(edition, house=house), players, seed=5, choices=150)


@examples(40)
@given(setups(), seeds())
def test_nothing_is_hidden_under_any_house_rules(setup: Setup, seed: int) -> None:
    note(f"{setup}, seed {seed}")
    check_nothing_is_hidden(setup.ruleset, setup.players, seed, choices=60)


def test_nothing_is_hidden_where_the_airport_pays_after_investing() -> None:
    house = {"airport_before_invest": False, "start_coins": 60, "landmarks": ["airport", "radio_tower"]}
    check_nothing_is_hidden(Ruleset("deluxe", house=house), 3, seed=3, choices=600)


def check_nothing_is_hidden(ruleset: Ruleset, players: int, seed: int, choices: int) -> None:
    try:
        for game in walk(ruleset, players, seed, choices):
            _check_that_it_goes_on_alike(game)
    except EnvError as short:
        assume("before its agent had a choice" not in str(short))
        raise


def _check_that_it_goes_on_alike(game: OneGame) -> None:
    """The last legal action is taken in both, with the same dice; then everybody must see the same."""
    spec, me = game.spec, game.seat
    real, copied = copy(game.state), rebuild(spec, game.seen_by(me), me, game.state.turns)
    legal = []
    for state in (real, copied):
        choices = new(CHOICES)
        compiled(find_choices)(spec.tables.array[0], state.array[0], choices.array[0])
        legal.append(sorted(choices.action[: choices.count].tolist()))
    assert legal[0] == legal[1]
    assert int(game.mask.sum()) == len(legal[0])
    after = []
    for state in (real, copied):
        _play_on(spec, state, legal[0][-1], copy(game._rng))
        after.append([_sheet(spec, state, seat) for seat in range(spec.players)])
    assert (real.phase, real.turn, real.winner) == (copied.phase, copied.turn, copied.winner)
    assert np.array_equal(after[0], after[1])


def _play_on(spec: Spec, state: Any, action: int, rng: Any) -> None:
    frame, minds = frame_of(spec, EVERYBODY, PATIENCE)[0], np.zeros(spec.players, MIND)
    compiled(take)(frame["tables"], state.array[0], frame["log"], action)
    choices = new(CHOICES).array[0]
    compiled(go_on)(frame, minds, state.array[0], choices, rng.array[0], EVERYBODY)


def _sheet(spec: Spec, state: Any, seat: int) -> NDArray[np.int16]:
    sheet = np.zeros(spec.size, np.int16)
    compiled(see)(spec.tables.array[0], spec.sight.array[0], state.array[0], seat, sheet, 0)
    return sheet


# ---------------------------------------------------------------------------- two ways to run


class Side:
    """A slot with a game, stepped interpreted or compiled."""

    def __init__(self, spec: Spec, opponents: list[str]) -> None:
        self.spec = spec
        self.state, self.choices, self.rng = (new(kind) for kind in (STATE, CHOICES, RNG))
        self.state.array[:] = opening_of(spec)
        self.minds = minds_for(["random", *opponents], spec.ruleset)
        self.sheet, self.mask = np.zeros(spec.size, np.int16), np.zeros(spec.actions, np.int8)
        self.seat, self.end = np.zeros(1, np.int8), np.zeros(1, np.int8)
        self.payoffs = np.zeros(spec.players, np.float32)
        self.finals, self.dice = np.zeros(spec.size, np.int16), np.zeros(1, np.int8)

    def interpreted(self, kernel: Any, learner: int, *numbers: int) -> None:
        minds = [record_class(MIND)(self.minds[k : k + 1]) for k in range(len(self.minds))]
        fixed = {"learner": learner, "give_up": PATIENCE, "seed_low": 11, "seed_high": 0}
        frame = SimpleNamespace(tables=self.spec.tables, sight=self.spec.sight, log=new(LOG), **fixed)
        records = self.state, self.choices, self.rng
        kernel(frame, minds, *records, 0, 5, *numbers, *self._written(kernel))

    def compiled(self, kernel: Any, learner: int, *numbers: int) -> None:
        frame = frame_of(self.spec, learner, PATIENCE)
        frame["seed_low"] = 11
        records = (record.array[0] for record in (self.state, self.choices, self.rng))
        compiled(kernel)(frame[0], self.minds, *records, 0, 5, *numbers, *self._written(kernel))

    def _written(self, kernel: Any) -> tuple[Any, ...]:
        shown = Shown(self.sheet, self.spec.size, self.mask, self.spec.actions, self.seat)
        outcome = Outcome(self.end, self.payoffs, self.spec.players, self.finals, self.dice)
        return (shown,) if kernel is begin_slot else (shown, outcome)


@pytest.mark.parametrize("learner", [EVERYBODY, 1])
@pytest.mark.parametrize(("edition", "players"), [("deluxe", 3), ("neue_stadt", 2), ("grossstadt", 2)])
def test_a_step_is_the_same_interpreted_and_compiled(edition: str, players: int, learner: int) -> None:
    spec = spec_for(Ruleset(edition, house={"max_turns": 40}), players)
    slow, fast = (Side(spec, ["greedy"] * (players - 1)) for _ in range(2))
    slow.interpreted(begin_slot, learner)
    fast.compiled(begin_slot, learner)
    for step in range(40):
        for name in ("sheet", "mask", "seat", "end", "payoffs", "finals", "dice"):
            assert np.array_equal(getattr(slow, name), getattr(fast, name)), (name, step)
        assert differing_fields(slow.state, fast.state) == []
        if slow.end[0] != GOES_ON:
            break
        legal = np.flatnonzero(slow.mask)
        action = int(legal[step % len(legal)])
        slow.interpreted(act_in_slot, learner, action)
        fast.compiled(act_in_slot, learner, action)


def test_masks_and_meanings_are_the_same_interpreted_and_compiled() -> None:
    for game in walk(Ruleset("deluxe"), 4, choices=40):
        spec, seat = game.spec, game.seat
        choices = new(CHOICES)
        find_choices(spec.tables, game.state, choices)
        mask = np.zeros(spec.actions, np.int8)
        mark_legal(spec.tables, spec.sight, seat, choices, mask, 0)
        assert np.array_equal(mask, game.mask)
        meant = [meant_by(spec.tables, spec.sight, seat, int(number)) for number in np.flatnonzero(mask)]
        assert sorted(meant) == sorted(choices.action[: choices.count].tolist())
