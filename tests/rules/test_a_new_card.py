"""A card that uses existing effects is added by TOML alone: no line of code knows it."""

import pytest

from dicetown import Game, Ruleset
from dicetown.material import load

NEW_CARDS = """
game = "classic"

[[establishment]]
id = "tea_house"
set = "base"
name = { en = "Tea House", es = "Casa de té", de = "Teehaus" }
colour = "green"
icon = "cup"
rolls = [5, 6]
cost = 2
copies = 4
effect = { kind = "income", amount = 2, per = { icons = ["wheat"] } }

[[establishment]]
id = "night_market"
set = "base"
name = { en = "Night Market", es = "Mercado nocturno", de = "Nachtmarkt" }
colour = "red"
icon = "fruit"
rolls = [4]
cost = 3
copies = 6
effect = { kind = "fee", amount = 2 }

[[establishment]]
id = "kiosk"
set = "base"
name = { en = "Kiosk", es = "Quiosco", de = "Kiosk" }
colour = "green"
icon = "fruit"
rolls = [5]
cost = 1
copies = 6
effect = { kind = "income", amount = 1, per = { icons = ["cow"] }, then = "close" }
"""


@pytest.fixture
def ruleset(tmp_path):
    file = tmp_path / "teas.toml"
    file.write_text(NEW_CARDS, encoding="utf-8")
    return Ruleset("deluxe", sets=["base"], material=load(extra=[file]))


def play_until_built(game, card):
    """Roll sixes, which bring nothing at first, until the card is in the first player's city."""
    while card not in game.cards(0):
        game.play("roll 1")
        game.play("dice 1")
        mine = game.turn == 0 and f"build {card}" in map(str, game.legal_actions())
        game.play(f"build {card}" if mine else "pass")


def test_it_lies_in_the_market_with_its_copies(ruleset):
    market = Game(ruleset, players=3, seed=1).market
    assert (market["tea_house"], market["night_market"]) == (4, 6)


def test_it_can_be_built_and_earns_what_its_data_say(ruleset):
    game = Game(ruleset, players=2, chance="manual")
    play_until_built(game, "tea_house")
    while game.turn != 0:
        game.play("roll 1")
        game.play("dice 2")
        game.play("pass")
    before = game.coins(0)
    assert game.preview(6).gains == (2, 0)  # one Wheat Field
    game.play("roll 1")
    game.play("dice 6")
    assert game.coins(0) == before + 2


def test_its_fee_is_owed_by_whoever_rolls(ruleset):
    game = Game(ruleset, players=2, chance="manual")
    play_until_built(game, "night_market")
    purse = game.coins(1)
    game.play("roll 1")
    events = game.play("dice 4")
    assert game.coins(1) == purse - min(2, purse)
    assert any(getattr(event, "cause", None) == "night_market" for event in events)


def test_a_card_that_closes_after_a_single_coin_closes_only_when_it_has_earned_it(ruleset):
    """R20: the house rule is about any card that closes, however little it earns."""
    house = {"winery_closes_without_vineyard": False}
    ruleset = Ruleset("deluxe", sets=["base"], house=house, material=ruleset.material)
    kiosk, ranch = ([card.id for card in ruleset.cards].index(name) for name in ("kiosk", "ranch"))
    for ranches, closed in ((1, {"kiosk": 1}), (0, {})):
        game = Game(ruleset, players=2, chance="manual")
        game.state.owned[0, kiosk], game.state.owned[0, ranch] = 1, ranches
        game.play("roll 1")
        game.play("dice 5")
        assert (game.coins(0), game.closed(0)) == (3 + ranches, closed)


def test_it_has_a_text_in_every_language(ruleset):
    from dicetown.material import HouseFacts, describe

    facts = HouseFacts.of(ruleset.edition.house)
    card = ruleset.game.establishments["tea_house"]
    texts = {language: describe(ruleset.game, card, language, facts) for language in ("en", "es", "de")}
    assert all("2" in text for text in texts.values())
    assert len(set(texts.values())) == 3
