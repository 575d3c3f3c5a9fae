"""What a page is shown: everything on the table, what is asked and what may come, in three languages."""

import sys
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.bots.positions import after, position
from tests.server.looking import NAMES, changed, check_asked, check_scene, check_text

from dicetown import Game, Ruleset
from dicetown.errors import IllegalAction
from dicetown.game.questions import QUESTIONS
from dicetown.languages import LANGUAGES
from dicetown.server import wire
from dicetown.server.view.forecast import odds_of, worth_of
from dicetown.server.view.log_lines import lines_of, speaker_of
from dicetown.server.view.questions import asked_of, peek
from dicetown.server.view.scene import change_of, scene_of, trace_of
from dicetown.testing import games, play_randomly, random_move
from dicetown.words.refusals import why_not_build, why_not_build_these

EDITIONS = ("ciudad", "deluxe", "grossstadt", "neue_stadt")
EVERYTHING = Ruleset("deluxe")
BASE = Ruleset("deluxe", sets=["base"])
LANGUAGE_CHOICES = st.sampled_from(LANGUAGES)


def a_game(ruleset: Ruleset, players: int, seed: int) -> Game:
    return Game(ruleset, names=NAMES[:players], seed=seed, chance="manual")


def asked_in(game: Game, language: str = "en") -> wire.Asked:
    """What is asked, checked for all that must always hold."""
    asked = check_asked(game, language)
    assert asked is not None
    return asked


# ---------------------------------------------------------------------- what is different


@given(games(), st.integers(0, 2**32))
def test_a_moment_and_what_is_different_after_it_make_the_next_one(game: Game, seed: int) -> None:
    rng = Random(seed)
    for _ in range(12):
        scene, before = msgspec.to_builtins(scene_of(game)), trace_of(game)
        for _ in range(rng.choice([1, 1, 2, 3])):
            if not game.over:
                game.play(random_move(game, rng))
        change = change_of(game, before, trace_of(game))
        assert changed(scene, msgspec.to_builtins(change)) == msgspec.to_builtins(scene_of(game))
        if game.can_undo:
            scene, before = msgspec.to_builtins(scene_of(game)), trace_of(game)
            game.undo()
            change = change_of(game, before, trace_of(game))
            assert changed(scene, msgspec.to_builtins(change)) == msgspec.to_builtins(scene_of(game))
            game.play(random_move(game, rng))


@pytest.mark.parametrize("edition", ["deluxe", "neue_stadt"])
def test_prices_of_landmarks_are_told_again_only_when_somebody_has_built_one(edition: str) -> None:
    game, rng = a_game(Ruleset(edition), 2, seed=4), Random(4)
    told = 0
    while not game.over and len(game.moves) < 600:
        before = trace_of(game)
        game.play(random_move(game, rng))
        now = trace_of(game)
        change = change_of(game, before, now)
        skylines = [city.landmarks for city in change.cities if city is not None]
        if now.built == before.built:
            assert not any(skylines)
        else:
            told += any(skylines)
    assert told


@given(games(steps=60), LANGUAGE_CHOICES)
def test_why_things_cannot_be_built_is_the_same_for_one_and_for_all_of_them(
    game: Game, language: str
) -> None:
    speaker = speaker_of(game, language)
    things = list(game.notation.numbers)
    assert why_not_build_these(speaker, game, things) == {
        thing: why_not_build(speaker, game, thing) for thing in things
    }


# ----------------------------------------------------------------------- whole games


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 4])
def test_a_whole_game_can_be_shown_at_every_moment_in_three_languages(edition: str, players: int) -> None:
    game, rng = a_game(Ruleset(edition, house={"max_turns": 60}), players, seed=players), Random(players)
    told = 0
    while not game.over:
        scene = check_scene(game)
        asked = [check_asked(game, language) for language in LANGUAGES]
        assert len({(one.seat, one.control, one.because) for one in asked if one}) <= 1
        events = game.play(random_move(game, rng))
        for language in LANGUAGES:
            for line in lines_of(game, events, language, len(game.moves)):
                check_text(line.text)
                check_text(line.icon.replace("_", " "))
                assert line.moves == len(game.moves) == scene.moves + 1
                assert line.seat is None or 0 <= line.seat < players
                assert line.thing is None or line.thing in speaker_of(game, language).establishments | dict(
                    speaker_of(game, language).landmarks
                )
                told += 1
    assert check_scene(game).phase == "over"
    assert asked_of(game, "en") is None
    assert odds_of(game) == []
    assert told > 100


