"""Tables: what the kernels read of a ruleset."""

from typing import Any, get_args

import msgspec
import pytest

from dicetown import Ruleset, RulesetError
from dicetown.material import load
from dicetown.material import model as m
from dicetown.rules import codes as c
from dicetown.rules.city import price
from dicetown.rules.layout import STATE, new
from dicetown.rules.tables import EFFECTS, POWERS, tables_for

DELUXE = Ruleset("deluxe")


def number(ruleset: Ruleset, card: str) -> int:
    return [one.id for one in ruleset.cards].index(card)


def agenda(ruleset: Ruleset, total: int) -> list[str]:
    t = tables_for(ruleset, 3)
    return [ruleset.cards[card].id for card in t.agenda[total, : t.n_agenda[total]].tolist()]


def test_every_effect_and_power_of_the_material_has_its_number() -> None:
    assert set(EFFECTS) == set(get_args(m.Effect))
    assert set(POWERS) == set(get_args(m.LandmarkEffect)) - {m.Help}  # the help is a house rule
    assert len(set(EFFECTS.values())) == len(EFFECTS)
    assert len(set(POWERS.values())) == len(POWERS)


@pytest.mark.parametrize(
    ("total", "cards"),
    [
        # "When order matters": red; loan; demolition; blue, green; moving; purple in their order
        (1, ["sushi_bar", "wheat_field"]),
        (2, ["ranch", "general_store", "bakery"]),
        (3, ["cafe", "corn_field", "bakery"]),
        (4, ["demolition_company", "corn_field", "flower_orchard", "convenience_store"]),
        (5, ["french_restaurant", "loan_office", "forest"]),
        (6, ["loan_office", "flower_shop", "stadium", "tv_station", "business_center"]),
        (7, ["pizza_joint", "vineyard", "cheese_factory", "publisher"]),
        (8, ["hamburger_stand", "mackerel_boat", "furniture_factory", "tax_office", "renovation_company"]),
        (9, ["family_restaurant", "diamine", "winery", "moving_company", "tax_office"]),
        (10, ["family_restaurant", "apple_orchard", "moving_company", "tech_startup", "convention_center"]),
        (11, ["soda_bottling_plant", "fruit_and_vegetable_market", "park"]),
        (12, ["members_only_club", "tuna_boat", "fruit_and_vegetable_market", "food_warehouse", "park"]),
        (13, ["members_only_club", "tuna_boat", "food_warehouse", "park"]),
        (14, ["members_only_club", "tuna_boat"]),
    ],
)  # fmt: skip
def test_cards_of_a_total_resolve_in_the_order_of_the_rules(total: int, cards: list[str]) -> None:
    assert agenda(DELUXE, total) == cards


def test_machi_koro_2_resolves_blue_before_green() -> None:
    """R8."""
    ruleset = Ruleset("neue_stadt")
    for total in range(1, 13):
        colours = [
            next(card.colour for card in ruleset.cards if card.id == one) for one in agenda(ruleset, total)
        ]
        assert colours == sorted(colours, key=["red", "blue", "green", "purple"].index), total


def test_no_total_activates_two_different_red_cards() -> None:
    """R12: so the order between them never arises."""
    for edition in load().editions:
        ruleset = Ruleset(edition)
        for total in range(1, 15):
            red = [card.id for card in ruleset.cards if card.colour == "red" and total in card.numbers]
            assert len(red) <= 1, (edition, total)


@pytest.mark.parametrize(
    ("edition", "house", "targets"),
    [
        ("ciudad", {"market": "stacks"}, []),
        ("ciudad", {}, [10]),
        ("grossstadt", {}, [5, 5, 2]),
        ("ciudad", {"market": "rows555"}, [5, 5]),  # classic: a low and a high row
        ("neue_stadt", {}, [5, 5, 5]),
        ("neue_stadt", {"market": "line10"}, [10, 5]),  # and a landmark row of 5 beside it
        ("neue_stadt", {"market": "rows552"}, [5, 5, 2, 5]),
        ("neue_stadt", {"market": "stacks"}, []),
    ],
)
def test_markets_have_their_rows(edition: str, house: dict[str, Any], targets: list[int]) -> None:
    t = tables_for(Ruleset(edition, house=house), 2)
    assert t.row_target[: t.rows].tolist() == targets


def test_rows_part_cards_by_number_and_purple_ones_where_they_have_a_row() -> None:
    three, two = Ruleset("grossstadt"), Ruleset("grossstadt", house={"market": "rows555"})
    rows = {
        name: int(tables_for(three, 2).row_of[number(three, name)])
        for name in ("forest", "mine", "stadium", "publisher")
    }
    assert rows == {"forest": 0, "mine": 1, "stadium": 2, "publisher": 2}
    rows = {name: int(tables_for(two, 2).row_of[number(two, name)]) for name in ("stadium", "publisher")}
    assert rows == {"stadium": 0, "publisher": 1}  # purple by number


