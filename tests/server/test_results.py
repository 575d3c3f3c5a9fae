"""After a game: figures, moments and a review, for games of every edition."""

import pickle
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.review.made_up import made_up_review
from tests.server.looking import NAMES, check_text

from dicetown import Game, Ruleset
from dicetown.errors import IllegalAction
from dicetown.game.events import Built, DiceRolled, Paid
from dicetown.game.history import as_it_stood, stages
from dicetown.languages import LANGUAGES
from dicetown.rules.chance import waits_for_chance
from dicetown.server import wire
from dicetown.server.view.results import dice_of, moment_of, result_of, review_of
from dicetown.server.view.scene import scene_of
from dicetown.server.workers import thinkers
from dicetown.server.workers.processes import tell_progress
from dicetown.testing import random_move

EDITIONS = ("ciudad", "deluxe", "grossstadt", "neue_stadt")
PROMISE = wire.Fairness(commitment="ab" * 32, secret="cd" * 32, words=["", "", ""])


def played(ruleset: Ruleset, players: int = 3, seed: int = 1, most: int = 10_000) -> Game:
    game, rng = Game(ruleset, names=NAMES[:players], seed=seed, chance="manual"), Random(seed)
    while not game.over and len(game.moves) < most:
        game.play(random_move(game, rng))
    return game


GAMES = {edition: played(Ruleset(edition, house={"max_turns": 200})) for edition in EDITIONS}
DRAWN = played(Ruleset("deluxe", sets=["base"], house={"max_turns": 20}))


# ---------------------------------------------------------------------------- looking back


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_moment_is_the_one_the_game_was_in(edition: str) -> None:
    """Against the game played again from its record, position by position."""
    game = GAMES[edition]
    for then, _ in Game.retrace(game.save()):
        moves = len(then.moves)
        if moves % 7 and moves != len(game.moves):
            continue
        again = as_it_stood(game, moves)
        assert again.position() == then.position()
        assert (again.names, again.events, again.moves) == (game.names, then.events, then.moves)
        assert moment_of(game, moves, "en").scene == scene_of(then)


@pytest.mark.parametrize("edition", EDITIONS)
def test_stages_tell_every_event_once(edition: str) -> None:
    game = GAMES[edition]
    told = [event for stage in stages(game) for event in stage.events]
    assert told == game.events
    assert [stage.moves for stage in stages(game)] == list(range(len(game.moves) + 1))