@given(games(), LANGUAGE_CHOICES)
def test_any_game_with_any_house_rules_can_be_shown(game: Game, language: str) -> None:
    check_scene(game)
    check_asked(game, language)
    for odds in odds_of(game):
        assert len(odds.gains) == game.players
        assert 0 <= odds.one_die <= 1
        assert 0 <= odds.two_dice <= 1


@given(games(steps=60), st.integers(0, 1000))
def test_peeking_shows_what_would_be_asked_and_changes_nothing(game: Game, pick: int) -> None:
    actions = game.legal_actions()
    if not actions:
        return
    before, seat = game.position(), game.to_move
    assert seat is not None
    action = actions[pick % len(actions)]
    shown = peek(game, [action.text], seat, "en")
    assert peek(game, [], seat, "en") == asked_of(game, "en")
    assert game.position() == before
    trial = Game.from_position(before, seed=1, chance="manual")
    trial.names = game.names
    trial.play(action)
    assert shown == (asked_of(trial, "en") if trial.to_move == seat else None)
    told = next(choice for choice in asked_of(game, "en").choices if choice.action == action.text)  # type: ignore[union-attr]
    assert told.more == _asks_on(game, trial)
    if told.more:
        assert shown is not None
        assert shown.because == asked_of(game, "en").because  # type: ignore[union-attr]
        assert trial.coins(seat) == game.coins(seat)
        assert trial.cards(seat) == game.cards(seat)


def _asks_on(game: Game, trial: Game) -> bool:
    """Whether the copy of a card that asked asks once more, in a game that has been played on."""
    steps = QUESTIONS.get(game.state.phase) in ("player", "give")
    asks = QUESTIONS.get(trial.state.phase) in ("player", "give", "take", "card", "landmark")
    copies = [(g.turns, g.turn, g.state.acting, g.state.left, g.state.hosting) for g in (game, trial)]
    return steps and asks and copies[0] == copies[1]


# --------------------------------------------------------------------------- controls


def test_every_control_is_reached_somewhere() -> None:
    """The tests below look at each; random games of all editions reach those that need no luck."""
    seen: set[str] = set()
    for edition in EDITIONS:
        for seed in range(3):
            game, rng = a_game(Ruleset(edition, house={"start_coins": 60}), 3, seed), Random(seed)
            for _ in range(400):
                if game.over:
                    break
                if (asked := asked_of(game, "en")) is not None:
                    seen.add(asked.control)
                game.play(random_move(game, rng))
    assert seen | {"order", "landmark"} == set(QUESTIONS.values())


def test_roll_offers_one_die_or_with_a_station_two() -> None:
    asked = asked_in(a_game(BASE, 2, 1))
    assert (asked.control, asked.question, asked.seat) == ("roll", "Roll the die.", 0)
    assert [(one.action, one.text) for one in asked.choices] == [("roll 1", "Roll one die")]
    with_station = position(BASE, [{"landmarks": ["train_station"]}, {}])
    asked = asked_in(with_station)
    assert asked.question == "Roll one die or two?"
    assert [one.action for one in asked.choices] == ["roll 1", "roll 2"]
    assert asked.because is None


def test_reroll_keeps_the_dice_in_sight_and_says_what_keeping_brings() -> None:
    game = position(BASE, [{"landmarks": ["radio_tower"], "cards": {"bakery": 2}}, {"coins": 3, "cards": {}}])
    asked = asked_in(after(game, "roll 1", "dice 3"), "en")
    assert (asked.control, asked.because) == ("reroll", "radio_tower")
    keep, again = asked.choices
    assert (keep.text, keep.gains, again.action, again.gains) == ("Keep the 3", [2, 0], "reroll 1", None)
    assert scene_of(game).dice == wire.DiceShown(seat=0, faces=[3], total=3)


