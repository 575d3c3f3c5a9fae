"""CITATION.cff, which tells researchers how to cite: valid, and of this very version."""

from pathlib import Path
from typing import Any

import pytest
import yaml

import dicetown

ROOT = Path(__file__).parent.parent
#: What CFF 1.2 demands, and what else it knows on its first level that is used here.
REQUIRED = {"authors", "cff-version", "message", "title"}
KNOWN = REQUIRED | {"abstract", "keywords", "license", "type", "version"}


@pytest.fixture
def citation() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    return found


def test_it_has_what_the_format_demands_and_nothing_that_it_does_not_know(citation: dict[str, Any]) -> None:
    assert citation["cff-version"] == "1.2.0"
    assert set(citation) >= REQUIRED
    assert set(citation) <= KNOWN
    assert citation["type"] in {"software", "dataset"}
    assert all(set(author) == {"name"} for author in citation["authors"])  # nobody is a person there
    assert len(citation["keywords"]) == len(set(citation["keywords"])) > 0


def test_it_cites_this_version_under_its_licence(citation: dict[str, Any]) -> None:
    assert citation["version"] == dicetown.__version__, "CITATION.cff names another version"
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith(f"{citation['license']} License")
