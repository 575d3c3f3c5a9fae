"""What is in the boxes, counted as docs/rules.md counts it (A1 to A4, components checks)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tests.material.boxes import LIGHTHOUSE, TEA_HOUSE, copy_of_the_boxes, written

from dicetown.errors import DicetownError, MaterialError
from dicetown.languages import LANGUAGES
from dicetown.material import Establishment, Material, load
from dicetown.material.model import MARKETS, Fee, Income, OwnerNeeds, Per, Tuna


@pytest.fixture(scope="module")
def boxes() -> Material:
    return load()


def of_set(boxes: Material, name: str) -> list[Establishment]:
    return [card for card in boxes.games["classic"].establishments.values() if card.set == name]


@pytest.mark.parametrize(
    ("name", "types", "purple", "supply"),
    [
        ("base", 15, 3, 72),
        ("harbor", 10, 2, 48),
        ("millionaires_row", 13, 3, 60),
        ("deluxe_extras", 2, 1, 6),
    ],
)
def test_each_classic_set_has_the_cards_its_rulebook_counts(boxes, name, types, purple, supply):
    cards = of_set(boxes, name)
    assert len(cards) == types
    assert sum(card.major for card in cards) == purple
    assert sum(card.copies or 0 for card in cards) == supply


def test_every_classic_card_that_is_not_purple_comes_six_times(boxes):
    copies = {card.copies for card in boxes.games["classic"].establishments.values() if not card.major}
    assert copies == {6}


def test_the_spanish_base_box_adds_up_to_117_cards(boxes):
    ciudad = boxes.editions["ciudad"]
    base = of_set(boxes, "base")
    landmarks = [one for one in boxes.games["classic"].landmarks.values() if one.set == "base"]
    starting = (len(ciudad.starting_cards) + len(landmarks)) * 5
    purple = sum(card.major for card in base) * int(ciudad.major_copies.other)
    assert starting + sum(card.copies or 0 for card in base) + purple == 117


def test_the_second_game_has_46_low_and_40_high_cards_and_20_landmarks(boxes):
    second = boxes.games["second"]
    decks: Counter[str] = Counter()
    for card in second.establishments.values():
        decks["low" if card.rolls[0] <= 6 else "high"] += card.copies or 3  # major_copies: 3
    assert decks == {"low": 46, "high": 40}
    assert len(second.establishments) == 20
    assert len(second.landmarks) == 20


def test_the_classic_game_has_six_landmarks_and_the_city_hall(boxes):
    landmarks = boxes.games["classic"].landmarks
    assert list(landmarks) == [
        "train_station", "shopping_mall", "amusement_park", "radio_tower", "harbor", "airport", "city_hall",
    ]  # fmt: skip
    assert [one.id for one in landmarks.values() if one.standing] == ["city_hall"]


def test_a_card_says_everything_the_engine_needs(boxes):
    cards = boxes.games["classic"].establishments
    assert cards["winery"].effect == Income(amount=6, per=Per(cards=("vineyard",)), then="close")
    assert cards["sushi_bar"].effect == Fee(amount=3, owner_needs=OwnerNeeds(landmark="harbor"))
    assert cards["tuna_boat"].effect == Tuna(owner_needs=OwnerNeeds(landmark="harbor"))
    assert cards["publisher"].effect.per == Per(icons=("cup", "bread"), of="theirs")
    assert list(cards["tuna_boat"].numbers) == [12, 13, 14]


def test_the_sushi_bar_costs_two_but_four_in_deluxe(boxes):
    assert boxes.games["classic"].establishments["sushi_bar"].cost == 2
    assert boxes.editions["deluxe"].costs == {"sushi_bar": 4}


def test_every_edition_has_a_value_for_every_house_rule(boxes):
    complete = set(boxes.editions["ciudad"].house)
    assert len(complete) == 18
    for edition in boxes.editions.values():
        assert set(edition.house) == complete
        assert edition.house["market"] in MARKETS


def test_an_editions_own_house_rules_replace_those_of_its_game(boxes):
    assert boxes.editions["deluxe"].house["closed_reopens_unmet"] is False
    assert boxes.editions["ciudad"].house["closed_reopens_unmet"] is True
    assert boxes.editions["grossstadt"].house["renovation_payer"] == "bank"
    assert boxes.editions["neue_stadt"].house["tax_threshold"] == 11


def test_every_set_of_an_edition_has_a_name_in_every_language(boxes):
    for edition in boxes.editions.values():
        for part in edition.sets:
            assert all(part.name[language] for language in LANGUAGES)


def test_the_german_box_calls_a_set_by_a_name_of_its_own(boxes):
    names = {part.id: part.name["de"] for part in boxes.editions["grossstadt"].sets}
    assert names["millionaires_row"] == "Spezial"
    assert names["harbor"] == "Hafen"


def test_the_boxes_are_read_once():
    assert load() is load()


# --------------------------------------------------------------------- adding to the boxes


def test_a_new_card_needs_nothing_but_a_few_lines_of_toml(tmp_path):
    added = load(extra=[written(tmp_path, "tea.toml", TEA_HOUSE)])
    card = added.games["classic"].establishments["tea_house"]
    assert card.set == "base"
    assert card.effect == Fee(amount=2)
    assert list(card.numbers) == [4, 5]
    assert "tea_house" not in load().games["classic"].establishments


def test_a_new_card_comes_after_those_of_the_box(tmp_path):
    added = load(extra=[written(tmp_path, "tea.toml", TEA_HOUSE)])
    assert list(added.games["classic"].establishments)[-1] == "tea_house"


def test_a_new_landmark_and_a_new_icon_are_as_easy(tmp_path):
    icon = '[icons]\nanchor = { en = "anchor", es = "ancla", de = "Anker" }\n'
    text = LIGHTHOUSE.replace("[[landmark]]", icon + "\n[[landmark]]").replace('"boat"', '"anchor"')
    added = load(extra=[written(tmp_path, "sea.toml", text)])
    assert added.games["classic"].landmarks["lighthouse"].cost == (12,)
    assert "anchor" in added.games["classic"].icons


def test_a_new_card_may_open_a_set_of_its_own(tmp_path):
    text = TEA_HOUSE.replace('set = "base"', 'set = "tea_time"')
    added = load(extra=[written(tmp_path, "tea.toml", text)])
    assert added.games["classic"].establishments["tea_house"].set == "tea_time"


def test_a_new_card_may_build_on_one_of_another_extra_file(tmp_path):
    shop = (
        TEA_HOUSE.replace("tea_house", "tea_shop")
        .replace('"red"', '"green"')
        .replace('"fee", amount = 2', '"income", amount = 1, per = { cards = ["tea_house"] }')
    )
    extra = [written(tmp_path, "a_shop.toml", shop), written(tmp_path, "tea.toml", TEA_HOUSE)]
    assert "tea_shop" in load(extra=extra).games["classic"].establishments


def test_a_folder_of_ones_own_replaces_the_boxes(tmp_path):
    folder = copy_of_the_boxes(tmp_path)
    written(folder, "tea.toml", TEA_HOUSE)
    own = load(folder)
    assert own is not load()
    assert "tea_house" in own.games["classic"].establishments
    assert own.editions == load().editions


def test_a_mistake_in_the_material_is_one_of_dicetowns_own_errors():
    assert issubclass(MaterialError, DicetownError)


def test_a_folder_that_does_not_exist_is_named(tmp_path):
    with pytest.raises(MaterialError, match=r"^attic: there is no such folder; .*editions\.toml"):
        load(tmp_path / "attic")


def test_a_file_that_does_not_exist_is_named():
    with pytest.raises(MaterialError, match=r"^nowhere\.toml: this file cannot be read"):
        load(extra=[Path("nowhere.toml")])
