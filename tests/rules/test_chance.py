"""What chance may bring, with its weights; and that drawing brings nothing else."""

from collections import Counter

import pytest

from dicetown import Game, Ruleset
from dicetown.rules import codes as c
from dicetown.rules.chance import can_happen, draw_outcome, find_outcomes, waits_for_chance
from dicetown.rules.layout import OUTCOMES, new
from dicetown.rules.rng import seeded

TWO_DICE = {10 * die + other: 1 for die in range(1, 7) for other in range(1, 7)}


def outcomes(game: Game) -> dict[int, int]:
    """What may come next, and how much each weighs."""
    found = new(OUTCOMES)
    found.count = 5  # of what was found before, which is no matter
    find_outcomes(game.tables, game.state, found)
    listed = set(found.outcome[: found.count].tolist())
    every = range(c.MAX_THINGS)
    assert {one for one in every if can_happen(game.tables, game.state, one)} == listed
    pairs = zip(found.outcome[: found.count].tolist(), found.weight[: found.count].tolist(), strict=True)
    return dict(pairs)


def waiting(phase: int, dice: int) -> Game:
    game = Game(Ruleset("deluxe", sets=["base"]), players=2, chance="manual")
    game.state.phase, game.state.dice = phase, dice
    return game


@pytest.mark.parametrize(
    ("phase", "dice", "expected"),
    [
        (c.DICE, 1, dict.fromkeys(range(1, 7), 1)),
        (c.DICE, 2, TWO_DICE),
        (c.TUNA, 1, TWO_DICE),  # always two, whatever was rolled
        (c.TUNA, 2, TWO_DICE),
    ],
)
def test_dice_show_each_of_their_faces(phase: int, dice: int, expected: dict[int, int]) -> None:
    """R32 for the tuna roll."""
    game = waiting(phase, dice)
    assert waits_for_chance(game.state)
    assert outcomes(game) == expected
    rng = seeded(1)
    assert {draw_outcome(game.tables, game.state, rng) for _ in range(600)} == set(expected)


@pytest.mark.parametrize("phase", [c.ROLL, c.BUILD, c.OVER])
def test_where_chance_has_no_say_nothing_can_come(phase: int) -> None:
    game = waiting(phase, 1)
    assert not waits_for_chance(game.state)
    assert outcomes(game) == {}


def test_a_draw_brings_cards_of_its_row_each_copy_as_likely_as_any_other() -> None:
    """R43: low, high, purple cards and landmarks, each from a deck of their own."""
    game = Game(Ruleset("neue_stadt", house={"market": "rows552"}), players=2, chance="manual")
    t, s, rng = game.tables, game.state, seeded(1)
    rows = []
    while s.turn == c.NOBODY:
        possible = outcomes(game)
        row = int(t.row_of[next(iter(possible))])
        rows.append(row)
        things = [thing for thing in range(c.MAX_THINGS) if t.row_of[thing] == row and s.deck[thing]]
        assert possible == {thing: int(s.deck[thing]) for thing in things}
        drawn = Counter(draw_outcome(t, s, rng) for _ in range(20))
        assert set(drawn) <= set(possible)
        game.play(game.notation.outcome(s.phase, next(iter(drawn))))
    assert (rows, set(rows)) == (sorted(rows), {0, 1, 2, 3})


def test_the_last_copies_of_a_deck_are_drawn_by_their_number() -> None:
    game = Game(Ruleset("deluxe", sets=["base", "harbor"]), players=2, chance="manual")
    t, s, rng = game.tables, game.state, seeded(3)
    s.deck[:] = 0
    s.deck[3], s.deck[7] = 1, 3
    s.row_deck[0] = 4
    assert outcomes(game) == {3: 1, 7: 3}
    drawn = Counter(draw_outcome(t, s, rng) for _ in range(400))
    assert set(drawn) == {3, 7}
    assert 60 <= drawn[3] <= 140
