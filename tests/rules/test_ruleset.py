"""Rulesets: what each box plays by (docs/rules.md: editions and switches), and what is refused."""

from typing import Any

import msgspec
import numpy as np
import pytest

from dicetown import Game, Ruleset, RulesetError
from dicetown.material import load
from dicetown.rules.ruleset import SWITCHES

BASE_MARKS = {"train_station", "shopping_mall", "amusement_park", "radio_tower"}
HARBOR_MARKS = BASE_MARKS | {"harbor", "airport"}
SPEZIAL_MARKS = BASE_MARKS | {"harbor"}
ALL = "base+harbor+millionaires_row+deluxe_extras"

#: edition, sets, market, most players, landmarks, 1-coin help
BOXES: list[tuple[str, str, str, int, set[str], bool]] = [
    ("ciudad", "base", "stacks", 5, BASE_MARKS, False),
    ("ciudad", "base+harbor", "line10", 5, HARBOR_MARKS, True),
    ("deluxe", "base", "stacks", 4, BASE_MARKS, False),
    ("deluxe", "base+harbor", "line10", 5, HARBOR_MARKS, True),
    ("deluxe", "base+millionaires_row", "line10", 4, BASE_MARKS, False),  # R68
    ("deluxe", "base+deluxe_extras", "stacks", 4, BASE_MARKS, False),
    ("deluxe", "base+millionaires_row+deluxe_extras", "line10", 4, BASE_MARKS, False),
    ("deluxe", ALL, "line10", 5, HARBOR_MARKS, True),
    ("grossstadt", "base", "stacks", 4, BASE_MARKS, False),
    ("grossstadt", "base+harbor", "rows552", 4, HARBOR_MARKS, True),
    ("grossstadt", "base+millionaires_row", "rows552", 4, SPEZIAL_MARKS, True),  # R68
    ("grossstadt", "base+harbor+millionaires_row", "rows552", 4, HARBOR_MARKS, True),  # R62
]


@pytest.mark.parametrize(("edition", "sets", "market", "most", "marks", "help_"), BOXES)
def test_classic_boxes_play_by_their_rulebooks(
    edition: str, sets: str, market: str, most: int, marks: set[str], help_: bool
) -> None:
    ruleset = Ruleset(edition, sets=sets.split("+"))
    assert ruleset.rules.market == market
    assert (ruleset.min_players, ruleset.max_players) == (2, most)
    assert {mark.id for mark in ruleset.landmarks} == marks
    assert ruleset.landmarks_to_win == len(marks)
    assert ruleset.rules.city_hall == help_
    assert (ruleset.city_hall is not None) == help_


def test_machi_koro_2_plays_by_its_rulebook() -> None:
    ruleset = Ruleset("neue_stadt")
    assert (ruleset.rules.market, ruleset.rules.start_coins, ruleset.rules.start_rounds) == ("rows555", 5, 3)
    assert (ruleset.min_players, ruleset.max_players) == (2, 5)
    assert (len(ruleset.landmarks), ruleset.landmarks_to_win) == (20, 3)
    assert (ruleset.rules.city_hall, ruleset.city_hall) == (True, None)  # R66: the help is built in
    assert (ruleset.rules.major_limit, ruleset.rules.tax_threshold) == ("none", 11)  # R63, R65
    assert ruleset.rules.business_center_optional  # R50
    assert ruleset.edition.starting_cards == ()
    assert ruleset.edition.free_dice


@pytest.mark.parametrize(
    ("switch", "classic", "exceptions"),
    [
        ("start_coins", 3, {}),
        ("start_rounds", 0, {}),
        ("major_limit", 1, {}),
        ("tax_threshold", 10, {}),
        ("discard_dead_majors", False, {"deluxe": True}),
        ("closed_reopens_unmet", True, {"deluxe": False}),  # R17
        ("renovation_payer", "owners", {"grossstadt": "bank"}),  # R19
        ("business_center_optional", False, {}),  # R50
        ("reroll_may_change_dice", False, {}),  # R1
        ("extra_turn_fixed_at_roll", True, {}),  # R5
        ("winery_closes_without_vineyard", True, {}),  # R20
        ("airport_before_invest", True, {}),  # R25
        ("choose_order", True, {}),
        ("max_extra_turns", 1, {}),
        ("max_turns", 0, {}),
    ],
)
def test_switches_have_the_defaults_of_the_rules(
    switch: str, classic: Any, exceptions: dict[str, Any]
) -> None:
    for edition in ("ciudad", "deluxe", "grossstadt"):
        assert getattr(Ruleset(edition).rules, switch) == exceptions.get(edition, classic), edition


