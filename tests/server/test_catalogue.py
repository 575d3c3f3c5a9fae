"""What is in the boxes: editions, house rules, cards and bots, as a page shows them."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.server.looking import check_text

from dicetown import Game, Ruleset
from dicetown.bots import find_bot, known_bots
from dicetown.bots.bot import BotMaker
from dicetown.bots.levels import LEVELS
from dicetown.errors import BotError, RulesetError
from dicetown.languages import LANGUAGES
from dicetown.material import House, load
from dicetown.server import wire
from dicetown.server.view import catalogue
from dicetown.server.view.scene import scene_of

EDITIONS = tuple(load().editions)


def info(edition: str, language: str = "en") -> wire.EditionInfo:
    return next(one for one in catalogue.editions(language) if one.id == edition)


# ------------------------------------------------------------------------------ editions


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_edition_and_every_set_has_a_name_and_one_honest_sentence(language: str) -> None:
    shown = catalogue.editions(language)
    assert [one.id for one in shown] == list(EDITIONS)
    for edition in shown:
        for text in (edition.name, edition.sentence, *(part.sentence for part in edition.sets)):
            check_text(text)
        assert edition.sentence.endswith(".")
        assert all(part.sentence.endswith(".") for part in edition.sets)
        assert [part.id for part in edition.sets if part.needed] == ["base"]


def test_the_language_is_the_one_the_box_is_printed_in() -> None:
    assert {one.id: one.language for one in catalogue.editions("en")} == {
        "ciudad": "es",
        "deluxe": "en",
        "grossstadt": "de",
        "neue_stadt": "de",
    }


def test_sets_say_how_many_may_sit_down() -> None:
    deluxe = {part.id: part.max_players for part in info("deluxe").sets}
    assert deluxe == {"base": 4, "harbor": 5, "millionaires_row": 4, "deluxe_extras": 4}
    assert [(one.min_players, one.max_players) for one in catalogue.editions("en")] == [
        (2, 5),
        (2, 5),
        (2, 4),
        (2, 5),
    ]


# --------------------------------------------------------------------------- house rules


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_house_rule_has_words_and_the_value_it_usually_has(edition: str, language: str) -> None:
    usual = msgspec.structs.asdict(Ruleset(edition).rules)
    rules = info(edition, language).house
    assert {rule.id for rule in rules} <= set(House.__struct_fields__)
    for rule in rules:
        for text in (rule.name, rule.sentence, *(option.name for option in rule.options)):
            check_text(text)
        assert rule.sentence.endswith(".")
        assert rule.usual == usual[rule.id]
        assert type(rule.usual) is type(usual[rule.id])


def values_of(rule: wire.HouseRule) -> list[Any]:
    """Every value of a rule, or of a number those at the ends."""
    if rule.kind == "switch":
        return [True, False]
    if rule.kind == "number":
        return [rule.least, rule.most]
    return [option.value for option in rule.options]


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_value_that_is_offered_can_be_played(edition: str) -> None:
    for rule in info(edition).house:
        assert rule.usual in values_of(rule) or rule.kind == "number"
        for value in values_of(rule):
            ruleset = Ruleset(edition, house={rule.id: value})
            assert getattr(ruleset.rules, rule.id) == value


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_number_beyond_its_limits_cannot_be_played(edition: str) -> None:
    for rule in info(edition).house:
        if rule.kind == "number":
            assert rule.least is not None
            assert rule.most is not None
            for value in (rule.least - 1, rule.most + 1):
                with pytest.raises(RulesetError, match=rule.id):
                    Ruleset(edition, house={rule.id: value})


def test_rules_about_what_is_not_in_the_box_are_left_out() -> None:
    shown = {edition: {rule.id for rule in info(edition).house} for edition in EDITIONS}
    assert "renovation_payer" not in shown["ciudad"]
    assert "renovation_payer" in shown["deluxe"]
    assert "reroll_may_change_dice" not in shown["neue_stadt"]
    assert shown["deluxe"] == set(House.__struct_fields__)


def test_sentences_name_cards_as_the_language_prints_them() -> None:
    rules = {rule.id: rule for rule in info("deluxe", "de").house}
    assert "Funkturm" in rules["reroll_may_change_dice"].sentence
    extras = next(part for part in info("deluxe", "es").sets if part.id == "deluxe_extras")
    assert "Centro de convenciones" in extras.sentence


# --------------------------------------------------------------------------------- cards


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_card_of_an_edition_is_described(edition: str, language: str) -> None:
    ruleset = Ruleset(edition)
    cards = {card.id: card for card in catalogue.cards(ruleset, language)}
    known = {card.id for card in ruleset.cards} | {mark.id for mark in ruleset.landmarks}
    assert set(cards) == known | ({ruleset.city_hall.id} if ruleset.city_hall else set())
    for card in cards.values():
        check_text(card.name)
        check_text(card.text)
        assert (
            (card.colour == "gold") == (card.kind == "landmark") == (card.rolls == []) == (card.number == "")
        )
        assert card.set in ruleset.set_ids
    for printed in ruleset.cards:
        assert (cards[printed.id].cost, cards[printed.id].symbol) == (printed.cost, printed.icon)
    shown = [card.rolls[0] for card in cards.values() if card.rolls]
    assert shown == sorted(shown)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_scene_shows_no_card_that_is_not_described(edition: str) -> None:
    game = Game(Ruleset(edition), players=2, seed=1)
    known = {card.id for card in catalogue.cards(game.ruleset, "en")}
    scene = scene_of(game)
    assert {offer.id for offer in scene.market} <= known
    for city in scene.cities:
        assert {card.id for card in city.cards} | {mark.id for mark in city.landmarks} <= known
        assert set(city.standing) <= known


def test_a_card_says_what_is_printed_on_it() -> None:
    cards = {card.id: card for card in catalogue.cards(Ruleset("deluxe"), "en")}
    bakery = cards["bakery"]
    assert (bakery.name, bakery.number, bakery.rolls, bakery.colour, bakery.symbol) == (
        "Bakery",
        "2–3",
        [2, 3],
        "green",
        "bread",
    )
    assert cards["sushi_bar"].cost == 4, "dearer in this edition"
    assert cards["city_hall"].cost == 0
    assert cards["train_station"].cost == 4


def test_house_rules_change_what_a_card_says() -> None:
    plain = {card.id: card.text for card in catalogue.cards(Ruleset("deluxe"), "en")}
    other = {
        card.id: card.text for card in catalogue.cards(Ruleset("deluxe", house={"tax_threshold": 7}), "en")
    }
    assert plain["tax_office"] != other["tax_office"]
    assert "7 coins" in other["tax_office"]


# ---------------------------------------------------------------------------------- bots


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_bot_has_a_name_and_a_sentence(language: str) -> None:
    shown = catalogue.bots(language)
    assert {bot.id for bot in shown} == set(known_bots())
    for bot in shown:
        check_text(bot.name)
        check_text(bot.sentence)
    names = [bot.name for bot in shown]
    assert len(set(names)) == len(names)


def test_levels_come_first_from_the_easiest() -> None:
    shown = catalogue.bots("en")
    assert [bot.id for bot in shown[: len(LEVELS)]] == [level.name for level in LEVELS]
    assert [bot.level for bot in shown[:6]] == [1, 2, 3, 4, 5, 0]


def test_bots_that_search_have_to_warm_up() -> None:
    assert {bot.id for bot in catalogue.bots("en") if bot.needs_warming} == {"master", "search"}


def test_a_bot_of_another_package_is_shown_unless_it_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(name: str) -> BotMaker:
        if name == "broken":
            raise BotError("It cannot be loaded.")
        greedy = find_bot("greedy")
        return BotMaker("lucky_one", {"fr": "Joue au hasard."}, {}, greedy.make)

    monkeypatch.setattr(catalogue, "known_bots", lambda: ["broken", "lucky_one"])
    monkeypatch.setattr(catalogue, "find_bot", find)
    (bot,) = catalogue.bots.__wrapped__("es")
    assert (bot.id, bot.name, bot.sentence, bot.level) == ("lucky_one", "Lucky one", "Joue au hasard.", 0)


def test_the_page_has_a_sign_for_whatever_a_card_does() -> None:
    signs = (Path(__file__).parents[2] / "web" / "src" / "look" / "gist.ts").read_text(encoding="utf-8")
    cards = [card for edition in EDITIONS for card in catalogue.cards(Ruleset(edition), "en")]
    kinds = {card.gist.kind for card in cards if card.gist}
    assert kinds
    assert [kind for kind in kinds if f"  {kind}: " not in signs] == []
