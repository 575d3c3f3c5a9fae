"""Prometheus itself, with the shipped alerts: it understands them, and gets an answer to every question."""

import json
import math
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from tests.patience import PATIENCE
from tests.programs import program
from tests.server.site import Guest
from tests.server.test_cluster import QUICKLY, Player, Several, several, wait_until
from tests.server.test_dashboard import DEPLOY, questions
from tests.server.test_proxies import free_port

_ALERTS = DEPLOY / "alerts.yml"
_PACKAGE = "prometheus"


def written_settings() -> tuple[str, str]:
    """The lines for prometheus.yml that the alerts begin with, for one process and for several."""
    comments = [line[1:] for line in _ALERTS.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    lines = [line[3:] for line in comments if line.startswith("   ")]
    [discovery] = [line for line in lines if "http_sd_configs" in line]
    one = [line for line in lines if line is not discovery]
    return "\n".join(one), "\n".join(discovery if "static_configs" in line else line for line in one)


@pytest.mark.parametrize("settings", written_settings(), ids=["one process", "several"])
def test_prometheus_understands_alerts_and_settings(settings: str, tmp_path: Path) -> None:
    shutil.copy(_ALERTS, tmp_path)
    (tmp_path / "prometheus.yml").write_text(settings, encoding="utf-8")
    command = [program("promtool", _PACKAGE), "check", "config", "prometheus.yml"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "3 rules found" in ran.stdout


#: What happens, sampled every fifteen seconds, that somebody has to know of.
TROUBLE = {
    "DicetownStoresNothing": {"dicetown_database_lost": "0x8 1x80"},
    "DicetownIsSlow": {
        'dicetown_action_seconds_bucket{le="0.25"}': "0+15x80",
        'dicetown_action_seconds_bucket{le="0.5"}': "0+16x80",  # one of sixteen takes longer
        'dicetown_action_seconds_bucket{le="+Inf"}': "0+16x80",
        "dicetown_action_seconds_count": "0+16x80",
    },
    "DicetownStandsStill": {
        'dicetown_background_age_seconds{task="tidying"}': "0+15x80",
        'dicetown_background_every_seconds{task="tidying"}': "60x80",
    },
}


@pytest.mark.parametrize("name", TROUBLE)
def test_an_alert_is_raised_after_a_while_and_not_before(name: str, tmp_path: Path) -> None:
    rules = yaml.safe_load(_ALERTS.read_text(encoding="utf-8"))["groups"][0]["rules"]
    [rule] = [rule for rule in rules if rule["alert"] == name]
    of_task = {"task": "tidying"} if "Still" in name else {}
    expected = {
        "exp_labels": rule["labels"] | {"instance": "a"} | of_task,
        "exp_annotations": rule["annotations"],
    }
    series = [
        {"series": (f"{one[:-1]}," if one.endswith("}") else f"{one}{{") + 'instance="a"}', "values": values}
        for one, values in TROUBLE[name].items()
    ]
    after = [
        {"eval_time": "2m", "alertname": name, "exp_alerts": []},
        {"eval_time": "18m", "alertname": name, "exp_alerts": [expected]},
    ]
    shutil.copy(_ALERTS, tmp_path)
    story = {"interval": "15s", "input_series": series, "alert_rule_test": after}
    (tmp_path / "test.yml").write_text(json.dumps({"rule_files": ["alerts.yml"], "tests": [story]}))
    command = [program("promtool", _PACKAGE), "test", "rules", "test.yml"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@contextmanager
def watching(running: Several, folder: Path) -> Iterator[httpx.Client]:
    """Prometheus, with the shipped settings but for its haste, reading what a service tells."""
    shutil.copy(_ALERTS, folder)
    haste = "global: {scrape_interval: 250ms, scrape_timeout: 250ms}\n"
    settings = written_settings()[1].replace("http://127.0.0.1:8000/", running.address)
    settings = settings.replace('targets"}', 'targets", refresh_interval: 1s}')
    (folder / "prometheus.yml").write_text(haste + settings, encoding="utf-8")
    at = f"127.0.0.1:{free_port()}"
    command = [program("prometheus", _PACKAGE), "--config.file=prometheus.yml", f"--web.listen-address={at}"]
    with (folder / "log").open("w") as log, httpx.Client(base_url=f"http://{at}/api/v1/") as client:
        prometheus = subprocess.Popen(
            [*command, "--storage.tsdb.path=data"], cwd=folder, stdout=log, stderr=log
        )
        try:
            yield client
        finally:
            prometheus.terminate()
            prometheus.wait(PATIENCE)


def ask(prometheus: httpx.Client, question: str) -> list[Any]:
    """What Prometheus answers; numbers that are none are no answer."""
    answer = prometheus.get("query", params={"query": question})
    assert answer.status_code == 200, answer.text
    return [one for one in answer.json()["data"]["result"] if not math.isnan(float(one["value"][1]))]


def as_grafana_asks(question: str) -> str:
    """A question of the dashboard with its variables put in."""
    question = re.sub(r"label_values\((\w+), \w+\)", r"\1", question)
    return question.replace("$instance", ".*").replace("$__rate_interval", "5s")


@pytest.mark.slow
def test_every_question_is_answered_while_people_play(postgres_place: str, tmp_path: Path) -> None:
    alerts = {name for name, _ in questions() if name.startswith("Dicetown")}
    asked = {as_grafana_asks(question): where for where, question in questions() if where not in alerts}
    with (
        several(postgres_place, *QUICKLY) as running,
        watching(running, tmp_path) as prometheus,
    ):
        wait_until(lambda: _is_there(prometheus))
        guest = Guest(running.address)
        with guest.live(guest.make("me", "normal")) as line:
            player = Player(line, "watched")
            player.hear()

            def is_all_answered() -> bool:
                player.play(1)
                guest.client.get("/api/tables/AAAAAAAA")  # and something is refused
                for question in [one for one in asked if ask(prometheus, one)]:
                    del asked[question]
                return not asked

            wait_until(is_all_answered)
            roles = ask(prometheus, 'count by (role) (up{job="dicetown"} == 1)')
            assert {one["metric"]["role"]: one["value"][1] for one in roles} == {"game": "2", "gateway": "1"}
            [pages] = ask(prometheus, as_grafana_asks(dict(questions())["Pages"]))
            assert pages["value"][1] == "1"  # not once more for the gateway
            for name, question in questions():
                if name in alerts:
                    assert ask(prometheus, question) == []
            rules = prometheus.get("rules").json()["data"]["groups"][0]["rules"]
            assert {rule["name"]: rule["state"] for rule in rules} == dict.fromkeys(alerts, "inactive")
        guest.client.close()


def _is_there(prometheus: httpx.Client) -> bool:
    """Whether it has heard of the service; while it starts it does not listen, and then has no time yet."""
    try:
        there = prometheus.get("query", params={"query": "dicetown_build"})
    except httpx.TransportError:
        return False
    return there.status_code != httpx.codes.SERVICE_UNAVAILABLE and bool(ask(prometheus, "dicetown_build"))