@pytest.mark.parametrize("edition", EDITIONS)
def test_moments_of_decisions_together_tell_the_whole_game(edition: str) -> None:
    """Each moment in which somebody decides has the lines since the decision before it."""
    game = GAMES[edition]
    waits = [stage.moves for stage in stages(game) if not waits_for_chance(stage.state)]
    told = [event for moves in waits for event in moment_of(game, moves, "en").events]
    assert len(told) == len(game.events)
    for language in LANGUAGES:
        for moves in waits[:: max(1, len(waits) // 20)]:
            for line in moment_of(game, moves, language).lines:
                check_text(line.text)
                assert line.moves == moves


@pytest.mark.parametrize("moves", [-1, 100_000])
def test_a_moment_that_never_was_is_refused(moves: int) -> None:
    with pytest.raises(IllegalAction, match="There is no moment"):
        moment_of(GAMES["deluxe"], moves, "en")


def test_looking_back_leaves_the_game_as_it_is() -> None:
    game = GAMES["ciudad"]
    before = (game.position(), len(game.moves), len(game.events))
    then = as_it_stood(game, 30)
    then.state.coins[0] = 99
    then.moves.clear()
    then.events.cut(0)
    assert (game.position(), len(game.moves), len(game.events)) == before
    assert as_it_stood(game, 30).coins(0) != 99


def test_a_choice_taken_back_is_no_moment_any_more() -> None:
    game = played(Ruleset("deluxe", sets=["base"]), most=10)
    while game.phase != "build":
        game.play(random_move(game, Random(1)))
    moves = len(game.moves)
    game.play("pass")
    game.undo()
    game.play(game.legal_actions()[-1])
    assert moment_of(game, moves + 1, "en").scene == scene_of(game)


# ------------------------------------------------------------------------------- figures


@pytest.mark.parametrize("game", [*GAMES.values(), DRAWN], ids=[*GAMES, "drawn"])
def test_a_result_agrees_with_the_game(game: Game) -> None:
    result = result_of(game, 61.5, PROMISE)
    assert (result.winner, result.seconds, result.fairness) == (game.winner, 61.5, PROMISE)
    assert result.turns == sorted(set(result.turns))
    assert result.turns[-1] == len(game.moves)
    for series in (result.coins, result.landmarks, result.wealth):
        assert [len(one) for one in series] == [len(result.turns)] * game.players
    for player in result.players:
        seat = player.seat
        assert (player.name, player.coins) == (game.names[seat], game.coins(seat))
        assert player.landmarks == len(game.landmarks(seat)) == result.landmarks[seat][-1]
        assert result.coins[seat][-1] == game.coins(seat)
        assert result.wealth[seat][-1] >= game.coins(seat)
    assert sum(one.paid_to_others for one in result.players) == sum(
        one.taken_from_others for one in result.players
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_series_are_what_scenes_of_their_moments_show(edition: str) -> None:
    game = GAMES[edition]
    result = result_of(game, 0, PROMISE)
    for place in range(0, len(result.turns), 9):
        scene = scene_of(as_it_stood(game, result.turns[place]))
        for seat, city in enumerate(scene.cities):
            assert result.coins[seat][place] == city.coins
            assert result.landmarks[seat][place] == sum(mark.built for mark in city.landmarks)


@pytest.mark.parametrize("edition", EDITIONS)
def test_building_something_makes_nobody_richer_or_poorer(edition: str) -> None:
    """Wealth counts what was paid for: prices leave it as it is, whatever a landmark cost."""
    game = GAMES[edition]
    result = result_of(game, 0, PROMISE)
    turns = [stage.events for stage in stages(game)]
    for place in range(1, len(result.turns)):
        events = [
            one for events in turns[result.turns[place - 1] + 1 : result.turns[place] + 1] for one in events
        ]
        moved = [type(one).__name__ for one in events]
        if {"HandedOver", "Demolished", "Returned", "Invested"} & set(moved):
            continue
        for seat in range(game.players):
            paid = [one for one in events if isinstance(one, Paid) and one.cause != "price"]
            gain = sum(one.coins * ((one.receiver == seat) - (one.payer == seat)) for one in paid)
            assert result.wealth[seat][place] - result.wealth[seat][place - 1] == gain


@pytest.mark.parametrize("edition", EDITIONS)
def test_income_by_card_adds_up_to_all_coins_there_are(edition: str) -> None:
    """Start + income - paid to others' cards - prices - investments = coins in the end."""
    game = GAMES[edition]
    result = result_of(game, 0, PROMISE)
    for player in result.players:
        spent = sum(one.price for one in game.events if isinstance(one, Built) and one.seat == player.seat)
        helped = sum(
            one.coins
            for one in game.events
            if isinstance(one, Paid) and one.cause == "help" and one.receiver == player.seat
        )
        earned = sum(one.coins for one in player.income)
        if game.ruleset.city_hall is None:
            earned += helped
        start = game.ruleset.rules.start_coins
        assert start + earned - player.paid_to_others - spent - game.invested(player.seat) == player.coins
        coins = [one.coins for one in player.income]
        assert coins == sorted(coins, reverse=True)
        assert all(one.times > 0 for one in player.income)


def test_the_winner_is_first_then_landmarks_then_wealth_decide() -> None:
    for game in GAMES.values():
        players = result_of(game, 0, PROMISE).players
        assert [one.place for one in players] == sorted(one.place for one in players)
        if game.winner is not None:
            assert players[0].seat == game.winner
            assert [one.place for one in players].count(1) == 1
            rest = [one.landmarks for one in players[1:]]
            assert rest == sorted(rest, reverse=True)


def test_a_launch_pad_that_won_is_named_in_the_result() -> None:
    ruleset = Ruleset("neue_stadt", house={"start_rounds": 0, "start_coins": 99})
    game = Game(ruleset, names=["Ana", "Ben"], seed=1)
    game.state.market[game.notation.numbers["launch_pad"]] = 1
    game = Game.from_state(ruleset, 2, game.state, seed=1)
    game.play("roll 1")
    while not game.over:
        names = [str(action) for action in game.legal_actions()]
        game.play("build launch_pad" if "build launch_pad" in names else names[0])
    result = result_of(game, 0, PROMISE)
    assert (result.winner, result.won_with) == (0, "launch_pad")
    assert all(result_of(one, 0, PROMISE).won_with is None for one in (GAMES["deluxe"], DRAWN))


def test_players_who_have_the_same_share_a_place() -> None:
    game = Game(
        Ruleset("deluxe", sets=["base"], house={"max_turns": 2}), names=["Ana", "Ben"], chance="manual"
    )
    for move in ("roll 1", "dice 6", "pass", "roll 1", "dice 6", "pass"):
        game.play(move)
    assert game.over
    assert [one.place for one in result_of(game, 0, PROMISE).players] == [1, 1]


@pytest.mark.parametrize("edition", EDITIONS)
def test_dice_are_counted_against_what_as_many_dice_would_bring(edition: str) -> None:
    game = GAMES[edition]
    dice = result_of(game, 0, PROMISE).dice
    rolled = [event for event in game.events if isinstance(event, DiceRolled)]
    assert sum(one.fell for one in dice) == len(rolled)
    assert sum(one.expected for one in dice) == pytest.approx(len(rolled))
    assert [one.total for one in dice] == list(range(1, 13))


@given(st.integers(0, 50), st.integers(0, 50))
def test_ones_are_expected_of_single_dice_alone(ones: int, twos: int) -> None:
    dice = dice_of([DiceRolled(0, (3,))] * ones + [DiceRolled(0, (3, 3))] * twos)
    assert dice[0].expected == pytest.approx(ones / 6)
    assert dice[11].expected == pytest.approx(twos / 36)


# -------------------------------------------------------------------------------- review


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_review_is_told_in_words(edition: str, language: str) -> None:
    game = GAMES[edition]
    seen = made_up_review(game.save()).as_dict()
    review = review_of(game, pickle.loads(pickle.dumps(seen)), language)
    assert review.ready
    assert review.done == review.total == len(review.moments) == len(seen["moments"])
    assert [one.name for one in review.players] == game.names
    for moment, told in zip(review.moments, seen["moments"], strict=True):
        check_text(moment.text)
        assert 1 <= moment.moves <= len(game.moves)
        assert (moment.seat, moment.kind) == (told["seat"], told["kind"])
        assert (moment.better is not None) == bool(told.get("mistake"))
        assert (moment.loss > 0) == (moment.better is not None)
        if moment.better is not None:
            check_text(moment.better)
    assert len(review.turning_points) == 3
    swings = [
        max(abs(b - a) for a, b in zip(one.before, one.after, strict=True))
        for one in (review.moments[place] for place in review.turning_points)
    ]
    assert swings == sorted(swings, reverse=True)


@pytest.mark.parametrize("edition", EDITIONS)
def test_moments_of_a_review_lead_to_the_moment_after_them(edition: str) -> None:
    game = GAMES[edition]
    review = review_of(game, made_up_review(game.save()).as_dict(), "en")
    for moment in review.moments[:: max(1, len(review.moments) // 25)]:
        then = moment_of(game, moment.moves, "en")
        assert then.scene.moves == moment.moves
        assert moment.round == scene_of(as_it_stood(game, moment.moves - 1)).round


def test_a_review_by_a_worker_is_plain_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """What crosses the process border is pickled; the bot itself is tried elsewhere."""
    game = GAMES["ciudad"]

    def think(record: str, bot: str, progress: object) -> object:
        assert (record, bot, progress) == (game.save(), thinkers.REVIEWER, tell_progress)
        return made_up_review(record)

    monkeypatch.setattr(thinkers, "look_back", think)
    seen = thinkers.review(game.save())
    assert pickle.loads(pickle.dumps(thinkers.review)) is thinkers.review
    assert review_of(game, pickle.loads(pickle.dumps(seen)), "de").exact


def test_a_first_picture_is_not_the_exact_one_and_grades_are_words() -> None:
    game = GAMES["ciudad"]
    seen = thinkers.first_review(game.save())
    assert isinstance(seen, dict)
    for language, masterly in (("en", "masterly"), ("de", "meisterhaft"), ("es", "magistral")):
        told = review_of(game, seen | {"players": [seen["players"][0] | {"grade": "masterly"}]}, language)
        assert (told.ready, told.exact, told.players[0].grade) == (True, False, masterly)


def test_a_review_of_an_older_version_is_made_anew() -> None:
    seen = made_up_review(GAMES["ciudad"].save()).as_dict()
    for player in seen["players"]:
        del player["grade"]
    with pytest.raises(LookupError):  # which the service takes for a review that nobody can read
        review_of(GAMES["ciudad"], seen, "en")
