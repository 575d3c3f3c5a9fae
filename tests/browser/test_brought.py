"""An agent that whoever runs the service has trained: guests choose it by its name, and play against it."""

import json
import shlex
import sys
from collections.abc import Iterator
from urllib.parse import urljoin

import numpy as np
import pytest
from playwright.sync_api import expect
from tests.browser.conftest import NewPage
from tests.browser.playing import FRIEND, ME, Seat, go_to, make_table
from tests.browser.service import ROOT, Service

from dicetown import Ruleset
from dicetown.sight.spec import VERSION, spec_for

NAME = "My agent"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service to which an agent was brought along that has learned nothing yet."""
    folder = tmp_path_factory.mktemp("house")
    spec = spec_for(Ruleset("deluxe", sets=["base"]), 2)
    np.savez(
        folder / "agent.npz",
        about=np.array(json.dumps({"version": VERSION, "edition": "deluxe", "sets": ["base"], "players": 2})),
        scale=spec.scale,
        policy_0_weight=np.zeros((spec.actions, spec.size), np.float32),
        policy_0_bias=np.zeros(spec.actions, np.float32),
    )
    command = [sys.executable, str(ROOT / "examples" / "my_agent.py"), str(folder / "agent.npz")]
    with Service(folder, "--bot", f"{NAME}=pipe:{shlex.join(command)}") as running:
        yield running


def test_it_stands_among_the_bots_of_a_new_table(new_page: NewPage, house: Service) -> None:
    page = new_page(urljoin(house.address, "/new"))
    choice = page.get_by_label("Bot on seat 3")
    choice.select_option(NAME)
    expect(choice).to_have_value(NAME)
    expect(page.get_by_text("Brought along by whoever runs this service.")).to_be_visible()


def test_guests_play_against_it(new_page: NewPage, house: Service) -> None:
    page = new_page(house.address)
    code = make_table(page, [ME, FRIEND], edition="deluxe", sets=["base"])
    go_to(page, code)
    page.get_by_role("button", name="Change Seat 2, Free seat").click()
    page.get_by_label("Bot for seat 2").select_option(NAME)
    page.get_by_role("button", name="Give to a bot").click()
    expect(page.get_by_role("listitem").filter(has_text=f"bot: {NAME}")).to_be_visible()
    page.get_by_role("button", name="Start the game").click()
    seat = Seat(page)
    seat.wait_until_asked("Roll")
    while seat.now()["asked"]:
        seat.answer()
    seat.wait_until_asked("Roll")  # the agent has had its turn
    table = page.request.get(urljoin(house.address, f"/api/tables/{code}")).json()
    assert table["seats"][1]["bot"] == NAME, "it failed, and another bot took over"