def test_add_two_shows_both_outcomes() -> None:
    game = position(
        Ruleset("ciudad"),
        [
            {
                "landmarks": ["train_station", "harbor"],
                "cards": {"fruit_and_vegetable_market": 1, "apple_orchard": 1},
            },
            {"coins": 5, "cards": {"family_restaurant": 1, "tuna_boat": 0}},
        ],
    )
    after(game, "roll 2", "dice 4 6")
    asked = asked_in(game)
    assert (asked.control, asked.because) == ("add_two", "harbor")
    by_action = {one.action: one for one in asked.choices}
    assert by_action["add_two no"].gains == list(game.preview(10, (4, 6)).gains) != [0, 0]
    assert by_action["add_two yes"].gains == list(game.preview(12, (4, 6)).gains)
    assert by_action["add_two yes"].text == "Add 2: 12"
    after(game, "add_two yes")
    assert scene_of(game).dice == wire.DiceShown(seat=0, faces=[4, 6], total=12)


def test_order_asks_what_comes_first() -> None:
    game = position(
        EVERYTHING,
        [
            {
                "landmarks": ["train_station", "shopping_mall"],
                "cards": {"demolition_company": 1, "convenience_store": 1},
            },
            {"coins": 5},
        ],
        market={},
    )
    asked = asked_in(_until_control(game, "order"))
    assert (asked.control, asked.question, asked.because) == ("order", "What comes first?", None)
    assert [(one.thing, one.text, one.more) for one in asked.choices] == [
        ("convenience_store", "Convenience Store first", False),
        ("demolition_company", "Demolition Company first", False),
    ]


def _until_control(game: Game, control: str) -> Game:
    """The game one roll later, with the dice that lead to a control."""
    start = game.position()
    for roll in ("roll 1", "roll 2"):
        for first in range(1, 7):
            for second in range(1, 7) if roll == "roll 2" else (0,):
                trial = Game.from_state(game.ruleset, game.players, game.state, seed=1, chance="manual")
                trial.play(roll)
                trial.play(f"dice {first} {second}" if second else f"dice {first}")
                asked = asked_of(trial, "en")
                if asked is not None and asked.control == control:
                    return trial
    raise AssertionError(f"no roll leads to {control} from {start}")


def test_the_tv_station_shows_what_everybody_has() -> None:
    game = position(BASE, [{"cards": {"tv_station": 1}}, {"coins": 7}, {"coins": 2}])
    asked = asked_in(after(game, "roll 1", "dice 6"))
    assert (asked.control, asked.because) == ("player", "tv_station")
    assert [(one.seat, one.note, one.more) for one in asked.choices] == [
        (1, "has 7 coins", False),
        (2, "has 2 coins", False),
    ]


def test_a_trade_is_final_only_with_its_last_step() -> None:
    cards = {"cafe": 2, "mine": 1, "business_center": 1}
    game = position(
        BASE, [{"cards": cards}, {"cards": {"ranch": 1, "forest": 3}}, {"cards": {"mine": 1, "bakery": 1}}]
    )
    asked = asked_in(after(game, "roll 1", "dice 6"))
    assert (asked.control, asked.because) == ("give", "business_center")
    assert [(one.action, one.note, one.more) for one in asked.choices] == [
        ("give cafe", "×2", True),
        ("give mine", "", True),
    ]
    whom = peek(game, ["give cafe"], 0, "en")
    assert whom is not None
    assert (whom.control, [(one.seat, one.more) for one in whom.choices]) == (
        "player",
        [(1, True), (2, True)],
    )
    theirs = peek(game, ["give cafe", "player 1"], 0, "en")
    assert theirs is not None
    assert theirs.control == "take"
    assert [(one.thing, one.note, one.seat, one.more) for one in theirs.choices] == [
        ("ranch", "", 1, False),
        ("forest", "×3", 1, False),
    ]
    asked = asked_in(game)
    assert asked.control == "give", "peeking changes nothing"


