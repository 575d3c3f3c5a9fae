"""Another language is one folder and one line: here, in a copy of the package, which then speaks it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dicetown.languages import LANGUAGES
from dicetown.material.catalogue import read_templates
from dicetown.words.completeness import files_of

PACKAGE = Path(__file__).parents[2] / "src" / "dicetown"
LINE = re.compile(r"^(Language: TypeAlias = Literal\[.*)\]$", re.MULTILINE)
MARK = "¤"
#: Looks wherever people read something, in the copy.
LOOK = """
import json
from dicetown import Game, Ruleset
from dicetown.bots import BOTS
from dicetown.lab.studies.claims_plan import load_claims
from dicetown.lab.studies.study import words_of
from dicetown.languages import LANGUAGES
from dicetown.material import load
from dicetown.server.view.catalogue import bots, cards, editions
from dicetown.server.view.questions import asked_of
from dicetown.server.wire.schema import wire_schema
from dicetown.server.wire.texts import choose_language, say

edition = editions("xx")[0]
asked = asked_of(Game(names=["Ana", "Ben"], seed=1), "xx")
print(json.dumps({
    "languages": LANGUAGES,
    "of a page": wire_schema()["components"]["schemas"]["Speak"]["properties"]["language"]["enum"],
    "asked for": choose_language("xx", None),
    "said": [
        *(card.name["xx"] for game in load().games.values() for card in game.establishments.values()),
        edition.name, edition.sentence, edition.sets[0].name, edition.house[0].name,
        *(card.text for card in cards(Ruleset("deluxe"), "xx")),
        *(bot.sentence for bot in bots("xx")),
        *(bot.description["xx"] for bot in BOTS.values()),
        *(claim.statement["xx"] for claim in load_claims().claims),
        words_of("dice", "xx").say("dice.title"),
        say("xx", "refuse.no_table"),
        asked.question, *(choice.text for choice in asked.choices),
    ],
}))
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of Dicetown with a folder more and a line changed."""
    folder = tmp_path_factory.mktemp("home")
    left_out = shutil.ignore_patterns("static", "__pycache__")
    package = shutil.copytree(PACKAGE, folder / "dicetown", ignore=left_out)
    languages = package / "languages"
    for name in files_of(languages / "en"):
        file = languages / "xx" / f"{name}.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(marked(name, languages / "en")), encoding="utf-8")
    facts = (languages / "en" / "language.toml").read_text("utf-8").replace("English", f"{MARK}Xx")
    (languages / "xx" / "language.toml").write_text(facts, encoding="utf-8")
    text = (languages / "__init__.py").read_text("utf-8")
    longer, lines = LINE.subn(r'\1, "xx"]', text)
    assert lines == 1
    (languages / "__init__.py").write_text(longer, encoding="utf-8")
    return folder


def marked(name: str, folder: Path) -> Iterator[str]:
    """A file of a language with a mark before every text."""
    for key, template in read_templates(name, folder).items():
        forms = template if isinstance(template, dict) else {"": template}
        for form, text in forms.items():
            yield f"{key}{'.' if form else ''}{form} = {json.dumps(MARK + text, ensure_ascii=False)}\n"


def ran(home: Path, *arguments: str) -> str:
    """What Python says in the copy."""
    environment = {**os.environ, "PYTHONPATH": str(home), "HOME": str(home), "COLUMNS": "300"}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=home, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_listed_and_complete(home: Path) -> None:
    assert f"xx  {MARK}Xx: " in ran(home, "-m", "dicetown", "languages")
    assert "0 faults" in ran(home, "-m", "dicetown", "languages", "check", "xx")


def test_all_that_people_read_is_said_in_it(home: Path) -> None:
    found: dict[str, Any] = json.loads(ran(home, "-c", LOOK))
    assert found["languages"] == found["of a page"] == [*LANGUAGES, "xx"]
    assert found["asked for"] == "xx"
    assert [text for text in found["said"] if MARK not in text] == []


def test_a_game_is_played_in_it(home: Path) -> None:
    played = ran(
        home, "-m", "dicetown", "play", "--players", "greedy,greedy", "--sets", "base", "--seed", "1",
        "--speed", "instant", "--plain", "--lang", "xx",
    )  # fmt: skip
    lines = [line for line in played.splitlines() if line.strip()]
    assert len(lines) > 50
    assert [line for line in lines if MARK not in line and not line.startswith("Greedy")] == []


def test_the_page_is_given_its_words(home: Path) -> None:
    ran(home, str(home / "dicetown" / "languages" / "page.py"), str(home / "words"))
    areas = {file.stem: file.read_text("utf-8") for file in (home / "words").glob("*.ts")}
    assert '"xx": "¤Xx"' in areas.pop("languages")
    assert set(areas) == {file.stem for file in (PACKAGE / "languages" / "en" / "page").glob("*.toml")}
    for text in areas.values():
        assert text.count(MARK) > 20
