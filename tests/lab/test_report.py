"""The report: a page that needs nothing else, Markdown with its charts, and tables in a terminal."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest
from rich.console import Console
from tests.lab.by_hand import BASE, NUMBERS, write_sample

from dicetown.lab.findings.figures import digits_in, style_of
from dicetown.lab.findings.section import Chart, Column, Estimate, Section, Table
from dicetown.lab.record.folder import Recorded
from dicetown.lab.record.sample import Sample
from dicetown.lab.report.markdown import anchor
from dicetown.lab.report.plots import draw
from dicetown.lab.report.plots_look import DESK, NIGHT, PHONE, Sheet
from dicetown.lab.report.report import PLOTS, Report, compose
from dicetown.lab.report.terminal import drawn_table, tables_of
from dicetown.lab.report.write import PAGE, TEXT, write_report
from dicetown.lab.studies import claims, dice, editions, openings, pace
from dicetown.lab.studies.claims_plan import load_claims, sample_name
from dicetown.languages import LANGUAGES
from dicetown.rules.codes import MAX_CARDS

GAMES = 200
STUDIES = (openings.study, pace.study, dice.study, editions.study, claims.study)
RANCH, CHEESE, CAFE = (NUMBERS[card] for card in ("ranch", "cheese_factory", "cafe"))
MALL = NUMBERS["shopping_mall"] - MAX_CARDS
COMMAND = "dicetown lab all --sets base --games 200"


def a_sample(folder: Path, name: str, bots: tuple[str, ...]) -> Recorded:
    """Some games in which everything happens that a study looks at."""
    games, players, purchases = [], [], []
    for game in range(GAMES):
        winner = game * 7 % 10 % len(bots)
        games.append({"winner": winner, "turns": 40 + game % 20, "half_rank_of_winner": game % len(bots)})
        for seat in range(len(bots)):
            first = (RANCH, CHEESE, CAFE)[(game + seat) % 3]
            players.append(
                {
                    "game": game,
                    "seat": seat,
                    "won": seat == winner,
                    "first": first,
                    "second": RANCH,
                    "third": CAFE,
                    "first_landmark": (MALL + game + seat) % 3,
                    "could_choose": 4,
                    "two_dice": (game + seat) % 5,
                    "first_two_dice": 3 + game % 5 if (game + seat) % 5 else 0,
                    "earned": 30,
                }
            )
            purchases += [
                {"game": game, "seat": seat, "thing": thing, "price": 2} for thing in (first, RANCH)
            ]
    return write_sample(folder, Sample(name, BASE, len(bots), bots, 3, GAMES), games, players, purchases)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> list[Recorded]:
    folder = tmp_path_factory.mktemp("lab") / "results"
    plans = load_claims().samples
    tested = [
        a_sample(folder, sample_name(name, number), lineup)
        for name in ("random-4p", "seven-4p")
        for number, lineup in enumerate(plans[name].lineups(), start=1)
    ]
    usual = [a_sample(folder, f"usual-{players}", ("greedy",) * players) for players in (2, 4)]
    return [*usual, *tested]


def sections_of(recorded: Sequence[Recorded], language: str) -> list[Section]:
    usual = [one for one in recorded if one.name.startswith("usual")]
    return [study(recorded if study is claims.study else usual, language) for study in STUDIES]


@pytest.fixture(scope="module")
def reports(recorded: list[Recorded]) -> Callable[[str], Report]:
    made: dict[str, Report] = {}

    def report(language: str) -> Report:
        if language not in made:
            sections = sections_of(recorded, language)
            made[language] = compose(sections, recorded, language, COMMAND, date="2030-01-02")
        return made[language]

    return report


@pytest.fixture(scope="module")
def written(
    reports: Callable[[str], Report], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Path]:
    """The folder of a language's report; it is written once."""
    folders: dict[str, Path] = {}

    def write(language: str) -> Path:
        if language not in folders:
            folders[language] = tmp_path_factory.mktemp(language)
            assert write_report(reports(language), folders[language]) == folders[language] / PAGE
        return folders[language]

    return write


def read(folder: Path, name: str = PAGE) -> str:
    return (folder / name).read_text(encoding="utf-8")