def test_the_second_of_two_equal_cards_is_a_new_question() -> None:
    """What the first has done is final, though the same card asks again."""
    game = position(
        EVERYTHING,
        [{"coins": 3, "landmarks": ["train_station"], "cards": {"moving_company": 2, "cafe": 2}}, {}, {}],
    )
    after(game, "roll 2", "dice 4 5")
    give = asked_in(game)
    assert (give.control, give.because) == ("give", "moving_company")
    assert all(one.more for one in give.choices)
    whom = asked_in(after(game, "give cafe"))
    assert whom.control == "player"
    assert [one.more for one in whom.choices] == [False, False]
    again = asked_in(after(game, "player 1"))
    assert (again.control, again.because) == ("give", "moving_company")


def test_declining_a_trade_is_final() -> None:
    game = position(
        Ruleset("neue_stadt"),
        [{"cards": {"business_center": 1, "cafe": 1}}, {"cards": {"mine": 1}}, {"cards": {"mine": 1}}],
    )
    asked = asked_in(_until_control(game, "give"))
    more = {one.action: one.more for one in asked.choices}
    assert more["decline"] is False
    assert more["give cafe"] is True


def test_a_renovation_says_how_many_close_and_what_that_brings() -> None:
    game = position(
        EVERYTHING,
        [
            {"landmarks": ["train_station"], "cards": {"renovation_company": 1}},
            {"coins": 4, "cards": {"cafe": 2}},
            {"coins": 1, "cards": {"cafe": 1, "ranch": 1}},
        ],
    )
    asked = asked_in(_until_control(game, "card"))
    assert asked.because == "renovation_company"
    notes = {one.thing: one.note for one in asked.choices}
    assert notes["cafe"] == "×3, +3"
    assert notes["forest"] == "–"


def test_a_landmark_can_be_pulled_down() -> None:
    game = position(
        EVERYTHING,
        [{"landmarks": ["train_station", "harbor"], "cards": {"demolition_company": 1}}, {"coins": 3}],
    )
    asked = asked_in(_until_control(game, "landmark"))
    assert (asked.control, asked.because) == ("landmark", "demolition_company")
    assert {one.thing for one in asked.choices} == {"train_station", "harbor"}
    assert {one.note for one in asked.choices} == {"+8"}


def test_a_coin_may_be_put_on_the_startup() -> None:
    game = position(
        EVERYTHING, [{"coins": 3, "invested": 2, "cards": {"tech_startup": 1, "wheat_field": 1}}, {}]
    )
    asked = asked_in(after(game, "roll 1", "dice 1", "pass"))
    assert (asked.control, asked.because) == ("invest", "tech_startup")
    assert [one.action for one in asked.choices] == ["invest yes", "invest no"]
    assert scene_of(game).cities[0].invested == 2


def test_build_says_of_everything_why_it_is_not_possible() -> None:
    game = position(
        BASE,
        [{"coins": 4, "cards": {"stadium": 1, "wheat_field": 1}}, {}],
        market={"cafe": 3, "stadium": 2, "mine": 6, "bakery": 1},
    )
    asked = asked_in(after(game, "roll 1", "dice 1"))
    assert asked.control == "build"
    assert {one.thing: one.note for one in asked.choices}["cafe"] == "2 coins"
    assert asked.refusals["mine"] == "The Mine costs 6, you have 5."
    assert asked.refusals["forest"] == "The Forest is sold out."
    assert asked.refusals["shopping_mall"] == "The Shopping Mall costs 10, you have 5."
    offers = {offer.id: offer for offer in scene_of(game).market}
    assert (offers["forest"].copies, offers["mine"].missing[0]) == (0, 1)
    rich = position(BASE, [{"coins": 40, "cards": {"stadium": 1}}, {}], market={"stadium": 2})
    refused = asked_in(after(rich, "roll 1", "dice 1")).refusals
    assert refused["stadium"] == "You have as many of the Stadium as a player may have."


def test_start_rounds_are_for_building_and_have_no_odds() -> None:
    game = a_game(Ruleset("neue_stadt"), 3, 1)
    while game.waits_for_chance:
        game.play(random_move(game, Random(1)))
    asked = asked_in(game)
    assert (asked.control, asked.start_round) == ("build", True)
    assert "Start round 1 of 3" in asked.question
    assert odds_of(game) == []
    assert scene_of(game).dice is None
    marks = game.landmark_market
    assert all(asked.refusals[mark] == "Landmarks can't be built in the start rounds." for mark in marks)