def test_the_switches_are_those_that_the_rules_name() -> None:
    assert " ".join(sorted(SWITCHES)) == (
        "airport_before_invest business_center_optional cards choose_order city_hall closed_reopens_unmet "
        "discard_dead_majors extra_turn_fixed_at_roll landmarks landmarks_to_win major_copies major_limit "
        "market max_extra_turns max_turns renovation_payer reroll_may_change_dice start_coins start_rounds "
        "tax_threshold winery_closes_without_vineyard without_cards"
    )


# ------------------------------------------------------------------------------- copies


@pytest.mark.parametrize(
    ("edition", "sets", "players", "purple"),
    [
        ("ciudad", "base", 2, 5),
        ("ciudad", "base", 5, 5),
        ("ciudad", "base+harbor", 3, 5),
        ("deluxe", "base", 2, 4),
        ("deluxe", "base", 4, 4),
        ("deluxe", "base+deluxe_extras", 3, 4),
        ("deluxe", "base+harbor", 2, 2),
        ("deluxe", "base+harbor", 5, 5),
        ("deluxe", "base+millionaires_row", 3, 3),
        ("grossstadt", "base", 2, 4),
        ("grossstadt", "base+harbor", 3, 4),
        ("neue_stadt", "base", 2, 3),
        ("neue_stadt", "base", 5, 3),
    ],
)
def test_purple_copies_are_those_of_the_box(edition: str, sets: str, players: int, purple: int) -> None:
    """R45."""
    ruleset = Ruleset(edition, sets=sets.split("+"))
    assert {ruleset.copies(card, players) for card in ruleset.cards if card.major} == {purple}


def test_five_players_at_open_deluxe_stacks_have_five_purple_copies() -> None:
    ruleset = Ruleset("deluxe", sets=["base", "harbor"], house={"market": "stacks"})
    stadium = ruleset.game.establishments["stadium"]
    assert [ruleset.copies(stadium, players) for players in (2, 4, 5)] == [4, 4, 5]


def supply(ruleset: Ruleset, players: int) -> int:
    return sum(ruleset.copies(card, players) for card in ruleset.cards)


def test_the_boxes_hold_as_many_cards_as_their_rulebooks_count() -> None:
    assert supply(Ruleset("ciudad", sets=["base"]), 5) == 12 * 6 + 3 * 5  # A1: 87
    assert supply(Ruleset("ciudad"), 2) == 145
    assert supply(Ruleset("deluxe", sets=["base", "harbor", "millionaires_row"]), 5) == 220  # A2
    assert supply(Ruleset("deluxe"), 5) == 220 + 5  # Diamine in place of Mine, and the Convention Centers
    assert supply(Ruleset("neue_stadt"), 3) == 46 + 40  # A3


@pytest.mark.parametrize(
    ("sets", "decks"),
    [
        ("base+harbor", (54, 66, 20)),
        ("base+millionaires_row", (66, 66, 24)),
        ("base+harbor+millionaires_row", (84, 96, 32)),
    ],
)
def test_the_german_decks_have_the_sizes_of_the_rulebook(sets: str, decks: tuple[int, int, int]) -> None:
    """A4: low, high and purple; the base game's cards among them."""
    game = Game(Ruleset("grossstadt", sets=sets.split("+")), chance="manual")
    assert tuple(int(cards) for cards in game.state.row_deck[:3]) == decks


def test_diamine_stands_in_for_every_mine() -> None:
    """R72."""
    cards = {card.id for card in Ruleset("deluxe", sets=["base", "deluxe_extras"]).cards}
    assert "diamine" in cards
    assert "mine" not in cards
    assert "mine" in {card.id for card in Ruleset("deluxe", sets=["base", "harbor"]).cards}


def test_the_sushi_bar_is_dearer_in_the_english_box() -> None:
    price = {
        edition: {card.id: card.cost for card in Ruleset(edition).cards}["sushi_bar"]
        for edition in load().editions
    }
    assert price == {"ciudad": 2, "deluxe": 4, "grossstadt": 2, "neue_stadt": 2}


# -------------------------------------------------------------------------- house rules


def test_sets_default_to_all_of_the_edition_and_come_in_its_order() -> None:
    assert Ruleset("deluxe").set_ids == tuple(ALL.split("+"))
    assert Ruleset("deluxe", sets=["harbor", "base"]).set_ids == ("base", "harbor")
    assert Ruleset("deluxe", sets="base").set_ids == ("base",)


