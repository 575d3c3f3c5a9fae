"""A service in a process of its own, which can be killed and started again."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

import httpx

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "tests" / "browser" / "seeded_service.py"


class Service:
    """`dicetown serve` at a free port, with its tables in a folder."""

    def __init__(self, folder: Path, *arguments: str, seed: int = 1) -> None:
        self._folder, self._arguments, self._seed = folder, list(arguments), seed
        self._process: subprocess.Popen[str] | None = None
        self._port = 0
        self.address = ""

    @property
    def database(self) -> Path:
        """The file in which its tables are kept."""
        return self._folder / "tables.db"

    @property
    def _user(self) -> Path:
        return self._folder / "user"

    def belong_to(self, user: str) -> None:
        """Let the tables that are made from now on have this user's dice, from the first on."""
        self._user.write_text(user, encoding="utf-8")

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start it, at the port it had before, if it had one."""
        command = [sys.executable, str(SCRIPT), str(self._seed), str(self._user), "--port", str(self._port)]
        command += ["--db", str(self.database), *self._arguments]
        env = os.environ | {"PYTHONPATH": str(ROOT / "src"), "BROWSER": "true"}
        with (self._folder / "log").open("a") as log:
            self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=env)
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        found = re.search(r"http://\S+:(\d+)/", said)
        assert found, f"{said}{(self._folder / 'log').read_text()}"
        self.address, self._port = found[0], int(found[1])
        self._wait_until_healthy()

    def _wait_until_healthy(self) -> None:
        deadline = time.monotonic() + 60
        while True:
            try:
                if httpx.get(f"{self.address}healthz").is_success:
                    return
            except httpx.TransportError:
                assert time.monotonic() < deadline
                time.sleep(0.05)

    def kill(self) -> None:
        """Let it die without a word."""
        assert self._process is not None
        self._process.kill()
        self._wait()

    def stop(self) -> None:
        """End it as people do."""
        assert self._process is not None
        if self._process.poll() is None:
            self._process.terminate()
        self._wait()

    def _wait(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        self._process.wait(30)
        self._process.stdout.close()
