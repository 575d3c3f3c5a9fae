"""Game, as a programmer meets it."""

import copy
import pickle
from fractions import Fraction
from random import Random
from typing import get_args

import msgspec
import pytest

import dicetown
from dicetown import Action, Game, IllegalAction, NotationError, Outcome, Ruleset, RulesetError
from dicetown.game import events as e
from dicetown.testing import play_randomly

BASE = Ruleset("deluxe", sets=["base"])


def fixed(text: str) -> Game:
    """A two-player game of the base set where every roll is said."""
    return Game.from_position(text, chance="manual")


# -------------------------------------------------------------------------- beginning


def test_the_five_lines_of_the_readme_work() -> None:
    game = Game(Ruleset("deluxe", sets=["base", "harbor"]), players=4, seed=7)
    assert game.to_move == 0
    assert [str(action) for action in game.legal_actions()] == ["roll 1"]
    assert game.play(game.legal_actions()[0])
    game.undo()
    assert game.winner is None
    assert Game.load(game.save()).position() == game.position()


def test_without_arguments_it_is_the_deluxe_box_for_two() -> None:
    game = Game()
    assert (game.ruleset.edition.id, game.players, game.names) == ("deluxe", 2, ["Player 1", "Player 2"])


def test_names_say_how_many_play() -> None:
    assert Game(BASE, names=["Ada", " Bob ", "Cleo"]).players == 3
    assert Game(BASE, names=["Ada", " Bob ", "Cleo"]).names == ["Ada", "Bob", "Cleo"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"players": 3, "names": ["Ada", "Bob"]}, "3 players need 3 names, not 2."),
        ({"names": ["Ada", " "]}, "A player's name is empty; give every player a name."),
        ({"names": ["Ada", "J\udcf6rg"]}, 'The name "J?rg" is not UTF-8; no saved game could hold it.'),
        ({"names": ["Ada"]}, "1 players cannot play deluxe with these sets; accepted are 2 to 4."),
        ({"players": 6}, "6 players cannot play deluxe with these sets; accepted are 2 to 4."),
        ({"players": 5}, "accepted are 2 to 4 (with the set harbor also 5)."),
        ({"players": True}, "The number of players is True; it must be a whole number."),
        ({"players": "4"}, "The number of players is '4'; it must be a whole number."),
        ({"players": 0}, "0 players cannot play deluxe with these sets; accepted are 2 to 4."),
        ({"players": 2.0}, "The number of players is 2.0; it must be a whole number."),
    ],
)
def test_a_game_that_cannot_be_set_up_says_why(arguments: dict, sentence: str) -> None:
    with pytest.raises(RulesetError) as refusal:
        Game(BASE, **arguments)
    assert str(refusal.value).endswith(sentence)


def test_everybody_begins_with_wheat_field_bakery_and_three_coins() -> None:
    game = Game(BASE, players=4)
    for seat in range(4):
        assert (game.coins(seat), game.cards(seat)) == (3, {"wheat_field": 1, "bakery": 1})
        assert (game.landmarks(seat), game.closed(seat), game.invested(seat)) == ([], {}, 0)


def test_machi_koro_2_begins_with_five_coins_three_rows_and_a_start_build() -> None:
    game = Game(Ruleset("neue_stadt"), players=3, seed=1)
    assert [game.coins(seat) for seat in range(3)] == [5, 5, 5]
    assert [game.cards(seat) for seat in range(3)] == [{}, {}, {}]
    assert (len(game.market), len(game.landmark_market), game.phase) == (10, 5, "build")
    assert sum(game.market.values()) + sum(game.deck.values()) + 5 == 106


def test_a_dealt_market_is_the_first_thing_that_happened() -> None:
    game = Game(Ruleset("ciudad"), seed=3)
    assert len(game.market) == 10
    assert all(isinstance(event, e.Drawn) for event in game.events[:-1])
    assert game.events[-1] == e.TurnBegan(0, extra=False)
    drawn = [event.thing for event in game.events if isinstance(event, e.Drawn)]
    assert [move.text for move in game.moves] == [f"draw {card}" for card in drawn]


# ---------------------------------------------------------------------------- playing


