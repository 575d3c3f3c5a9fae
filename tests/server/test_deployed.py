"""What `deploy/` says for several machines, started as processes of this one."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

import pytest
import yaml
from tests.patience import PATIENCE
from tests.server.site import Guest
from tests.server.test_cluster import Several, playing, wait_until

COMPOSE = Path(__file__).parents[2] / "deploy" / "compose.yaml"
SERVE = (sys.executable, "-m", "dicetown", "serve")


def commands() -> dict[str, list[str]]:
    """What is run in the containers of Dicetown itself."""
    services = yaml.safe_load(COMPOSE.read_text())["services"]
    return {name: one["command"] for name, one in services.items() if one.get("image") == "dicetown"}


def here(command: list[str], place: str, thinker: int) -> list[str]:
    """The same words for processes of this machine."""
    words = [
        place if word.startswith("postgresql://") else word.replace("0.0.0.0", "127.0.0.1")
        for word in command
    ]
    words = [
        f"127.0.0.1:{thinker}" if word.endswith(":8100") else "0" if word in ("8000", "8001") else word
        for word in words
    ]
    return words


class Started(Several):
    """A part of a service; asked for as the gateway, it is asked about all."""

    def __init__(
        self, words: list[str], place: str, folder: Path | None = None, log: IO[str] | None = None
    ) -> None:
        self.start([*SERVE, *words], place, environment(folder), log)


def environment(folder: Path | None = None) -> dict[str, str]:
    """What all parts are told; and where another version of the package is, for a part of that version."""
    told = {**os.environ, "DICETOWN_SECRET": "test", "DICETOWN_PREPARE": "0"}
    return told if folder is None else told | {"PYTHONPATH": str(folder)}


@contextmanager
def started(
    words: list[str], place: str, folder: Path | None = None, log: IO[str] | None = None
) -> Iterator[Started]:
    part = Started(words, place, folder, log)
    try:
        yield part
    finally:
        part.close()


@pytest.mark.slow
def test_the_parts_in_containers_play_together_and_one_can_be_lost(postgres_place: str) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        thinker = free.getsockname()[1]
    words = {name: here(command, postgres_place, thinker) for name, command in commands().items()}
    assert set(words) == {"worker", "gateway", "thinker"}
    with ExitStack() as parts:
        thinks = [*SERVE, *words["thinker"]]
        thinking = parts.enter_context(subprocess.Popen(thinks, env=environment()))
        parts.callback(thinking.terminate)
        workers = [parts.enter_context(started(words["worker"], postgres_place)) for _ in range(2)]
        gateway = parts.enter_context(started(words["gateway"], postgres_place))
        guest = Guest(gateway.address)
        wait_until(lambda: guest.client.get("/readyz").json().get("workers") == 2)
        guest.client.close()
        with playing(gateway, "deployed") as (player, code):
            player.play(2)
            owner = next(one for one in workers if one.process.pid == gateway.owner(code))
            owner.process.send_signal(signal.SIGKILL)
            owner.process.wait(PATIENCE)
            player.play(2)
            assert gateway.owner(code) not in (None, owner.process.pid)
            assert player.welcomes == 2
        assert gateway.close() == 0
        [other] = [one for one in workers if one is not owner]
        assert other.close() == 0