def test_cards_and_without_cards_change_the_supply_but_not_the_starting_cities() -> None:
    ruleset = Ruleset(
        "ciudad", sets=["base"], house={"cards": ["cafe", "tuna_boat"], "without_cards": ["cafe"]}
    )
    game = Game(ruleset, seed=1)
    assert game.market == {"tuna_boat": 6}  # of a set that was not chosen
    assert game.cards(0) == {"wheat_field": 1, "bakery": 1}


def test_landmarks_can_be_chosen_and_all_of_them_win() -> None:
    ruleset = Ruleset("ciudad", house={"landmarks": ["harbor", "airport"]})
    assert [mark.id for mark in ruleset.landmarks] == ["harbor", "airport"]
    assert ruleset.landmarks_to_win == 2


def test_no_limit_on_purple_cards_is_null() -> None:
    assert Ruleset("ciudad", house={"major_limit": None}).rules.major_limit == "none"


def test_equal_rulesets_are_equal_and_hash_alike() -> None:
    one = Ruleset("deluxe", sets=["harbor", "base"], house={"start_coins": 5, "max_turns": 3})
    two = Ruleset("deluxe", sets=["base", "harbor"], house={"max_turns": 3, "start_coins": 5})
    assert one == two
    assert len({one, two}) == 1
    assert one != Ruleset("deluxe", sets=["base", "harbor"])
    assert one != "deluxe"


def test_a_ruleset_stays_as_it_was_made_whatever_becomes_of_its_lists() -> None:
    lists: dict[str, Any] = {"without_cards": ["mine"]}
    ruleset = Ruleset("deluxe", sets=["base"], house=lists)
    lists["without_cards"].append("cafe")
    ruleset.as_dict()["house"]["without_cards"].append("ranch")
    ruleset.as_dict()["house"]["start_coins"] = 50
    assert ruleset.house == {"without_cards": ["mine"]}
    assert ruleset == Ruleset(**ruleset.as_dict())


def test_house_rules_may_list_ids_in_any_way() -> None:
    ids = ["wheat_field", "cafe"]
    as_list = Ruleset("deluxe", house={"cards": ids})
    for way in (tuple(ids), iter(ids), dict.fromkeys(ids).keys()):
        assert Ruleset("deluxe", house={"cards": way}) == as_list


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"house": "start_coins=5"}, "The house rules are 'start_coins=5'; they must be a table"),
        ({"sets": 5}, "The sets are 5; they must be a list of ids."),
    ],
)
def test_what_is_no_list_or_table_is_refused(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RulesetError) as refusal:
        Ruleset("deluxe", **arguments)
    assert str(refusal.value).startswith(sentence)


def test_numpy_counts_players_too() -> None:
    assert type(Ruleset("deluxe").check_players(np.int64(3))) is int  # type: ignore[arg-type]


def test_a_ruleset_shows_how_to_make_it_again() -> None:
    ruleset = Ruleset("deluxe", sets=["base"], house={"start_coins": 5})
    assert repr(ruleset) == "Ruleset('deluxe', sets=['base'], house={'start_coins': 5})"
    assert eval(repr(ruleset)) == ruleset


# ----------------------------------------------------------------------- what is refused

EDITIONS = "ciudad, deluxe, grossstadt, neue_stadt"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("delux",), f'There is no edition "delux"; did you mean "deluxe"? Known: {EDITIONS}.'),
        (("chess",), f'There is no edition "chess"; known: {EDITIONS}.'),
        ((None,), f'There is no edition "None"; known: {EDITIONS}.'),
        (("deluxe", ["base", "habor"]), 'There is no set of deluxe "habor"; did you mean "harbor"? Known: '),
        (("neue_stadt", ["base", "harbor"]), 'There is no set of neue_stadt "harbor"; known: base.'),
        (
            ("ciudad", ["base", "millionaires_row"]),
            'There is no set of ciudad "millionaires_row"; known: base, harbor.',
        ),
        (
            ("ciudad", ["harbor"]),
            'The sets harbor lack "base", which is always in play; known for ciudad: base, harbor.',
        ),
        (
            ("ciudad", []),
            'The sets (none) lack "base", which is always in play; known for ciudad: base, harbor.',
        ),
    ],
)
def test_an_unknown_edition_or_set_is_named_with_what_is_known(arguments: tuple, sentence: str) -> None:
    with pytest.raises(RulesetError) as refusal:
        Ruleset(*arguments)
    assert str(refusal.value).startswith(sentence)
    assert str(refusal.value).endswith(".")


