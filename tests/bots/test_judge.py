"""The judge: chances that add up, prefer who is ahead, and were really learned."""

from pathlib import Path

import numpy as np
import pytest
from tests.bots.positions import position

from dicetown import Game, Ruleset
from dicetown.bots.learning.fit import Learner
from dicetown.bots.learning.judge import NET, judge
from dicetown.bots.learning.lessons import N_INPUTS, Lessons, gather, inputs_of
from dicetown.bots.learning.nets import net_for, write_net
from dicetown.bots.learning.school import SCHOOLS, teach
from dicetown.bots.rules.scripts import GAMES, game_of
from dicetown.errors import BotError
from dicetown.game.notation import numbers_of
from dicetown.material import load
from dicetown.rules.kernel import compiled

BASE = Ruleset("deluxe", sets=["base"])


def chances(game: Game) -> list[float]:
    found = np.zeros(game.players)
    net = net_for(game.ruleset)
    compiled(judge)(game.tables.array[0], game.state.array[0], net.array[0], found)
    return [float(one) for one in found]


@pytest.mark.parametrize("edition", load().editions)
@pytest.mark.parametrize("players", [2, 4])
def test_chances_add_up_and_the_first_to_roll_is_not_behind(edition: str, players: int) -> None:
    found = chances(Game(Ruleset(edition), players=players, seed=1))
    assert sum(found) == pytest.approx(1)
    assert max(found) < 0.75
    assert min(found) > 0.05


def test_it_is_the_same_interpreted() -> None:
    game = Game(BASE, players=3, seed=4)
    found = np.zeros(3)
    judge(game.tables, game.state, net_for(BASE), found)
    assert found.tolist() == pytest.approx(chances(game), rel=1e-4)


def test_more_landmarks_coins_and_cards_are_better() -> None:
    plain = {"coins": 5, "cards": {"wheat_field": 2, "bakery": 2}}
    even = chances(position(BASE, [plain, plain]))
    for better in (
        {**plain, "coins": 25},
        {**plain, "cards": {"wheat_field": 3, "bakery": 4, "convenience_store": 3}},
        {**plain, "landmarks": ["train_station", "shopping_mall"]},
    ):
        assert chances(position(BASE, [better, plain]))[0] > even[0] + 0.05
        assert chances(position(BASE, [plain, better]))[1] > even[1] + 0.05


def test_a_game_that_is_over_is_no_question() -> None:
    marks = ["train_station", "shopping_mall", "amusement_park"]
    game = position(BASE, [{"coins": 30, "landmarks": marks, "cards": {"ranch": 1}}, {"cards": {"ranch": 1}}])
    for move in ("roll 1", "dice 6", "build radio_tower"):
        game.play(move)
    assert game.over
    assert chances(game) == [1.0, 0.0]


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_game_was_learned_with_all_its_things(game: str) -> None:
    edition, sets = SCHOOLS[game]
    ruleset = Ruleset(edition, sets=sets)
    assert game_of(ruleset) == game
    net = net_for(ruleset)
    for number in numbers_of(ruleset).values():
        assert net.own[number].any()


def test_what_was_learned_is_kept_and_read_by_name(tmp_path: Path) -> None:
    net = net_for(BASE)
    write_net(net, numbers_of(BASE), tmp_path / "base.npz")
    with np.load(tmp_path / "base.npz") as kept:
        assert list(kept["things"]) == list(numbers_of(BASE))
        assert kept["own"][0] == pytest.approx(net.own[0])


def test_lessons_follow_from_their_seed() -> None:
    one, two, other = (gather(BASE, 3, ["greedy", "cheese"], 480, seed) for seed in (1, 1, 2))
    assert one.inputs.shape == (480, 3, N_INPUTS)
    assert (one.inputs == two.inputs).all()
    assert (one.winner == two.winner).all()
    assert not (one.inputs == other.inputs).all()
    assert set(one.winner.tolist()) <= {0, 1, 2}


def test_a_network_looks_at_what_the_judge_looks_at() -> None:
    game = Game(BASE, players=4, seed=2)
    for _ in range(40):
        game.play(game.legal_actions()[-1])
    learner = Learner(seed=3)
    inputs = inputs_of(BASE, 4, game.state.array)
    _, _, found = learner._judge(inputs)
    told = np.zeros(4)
    net = learner.net()
    compiled(judge)(game.tables.array[0], game.state.array[0], net.array[0], told)
    assert net.array.dtype == NET
    assert found[0].tolist() == pytest.approx(told.tolist(), rel=1e-3)


def test_a_learner_finds_out_what_decides() -> None:
    draw = np.random.default_rng(1)
    inputs = np.zeros((6000, 2, N_INPUTS), np.float32)
    inputs[:, :, :3] = draw.integers(0, 4, (6000, 2, 3))
    winner = (inputs[:, 1, 0] > inputs[:, 0, 0]).astype(np.int64)
    learner = Learner(seed=1)
    before = learner.loss(Lessons(inputs, winner))
    learner.fit([Lessons(inputs, winner)], epochs=150)
    assert learner.loss(Lessons(inputs, winner)) < before / 2


def test_even_a_short_schooling_beats_guessing_and_is_repeatable() -> None:
    one, two = (teach("base", 24_000, seed=5) for _ in range(2))
    assert (one.net.own == two.net.own).all()
    assert all(one.surprise[players] < one.guessing[players] for players in (2, 3, 4, 5))


def test_an_unknown_kind_of_game_is_refused() -> None:
    with pytest.raises(BotError, match='no kind of game "chess"; known: base'):
        teach("chess", 1000)