def test_passing_says_when_the_airport_pays_for_it() -> None:
    game = position(
        Ruleset("ciudad"), [{"coins": 5, "landmarks": ["airport"], "cards": {"wheat_field": 1}}, {}]
    )
    asked = asked_in(after(game, "roll 1", "dice 1"), "es")
    assert "10 monedas" in next(one for one in asked.choices if one.action == "pass").note


def test_nothing_is_asked_while_dice_are_due() -> None:
    game = a_game(BASE, 2, 1)
    game.play("roll 1")
    assert asked_of(game, "en") is None


# ------------------------------------------------------------------------------ the scene


def test_shared_landmarks_lie_in_the_market_with_a_price_for_everybody() -> None:
    game = position(
        Ruleset("neue_stadt"),
        [{"coins": 10, "landmarks": ["charterhouse"]}, {"coins": 20}, {"landmarks": []}],
    )
    scene = check_scene(game)
    assert scene.shared_landmarks
    assert [mark.id for mark in scene.cities[0].landmarks] == ["charterhouse"]
    assert scene.cities[1].landmarks == []
    assert scene.cities[0].landmarks_needed == 3
    marks = [offer for offer in scene.market if offer.id in game.landmark_market]
    assert marks
    assert any(offer.prices[0] > offer.prices[1] for offer in marks), "the second landmark costs more"
    assert scene.market[-len(marks) :] == marks, "after the establishments"


def test_city_hall_stands_apart_and_is_never_counted() -> None:
    scene = check_scene(a_game(Ruleset("ciudad"), 2, 1))
    assert scene.cities[0].standing == ["city_hall"]
    assert "city_hall" not in {mark.id for mark in scene.cities[0].landmarks}
    assert check_scene(a_game(BASE, 2, 1)).cities[0].standing == []


def test_the_dice_lie_until_they_are_rolled_again() -> None:
    game = a_game(BASE, 2, 1)
    assert scene_of(game).dice is None
    after(game, "roll 1", "dice 2", "pass")
    assert game.to_move == 1
    assert scene_of(game).dice == wire.DiceShown(seat=0, faces=[2], total=2)
    after(game, "roll 1", "dice 5")
    assert scene_of(game).dice == wire.DiceShown(seat=1, faces=[5], total=5)


def test_an_extra_turn_makes_no_round_longer() -> None:
    game = a_game(Ruleset("deluxe", sets=["base"], house={"start_coins": 60}), 2, 1)
    after(game, "roll 1", "dice 6", "build amusement_park", "roll 1", "dice 6", "pass")
    after(game, "roll 1", "dice 6", "build train_station", "roll 1", "dice 6", "pass")
    assert (game.turns, scene_of(game).round) == (4, 3)
    after(game, "roll 2", "dice 6 6", "pass")
    assert (game.to_move, game.turns, scene_of(game).round) == (0, 5, 3)
    after(game, "roll 1", "dice 6", "pass")
    assert (game.to_move, game.turns, scene_of(game).round) == (1, 6, 3)


def test_closed_copies_are_shown() -> None:
    game = position(EVERYTHING, [{"cards": {"cafe": 3}, "closed": {"cafe": 2}}, {}])
    (cafe,) = scene_of(game).cities[0].cards
    assert (cafe.id, cafe.copies, cafe.closed) == ("cafe", 3, 2)


# ---------------------------------------------------------------------- what may come


def test_odds_are_those_of_the_dice_that_may_be_rolled() -> None:
    plain = odds_of(a_game(BASE, 2, 1))
    assert [one.total for one in plain] == [1, 2, 3, 4, 5, 6]
    assert sum(one.one_die for one in plain) == pytest.approx(1)
    assert all(one.two_dice == 0 for one in plain), "nobody may roll two"
    station = odds_of(position(BASE, [{"landmarks": ["train_station"]}, {}]))
    assert sum(one.two_dice for one in station) == pytest.approx(1)
    assert [one.total for one in station] == list(range(1, 13))
    harbor = odds_of(position(Ruleset("ciudad"), [{"landmarks": ["train_station", "harbor"]}, {}]))
    assert [one.total for one in harbor] == list(range(1, 15))


