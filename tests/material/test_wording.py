"""What a player reads is composed from what the engine runs."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec
import pytest
from tests.material.boxes import LIGHTHOUSE, TEA_HOUSE, written

from dicetown.errors import MaterialError
from dicetown.languages import LANGUAGES
from dicetown.material import Establishment, GameMaterial, HouseFacts, Landmark, colour_name, describe, load
from dicetown.material.catalogue import catalogue
from dicetown.material.model import Bonus, Demolish, Fee, Income, LandmarkEffect, Per
from dicetown.rules.ruleset import Ruleset
from dicetown.rules.tables import tables_for

EDITION_OF = {"classic": "deluxe", "second": "neue_stadt"}


def house(game: str, **changed: object) -> HouseFacts:
    return HouseFacts.of({**load().editions[EDITION_OF[game]].house, **changed})


def cards_of(game: GameMaterial) -> dict[str, Establishment | Landmark]:
    cards: dict[str, Establishment | Landmark] = {}
    cards.update(game.establishments)
    cards.update(game.landmarks)
    return cards


def every_card() -> Iterator[tuple[GameMaterial, Establishment | Landmark]]:
    for game in load().games.values():
        for card in cards_of(game).values():
            yield game, card


def classic(card: str, language: str = "en", **changed: object) -> str:
    game = load().games["classic"]
    return describe(game, cards_of(game)[card], language, house("classic", **changed))


def second(card: str, language: str = "en", **changed: object) -> str:
    game = load().games["second"]
    return describe(game, cards_of(game)[card], language, house("second", **changed))


def numbers_in(structure: object) -> list[str]:
    """Every number that stands in an effect, however deep, as it should be read."""
    if isinstance(structure, dict):
        return [number for value in structure.values() for number in numbers_in(value)]
    return [str(structure)] if isinstance(structure, int) and not isinstance(structure, bool) else []


# ------------------------------------------------------------------------------ every card

CARDS = [pytest.param(game, card, id=f"{game.id}-{card.id}") for game, card in every_card()]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "card"), CARDS)
def test_every_card_has_whole_sentences_in_every_language(game, card, language):
    text = describe(game, card, language, house(game.id))
    assert re.fullmatch(r"[A-ZÁÉÍÓÚÄÖÜ].*\.", text)
    assert not re.search(r"[{}_]|None|  | \.| ,|\.\.|\(\)", text)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "card"), CARDS)
def test_the_numbers_in_a_sentence_are_those_of_the_card(game, card, language):
    facts = house(game.id, major_limit="none")
    expected = numbers_in(msgspec.to_builtins(card.effect))
    if card.id in ("tax_office", "shopping_district", "exhibit_hall"):
        expected.append(str(facts.tax_threshold))
    if card.id == "tech_startup" and game.id == "classic":
        expected.append("1")  # R24: the coin that may be put on it
    assert sorted(re.findall(r"\d+", describe(game, card, language, facts))) == sorted(expected)


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_of_one_game_read_the_same_only_if_they_do_the_same(language):
    for game in load().games.values():
        doing: dict[str, object] = {}
        for card in game.establishments.values():
            acts = (card.colour, card.effect, len(card.numbers) > 1)
            assert doing.setdefault(describe(game, card, language, house(game.id)), acts) == acts


# ----------------------------------------------------------------------- a few, word by word


@pytest.mark.parametrize(
    ("card", "english", "spanish", "german"),
    [
        (
            "wheat_field",
            "When anyone rolls this number, the bank pays you 1 coin.",
            "Saque quien saque este número, la banca te paga 1 moneda.",
            "Wird diese Zahl gewürfelt, egal von wem, zahlt dir die Bank 1 Münze.",
        ),
        (
            "cheese_factory",
            (
                "When you roll this number, the bank pays you 3 coins "
                "for each of your cards with the cow symbol."
            ),
            (
                "Cuando sacas este número, la banca te paga 3 monedas "
                "por cada carta tuya con el símbolo de vaca."
            ),
            "Wenn du diese Zahl würfelst, zahlt dir die Bank 3 Münzen für jede deiner Karten mit Kuh-Symbol.",
        ),
        (
            "sushi_bar",
            "When another player rolls this number, they pay you 3 coins, if you have built the Harbor.",
            "Cuando un rival saca este número, te paga 3 monedas si has construido tu Puerto.",
            (
                "Wenn ein Mitspieler diese Zahl würfelt, zahlt er dir 3 Münzen, "
                "sofern du das Großprojekt „Hafen“ gebaut hast."
            ),
        ),
        (
            "members_only_club",
            (
                "When another player with at least 3 landmarks rolls one of these numbers, "
                "they pay you all their coins."
            ),
            (
                "Cuando un rival con al menos 3 puntos de interés saca uno de estos números, "
                "te paga todas sus monedas."
            ),
            (
                "Wenn ein Mitspieler mit mindestens 3 Großprojekten eine dieser Zahlen würfelt, "
                "zahlt er dir alle seine Münzen."
            ),
        ),
        (
            "publisher",
            (
                "When you roll this number, each opponent pays you 1 coin for each of their cards "
                "with the cup or bread symbol. One per player."
            ),
            (
                "Cuando sacas este número, cada rival te paga 1 moneda por cada carta suya "
                "con el símbolo de taza o pan. Solo uno por jugador."
            ),
            (
                "Wenn du diese Zahl würfelst, zahlt dir jeder Mitspieler 1 Münze für jede seiner Karten "
                "mit Tassen- oder Brot-Symbol. Nur eines pro Spieler."
            ),
        ),
        (
            "demolition_company",
            (
                "When you roll this number, pull down one of your landmarks, if you have any; "
                "for that the bank pays you 8 coins."
            ),
            (
                "Cuando sacas este número, derriba uno de tus puntos de interés, si tienes alguno; "
                "por ello la banca te paga 8 monedas."
            ),
            (
                "Wenn du diese Zahl würfelst, reißt du eines deiner Großprojekte ab, falls du eines hast; "
                "dafür zahlt dir die Bank 8 Münzen."
            ),
        ),
        (
            "shopping_mall",  # R14: two Flower Shops with three orchards bring 12, not 8
            (
                "Whenever one of your cards with the cup or bread symbol earns coins, it earns 1 more; "
                "if it pays for each card of a kind, that extra is added for each of them."
            ),
            (
                "Cada vez que una de tus cartas con el símbolo de taza o pan da monedas, da 1 más; "
                "si paga por cada carta de un tipo, ese extra se suma por cada una de ellas."
            ),
            (
                "Immer wenn eine deiner Karten mit Tassen- oder Brot-Symbol Münzen einbringt, "
                "bringt sie 1 mehr ein; zahlt sie für jede Karte einer Art, "
                "kommt dieser Zuschlag für jede davon hinzu."
            ),
        ),
        (
            "city_hall",
            (
                "If you have no coins left when you come to build, the bank pays you 1 coin. "
                "It stands from the start and does not count towards victory."
            ),
            (
                "Si no te quedan monedas cuando llega el momento de construir, la banca te paga 1 moneda. "
                "Es un edificio inicial: está en pie desde el principio y no cuenta para ganar."
            ),
            (
                "Wenn du vor dem Bauen ohne Münzen dastehst, zahlt dir die Bank 1 Münze. "
                "Es ist von Anfang an gebaut und zählt nicht für den Sieg."
            ),
        ),
        (
            "harbor",
            "If your total is 10 or more, you may add 2 to it.",
            "Si sumas 10 o más, puedes añadir 2 al total.",
            "Ab einer Augenzahl von 10 darfst du 2 hinzuzählen.",
        ),
    ],
)
def test_a_card_of_the_classic_game_reads(card, english, spanish, german):
    assert (classic(card, "en"), classic(card, "es"), classic(card, "de")) == (english, spanish, german)


@pytest.mark.parametrize(
    ("card", "english", "spanish", "german"),
    [
        (
            "observatory",
            "The Launch Pad costs everyone 5 coins less.",
            "El punto de interés «Base de lanzamiento» cuesta 5 monedas menos para todos.",
            "Das Großprojekt „Raketenbasis“ kostet alle 5 Münzen weniger.",
        ),
        (
            "museum",
            "When you build it, each opponent pays you 3 coins for each of their landmarks.",
            "Al construirlo, cada rival te paga 3 monedas por cada punto de interés que tenga.",
            "Wenn du es baust, zahlt dir jeder Mitspieler 3 Münzen für jedes seiner Großprojekte.",
        ),
        (
            "loan_office",
            (
                "Your landmarks cost 2 coins less. "
                "You may build it only while you are the only player without a landmark."
            ),
            (
                "Tus puntos de interés cuestan 2 monedas menos. "
                "Solo puedes construirlo mientras seas la única persona sin puntos de interés."
            ),
            (
                "Deine Großprojekte kosten 2 Münzen weniger. "
                "Du darfst es nur bauen, solange nur du noch kein Großprojekt hast."
            ),
        ),
    ],
)
def test_a_landmark_of_the_second_game_reads(card, english, spanish, german):
    assert (second(card, "en"), second(card, "es"), second(card, "de")) == (english, spanish, german)


# ------------------------------------------------------------------ what changes the sentence


@pytest.mark.parametrize(
    ("language", "one", "two"),
    [("en", "1 coin.", "2 coins."), ("es", "1 moneda.", "2 monedas."), ("de", "1 Münze.", "2 Münzen.")],
)
def test_changing_an_amount_changes_the_sentence_and_its_noun(language, one, two):
    game = load().games["classic"]
    cafe = game.establishments["cafe"]
    dearer = msgspec.structs.replace(cafe, effect=Fee(amount=2))
    assert describe(game, cafe, language, house("classic")).endswith(one)
    assert describe(game, dearer, language, house("classic")).endswith(two)


def test_a_card_with_one_number_speaks_of_one_number():
    assert "this number" in classic("cafe")
    assert "one of these numbers" in classic("family_restaurant")


def test_the_tax_threshold_is_the_houses():
    assert "10 coins or more" in classic("tax_office")
    assert "7 coins or more" in classic("tax_office", tax_threshold=7)
    assert "11 coins or more" in second("exhibit_hall")


def test_who_pays_for_a_renovation_is_the_houses():
    assert "Opponents pay you 1 coin for each of theirs" in classic("renovation_company")
    assert "The bank pays you 1 coin for each card" in classic("renovation_company", renovation_payer="bank")


def test_a_trade_that_is_optional_reads_so():
    assert "you may swap" in classic("business_center", business_center_optional=True)
    assert "you may" not in classic("business_center")
    assert "purple ones too" in second("business_center")
    assert "no purple ones" in classic("business_center")


def test_when_a_winery_closes_is_the_houses():
    assert "Then this card closes." in classic("winery")
    assert "If it paid anything" in classic("winery", winery_closes_without_vineyard=False)


def test_how_many_dice_are_rolled_again_is_the_houses():
    assert "as many dice as before" in classic("radio_tower")
    assert "a new choice of dice" in classic("radio_tower", reroll_may_change_dice=True)


@pytest.mark.parametrize(
    ("limit", "ending"),
    [
        (1, "2 coins. One per player."),
        (2, "2 coins. At most 2 per player."),
        ("none", "2 coins."),
        (None, "2 coins."),
    ],
)
def test_how_many_purple_cards_one_may_have_is_the_houses(limit, ending):
    assert classic("stadium", major_limit=limit).endswith(ending)


def test_only_purple_cards_speak_of_a_limit():
    assert "per player" not in classic("cafe")


def test_lists_of_three_are_joined_as_each_language_does():
    game = load().games["classic"]
    mall = msgspec.structs.replace(
        game.landmarks["shopping_mall"], effect=Bonus(icons=("cup", "bread", "cow"), amount=1)
    )
    said = {language: describe(game, mall, language, house("classic")) for language in LANGUAGES}
    assert "the cup, bread or cow symbol" in said["en"]
    assert "el símbolo de taza, pan o vaca" in said["es"]
    assert "Tassen-, Brot- oder Kuh-Symbol" in said["de"]


def test_cards_are_counted_by_their_names():
    game = load().games["classic"]
    shop = msgspec.structs.replace(
        game.establishments["flower_shop"],
        effect=Income(amount=1, per=Per(cards=("ranch", "forest"), of="everyone")),
    )
    said = {language: describe(game, shop, language, house("classic")) for language in LANGUAGES}
    assert "for each Ranch or Forest in all cities" in said["en"]
    assert "por cada carta «Granja» o «Bosque» en todas las ciudades" in said["es"]
    assert "für jede Karte „Bauernhof“ oder „Wald“ in allen Städten" in said["de"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reach", ["own", "all"])
def test_every_lasting_effect_can_be_said_for_its_owner_and_for_all(language, reach):
    game = load().games["classic"]
    for model in LandmarkEffect.__args__:
        fields = {"amount": 3, "icons": ("cup",), "least": 9, "total": 11}
        effect = model(**{name: fields[name] for name in model.__struct_fields__ if name in fields})
        if model.__struct_config__.tag in ("collect_each", "tax", "share", "extra_turn"):
            continue
        landmark = msgspec.structs.replace(game.landmarks["harbor"], effect=effect, reach=reach)
        text = describe(game, landmark, language, house("classic"))
        assert sorted(re.findall(r"\d+", text)) == sorted(numbers_in(msgspec.to_builtins(effect)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bonus_speaks_of_counted_cards_where_the_engine_multiplies_it(language):
    """R14, R59: every landmark that raises a card is compared with what that card then pays."""
    for edition in ("deluxe", "neue_stadt"):
        ruleset = Ruleset(edition)
        tables, facts = tables_for(ruleset, 4), house(ruleset.game.id)
        clause = catalogue("cards", language).say("part.bonus_each")
        for bit, landmark in enumerate(ruleset.landmarks):
            if isinstance(landmark.effect, Bonus):
                raised = (tables.bonus_own | tables.bonus_all) >> bit & 1
                multiplied = bool((raised[:] & (tables.per[: len(raised)] > 0)).any())
                assert (clause in describe(ruleset.game, landmark, language, facts)) == multiplied


def test_own_and_all_read_differently():
    assert classic("airport") != second("airport").replace("5", "10")


def test_an_extra_card_has_its_sentence_at_once(tmp_path):
    boxes = load(extra=[written(tmp_path, "t.toml", TEA_HOUSE), written(tmp_path, "l.toml", LIGHTHOUSE)])
    game, facts = boxes.games["classic"], house("classic")
    assert describe(game, game.establishments["tea_house"], "en", facts) == (
        "When another player rolls one of these numbers, they pay you 2 coins."
    )
    assert describe(game, game.landmarks["lighthouse"], "de", facts) == (
        "Immer wenn eine deiner Karten mit Boot-Symbol Münzen einbringt, bringt sie 1 mehr ein."
    )


def test_an_effect_without_its_house_rules_cannot_be_described():
    with pytest.raises(MaterialError, match="tax_threshold"):
        HouseFacts.of({"renovation_payer": "bank"})


def test_colours_have_names():
    assert [colour_name("green", language) for language in LANGUAGES] == ["green", "verde", "grün"]


def test_a_language_nobody_speaks_is_refused():
    game = load().games["classic"]
    card = msgspec.structs.replace(game.establishments["forest"], colour="green", effect=Demolish(amount=8))
    with pytest.raises(MaterialError, match=r'There is no language "fr"; known: en, es, de\.'):
        describe(game, card, "fr", house("classic"))