def test_a_turn_is_roll_income_build() -> None:
    game = Game(BASE, chance="manual")
    assert game.phase == "roll"
    assert game.play("roll 1") == []
    assert game.waits_for_chance
    assert game.play("dice 1") == [
        e.DiceRolled(0, (1,)),
        e.Paid(None, 0, 1, 1, "wheat_field", 1),
        e.Paid(None, 1, 1, 1, "wheat_field", 1),
    ]
    assert (game.phase, game.to_move, game.turn) == ("build", 0, 0)
    assert game.play("build cafe") == [
        e.Paid(0, None, 2, 2, "price", 1),
        e.Built(0, "cafe", 2),
        e.TurnBegan(1, extra=False),
    ]
    assert (game.coins(0), game.cards(0)["cafe"], game.market["cafe"]) == (2, 1, 5)
    assert (game.turn, game.turns, game.phase) == (1, 1, "roll")


def test_actions_can_be_played_as_objects_or_as_text_in_any_case_and_spacing() -> None:
    for move in ("roll 1", " ROLL   1 ", Action(0, "roll 1")):
        assert Game(BASE, seed=1).play(move)


def test_reroll_without_a_number_means_the_dice_that_lie() -> None:
    game = fixed(
        "deluxe base {} | 3 bakery +radio_tower | 3 bakery | market train_station*2 shopping_mall*2 "
        "amusement_park*2 radio_tower | deck | turn=0 phase=reroll dice=1 die=2 total=2"
    )
    assert [str(action) for action in game.legal_actions()] == ["keep", "reroll 1"]
    game.play("reroll")
    assert game.moves[-1].text == "reroll 1"


def test_legal_actions_come_in_a_fixed_order() -> None:
    actions = Game(BASE, chance="manual")
    actions.play("roll 1")
    actions.play("dice 6")
    numbers = [action.number for action in actions.legal_actions()]
    assert numbers == sorted(numbers)
    assert str(actions.legal_actions()[0]) == "pass"


def test_winning_ends_the_game() -> None:
    game = fixed(
        "deluxe base {} | 22 cafe +train_station +shopping_mall +amusement_park | 3 bakery | market "
        "train_station shopping_mall amusement_park radio_tower*2 | deck | turn=0 phase=build"
    )
    assert game.play("build radio_tower")[-1] == e.Won(0)
    assert (game.winner, game.over, game.to_move, game.phase) == (0, True, None, "over")
    assert (game.legal_actions(), game.chance_outcomes()) == ([], [])
    with pytest.raises(IllegalAction, match=r'^"roll 1" is not possible: the game is over\.$'):
        game.play("roll 1")
    game.undo()
    assert (game.winner, game.over, game.to_move) == (None, False, 0)


def test_a_game_is_drawn_after_its_last_turn() -> None:
    game = Game(Ruleset("deluxe", sets=["base"], house={"max_turns": 2}), seed=1)
    play_randomly(game, Random(1), 100)
    assert (game.over, game.winner, game.turns) == (True, None, 2)
    assert game.events[-1] == e.GameDrawn()


def test_a_repr_tells_what_is_going_on() -> None:
    assert repr(Game(BASE, players=3)) == "<Game deluxe, 3 players, turn 1, roll>"


# ------------------------------------------------------------------- what is not possible


def test_an_illegal_action_names_what_is_legal() -> None:
    game = Game(BASE, chance="manual")
    with pytest.raises(IllegalAction) as refusal:
        game.play("roll 2")
    assert str(refusal.value) == '"roll 2" is not possible now; legal: roll 1.'
    game.play("roll 1")
    with pytest.raises(
        IllegalAction, match=r'^"pass" is not possible now; legal: dice 1, dice 2, .*dice 6\.$'
    ):
        game.play("pass")


def test_what_is_no_move_at_all_is_said_so_with_what_is_legal() -> None:
    with pytest.raises(IllegalAction) as refusal:
        Game(BASE).play("fly to the moon")
    assert str(refusal.value) == (
        '"fly to the moon" is no move; a move reads like "roll 1", "build cafe" or "pass". Legal now: roll 1.'
    )


