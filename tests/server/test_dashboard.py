"""The dashboard and the alerts: they ask only for what a running service tells, and in whole sentences."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families
from tests.server.site import site

DEPLOY = Path(__file__).parents[2] / "deploy"
#: Words of PromQL that look like names of metrics, or of labels where those are not in braces.
_LABELS = re.compile(r"\b(?:by|on|without|ignoring)\s*\(([^)]*)\)")
_SELECTOR = re.compile(r"\{([^{}]*)\}")
_METRIC = re.compile(r"\b(?:dicetown|process|python)_[a-z0-9_]+\b")
_FUNCTIONS = {"avg", "count", "histogram_quantile", "increase", "label_values", "max", "min", "rate", "sum"}
_WORDS = {"and", "or", "unless", "up", "instance"}
_PAIRS = {")": "(", "]": "[", "}": "{"}
#: What Prometheus itself tells of every process, and Grafana of every panel.
_OF_PROMETHEUS = {"instance", "job"}


def questions() -> Iterator[tuple[str, str]]:
    """Where something is asked, and what."""
    rules = yaml.safe_load((DEPLOY / "alerts.yml").read_text(encoding="utf-8"))
    for group in rules["groups"]:
        for rule in group["rules"]:
            yield rule["alert"], rule["expr"]
    dashboard = json.loads((DEPLOY / "grafana-dashboard.json").read_text(encoding="utf-8"))
    for panel in dashboard["panels"]:
        for target in panel["targets"]:
            yield panel["title"], target["expr"]
    yield "instance", dashboard["templating"]["list"][1]["query"]


def told(folder: Path) -> dict[str, set[str]]:
    """The samples that a running service tells, and their labels."""
    found: dict[str, set[str]] = {}
    with site(folder) as here:
        ana = here.guest()
        code = ana.make("me", "here")
        with ana.live(code) as line:
            line.hear("welcome")
            line.act(0, "roll 1", key="k")
            line.hear("done")
            line.act(1, "roll 1", key="l", moves=0)
            line.hear("refused")
        with ana.live(ana.make("normal", "me")) as line:  # the bot begins
            while not line.hear("entry")["by_bot"]:
                pass
        page = ana.client.get("/metrics").text
    for family in text_string_to_metric_families(page):
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """What a running service tells."""
    return told(tmp_path_factory.mktemp("site"))


@pytest.mark.parametrize(("where", "asked"), list(questions()))
def test_everything_that_is_asked_for_is_told(where: str, asked: str, samples: dict[str, set[str]]) -> None:
    named = _METRIC.findall(asked)
    assert named
    assert not [name for name in named if name not in samples], where
    labels = {label.strip() for group in _LABELS.findall(asked) for label in group.split(",")}
    for selector in _SELECTOR.findall(asked):
        labels |= {re.split(r"[=!]", one)[0].strip() for one in selector.split(",")}
    known = set().union(*(samples[name] for name in named)) | _OF_PROMETHEUS
    assert labels <= known, where


@pytest.mark.parametrize(("where", "asked"), list(questions()))
def test_every_question_is_well_formed(where: str, asked: str) -> None:
    bare = re.sub(r'"[^"]*"', '""', asked)
    assert bare.count('"') % 2 == 0
    opened: list[str] = []
    for letter in bare:
        if letter in _PAIRS.values():
            opened.append(letter)
        elif letter in _PAIRS:
            assert opened, where
            assert opened.pop() == _PAIRS[letter], where
    assert not opened, where
    called = set(re.findall(r"\b([a-z_]+)\s*\(", _LABELS.sub("", bare)))
    assert called - _WORDS <= _FUNCTIONS, where
    for inner in re.findall(r"(?:rate|increase)\(([^()]*)\)", bare):
        assert re.fullmatch(r"[a-z_]+(\{[^}]*\})?\[(\d+[smh]|\$__rate_interval)\]", inner), where


def test_there_are_three_alerts_and_each_says_what_to_do() -> None:
    rules = yaml.safe_load((DEPLOY / "alerts.yml").read_text(encoding="utf-8"))["groups"][0]["rules"]
    assert len(rules) == 3
    for rule in rules:
        assert rule["annotations"].keys() == {"summary", "description"}
        assert rule["for"]
        assert rule["labels"]["severity"] in ("page", "ticket")


def test_panels_do_not_lie_on_each_other() -> None:
    panels = json.loads((DEPLOY / "grafana-dashboard.json").read_text(encoding="utf-8"))["panels"]
    taken: set[tuple[int, int]] = set()
    for place in (panel["gridPos"] for panel in panels):
        across, down = range(place["x"], place["x"] + place["w"]), range(place["y"], place["y"] + place["h"])
        cells = {(x, y) for x in across for y in down}
        assert place["x"] + place["w"] <= 24
        assert not cells & taken
        taken |= cells
    assert len({panel["id"] for panel in panels}) == len(panels)
