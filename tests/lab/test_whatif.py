"""Changed cards and house rules against the original."""

import re
from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from dicetown import Ruleset
from dicetown.errors import LabError
from dicetown.intervals import Z
from dicetown.lab.findings.figures import style_of
from dicetown.lab.findings.pairs import Paired
from dicetown.lab.findings.section import Estimate
from dicetown.lab.record.changes import changed_ruleset, split_change, things_changed
from dicetown.lab.record.folder import Recorded
from dicetown.lab.record.gather import gather, name_sample
from dicetown.lab.record.manifest import Manifest
from dicetown.lab.studies.study import Wish, words_of
from dicetown.lab.studies.whatif import Pair, _about_card, samples_for, study
from dicetown.lab.studies.whatif_sums import Differences, compare
from dicetown.rules.tables import tables_for
from dicetown.words import Speaker

ROOT = Path(__file__).parents[2]
BASE = Ruleset("deluxe", sets=["base"])


def card_of(ruleset: Ruleset, thing: str) -> Any:
    things: list[Any] = [*ruleset.cards, *ruleset.landmarks]
    return next(card for card in things if card.id == thing)


# ------------------------------------------------------------------------------ changing


def test_a_changed_card_plays_and_reads_as_changed() -> None:
    changed = changed_ruleset(BASE, ["stadium.amount=3", "stadium.cost=5", "mine.rolls=8,9"])
    number = [card.id for card in changed.cards].index("stadium")
    tables = tables_for(changed, 4)
    assert (tables.cost[number], tables.amount[number]) == (5, 3)
    assert "3 coins" in Speaker(changed, [], "en").effect("stadium")
    assert list(card_of(changed, "mine").numbers) == [8, 9]
    assert changed != BASE
    assert tables_for(BASE, 4).amount[number] == 2


def test_a_box_with_prices_of_its_own_does_not_hide_a_change() -> None:
    priced = next(
        (edition, thing)
        for edition, box in BASE.material.editions.items()
        for thing in box.costs
        if thing in {card.id for card in Ruleset(edition).cards}
    )
    edition, thing = priced
    assert card_of(changed_ruleset(Ruleset(edition), [f"{thing}.cost=17"]), thing).cost == 17


@pytest.mark.parametrize(
    ("change", "field", "value"),
    [
        ("cheese_factory.cost=0", "cost", 0),
        ("train_station.cost=9", "cost", (9,)),
        ("cafe.copies=12", "copies", 12),
        ("cafe.icon=wheat", "icon", "wheat"),
    ],
)
def test_fields_of_a_card_can_be_changed(change: str, field: str, value: object) -> None:
    thing, _, _ = split_change(change)
    assert getattr(card_of(changed_ruleset(BASE, [change]), thing), field) == value