def test_odds_tell_what_a_total_brings_everybody_and_what_is_assumed() -> None:
    game = position(
        Ruleset("ciudad"),
        [
            {
                "coins": 3,
                "landmarks": ["train_station", "harbor"],
                "cards": {"tv_station": 1, "tuna_boat": 1},
            },
            {"coins": 9, "cards": {"cafe": 1}},
            {"coins": 2, "cards": {}},
        ],
    )
    odds = {one.total: one for one in odds_of(game)}
    assert odds[3].gains == [-1, 1, 0]
    assert (odds[6].gains, odds[6].choice) == ([5, -5, 0], True)
    assert (odds[12].gains, odds[12].average) == ([7, 0, 0], True)


def test_a_wheat_field_earns_a_coin_on_everybodys_one() -> None:
    game = a_game(BASE, 4, 1)
    worth = worth_of(game, 2, "wheat_field")
    assert worth.one_die == pytest.approx(4 / 6)
    assert worth.two_dice == 0


def test_a_ranch_earns_through_the_factory_that_counts_it() -> None:
    game = position(BASE, [{"cards": {"cheese_factory": 1}}, {}])
    worth = worth_of(game, 0, "ranch")
    assert worth.one_die == pytest.approx(2 / 6)
    assert worth.two_dice == pytest.approx(2 * 1 / 36 + 3 * 6 / 36)


def test_a_cafe_earns_only_what_the_others_have() -> None:
    rich = position(BASE, [{}, {"coins": 9}, {"coins": 9}])
    poor = position(BASE, [{}, {"coins": 0}, {"coins": 9}])
    assert worth_of(rich, 0, "cafe").one_die == pytest.approx(2 / 6)
    assert worth_of(poor, 0, "cafe").one_die == pytest.approx(1 / 6)


def test_a_landmark_earns_what_it_adds() -> None:
    game = position(BASE, [{"cards": {"bakery": 2}}, {}])
    assert worth_of(game, 0, "shopping_mall").one_die == pytest.approx(2 * 2 / 6)
    assert worth_of(game, 0, "radio_tower").one_die == 0


def test_worth_of_nothing_known_is_refused() -> None:
    with pytest.raises(IllegalAction, match="no card"):
        worth_of(a_game(BASE, 2, 1), 0, "harbor")


@given(games(steps=80), st.integers(0, 10_000))
def test_worth_never_breaks_and_leaves_the_game_alone(game: Game, pick: int) -> None:
    things = sorted(game.notation.numbers)
    before = game.position()
    worth = worth_of(game, pick % game.players, things[pick % len(things)])
    assert worth.thing == things[pick % len(things)]
    assert game.position() == before


# ---------------------------------------------------------------------------- peeking


def test_peeking_refuses_what_is_not_possible() -> None:
    game = a_game(BASE, 2, 1)
    for actions in (["build cafe"], ["roll 2"], ["nonsense"], ["roll 1", "dice 3"], ["roll 1", "roll 1"]):
        with pytest.raises(IllegalAction):
            peek(game, actions, 0, "en")
    with pytest.raises(IllegalAction):
        peek(game, ["roll 1"], 1, "en")
    assert game.moves == []


def test_peeking_past_the_own_turn_or_at_chance_shows_nothing() -> None:
    game = a_game(BASE, 2, 1)
    assert peek(game, ["roll 1"], 0, "en") is None
    assert peek(game, [], 1, "en") is None


# -------------------------------------------------------------------------------- speed


def test_a_scene_with_its_question_is_quick_to_make() -> None:
    """Counted in calls, which are the same on a busy machine; a third of a millisecond on a quiet one."""
    game = a_game(EVERYTHING, 4, 3)
    play_randomly(game, Random(3), 150)
    while asked_of(game, "de") is None:
        game.play(random_move(game, Random(1)))
    _calls_of(game)  # what is kept is there from here on
    assert _calls_of(game) < 2000  # 903 when this was written


def _calls_of(game: Game) -> int:
    """How many functions are called, Python's own included."""
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        scene_of(game)
        asked_of(game, "de")
    finally:
        sys.setprofile(before)
    return calls
