"""The documentation as a site: it builds, stands alone, and shows what the code says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
import typer

from dicetown.cli import app
from dicetown.material import load
from dicetown.server.wire.schema import wire_schema

ROOT = Path(__file__).parent.parent
#: What a browser fetches by itself when it sees one of these.
FETCHED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href", "use": "href"}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` builds it; a warning of MkDocs is an error there."""
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    folder = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder))
        config.plugins.run_event("startup", command="build", dirty=False)
        build(config)
        config.plugins.run_event("shutdown")
    return folder


class Fetches(HTMLParser):
    """What a page makes a browser fetch."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for key, value in attrs if FETCHED.get(tag) == key and value]


def fetched(site: Path) -> Iterator[tuple[Path, str]]:
    for page in site.rglob("*.html"):
        yield from ((page, address) for address in Fetches(page).found)
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        yield from (
            (sheet, address) for address in re.findall(r"url\(['\"]?([^'\")]+)|@import", text) if address
        )


def test_nothing_is_fetched_from_elsewhere_and_all_of_it_is_there(site: Path) -> None:
    seen = 0
    for page, address in fetched(site):
        if address.startswith(("data:", "#")):
            continue
        assert not re.match(r"\w+:|//", address), f"{page.relative_to(site)} fetches {address}"
        if page.name != "404.html":  # which a server shows in place of any page
            assert (page.parent / re.split("[?#]", address)[0]).is_file(), f"{page}: {address}"
        seen += 1
    assert seen > 100


def test_no_page_needs_what_is_only_loaded_at_sight(site: Path) -> None:
    """Material fetches Mermaid from elsewhere where a page has a drawing."""
    assert [
        page for page in site.rglob("*.html") if 'class="mermaid"' in page.read_text(encoding="utf-8")
    ] == []


def test_it_can_be_searched_without_a_server(site: Path) -> None:
    index = (site / "search" / "search_index.js").read_text(encoding="utf-8")
    assert "counter-clockwise" in index
    assert "iframe-worker.js" in (site / "index.html").read_text(encoding="utf-8")


def test_every_card_is_in_the_gallery_of_its_edition_in_every_language(site: Path) -> None:
    for edition in load().editions:
        page = (site / "cards" / f"{edition}.html").read_text(encoding="utf-8")
        assert len(re.findall(r'<div class="card \w+">', page)) % 3 == 0
        assert page.count('id="__tabbed_1_') == 3
    deluxe = (site / "cards" / "deluxe.html").read_text(encoding="utf-8")
    assert all(name in deluxe for name in ("Tuna Boat", "Atunero", "Thunfischkutter") if name in _names())


def _names() -> set[str]:
    return {name for card in load().games["classic"].establishments.values() for name in card.name.values()}


def test_every_command_and_every_message_has_its_place(site: Path) -> None:
    group: object = typer.main.get_command(app)
    commands = (site / "reference" / "commands.html").read_text(encoding="utf-8")
    for name in vars(group)["commands"]:
        assert f'id="{name}' in commands, name
    wire = (site / "reference" / "wire.html").read_text(encoding="utf-8")
    for name in wire_schema()["components"]["schemas"]:
        assert f'id="{name.lower()}"' in wire, name


def test_marks_for_the_tests_are_not_shown(site: Path) -> None:
    for page in site.rglob("*.html"):
        assert "<!-- in tests" not in page.read_text(encoding="utf-8")
