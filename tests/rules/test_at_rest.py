"""States that play comes to: all of them can be, and none keeps what a roll or a turn has left behind.

Else two equal positions would differ by how they came about, and a position could be saved that is refused
when it comes back.
"""

from random import Random
from typing import Any

from dicetown import Game, Ruleset
from dicetown.rules import codes as c
from dicetown.rules.layout import copy
from dicetown.rules.market import count_rows
from dicetown.rules.sanity import find_flaw
from dicetown.testing import random_move

#: Where much happens: purses that can buy anything, and cards that ask something.
RICH: dict[str, Any] = {"start_coins": 60, "market": "stacks"}
ASKING = [
    *(
        "demolition_company",
        "moving_company",
        "business_center",
        "tv_station",
        "tax_office",
        "bakery",
        "cafe",
    ),
    *("renovation_company", "tech_startup", "convention_center", "tuna_boat", "winery", "vineyard"),
    *("loan_office", "mackerel_boat", "general_store"),
]
GAMES: dict[str, tuple[Ruleset, int]] = {
    "deluxe": (Ruleset("deluxe"), 3),
    "deluxe, rich": (Ruleset("deluxe", house={**RICH, "cards": ASKING}), 3),
    "grossstadt": (Ruleset("grossstadt", house={"start_coins": 30}), 2),
    "neue_stadt": (Ruleset("neue_stadt", house={"start_coins": 30, "landmarks_to_win": 12}), 4),
}
SEEDS, STEPS = (3, 4), 250

#: What is 0 before anything is rolled; and what only the resolution of a roll uses.
OF_A_TURN = ("dice", "die", "other_die", "total", "rerolled", "extra_earned", "received", "built_now")
OF_A_ROLL = ("left", "hosting", "done", "given", "given_closed", "partner")


def look_at(game: Game) -> None:
    """Nothing may be left behind."""
    s: Any = game.state
    assert find_flaw(game.tables, s) is None
    if s.phase in (c.ROLL, c.BUILD, c.INVEST, c.DRAW):
        assert {name: getattr(s, name) for name in OF_A_ROLL} == dict.fromkeys(OF_A_ROLL, 0)
        assert (s.acting, s.host, s.due.any()) == (c.NOTHING, c.NOTHING, False)
    if s.phase == c.ROLL:
        assert {name: getattr(s, name) for name in OF_A_TURN} == dict.fromkeys(OF_A_TURN, 0)
    if s.phase == c.BUILD:
        assert (s.received, s.built_now) == (0, 0)
    if s.phase != c.DRAW:
        assert s.refill == 0
    if s.phase > c.LAST_DECISION:
        assert not game.legal_mask().any()  # while chance or nobody is to act
    look_at_rows(game)


def look_at_rows(game: Game) -> None:
    """What is kept about rows with every move is what one counts, however often."""
    counted = copy(game.state)
    for _ in range(2):
        count_rows(game.tables, counted)
        assert counted.row_types.tolist() == game.state.row_types.tolist()
        assert counted.row_deck.tolist() == game.state.row_deck.tolist()


def walk(name: str, seed: int) -> set[int]:
    """Play at random and look at every state; returns the phases that came."""
    ruleset, players = GAMES[name]
    game, rng = Game(ruleset, players=players, seed=seed, chance="manual"), Random(seed)
    met = set()
    for _ in range(STEPS):
        look_at(game)
        met.add(int(game.state.phase))
        if game.over:
            break
        game.play(random_move(game, rng))
    return met


def test_play_leaves_nothing_behind_whatever_is_asked() -> None:
    met = set[int]().union(*(walk(name, seed) for name in GAMES for seed in SEEDS))
    assert met >= set(range(c.ROLL, c.DRAW + 1))