@pytest.mark.parametrize(
    ("change", "value"),
    [
        ("cheese_factory.per.cards=ranch,forest", ("ranch", "forest")),
        ("cheese_factory.effect.per.cards=ranch,forest", ("ranch", "forest")),
    ],
)
def test_what_an_effect_counts_can_be_changed(change: str, value: object) -> None:
    changed = changed_ruleset(BASE, ["cheese_factory.per.icons=none", change])
    assert card_of(changed, "cheese_factory").effect.per.cards == value


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            "cheese_factry.cost=3",
            'no card or landmark in play "cheese_factry"; did you mean "cheese_factory"?',
        ),
        ("winery.cost=3", 'There is no card or landmark in play "winery"'),
        ("cafe.price=3", 'cafe has no field "price"; known: colour, icon, rolls, cost, copies, amount'),
        ("cafe.cst=3", 'cafe has no field "cst"; did you mean "cost"? Known: colour'),
        ("cafe.name=Bar", 'cafe has no field "name"'),
        ("cafe.cost=dear", 'cafe: "cost" must be a whole number, not a text in quotes.'),
        ("cafe.cost=-1", 'cafe: "cost" is -1, accepted is 0 to 99.'),
        ("cafe.cost=none", 'cafe: "cost" must be a whole number, not nothing.'),
        ("mine.rolls=15", 'mine: "rolls" is 15, accepted is 1 to 14.'),
        ("mine.rolls=9,8", 'mine: "rolls" is [9, 8], but the lower number comes first.'),
        ("cafe.icon=moon", 'cafe: "icon" names "moon", known are'),
        ("cafe.colour=blue", 'cafe: a blue card cannot have the effect "fee", accepted are income, tuna.'),
        ("cafe.cost", '"cafe.cost" is no change of a card; one reads like convenience_store.cost=3.'),
        ("cafe=3", '"cafe=3" is no change of a card'),
        ("cheese_factory.per.of=hers", '"effect.per.of" is "hers", accepted are everyone, own, theirs.'),
        ("cheese_factory.per.size=3", 'there is no field "effect.per.size"'),
        ("train_station.cost=3,4", 'train_station: "cost" has 2 prices, accepted are one, or three'),
    ],
)
def test_a_change_that_makes_no_sense_is_refused_in_a_sentence(change: str, sentence: str) -> None:
    with pytest.raises(LabError) as refused:
        changed_ruleset(BASE, [change])
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_manifest_carries_the_changes(tmp_path: Path) -> None:
    changes = ("cafe.cost=4", "stadium.amount=3")
    ruleset = Ruleset("deluxe", sets=["base"], house={"start_coins": 5})
    sample = name_sample(changed_ruleset(ruleset, changes), 2, ["greedy"], 1, 10, changes)
    Manifest.of(sample, 10).write(tmp_path)
    again = Manifest.read(tmp_path).sample
    assert again == sample
    assert card_of(again.ruleset, "cafe").cost == 4
    assert again.ruleset.rules.start_coins == 5
    assert sample.name == "deluxe-base-2p-greedy-start_coins=5-cafe.cost=4-stadium.amount=3"
    assert things_changed((*changes, "cafe.copies=3")) == ("cafe", "stadium")


# ----------------------------------------------------------------------------- comparing


def play(
    tmp_path: Path, ruleset: Ruleset, changes: tuple[str, ...], games: int = 400, players: int = 2
) -> tuple[Recorded, ...]:
    changed = changed_ruleset(ruleset, changes)
    wish = Wish(changed, (players,), (("greedy",),), games, 5, changes)
    return gather(samples_for(wish), tmp_path / "lab").recorded


def test_a_change_that_changes_nothing_makes_no_difference_at_all(tmp_path: Path) -> None:
    original, changed = play(tmp_path, BASE, ("cafe.cost=2",))
    found = compare(original, changed)
    assert found.games == 400
    every = [*found.course.values(), *found.seats.values(), *found.copies.values(), *found.owners.values()]
    for paired in every:
        assert paired.difference is not None
        assert paired.difference.value == 0
        assert paired.difference.high == pytest.approx(0, abs=1e-6)


def test_differences_are_taken_game_by_game(tmp_path: Path) -> None:
    original, changed = play(tmp_path, BASE, ("stadium.cost=3", "radio_tower.cost=5"))
    found = compare(original, changed)
    before, after = (pl.read_parquet(one.games).sort("game") for one in (original, changed))
    longer = (after["turns"] - before["turns"]).to_list()
    check(found.course["turns"].difference, longer)
    check(found.seats[1].difference, ((after["winner"] == 1).cast(int) - (before["winner"] == 1)).to_list())
    bought = []
    for one in (original, changed):
        stadium = next(number for number, name in one.things.items() if name == "stadium")
        purchases = pl.read_parquet(one.purchases)
        copies = dict(purchases.filter(pl.col("thing") == stadium).group_by("game").len().iter_rows())
        bought.append([copies.get(game, 0) for game in range(400)])
    check(found.copies["stadium"].difference, [b - a for a, b in zip(*bought, strict=True)])
    # A cheap Radio Tower comes before the Shopping Mall in the tables; names are compared, not numbers.
    assert list(original.things.values()) != list(changed.things.values())
    assert next(iter(found.copies)) == "wheat_field"
    mall = found.copies["shopping_mall"].changed.estimate
    assert mall is not None
    assert mall.value > 1