def test_landmarks_of_the_classic_game_are_one_for_each_player_and_lie_in_no_row() -> None:
    t = tables_for(DELUXE, 4)
    marks = slice(c.MAX_CARDS, c.MAX_CARDS + t.landmarks)
    assert t.supply[marks].tolist() == [4] * 6
    assert t.row_of[marks].tolist() == [c.NOTHING] * 6


def test_landmarks_of_machi_koro_2_are_single_and_have_three_prices() -> None:
    ruleset = Ruleset("neue_stadt")
    t = tables_for(ruleset, 5)
    assert t.supply[c.MAX_CARDS : c.MAX_CARDS + 20].tolist() == [1] * 20
    market = [mark.id for mark in ruleset.landmarks].index("farmers_market")
    assert t.landmark_cost[market].tolist() == [10, 14, 22]


def test_a_condition_on_a_landmark_that_is_not_in_use_is_never_met() -> None:
    ruleset = Ruleset("ciudad", house={"landmarks": ["train_station"]})
    t = tables_for(ruleset, 2)
    needed = int(t.needs_built[number(ruleset, "mackerel_boat")])
    assert needed
    assert needed >= 1 << t.landmarks


def test_tables_are_made_once_and_cannot_be_written_to() -> None:
    t = tables_for(DELUXE, 3)
    assert tables_for(Ruleset("deluxe"), 3) is t
    with pytest.raises(ValueError, match="read-only"):
        t.cost[0] = 7


def all_acting_on_seven(cards: int) -> Ruleset:
    """So many cards of the Deluxe box, which all act on seven and on nothing else."""
    box = load()
    classic = box.games["classic"]
    crowd = {card.id: msgspec.structs.replace(card, rolls=(7,)) for card in classic.establishments.values()}
    crowded = msgspec.structs.replace(
        box, games=box.games | {"classic": msgspec.structs.replace(classic, establishments=crowd)}
    )
    chosen = [card.id for card in DELUXE.cards if card.effect != m.Startup()][:cards]
    assert {"wheat_field", "bakery"} <= set(chosen)  # these two are in every city
    return Ruleset("deluxe", house={"cards": chosen}, material=crowded)


def test_as_many_cards_as_fit_on_an_agenda_can_act_on_one_total() -> None:
    assert len(agenda(all_acting_on_seven(c.MAX_AGENDA), 7)) == c.MAX_AGENDA


def test_more_cards_than_a_total_can_activate_are_refused() -> None:
    with pytest.raises(RulesetError, match=r"17 different cards act on 7; at most 16 are possible\."):
        tables_for(all_acting_on_seven(c.MAX_AGENDA + 1), 2)


def test_what_counts_a_card_is_known_from_both_sides() -> None:
    tables = tables_for(DELUXE, 4)
    counters = {
        card.id: [DELUXE.cards[other].id for other in tables.counted_by[number] if other >= 0]
        for number, card in enumerate(DELUXE.cards)
    }
    assert counters["ranch"] == ["cheese_factory"]
    assert counters["vineyard"] == ["winery", "fruit_and_vegetable_market"]
    assert counters["cheese_factory"] == []
    assert set(counters["cafe"]) == {"food_warehouse", "soda_bottling_plant"}


def boxed(**changed: m.Establishment | m.Landmark) -> m.Material:
    """The material with some cards or landmarks of the first game changed."""
    box = load()
    classic = box.games["classic"]
    cards = {name: one for name, one in changed.items() if isinstance(one, m.Establishment)}
    marks = {name: one for name, one in changed.items() if isinstance(one, m.Landmark)}
    game = msgspec.structs.replace(
        classic, establishments=classic.establishments | cards, landmarks=classic.landmarks | marks
    )
    return msgspec.structs.replace(box, games=box.games | {"classic": game})


def all_counting_ranches(cards: int) -> Ruleset:
    """So many green cards that count ranches."""
    classic = load().games["classic"]
    cheese = classic.establishments["cheese_factory"].effect
    greens = [card for card in classic.establishments.values() if card.colour == "green"][:cards]
    chosen = {card.id: msgspec.structs.replace(card, effect=cheese) for card in greens}
    house = {"cards": [*chosen, "ranch"]}
    assert "bakery" in chosen  # which is in every city
    return Ruleset("deluxe", house=house, material=boxed(**chosen))


def test_as_many_cards_as_fit_can_count_one() -> None:
    ruleset = all_counting_ranches(c.MAX_COUNTERS)
    t = tables_for(ruleset, 2)
    assert sum(one >= 0 for one in t.counted_by[number(ruleset, "ranch")]) == c.MAX_COUNTERS


def test_more_cards_than_can_count_one_are_refused() -> None:
    with pytest.raises(RulesetError, match=r"9 different cards count ranch; at most 8 are possible\."):
        tables_for(all_counting_ranches(c.MAX_COUNTERS + 1), 2)


def counting_all(cards: int) -> Ruleset:
    """So many cards, which the Cheese Factory counts all."""
    classic = load().games["classic"]
    effect = m.Income(amount=1, per=m.Per(icons=tuple(classic.icons)))
    cheese = msgspec.structs.replace(classic.establishments["cheese_factory"], effect=effect)
    others = [card.id for card in DELUXE.cards if card.id not in ("wheat_field", "bakery", "cheese_factory")]
    house = {"cards": ["wheat_field", "bakery", "cheese_factory", *others[: cards - 3]]}
    return Ruleset("deluxe", house=house, material=boxed(cheese_factory=cheese))