@pytest.mark.parametrize(
    ("house", "sentence"),
    [
        (
            {"start_coin": 5},
            'There is no house rule "start_coin"; did you mean "start_coins"? Known: cards, ',
        ),
        (
            {"market": "J\udcf6rg"},
            "House rules: there is a text that is not UTF-8; write it in letters.",
        ),
        ({"free_parking": True}, 'There is no house rule "free_parking"; known: cards, '),
        (
            {"cards": ["caffe"]},
            'There is no card "caffe" (house rule cards); did you mean "cafe"? Known: wheat_field, ',
        ),
        ({"without_cards": ["harbor"]}, 'There is no card "harbor" (house rule without_cards); '),
        (
            {"landmarks": ["habor"]},
            'There is no landmark "habor" (house rule landmarks); did you mean "harbor"? ',
        ),
        (
            {"landmarks": ["city_hall"]},
            'There is no landmark "city_hall" (house rule landmarks); known: train_station, ',
        ),
        ({"cards": "cafe"}, "The house rule cards is 'cafe'; it must be a list of ids."),
        ({"cards": 3}, "The house rule cards is 3; it must be a list of ids."),
        ({"cards": []}, "The house rules leave no card to build; leave at least one."),
        (
            {"cards": ["cafe"], "without_cards": ["cafe"]},
            "The house rules leave no card to build; leave at least one.",
        ),
        ({"landmarks": []}, "The house rules leave no landmark to build, so nobody could win."),
        (
            {"landmarks_to_win": 7},
            "The house rule landmarks_to_win is 7, but only 6 landmarks are in use, so nobody could win.",
        ),
        (
            {"landmarks": ["harbor"], "landmarks_to_win": 2},
            "The house rule landmarks_to_win is 2, but only 1 landmarks",
        ),
        ({"major_copies": 0}, 'The house rule major_copies is 0; it must be "players" or 1 to 100.'),
        ({"major_copies": 101}, 'The house rule major_copies is 101; it must be "players" or 1 to 100.'),
        (
            {"major_copies": "many"},
            "The house rule major_copies is 'many'; it must be \"players\" or 1 to 100.",
        ),
        ({"major_copies": True}, 'The house rule major_copies is True; it must be "players" or 1 to 100.'),
    ],
)
def test_a_house_rule_that_makes_no_sense_is_refused_with_a_sentence(
    house: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(RulesetError) as refusal:
        Ruleset("deluxe", house=house)
    assert str(refusal.value).startswith(sentence)
    assert str(refusal.value).endswith(".")


#: For every switch with values of its own: values it cannot have, and a word that the sentence must say.
BAD_VALUES: dict[str, list[tuple[Any, str]]] = {
    "start_coins": [
        (-1, "at least 0"),
        (1.5, "whole number"),
        ("3", "whole number"),
        (True, "whole number"),
        (10**9, "at most"),
    ],
    "market": [("line9", "line10, rows552, rows555, stacks"), (3, "market"), (None, "market")],
    "discard_dead_majors": [(1, "true or false"), ("yes", "true or false")],
    "major_limit": [(0, "at least 1"), (-1, "at least 1"), ("some", "none")],
    "landmarks_to_win": [(0, "at least 1"), ("most", "all"), (2.5, "whole number")],
    "reroll_may_change_dice": [("no", "true or false")],
    "extra_turn_fixed_at_roll": [(0, "true or false")],
    "choose_order": [(2, "true or false")],
    "business_center_optional": [("", "true or false")],
    "renovation_payer": [("nobody", "bank, owners"), (1, "renovation_payer")],
    "closed_reopens_unmet": [([], "true or false")],
    "winery_closes_without_vineyard": [({}, "true or false")],
    "airport_before_invest": [("before", "true or false")],
    "tax_threshold": [(0, "at least 1"), ("ten", "whole number")],
    "city_hall": [("yes", "true or false")],
    "start_rounds": [(-1, "at least 0"), (10**6, "at most")],
    "max_extra_turns": [(-1, "at least 0"), ("one", "whole number")],
    "max_turns": [(-1, "at least 0"), (1.0, "whole number")],
}


@pytest.mark.parametrize(
    ("switch", "value", "word"), [(name, *bad) for name, values in BAD_VALUES.items() for bad in values]
)
def test_a_value_that_a_switch_cannot_have_is_refused_and_says_what_it_may_be(
    switch: str, value: Any, word: str
) -> None:
    with pytest.raises(RulesetError) as refusal:
        Ruleset("deluxe", house={switch: value})
    assert switch in str(refusal.value)
    assert word in str(refusal.value)
    assert str(refusal.value).endswith(".")


@pytest.mark.parametrize("switch", ["start_coins", "city_hall", "market", "max_turns"])
def test_nothing_as_a_value_is_called_by_a_name(switch: str) -> None:
    with pytest.raises(RulesetError) as refusal:
        Ruleset("deluxe", house={switch: None})
    assert not str(refusal.value).endswith("not .")


@pytest.mark.parametrize("copies", [1, 100, "players"])
def test_purple_cards_may_have_so_many_copies(copies: Any) -> None:
    ruleset = Ruleset("deluxe", house={"major_copies": copies})
    stadium = ruleset.game.establishments["stadium"]
    assert ruleset.copies(stadium, 3) == (3 if copies == "players" else copies)


@pytest.mark.parametrize("copies", [0, -1, 101, True, 2.5, "some"])
def test_a_number_of_purple_copies_that_cannot_be_is_refused(copies: Any) -> None:
    with pytest.raises(RulesetError) as refusal:
        Ruleset("deluxe", house={"major_copies": copies})
    said = f'The house rule major_copies is {copies!r}; it must be "players" or 1 to 100.'
    assert str(refusal.value) == said


def test_rulesets_are_the_same_if_agreement_and_material_are() -> None:
    box = load()
    classic = box.games["classic"]
    cheap = classic.establishments["cafe"]
    cafes = classic.establishments | {"cafe": msgspec.structs.replace(cheap, cost=1)}
    other = msgspec.structs.replace(
        box, games=box.games | {"classic": msgspec.structs.replace(classic, establishments=cafes)}
    )
    assert Ruleset("deluxe") == Ruleset("deluxe")
    assert Ruleset("deluxe") != Ruleset("ciudad")
    assert Ruleset("deluxe") != Ruleset("deluxe", material=other)
    assert Ruleset("deluxe") != "deluxe"


def test_every_switch_of_its_own_is_tried_with_bad_values() -> None:
    assert set(BAD_VALUES) | {"cards", "without_cards", "landmarks", "major_copies"} == set(SWITCHES)


@pytest.mark.parametrize(
    ("edition", "sets", "players", "sentence"),
    [
        (
            "deluxe",
            "base",
            5,
            "5 players cannot play deluxe with these sets; accepted are 2 to 4 (with the set harbor also 5).",
        ),
        ("deluxe", ALL, 6, "6 players cannot play deluxe with these sets; accepted are 2 to 5."),
        (
            "grossstadt",
            "base+harbor",
            5,
            "5 players cannot play grossstadt with these sets; accepted are 2 to 4.",
        ),
        ("ciudad", "base", 1, "1 players cannot play ciudad with these sets; accepted are 2 to 5."),
        ("deluxe", "base", 1, "1 players cannot play deluxe with these sets; accepted are 2 to 4."),
        ("neue_stadt", "base", 0, "0 players cannot play neue_stadt with these sets; accepted are 2 to 5."),
        ("neue_stadt", "base", -3, "-3 players cannot play neue_stadt with these sets; accepted are 2 to 5."),
    ],
)
def test_a_number_of_players_that_cannot_play_is_refused(
    edition: str, sets: str, players: int, sentence: str
) -> None:
    with pytest.raises(RulesetError) as refusal:
        Ruleset(edition, sets=sets.split("+")).check_players(players)
    assert str(refusal.value) == sentence


@pytest.mark.parametrize("players", [2.0, True, "3", None])
def test_a_number_of_players_that_is_no_whole_number_is_refused(players: Any) -> None:
    with pytest.raises(RulesetError) as refusal:
        Ruleset("ciudad").check_players(players)
    assert str(refusal.value) == f"The number of players is {players!r}; it must be a whole number."


def test_a_landmark_only_one_player_may_build_cannot_be_counted_on() -> None:
    """R54: Machi Koro 2's Loan Office is for who alone has no landmark."""
    with pytest.raises(RulesetError, match="nobody could win"):
        Ruleset("neue_stadt", house={"landmarks": ["loan_office"], "landmarks_to_win": 1})


@pytest.mark.parametrize("wanted", [{}, {"landmarks_to_win": 3}, {"landmarks_to_win": 20}])
def test_where_a_launch_pad_can_be_built_somebody_can_win(wanted: dict[str, Any]) -> None:
    """R55: it wins by itself, however many landmarks are wanted, whether that is written or not."""
    house = {"landmarks": ["shopping_mall", "launch_pad"], **wanted}
    assert [mark.id for mark in Ruleset("neue_stadt", house=house).landmarks] == house["landmarks"]


def test_too_few_landmarks_are_refused_in_the_same_words_whether_the_number_is_written_or_not() -> None:
    sentence = "landmarks_to_win is 3, but only 1 landmarks are in use, so nobody could win"
    for wanted in ({}, {"landmarks_to_win": 3}):
        with pytest.raises(RulesetError, match=sentence):
            Ruleset("neue_stadt", house={"landmarks": ["shopping_mall"], **wanted})