def check(estimate: Estimate | None, differences: list[int]) -> None:
    """The mean of plain differences, with its standard error."""
    assert estimate is not None
    mean = sum(differences) / len(differences)
    spread = sum((one - mean) ** 2 for one in differences) / len(differences)
    assert estimate.value == pytest.approx(mean, abs=1e-9)
    assert estimate.high - estimate.low == pytest.approx(2 * Z * sqrt(spread / len(differences)))


def test_samples_without_games_in_common_are_not_compared(tmp_path: Path) -> None:
    original, changed = play(tmp_path, BASE, ("stadium.cost=3",), games=50)
    with pytest.raises(LabError, match="have no games in common yet; --resume plays on"):
        compare(original, replace(changed, parts=()))


def test_a_figure_that_one_side_lacks_has_no_difference() -> None:
    assert Paired().difference is None


@pytest.mark.parametrize("language", ["en", "es", "de"])
def test_the_section_tells_the_change_in_every_language(tmp_path: Path, language: str) -> None:
    recorded = play(tmp_path, BASE, ("cafe.cost=4", "train_station.cost=1"))
    section = study(recorded, language)
    assert "cafe.cost=4, train_station.cost=1" in section.title
    assert card_of(BASE, "cafe").name[language] in section.answer
    assert card_of(BASE, "train_station").name[language] in section.notes[1]
    assert section.table("cards").rows
    assert section.figures["changes"] == ["cafe.cost=4", "train_station.cost=1"]


def test_a_card_that_nobody_buys_is_said_to_be_such(tmp_path: Path) -> None:
    section = study(play(tmp_path, BASE, ("cheese_factory.cost=90",), games=50), "en")
    assert "Cheese Factory is bought by nobody, neither before nor now" in section.answer


def test_a_card_that_hardly_anybody_buys_is_said_to_show_nothing(tmp_path: Path) -> None:
    originals = play(tmp_path, BASE, ("mine.cost=5",), games=50)
    pair = Pair(originals[0], originals[1], "", "en")
    seldom = Paired.of_games(1_000, (3.0, 4.0), (3.0, 4.0), 0.0)
    pair.__dict__["found"] = Differences(1_000, copies={"mine": seldom})
    (said,) = _about_card(pair, "mine", words_of("whatif", "en"), style_of("en"))
    assert said.startswith("Mine is hardly ever bought, neither before (0.00 times in a game) nor now (0.00)")


@pytest.mark.parametrize(
    "page", ["docs/lab.md", "src/dicetown/commands/lab.py", "src/dicetown/lab/studies/whatif.py"]
)
def test_the_example_that_people_are_shown_shows_something(page: str, tmp_path: Path) -> None:
    (change,) = set(re.findall(r"--set (\w+\.cost=\d+)", (ROOT / page).read_text(encoding="utf-8")))
    original, changed = play(tmp_path, BASE, (change,), games=50, players=4)
    difference = compare(original, changed).copies[change.split(".")[0]].difference
    assert difference is not None
    assert difference.is_clear_of


def test_house_rules_can_be_what_changes(tmp_path: Path) -> None:
    rich = Ruleset("deluxe", sets=["base"], house={"start_coins": 20})
    section = study(play(tmp_path, rich, ()), "en")
    assert "start_coins=20" in section.title
    turns = section.table("course").as_dicts()[0]
    assert turns["difference"]["high"] < 0
    assert section.answer.startswith("A game takes ")
    assert "changes most" in section.answer


def test_somebody_must_say_what_is_different() -> None:
    with pytest.raises(LabError, match="Say what shall be different: --set"):
        samples_for(Wish(BASE, (2,), (("greedy",),), 10))


def test_half_a_comparison_is_none(tmp_path: Path) -> None:
    recorded = play(tmp_path, BASE, ("cafe.cost=4",))
    with pytest.raises(LabError, match="no sample yet that has both"):
        study(recorded[:1], "en")
