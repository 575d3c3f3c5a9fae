"""Bots that whoever starts the service brings along: guests see their names, and nothing else."""

import asyncio
import sys
from pathlib import Path

import pytest
from tests.running import Run
from tests.server.site import site
from tests.server.sitting import ANA, refused, seated

from dicetown import Game
from dicetown.errors import BotError
from dicetown.server import wire
from dicetown.server.common.fair_line import Asker
from dicetown.server.table import seating
from dicetown.server.workers.own_bots import read_bots
from dicetown.server.workers.snapshot import Snapshot
from dicetown.server.workers.thinkers import Thinkers

PROGRAM = f"pipe:{sys.executable} {Path(__file__).parents[2] / 'examples' / 'pipe_bot.py'}"


def test_names_and_what_they_stand_for_are_read() -> None:
    assert read_bots([f" My  agent ={PROGRAM}", "Careless=greedy:slips=300"]) == {
        "My agent": PROGRAM,
        "Careless": "greedy:slips=300",
    }


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("My agent", '"My agent" names no bot; it reads like "My agent=pipe:python3 my_agent.py".'),
        ("My agent= ", '"My agent= " names no bot'),
        ("=greedy", 'A bot cannot be called ""'),
        ("Greedy=random", '"Greedy=random": a bot is called Greedy already.'),
        ("Max=gredy", 'There is no bot "gredy"; did you mean "greedy"?'),
        ("Max=pipe:no_such_program", 'There is no program "no_such_program"'),
        (f"Max=pipe:{sys.executable} -c exit(2)", "cannot play: it does not say why."),
        (f"Max=pipe:{sys.executable} -c exit(3)", 'The bot "Max" does not start: It ended with status 3.'),
    ],
)
def test_what_cannot_be_brought_is_refused_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(BotError) as problem:
        read_bots([text])
    assert sentence in str(problem.value)


def test_two_bots_cannot_have_the_same_name() -> None:
    with pytest.raises(BotError, match="a bot is called max already"):
        read_bots(["Max=greedy", "max=random"])


def test_the_command_says_what_it_cannot_bring(dicetown: Run, tmp_path: Path) -> None:
    ran = dicetown("serve", "--port", "0", "--db", tmp_path / "tables.db", "--bot", "Max=gredy")
    assert ran.status == 2
    assert 'There is no bot "gredy"' in ran.err
    assert ran.err.count("\n") == 1


def test_pages_are_told_of_it_in_their_language(tmp_path: Path) -> None:
    with site(tmp_path, bots={"My agent": PROGRAM}) as here:
        client = here.guest().client
        for language, word in (("en", "service"), ("es", "servicio"), ("de", "Dienst")):
            shown = client.get("/api/bots", params={"lang": language}).json()[-1]
            assert (shown["id"], shown["name"], shown["level"]) == ("My agent", "My agent", 0)
            assert word in shown["sentence"]
            assert not shown["needs_warming"]
        assert "pipe" not in client.get("/api/bots").text


def test_it_can_be_given_a_seat_but_no_program_can(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, bots={"My agent": PROGRAM}) as sitting:
            table = await sitting.table("me", "My agent", "normal", start=False)
            assert table.info("en").seats[1].bot == "My agent"
            await seating.change_seat(table, ANA, 2, wire.ChangeSeat(do="fill", bot="My agent"))
            assert table.info("en").seats[2].bot == "My agent"
            for wish in (PROGRAM, "My agent=" + PROGRAM, "my agent"):
                # Not by the wire's limit of length alone: the table's own check refuses it.
                request = wire.ChangeSeat.model_construct(do="fill", bot=wish, name=None)
                await refused("no_bot", seating.change_seat(table, ANA, 2, request))

    asyncio.run(scene())


def test_another_house_does_not_know_it(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            await refused("no_bot", sitting.table("me", "My agent"))

    asyncio.run(scene())


def test_what_the_name_stands_for_is_asked() -> None:
    async def scene() -> None:
        thinkers = Thinkers({"Pat": PROGRAM, "Careless": "greedy:slips=300"})
        try:
            assert thinkers.takes_time("Pat")
            assert not thinkers.takes_time("Careless")
            assert await thinkers.choose("Pat", Snapshot.of(Game(seed=1)), Asker("", "ana")) == "roll 1"
        finally:
            thinkers.close()

    asyncio.run(scene())
