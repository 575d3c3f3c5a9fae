"""Every way to break a file is answered by one sentence: where, what, and what would be accepted."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.material.boxes import LIGHTHOUSE, TEA_HOUSE, copy_of_the_boxes, rewrite, written

from dicetown.errors import MaterialError
from dicetown.material import load


def complaint(folder: Path | None = None, extra: tuple[Path, ...] = ()) -> str:
    """The sentence that loading ends with."""
    with pytest.raises(MaterialError) as caught:
        load(folder, extra)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert sentence.endswith(".")
    return sentence


def assert_says(sentence: str, *words: str) -> None:
    for word in words:
        assert word in sentence


# -------------------------------------------------------------------------- establishments

BROKEN_ESTABLISHMENTS = {
    "an unknown field": ("cost = 3", "cost = 3\ncolor = 1", 'no field "color"', "colour"),
    "a missing field": ("cost = 3\n", "", '"cost" is missing'),
    "a text for a number": ("cost = 3", 'cost = "3"', '"cost" must be a whole number', "not a text"),
    "a number with a point": ("cost = 3", "cost = 3.5", '"cost" must be a whole number'),
    "a number for a list": ("rolls = [4, 5]", "rolls = 4", '"rolls" must be a list'),
    "a text in a list of numbers": (
        "rolls = [4, 5]",
        'rolls = [4, "5"]',
        '"rolls[1]" must be a whole number',
    ),
    "an unknown colour": ('"red"', '"yellow"', '"colour" is "yellow"', "blue, green, purple, red"),
    "an unknown icon": ('icon = "cup"', 'icon = "kettle"', '"icon" names "kettle"', "cow"),
    "an unknown kind of effect": ('"fee"', '"fees"', '"effect.kind" is "fees"', "income", "fee", "tuna"),
    "no kind of effect": ('kind = "fee", ', "", '"effect.kind" is missing'),
    "an effect that is no table": ('{ kind = "fee", amount = 2 }', '"fee"', '"effect" must be a table'),
    "an unknown field of an effect": (
        "amount = 2",
        "amount = 2, pay = 1",
        'no field "effect.pay"',
        "roller_needs",
    ),
    "a missing field of an effect": (", amount = 2", "", '"effect.amount" is missing'),
    "a misspelt all": ("amount = 2", 'amount = "al"', '"effect.amount" is "al"', "a whole number", "all"),
    "a missing translation": ('es = "Casa de té", ', "", '"name" has no text for "es"', "en, es, de"),
    "an empty translation": ('"Teehaus"', '" "', '"name" has no text for "de"'),
    "a language nobody reads": (
        'de = "Teehaus"',
        'de = "Teehaus", xx = "Tii"',
        'a text for "xx"',
        "en, es, de",
    ),
    "a name that is no text": ('de = "Teehaus"', "de = 3", 'each entry of "name" must be a text'),
    "an id that is no word": ('"tea_house"', '"Tea House"', '"id" is "Tea House"', "small letters"),
    "a set that is no word": ('set = "base"', 'set = "Base!"', '"set" is "Base!"', "small letters"),
    "a roll of 0": ("[4, 5]", "[0]", '"rolls" is 0', "1 to 14"),
    "a roll of 15": ("[4, 5]", "[14, 15]", '"rolls" is 15', "1 to 14"),
    "reversed rolls": ("[4, 5]", "[5, 4]", '"rolls" is [5, 4]', "lower number comes first"),
    "three rolls": ("[4, 5]", "[3, 4, 5]", '"rolls" has 3 entries', "one number or a first and a last"),
    "no rolls": ("[4, 5]", "[]", '"rolls" has 0 entries'),
    "a negative cost": ("cost = 3", "cost = -3", '"cost" is -3', "0 to 99"),
    "a cost beyond counting": ("cost = 3", "cost = 300", '"cost" is 300', "0 to 99"),
    "no copies": ("copies = 6", "copies = 0", '"copies" is 0', "1 to 99"),
    "copies left out": ("copies = 6\n", "", '"copies" is missing', "1 to 99"),
    "a negative amount": ("amount = 2", "amount = -2", '"effect.amount" is -2', "0 to 99"),
    "a condition on a landmark nobody can build": (
        "amount = 2",
        'amount = 2, owner_needs = { landmark = "pier" }',
        '"effect.owner_needs.landmark" names "pier"',
        "train_station",
    ),
    "a condition that asks for nothing": (
        "amount = 2",
        "amount = 2, owner_needs = {}",
        "one thing",
        "landmarks_below",
    ),
    "a condition that asks for two things": (
        "amount = 2",
        'amount = 2, owner_needs = { landmark = "harbor", landmarks_below = 2 }',
        '"effect.owner_needs" must ask for one thing',
    ),
    "a condition that never holds": (
        "amount = 2",
        "amount = 2, owner_needs = { landmarks_below = 0 }",
        '"effect.owner_needs.landmarks_below" is 0',
        "1 to 24",
    ),
    "a roller who needs nothing": (
        "amount = 2",
        "amount = 2, roller_needs = { landmarks_at_least = 0 }",
        '"effect.roller_needs.landmarks_at_least" is 0',
    ),
    "an effect that does not fit red": (
        '"fee"',
        '"income"',
        'a red card cannot have the effect "income"',
        "fee",
    ),
    "a fee that is not red": (
        '"red"',
        '"green"',
        'a green card cannot have the effect "fee"',
        "income, demolish",
    ),
    "copies of a purple card": (
        'colour = "red"\nicon = "cup"\nrolls = [4, 5]\ncost = 3\ncopies = 6\neffect = { kind = "fee"',
        'colour = "purple"\nicon = "cup"\nrolls = [4]\ncost = 3\ncopies = 6\neffect = { kind = "collect_one"',
        '"copies" is given',
        "major_copies",
        "leave it out",
    ),
}


@pytest.mark.parametrize("case", BROKEN_ESTABLISHMENTS.values(), ids=BROKEN_ESTABLISHMENTS)
def test_a_broken_establishment_is_refused_in_a_sentence(tmp_path, case):
    old, new, *words = case
    extra = written(tmp_path, "tea.toml", TEA_HOUSE)
    rewrite(extra, old, new)
    named = '"Tea House"' if '"id" is "Tea House"' in words else '"tea_house"'
    assert_says(complaint(extra=(extra,)), f"tea.toml, establishment {named}: ", *words)


def test_an_establishment_without_an_id_is_counted(tmp_path):
    extra = written(tmp_path, "tea.toml", TEA_HOUSE.replace('id = "tea_house"\n', ""))
    assert_says(complaint(extra=(extra,)), "tea.toml, establishment number 1: ", '"id" is missing')


BROKEN_COUNTS = {
    "an unknown icon": ('icons = ["goat"]', '"effect.per.icons" names "goat"', "cow"),
    "an unknown card": (
        'cards = ["ranches"]',
        '"effect.per.cards" names "ranches"',
        "ranch, ",
        "and 36 more",
    ),
    "nothing": ("", '"effect.per" must count one thing', "icons, cards or landmarks"),
    "two things": ('icons = ["cow"], cards = ["ranch"]', '"effect.per" must count one thing'),
    "nobody's cards": ('icons = ["cow"], of = "mine"', '"effect.per.of" is "mine"', "everyone, own, theirs"),
    "cards of a payer where the bank pays": (
        'icons = ["cow"], of = "theirs"',
        '"effect.per.of" is',
        "own, everyone",
    ),
    "one's own landmarks": ("landmarks = true", "landmarks of those who pay", "theirs"),
    "an unknown field": ('icon = "cow"', 'no field "effect.per.icon"', "icons, cards, landmarks, of"),
}


@pytest.mark.parametrize("case", BROKEN_COUNTS.values(), ids=BROKEN_COUNTS)
def test_an_income_cannot_be_counted_by(tmp_path, case):
    per, *words = case
    income = f'{{ kind = "income", amount = 2, per = {{ {per} }} }}'
    text = TEA_HOUSE.replace('"red"', '"green"').replace('{ kind = "fee", amount = 2 }', income)
    assert_says(
        complaint(extra=(written(tmp_path, "tea.toml", text),)), 'establishment "tea_house": ', *words
    )


COLOURS_AND_EFFECTS = [
    ("blue", 'kind = "demolish", amount = 1', "income, tuna"),
    ("blue", 'kind = "loan", on_build = 1, pay = 1', "income, tuna"),
    ("green", 'kind = "tuna"', "income, demolish, move, loan"),
    ("green", 'kind = "collect_each", amount = 1', "income, demolish, move, loan"),
    ("red", 'kind = "tax"', "fee"),
    ("purple", 'kind = "fee", amount = 1', "collect_each, collect_one, swap, tax, share, renovate"),
    ("purple", 'kind = "move", amount = 1', "startup, convention"),
]


@pytest.mark.parametrize(("colour", "effect", "accepted"), COLOURS_AND_EFFECTS)
def test_an_effect_must_fit_the_colour_of_its_card(tmp_path, colour, effect, accepted):
    text = TEA_HOUSE.replace('"red"', f'"{colour}"').replace('kind = "fee", amount = 2', effect)
    if colour == "purple":
        text = text.replace("copies = 6\n", "")
    sentence = complaint(extra=(written(tmp_path, "tea.toml", text),))
    assert_says(sentence, '"tea_house"', f"a {colour} card cannot have the effect", accepted)


# ------------------------------------------------------------------------------- landmarks

BROKEN_LANDMARKS = {
    "an unknown field": (
        "cost = [12]",
        "cost = [12]\ncolour = 1",
        'no field "colour"',
        "reach, standing, needs",
    ),
    "two prices": ("[12]", "[12, 16]", '"cost" has 2 prices', "one, or three"),
    "no price": ("[12]", "[]", '"cost" has 0 prices'),
    "a price without a list": ("[12]", "12", '"cost" must be a list'),
    "a negative price": ("[12]", "[12, -1, 22]", '"cost" is -1', "0 to 99"),
    "an effect of establishments": ('"bonus"', '"fee"', '"effect.kind" is "fee"', "two_dice", "win"),
    "a bonus for an unknown icon": ('"boat"', '"anchor"', '"effect.icons" names "anchor"', "boat"),
    "a bonus for nothing": ('["boat"]', "[]", '"effect.icons" is empty', "boat"),
    "a negative bonus": ("amount = 1", "amount = -1", '"effect.amount" is -1'),
    "a discount on an unknown landmark": (
        'kind = "bonus", icons = ["boat"]',
        'kind = "discount", landmark = "moon"',
        '"effect.landmark" names "moon"',
        "airport",
    ),
    "a total nobody rolls": (
        '"bonus", icons = ["boat"]',
        '"total_pay", total = 15',
        '"effect.total" is 15',
        "1 to 14",
    ),
    "an unknown reach": ("cost = [12]", 'cost = [12]\nreach = "town"', '"reach" is "town"', "all, once, own"),
    "a bonus at once": (
        "cost = [12]",
        'cost = [12]\nreach = "once"',
        '"reach" is "once"',
        '"bonus"',
        "own, all",
    ),
    "a tax for ever": (
        'kind = "bonus", icons = ["boat"], amount = 1',
        'kind = "tax"',
        '"reach" is "own"',
        "once",
    ),
    "a need nobody knows": (
        "cost = [12]",
        'cost = [12]\nneeds = "luck"',
        '"needs" is "luck"',
        "alone_without",
    ),
    "a missing translation": (', de = "Leuchtturm"', "", '"name" has no text for "de"'),
}


@pytest.mark.parametrize("case", BROKEN_LANDMARKS.values(), ids=BROKEN_LANDMARKS)
def test_a_broken_landmark_is_refused_in_a_sentence(tmp_path, case):
    old, new, *words = case
    extra = written(tmp_path, "sea.toml", LIGHTHOUSE)
    rewrite(extra, old, new)
    assert_says(complaint(extra=(extra,)), 'sea.toml, landmark "lighthouse": ', *words)


# ------------------------------------------------------------------------------ whole files


def test_what_is_not_toml_is_said_with_its_line(tmp_path):
    extra = written(tmp_path, "tea.toml", TEA_HOUSE.replace("cost = 3", "cost = = 3"))
    assert_says(complaint(extra=(extra,)), "tea.toml: this is not valid TOML", "line 11")


def test_a_file_that_is_not_utf8_is_refused(tmp_path):
    extra = tmp_path / "tea.toml"
    extra.write_bytes(TEA_HOUSE.encode("latin-1"))
    assert_says(complaint(extra=(extra,)), "tea.toml: ", "save it as UTF-8")


def test_a_file_of_cards_must_say_its_game(tmp_path):
    extra = written(tmp_path, "tea.toml", TEA_HOUSE.replace('game = "classic"\n', ""))
    assert_says(complaint(extra=(extra,)), "tea.toml: ", '"game" is missing')


def test_an_extra_file_must_belong_to_a_game_there_is(tmp_path):
    extra = written(tmp_path, "tea.toml", TEA_HOUSE.replace('"classic"', '"third"'))
    assert_says(complaint(extra=(extra,)), 'tea.toml: "game" is "third"', "classic, second")


def test_an_unknown_table_in_a_file_of_cards_is_refused(tmp_path):
    extra = written(tmp_path, "tea.toml", TEA_HOUSE.replace("[[establishment]]", "[[establishments]]"))
    assert_says(
        complaint(extra=(extra,)), 'tea.toml: there is no field "establishments"', "establishment, landmark"
    )


def test_an_icon_without_a_translation_is_refused(tmp_path):
    extra = written(
        tmp_path, "tea.toml", 'game = "classic"\n[icons]\nkettle = { en = "kettle", es = "tetera" }\n'
    )
    assert_says(complaint(extra=(extra,)), 'tea.toml, icon "kettle": ', '"de"')


def test_an_icon_that_is_there_already_is_refused(tmp_path):
    text = 'game = "classic"\n[icons]\ncup = { en = "mug", es = "tazón", de = "Becher" }\n'
    assert_says(
        complaint(extra=(written(tmp_path, "tea.toml", text),)),
        'icon "cup": ',
        "taken already by classic.toml",
    )


@pytest.mark.parametrize(
    ("text", "old", "taken"),
    [
        (TEA_HOUSE, "tea_house", "cafe"),
        (TEA_HOUSE, "tea_house", "harbor"),  # a landmark's
        (LIGHTHOUSE, "lighthouse", "harbor"),
        (LIGHTHOUSE, "lighthouse", "cafe"),  # an establishment's
    ],
)
def test_no_two_cards_of_a_game_share_an_id(tmp_path, text, old, taken):
    extra = written(tmp_path, "extra.toml", text.replace(old, taken))
    kind = "landmark" if taken == "harbor" else "establishment"
    assert_says(complaint(extra=(extra,)), "extra.toml, ", f'taken already by classic.toml, {kind} "{taken}"')


def test_two_games_may_share_ids(tmp_path):
    text = TEA_HOUSE.replace('"classic"', '"second"').replace("tea_house", "pizza_joint")
    both = load(extra=[written(tmp_path, "pizza.toml", text)])
    assert "pizza_joint" in both.games["classic"].establishments
    assert "pizza_joint" in both.games["second"].establishments


@pytest.mark.parametrize(
    ("card", "old", "what", "room", "most"),
    [(TEA_HOUSE, "tea_house", "establishments", 8, 48), (LIGHTHOUSE, "lighthouse", "landmarks", 17, 24)],
)
def test_a_game_holds_as_many_cards_as_the_engine_can(tmp_path, card, old, what, room, most):
    extra = [
        written(tmp_path, f"{number}.toml", card.replace(old, f"{old}_{number}"))
        for number in range(room + 1)
    ]
    assert len(load(extra=extra[:room]).games["classic"].establishments) <= 48
    sentence = complaint(extra=tuple(extra))
    assert_says(sentence, 'game "classic"', f"{most + 1} {what}", f'"{old}_{room}"', f"accepted are {most}")


# -------------------------------------------------------------------------------- editions

CIUDAD = 'id = "ciudad"\n'
LAST_SET = 'replaces = { mine = "diamine" }'
BROKEN_EDITIONS = {
    "an unknown field": (CIUDAD, CIUDAD + "publisher = 1\n", '"ciudad"', 'no field "publisher"', "blurb"),
    "an id twice": (CIUDAD, 'id = "deluxe"\n', 'edition "deluxe"', "taken already"),
    "an unknown game": (
        'game = "second"',
        'game = "third"',
        '"neue_stadt"',
        '"game" is "third"',
        "classic, second",
    ),
    "a missing blurb": (CIUDAD, CIUDAD + 'blurb = { en = "A box.", es = "Una caja." }\n', '"blurb"', '"de"'),
    "an edition without a name": (CIUDAD, 'id = "village"\n', '"village"', '"name" has no text for "en"'),
    "an unknown set": (
        'id = "deluxe_extras"\nreplaces',
        'id = "moon"\nreplaces',
        '"deluxe", set "moon"',
        "no card or landmark has this set",
        "base, harbor, millionaires_row, deluxe_extras",
    ),
    "a set twice": (
        'id = "deluxe_extras"\nreplaces',
        'id = "harbor"\nreplaces',
        'set "harbor" is there twice',
    ),
    "a replaced card nobody knows": (
        LAST_SET,
        'replaces = { mines = "diamine" }',
        '"replaces" names "mines"',
        "mine",
    ),
    "a replacement nobody knows": (
        LAST_SET,
        'replaces = { mine = "diamond" }',
        '"replaces" names "diamond"',
        "mine",
    ),
    "a further landmark nobody knows": (
        'landmarks = ["harbor"]',
        'landmarks = ["pier"]',
        '"landmarks" names "pier"',
    ),
    "a price for an unknown card": (
        "{ sushi_bar = 4 }",
        "{ sushi = 4 }",
        '"deluxe"',
        '"costs" names "sushi"',
    ),
    "a negative price": ("{ sushi_bar = 4 }", "{ sushi_bar = -4 }", '"costs.sushi_bar" is -4', "0 to 99"),
    "too many players": (
        "max_players = 5\nshared",
        "max_players = 6\nshared",
        '"max_players" is 6',
        "2 to 5",
    ),
    "one player": (
        "min_players = 2\nmax_players = 5\nshared",
        "min_players = 1\nmax_players = 5\nshared",
        "is 1",
    ),
    "fewest above most": (
        "min_players = 2\nmax_players = 5\nshared",
        "min_players = 4\nmax_players = 3\nshared",
        '"min_players" is 4 and "max_players" 3',
    ),
    "a set for too many": (
        "city_hall = true }\nmax_players = 5",
        "city_hall = true }\nmax_players = 7",
        "is 7",
        "2 to 5",
    ),
    "no purple copies": (
        "major_copies = { other = 3 }",
        "major_copies = { other = 0 }",
        '"major_copies.other" is 0',
    ),
    "a word for copies": ("{ other = 3 }", '{ other = "some" }', '"major_copies.other" is "some"', "players"),
    "copies by unknown market": (
        '{ line10 = "players" }',
        '{ line11 = "players" }',
        '"line11"',
        "line10",
        "rows552",
    ),
    "an unknown house rule": (
        '{ renovation_payer = "bank" }',
        '{ payer = "bank" }',
        'no field "payer"',
        "market",
    ),
    "an unknown payer": (
        '{ renovation_payer = "bank" }',
        '{ renovation_payer = "me" }',
        '"me"',
        "bank, owners",
    ),
    "an unknown market of a set": (
        'id = "millionaires_row"\nhouse = { market = "line10" }',
        'id = "millionaires_row"\nhouse = { market = "bazaar" }',
        '"deluxe", set "millionaires_row"',
        '"market" is "bazaar"',
        "line10, rows552, rows555, stacks",
    ),
    "an unknown rule of a set": (
        'id = "millionaires_row"\nhouse = { market = "line10" }',
        'id = "millionaires_row"\nhouse = { markt = "line10" }',
        'no field "markt"',
    ),
    "a missing house rule": ("tax_threshold = 11\n", "", "[house.second]", '"tax_threshold" is missing'),
    "a house rule out of range": (
        "start_rounds = 3",
        "start_rounds = -1",
        '"start_rounds" must be at least 0',
    ),
    "a house rule of the wrong kind": (
        "start_rounds = 3",
        'start_rounds = "3"',
        '"start_rounds" must be a whole number',
    ),
    "house rules of no game": (
        "[house.second]",
        "[house.third]",
        "[house.third]",
        "no such game",
        "classic, second",
    ),
    "an untranslated set": (
        LAST_SET,
        LAST_SET + '\nname = { en = "Extras", de = "Extras" }',
        'set "deluxe_extras"',
        '"name" has no text for "es"',
    ),
}


@pytest.mark.parametrize("case", BROKEN_EDITIONS.values(), ids=BROKEN_EDITIONS)
def test_a_broken_edition_is_refused_in_a_sentence(tmp_path, case):
    old, new, *words = case
    folder = copy_of_the_boxes(tmp_path)
    rewrite(folder / "editions.toml", old, new)
    assert_says(complaint(folder), "editions.toml", *words)


def test_a_starting_card_must_be_a_card_of_the_game(tmp_path):
    folder = copy_of_the_boxes(tmp_path)
    file = folder / "editions.toml"
    text = file.read_text(encoding="utf-8").replace(
        '["wheat_field", "bakery"]', '["wheat_field", "baker"]', 1
    )
    file.write_text(text, encoding="utf-8")
    assert_says(complaint(folder), 'edition "ciudad"', '"starting_cards" names "baker"', "bakery")


def test_an_edition_must_have_a_set(tmp_path):
    folder = copy_of_the_boxes(tmp_path)
    file = folder / "editions.toml"
    text = file.read_text(encoding="utf-8")
    without = text[: text.rindex("[[edition.sets]]")]
    file.write_text(without.replace('game = "second"', 'game = "second"\nsets = []'), encoding="utf-8")
    assert_says(complaint(folder), 'edition "neue_stadt"', '"sets" is empty', "accepted are base")


def test_a_set_that_no_language_names_must_bring_its_name(tmp_path):
    folder = copy_of_the_boxes(tmp_path)
    written(folder, "tea.toml", TEA_HOUSE.replace('set = "base"', 'set = "tea_time"'))
    rewrite(folder / "editions.toml", 'id = "deluxe_extras"', 'id = "tea_time"')
    assert_says(complaint(folder), 'edition "deluxe", set "tea_time"', '"name" has no text for "en"')


def test_a_card_that_no_language_names_must_bring_its_name(tmp_path):
    text = TEA_HOUSE.replace('name = { en = "Tea House", es = "Casa de té", de = "Teehaus" }\n', "")
    assert_says(
        complaint(extra=(written(tmp_path, "tea.toml", text),)),
        'tea.toml, establishment "tea_house": "name" has no text for "en"',
        "en, es, de",
    )


def test_a_game_that_is_played_must_have_house_rules(tmp_path):
    folder = copy_of_the_boxes(tmp_path)
    file = folder / "editions.toml"
    text = file.read_text(encoding="utf-8")
    start, end = text.index("[house.second]"), text.index("[[edition]]")
    file.write_text(text[:start] + text[end:], encoding="utf-8")
    assert_says(complaint(folder), 'edition "neue_stadt"', "[house.second]")


def test_a_folder_must_have_editions(tmp_path):
    folder = copy_of_the_boxes(tmp_path)
    (folder / "editions.toml").unlink()
    assert_says(complaint(folder), "editions.toml: this file cannot be read")