@pytest.mark.parametrize(
    "move", ["", "  ", "roll", "roll 3", "dice 3", "build", "build stadium", "draw cafe", None, 7]
)
def test_after_a_refusal_nothing_has_changed(move: object) -> None:
    game = Game(BASE, seed=7)
    game.play("roll 1")
    before = (game.position(), list(game.moves), list(game.events), game.legal_actions(), game.can_undo)
    with pytest.raises(IllegalAction):
        game.play(move)  # type: ignore[arg-type]
    after = (game.position(), game.moves, list(game.events), game.legal_actions(), game.can_undo)
    assert after == before
    game.undo()
    assert game.moves == []


def test_an_action_of_another_ruleset_is_judged_by_its_text_not_by_its_number() -> None:
    game = Game(BASE, seed=7)
    game.play("roll 1")
    elsewhere = Game(Ruleset("neue_stadt"), seed=1).notation.parse("build cafe")
    assert isinstance(elsewhere, Action)
    game.play(elsewhere)
    assert game.cards(0)["cafe"] == 1


def test_all_our_mistakes_are_one_family() -> None:
    for mistake in (IllegalAction, NotationError, RulesetError):
        assert issubclass(mistake, dicetown.DicetownError)
    assert not issubclass(dicetown.DicetownError, ValueError)


# ------------------------------------------------------------------------------- undo


def test_undo_takes_back_the_decision_with_the_chance_that_followed() -> None:
    game = Game(BASE, seed=7)
    start = game.position()
    game.play("roll 1")
    assert [move.text.split()[0] for move in game.moves] == ["roll", "dice"]
    game.undo()
    assert (game.position(), game.moves) == (start, [])


def test_with_manual_chance_undo_takes_back_one_move() -> None:
    game = Game(BASE, chance="manual")
    game.play("roll 1")
    game.play("dice 3")
    game.undo()
    assert game.waits_for_chance
    assert [move.text for move in game.moves] == ["roll 1"]


def test_there_is_nothing_to_undo_at_the_beginning() -> None:
    game = Game(Ruleset("ciudad"), seed=1)
    with pytest.raises(IllegalAction, match=r"^There is nothing to undo: no move has been played\.$"):
        game.undo()
    play_randomly(game, Random(2), 50)
    while game.can_undo:
        game.undo()
    assert game.save() == Game(Ruleset("ciudad"), seed=1).save()


# ----------------------------------------------------------------------------- chance


def test_chance_is_explicit_and_its_shares_add_up_to_one() -> None:
    game = Game(Ruleset("neue_stadt", house={"start_rounds": 0}), seed=1, chance="manual")
    while game.waits_for_chance:  # the deal
        outcomes = game.chance_outcomes()
        assert sum(share for _, share in outcomes) == 1
        assert all(isinstance(outcome, Outcome) for outcome, _ in outcomes)
        game.play(outcomes[0][0])
    assert game.chance_outcomes() == []
    game.play("roll 2")
    assert {share for _, share in game.chance_outcomes()} == {Fraction(1, 36)}
    game.undo()
    game.play("roll 1")
    assert game.chance_outcomes() == [(Outcome(die, f"dice {die}"), Fraction(1, 6)) for die in range(1, 7)]


def test_a_draw_is_as_likely_as_copies_are_left() -> None:
    game = fixed(
        "deluxe base+harbor {} | 9 wheat_field | 9 bakery | market cafe harbor*2 train_station*2 "
        "shopping_mall*2 amusement_park*2 radio_tower*2 airport*2 | deck mine*3 forest | turn=0 phase=build"
    )
    game.play("build cafe")
    assert [(str(card), share) for card, share in game.chance_outcomes()] == [
        ("draw forest", Fraction(1, 4)),
        ("draw mine", Fraction(3, 4)),
    ]
    with pytest.raises(
        IllegalAction, match=r'"draw cafe" is not possible now; legal: draw forest, draw mine\.'
    ):
        game.play("draw cafe")
    game.play("draw mine")
    assert [(str(card), share) for card, share in game.chance_outcomes()] == [
        ("draw forest", Fraction(1, 3)),
        ("draw mine", Fraction(2, 3)),
    ]