def test_as_many_cards_as_fit_can_be_counted() -> None:
    ruleset = counting_all(c.MAX_COUNTED)
    t, cheese = tables_for(ruleset, 2), number(ruleset, "cheese_factory")
    assert t.n_counted[cheese] == c.MAX_COUNTED
    assert t.counted[cheese].tolist() == [*range(c.MAX_COUNTED), c.NOTHING]


def test_more_cards_than_can_be_counted_are_refused() -> None:
    with pytest.raises(RulesetError, match=r"counts 25 different cards; at most 24 are possible\."):
        tables_for(counting_all(c.MAX_COUNTED + 1), 2)


def test_no_harbor_raises_a_total_beyond_what_cards_act_on() -> None:
    harbor = load().games["classic"].landmarks["harbor"]
    high = msgspec.structs.replace(harbor, effect=m.AddToTotal(amount=3, least=10))
    with pytest.raises(RulesetError, match=r"raises the total beyond 14, where no card can act\."):
        tables_for(Ruleset("deluxe", material=boxed(harbor=high)), 2)


def test_only_one_landmark_raises_the_total() -> None:
    classic = load().games["classic"]
    airport = msgspec.structs.replace(classic.landmarks["airport"], effect=classic.landmarks["harbor"].effect)
    with pytest.raises(RulesetError, match=r"Only one landmark can raise the total, but 2 do"):
        tables_for(Ruleset("deluxe", material=boxed(airport=airport)), 2)


def test_a_card_has_its_icon_and_its_place_among_prices() -> None:
    t, icons = tables_for(DELUXE, 3), list(DELUXE.game.icons)
    assert [icons[t.icon[place]] for place in range(t.cards)] == [card.icon for card in DELUXE.cards]
    prices = [DELUXE.cards[place].cost for place in t.by_cost[: t.cards]]
    assert (prices, set(t.by_cost[: t.cards].tolist())) == (sorted(prices), set(range(t.cards)))


def test_only_one_card_takes_investments() -> None:
    box = load()
    classic = box.games["classic"]
    stadium = msgspec.structs.replace(classic.establishments["stadium"], effect=m.Startup())
    cards = classic.establishments | {"stadium": stadium}
    two = msgspec.structs.replace(
        box, games=box.games | {"classic": msgspec.structs.replace(classic, establishments=cards)}
    )
    with pytest.raises(
        RulesetError, match="Only one card can take investments, but stadium, tech_startup do"
    ):
        tables_for(Ruleset("deluxe", material=two), 2)


def test_a_state_is_small() -> None:
    """The issue asks for 2 KB; a GPU likes it smaller."""
    assert STATE.itemsize <= 1024


def test_the_lowest_price_of_a_landmark_counts_every_discount_and_nothing_else() -> None:
    """Machi Koro 2: 2 coins with a Loan Office, for a Launch Pad 5 more with an Observatory (R53)."""
    for ruleset, players in ((Ruleset("neue_stadt"), 3), (Ruleset("deluxe"), 3)):
        t = tables_for(ruleset, players)
        for bit, landmark in enumerate(ruleset.landmarks):
            off = 0 if ruleset.game.id == "classic" else 7 if landmark.id == "launch_pad" else 2
            assert t.landmark_least[bit] == max(0, min(landmark.cost) - off), landmark.id


@pytest.mark.parametrize(("amount", "left"), [(5, 5), (9, 1), (10, 0), (12, 0)])
def test_a_discount_touches_its_landmark_only_and_nothing_costs_less_than_nothing(
    amount: int, left: int
) -> None:
    """R53, with a discount on the first of all landmarks."""
    box = load()
    second = box.games["second"]
    aimed = m.Discount(amount=amount, landmark="farmers_market")
    observatory = msgspec.structs.replace(second.landmarks["observatory"], effect=aimed)
    game = msgspec.structs.replace(second, landmarks=second.landmarks | {"observatory": observatory})
    ruleset = Ruleset("neue_stadt", material=msgspec.structs.replace(box, games=box.games | {"second": game}))
    t, s = tables_for(ruleset, 2), new(STATE)
    marks = [mark.id for mark in ruleset.landmarks]
    assert marks[0] == "farmers_market"
    s.built[1] = 1 << marks.index("observatory")
    assert [price(t, s, 0, marks.index(mark)) for mark in ("farmers_market", "temple")] == [left, 12]
    assert t.landmark_least[0] == max(0, left - 2)  # the Loan Office's discount, too


def test_a_card_acts_from_its_first_roll_to_its_last() -> None:
    for ruleset in (Ruleset("neue_stadt"), DELUXE):
        t = tables_for(ruleset, 3)
        for place, card in enumerate(ruleset.cards):
            assert (t.first_roll[place], t.last_roll[place]) == (min(card.numbers), max(card.numbers)), (
                card.id
            )
