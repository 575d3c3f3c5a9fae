"""How games end, and that they do."""

from hypothesis import given
from tests.properties.walks import walk

from dicetown.game.events import ExtraTurnEarned, GameDrawn, TurnBegan, Won
from dicetown.material import model as m
from dicetown.rules import codes as c
from dicetown.testing import Setup, seeds, setups

LONG = 5000


@given(setups(), seeds())
def test_a_game_has_at_most_one_winner_and_ends_at_once(setup: Setup, seed: int) -> None:
    launch_pads = {mark.id for mark in setup.ruleset.landmarks if isinstance(mark.effect, m.Win)}
    for game, _, events in walk(setup, seed, LONG):
        complete = [
            seat
            for seat in range(game.players)
            if len(game.landmarks(seat)) >= setup.ruleset.landmarks_to_win
            or launch_pads & set(game.landmarks(seat))
        ]
        won = [event.seat for event in events if isinstance(event, Won)]
        assert won == complete == ([] if game.winner is None else [game.winner])
        if won:
            assert game.over
            assert events[-1] == Won(game.turn), "nothing happens after the winning build"
            assert game.legal_actions() == []


@given(setups(), seeds())
def test_every_random_game_ends_by_its_turn_limit(setup: Setup, seed: int) -> None:
    began = 0
    for game, _, events in walk(setup, seed, LONG):
        began += sum(isinstance(event, TurnBegan) for event in events)
        if game.over and game.winner is None:
            assert isinstance(events[-1], GameDrawn)
            assert game.turns == setup.ruleset.rules.max_turns
            assert began == game.turns + setup.ruleset.rules.start_rounds * setup.players
        assert game.turns <= setup.ruleset.rules.max_turns
    assert game.over


@given(setups(), seeds())
def test_turns_go_clockwise_but_for_extra_turns(setup: Setup, seed: int) -> None:
    before: int | None = None
    for _, _, events in walk(setup, seed):
        for event in events:
            if isinstance(event, TurnBegan):
                if before is None:
                    assert event == TurnBegan(0, extra=False)
                else:
                    assert event.seat == (before if event.extra else (before + 1) % setup.players)
                before = event.seat


@given(setups(), seeds())
def test_an_extra_turn_is_announced_before_it_comes(setup: Setup, seed: int) -> None:
    announced = 0
    for _, _, events in walk(setup, seed):
        for event in events:
            if isinstance(event, ExtraTurnEarned):
                announced += 1
            elif isinstance(event, TurnBegan) and event.extra:
                announced -= 1
                assert announced >= 0


@given(setups(), seeds())
def test_between_rolls_nothing_is_left_of_the_last_one(setup: Setup, seed: int) -> None:
    """So equal positions are equal, however they came about."""
    resolving = (c.ORDER, c.PLAYER, c.GIVE, c.TAKE, c.CARD, c.LANDMARK, c.TUNA)
    for game, _, _ in walk(setup, seed):
        s = game.state
        if s.phase not in resolving:
            assert (s.left, s.hosting, s.done, s.due.any()) == (0, 0, 0, False)
            assert (s.acting, s.host) == (c.NOTHING, c.NOTHING)
            assert (s.given, s.given_closed, s.partner) == (0, 0, 0)
        if s.phase in (c.ROLL, c.DICE) and not s.rerolled:
            assert (s.total, s.die, s.other_die, s.built_now, s.extra_earned) == (0, 0, 0, 0, 0)
        assert s.refill == 0 or s.phase in (c.DRAW, c.OVER)