def test_dice_of_automatic_chance_follow_the_seed() -> None:
    def dice(seed: int) -> list[str]:
        game = Game(Ruleset("deluxe", sets=["base"]), seed=seed)
        play_randomly(game, Random(1), 30)
        return [move.text for move in game.moves]

    assert dice(5) == dice(5) != dice(6)


# ----------------------------------------------------------------------------- preview


def test_a_preview_tells_gains_and_losses_of_a_total() -> None:
    game = fixed(
        "deluxe base {} | 1 bakery*2 | 5 cafe*2 | market train_station*2 shopping_mall*2 amusement_park*2 "
        "radio_tower*2 | deck | turn=0 phase=roll"
    )
    preview = game.preview(3)
    assert preview.gains == (1, 1)  # the roller's only coin goes to the cafés, then two bakeries pay
    assert (preview.total, preview.choice, preview.average) == (3, False, False)


def test_a_preview_says_that_a_choice_is_to_be_made_and_assumes_the_best() -> None:
    game = fixed(
        "deluxe base {} | 0 tv_station | 2 cafe | 4 cafe | market train_station*3 "
        "shopping_mall*3 amusement_park*3 radio_tower*3 | deck | turn=0 phase=roll"
    )
    assert game.preview(6).gains == (4, 0, -4)
    assert game.preview(6).choice


@pytest.mark.parametrize("total", [0, -1, 15, 100])
def test_a_total_that_dice_cannot_show_is_refused(total: int) -> None:
    with pytest.raises(IllegalAction, match=f"There is no total of {total}; dice show 1 to 14"):
        Game(BASE).preview(total)


def test_a_preview_needs_no_moment_of_its_own() -> None:
    """In the middle of a choice, too: it is about the next roll."""
    game = fixed(
        "deluxe base {} | 0 tv_station wheat_field | 2 cafe | 4 cafe | market train_station*3 "
        "shopping_mall*3 amusement_park*3 radio_tower*3 | deck | turn=0 phase=dice dice=1"
    )
    game.play("dice 6")
    assert game.phase == "choose"
    before = game.position()
    assert game.preview(1).gains == (1, 0, 0)
    assert game.position() == before


# -------------------------------------------------------------------------------- data


def test_actions_and_outcomes_are_values() -> None:
    assert Action(8, "pass") == Action(8, "pass")
    different: tuple[object, object] = Action(8, "pass"), Outcome(8, "pass")
    assert different[0] != different[1]
    assert len({Action(8, "pass"), Action(8, "pass")}) == 1
    assert f"{Action(8, 'pass')}" == "pass"
    with pytest.raises(AttributeError):
        Action(8, "pass").number = 9  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(Action(8, "pass"))) == Action(8, "pass")


def test_a_game_can_be_copied_and_the_copies_go_their_own_ways() -> None:
    game = Game(BASE, seed=7)
    game.play("roll 1")
    other = copy.deepcopy(game)
    before = game.position()
    other.play("pass")
    assert other.state.array.tobytes() == copy.deepcopy(other.state).array.tobytes()
    assert other.state.coins.tolist() == other.state.array["coins"][0].tolist()
    other.undo()
    other.undo()
    assert game.position() == before
    assert [move.text.split()[0] for move in game.moves] == ["roll", "dice"]


def test_events_are_values_with_a_name_each_for_the_wire() -> None:
    every = get_args(e.Event)
    assert len({kind.__struct_config__.tag for kind in every}) == len(every) == 19
    paid = e.Paid(None, 1, 3, 3, "cafe", 1)
    assert msgspec.json.decode(msgspec.json.encode(paid), type=e.Event) == paid
    assert msgspec.to_builtins(e.TurnBegan(1, extra=True)) == {
        "event": "turn_began",
        "seat": 1,
        "extra": True,
    }


def test_a_game_tells_its_events_only_once_each() -> None:
    game = Game(Ruleset("grossstadt"), players=3, seed=2)
    told = list(game.events)
    rng = Random(1)
    for _ in range(80):
        told += play_randomly(game, rng, 1)
    assert told == game.events
