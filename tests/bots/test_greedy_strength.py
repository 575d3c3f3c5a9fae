"""The greedy bot must be worth playing against: it leaves random players no chance."""

import pytest

from dicetown import Ruleset
from dicetown.arena import simulate

GAMES = 400


@pytest.mark.parametrize(
    ("edition", "sets", "players", "least"),
    [
        ("deluxe", ["base"], 2, 0.97),
        ("deluxe", ["base"], 4, 0.95),
        ("deluxe", None, 4, 0.95),
        ("ciudad", None, 5, 0.95),
        ("grossstadt", None, 4, 0.95),
        ("neue_stadt", None, 2, 0.90),
        ("neue_stadt", None, 4, 0.88),
    ],
)
@pytest.mark.parametrize("seat", ["first", "last"])
def test_greedy_beats_a_table_of_random_players(
    edition: str, sets: list[str] | None, players: int, least: float, seat: str
) -> None:
    bots = ["random"] * players
    place = 0 if seat == "first" else players - 1
    bots[place] = "greedy"
    played = simulate(Ruleset(edition, sets=sets), players, bots, GAMES, seed=17, threads=1)
    assert played.shares[place] > least
