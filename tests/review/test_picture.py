"""The picture of a review: well-formed, self-contained, and everybody is in it, not by colour alone."""

import xml.etree.ElementTree as ET

import pytest
from tests.review.made_up import made_up_review, random_game

from dicetown import Ruleset
from dicetown.review import Labels, draw_picture, sparkline
from dicetown.review.picture import STYLES

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ["Ana & Bo", "<Ben>", "Caro 'C'", "Dan", "Eve the Unbelievably Long"]


def picture_of(players: int, decisions: int | None = 60) -> ET.Element:
    names = NAMES[:players]
    found = made_up_review(random_game(Ruleset("deluxe", sets=["base"]), names, 3, decisions).save())
    labels = Labels("Chances & co", "Turn", "Chance", [f"point <{n}>" for n in range(3)])
    return ET.fromstring(draw_picture(found, names, labels))


def texts(picture: ET.Element) -> list[str]:
    return [text.text or "" for text in picture.iter(f"{SVG}text")]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_picture_is_well_formed_and_shows_every_player(players: int) -> None:
    picture = picture_of(players)
    lines = list(picture.iter(f"{SVG}polyline"))
    assert [line.findtext(f"{SVG}title") for line in lines] == NAMES[:players]
    for name in NAMES[:players]:
        assert texts(picture).count(name) == 2  # in the legend, and at the end of the line


def test_lines_differ_in_colour_and_in_dashes() -> None:
    lines = list(picture_of(4).iter(f"{SVG}polyline"))
    assert len({line.get("stroke") for line in lines}) == 4
    assert len({line.get("stroke-dasharray") for line in lines}) == 4
    assert len({dashes for _, dashes in STYLES}) == len(STYLES) >= 5


def test_axes_are_labelled_and_turning_points_marked() -> None:
    picture = picture_of(2)
    for label in ["Chances & co", "Turn", "Chance", "0 %", "50 %", "100 %", "1", "2", "3"]:
        assert label in texts(picture)
    titles = [title.text for title in picture.iter(f"{SVG}title")]
    assert titles[-3:] == ["1. point <0>", "2. point <1>", "3. point <2>"]
    assert len(list(picture.iter(f"{SVG}circle"))) == 3


def test_every_point_lies_inside() -> None:
    for line in picture_of(3, None).iter(f"{SVG}polyline"):
        for point in (line.get("points") or "").split():
            x, y = map(float, point.split(","))
            assert 0 <= x <= 860
            assert 0 <= y <= 420


def test_nothing_is_fetched_from_elsewhere() -> None:
    picture = picture_of(2)
    for element in picture.iter():
        assert not any("href" in name or "url(" in value for name, value in element.items())


def test_a_sparkline_is_as_wide_as_asked_and_never_wider_than_what_it_shows() -> None:
    assert len(sparkline([0.5] * 200, width=60)) == 60
    assert sparkline([0.5] * 3, width=60) == "▅▅▅"
    assert sparkline([0.0, 1.0]) == "▁█"