class Page(HTMLParser):
    """What a page refers to, and which ids it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.references: list[str] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name in ("href", "src", "xlink:href", "action", "data", "poster", "srcset"):
                self.references.append(value or "")
            if name == "id":
                self.ids.append(value or "")


# ----------------------------------------------------------------------------- the page


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_report_is_written_whole_in_every_language(
    reports: Callable[[str], Report], written: Callable[[str], Path], language: str
) -> None:
    report, folder = reports(language), written(language)
    text, markdown = read(folder), read(folder, TEXT)
    assert f'<html lang="{language}">' in text
    for section in report.sections:
        assert section.title in text
        assert section.title in markdown
        assert f'<section id="{section.key}">' in text
    charts = sum(len(section.charts) for section in report.sections)
    assert text.count("<figure>") == charts == len(list((folder / PLOTS).glob("*.svg")))


def test_the_page_refers_to_nothing_outside_itself(written: Callable[[str], Path]) -> None:
    text = read(written("en"))
    page = Page(text)
    assert {reference for reference in page.references if not reference.startswith("#")} == {"data:,"}
    assert {reference[1:] for reference in page.references if reference.startswith("#")} <= set(page.ids)
    assert not re.search(r"@import|url\((?!#)|fetch\(|XMLHttpRequest|<iframe|<object|<embed", text)
    names = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert set(re.findall(r"https?://[^\s\"'<>)]+", text)) <= names
    assert not re.search(r"url\(#(?!" + "|".join(page.ids) + r")", text)


def test_no_two_things_on_the_page_have_the_same_id(written: Callable[[str], Path]) -> None:
    page = Page(read(written("en")))
    assert len(set(page.ids)) == len(page.ids)


def test_the_page_says_how_it_was_made(written: Callable[[str], Path]) -> None:
    text = read(written("en"))
    made = text[text.index('<footer id="made">') :]
    for told in ("2030-01-02", COMMAND, "<dd>3</dd>", "deluxe, base"):
        assert told in made


def test_what_people_name_cannot_write_into_the_page(recorded: list[Recorded], tmp_path: Path) -> None:
    nasty = "<script>alert('&')</script>"
    table = Table("t", nasty, (Column("a", nasty, "name"), Column("b", "b")), ((nasty, 1.5),))
    chart = Chart("dots", nasty, "t", "b", "a")
    section = Section("s", nasty, nasty, nasty, (table,), (chart,), (nasty,))
    report = compose([section], recorded[:1], "en", nasty)
    text = write_report(report, tmp_path).read_text(encoding="utf-8")
    assert nasty not in text
    assert Page(text).tags.count("script") == 1


def test_an_interrupted_sample_is_said_to_be_so(tmp_path: Path) -> None:
    sample = Sample("cut", BASE, 2, ("greedy",) * 2, 0, 500)
    recorded = write_sample(tmp_path / "results", sample, [{"winner": 0, "turns": 30}] * 100)
    report = compose([], [recorded], "de", COMMAND)
    assert report.played.cells("games") == ["100 von 500"]
    assert any("unterbrochen" in note for note in report.notes)


def test_the_title_names_the_game_unless_all_are_compared(recorded: list[Recorded]) -> None:
    section = Section("pace", "", "", "")
    assert compose([section], recorded, "en", "").title == "What the games say: Deluxe Edition (Base game)"
    compared = [Section("claims", "", "", "")]
    assert compose(compared, recorded, "en", "").title == "What the games say"


# ----------------------------------------------------------------------------- Markdown


def test_charts_of_an_older_report_do_not_stay(recorded: list[Recorded], tmp_path: Path) -> None:
    old = tmp_path / PLOTS / "old-1.svg"
    old.parent.mkdir()
    old.write_text("<svg/>", encoding="utf-8")
    report = compose([pace.study(recorded[:1], "en")], recorded[:1], "en", COMMAND)
    write_report(report, tmp_path)
    assert {plot.name for plot in old.parent.iterdir()} == {f"pace-{number}.svg" for number in (1, 2, 3)}


def test_markdown_links_to_charts_and_sections_that_are_there(written: Callable[[str], Path]) -> None:
    text = read(written("es"), TEXT)
    charts = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text)
    assert charts
    assert all((written("es") / chart).is_file() for chart in charts)
    heads = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert set(re.findall(r"\(#([^)]+)\)", text)) <= {anchor(head) for head in heads}


def test_every_row_of_a_markdown_table_has_as_many_cells(written: Callable[[str], Path]) -> None:
    text = read(written("en"), TEXT)
    for block in re.findall(r"(?:^\|.*\|\n?)+", text, re.MULTILINE):
        cells = {len(re.findall(r"(?<!\\)\|", line)) for line in block.strip().splitlines()}
        assert len(cells) == 1, block


# ------------------------------------------------------------------------------- charts

ROWS = tuple((name, group, Estimate(0.25, 0.2, 0.3), 0.5) for name in ("a", "b") for group in ("x", "y"))
TABLE = Table(
    "t",
    "",
    (
        Column("name", "", "name"),
        Column("group", "", "name"),
        Column("won", "won", "share"),
        Column("n", "n"),
    ),
    ROWS,
)
CHARTS = [
    Chart("dots", "Title", "t", "won", "name", colour="group", line_at=0.25),
    Chart("dots", "Title", "t", "name", "won"),
    Chart("bars", "Title", "t", "name", "won", facet="group", line_at=0.25),
    Chart("lines", "Title", "t", "n", "won", colour="group"),
    Chart("histogram", "Title", "t", "n", "won"),
    Chart("cells", "Title", "t", "name", "group", colour="won"),
]


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: f"{chart.kind}-{chart.x}")
@pytest.mark.parametrize("sheet", [DESK, PHONE], ids=["desk", "phone"])
def test_every_kind_of_chart_is_an_svg_with_a_title(chart: Chart, sheet: Sheet) -> None:
    section = Section("s", "", "", "", (TABLE,), tuple(CHARTS))
    svg = draw(section, chart, "de", sheet)
    root = ET.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"] == "Title"
    assert "Title" in "".join(root.itertext())


def test_every_colour_of_a_chart_has_a_partner_for_the_night() -> None:
    section = Section("s", "", "", "", (TABLE,), tuple(CHARTS))
    for chart in CHARTS[:-1]:  # cells have colours that serve by night, too
        svg = re.sub(r"<style>.*?</style>", "", draw(section, chart, "en"))
        colours = set(re.findall(r'(?:fill|stroke)="(#\w+)"', svg))
        assert colours <= set(NIGHT), colours - set(NIGHT)


def test_a_chart_speaks_its_language() -> None:
    section = Section("s", "", "", "", (TABLE,), (CHARTS[0],))
    assert "Gestrichelt" in draw(section, CHARTS[0], "de")
    assert "22,5" in draw(section, CHARTS[0], "es") or "22\u202f%" in draw(section, CHARTS[0], "es")


# ------------------------------------------------------------------------------ figures


def test_digits_follow_the_intervals() -> None:
    wide = Table("t", "", (Column("a", "", "share"),), ((Estimate(0.5, 0.4, 0.6),),))
    narrow = Table("t", "", (Column("a", "", "share"),), ((Estimate(0.5, 0.4999, 0.5001),),))
    told = Table("t", "", (Column("a", "", "share", 0),), ((Estimate(0.5, 0.4999, 0.5001),),))
    assert [digits_in(table, "a") for table in (wide, narrow, told)] == [0, 3, 0]
    counted = Table("t", "", (Column("a", "", "number"),), ((3,), (None,)))
    assert digits_in(counted, "a") == 0


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("en", ["1,234.5", "12.3%", "+1.5", "−1,234"]),
        ("de", ["1.234,5", "12,3\u202f%", "+1,5", "−1.234"]),
        ("es", ["1234,5", "12,3\u202f%", "+1,5", "−1234"]),
    ],
)
def test_numbers_are_written_as_in_the_language(language: str, written: list[str]) -> None:
    style = style_of(language)
    assert [style.number(1234.5), style.share(0.123), style.signed(1.5), style.count(-1234)] == written


def test_nothing_is_a_dash_and_no_minus_stands_before_nothing() -> None:
    style = style_of("en")
    assert style.value(Column("a", ""), None, 1) == "–"
    assert style.number(-0.001) == "0.0"


# ----------------------------------------------------------------------------- terminal


def shown(table: object) -> str:
    console = Console(width=120, color_system=None)
    with console.capture() as captured:
        console.print(table)
    return captured.get()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_section_is_shown_in_a_terminal(reports: Callable[[str], Report], language: str) -> None:
    for section in reports(language).sections:
        tables = list(tables_of(section, language))
        assert len(tables) == sum(table.shown for table in section.tables)
        assert all(shown(table).strip() for table in tables)


def test_a_long_table_says_how_much_more_there_is() -> None:
    table = Table("t", "Long", (Column("a", "a", "name"),), tuple((f"row [{n}]",) for n in range(50)))
    text = shown(drawn_table(table, "en", most=10))
    assert "row [9]" in text
    assert "row [10]" not in text
    assert "(+ 40)" in text


def test_figures_in_a_terminal_are_never_broken() -> None:
    estimate = Estimate(0.25, 0.24, 0.26)
    columns = tuple(Column(f"c{n}", "a rather long title of a column", "share") for n in range(5))
    text = shown(drawn_table(Table("t", "", columns, ((estimate,) * 5,)), "en"))
    assert text.count("25.0% (24.0–26.0)") == 5
