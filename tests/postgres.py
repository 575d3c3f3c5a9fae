"""A PostgreSQL server for tests: started in a folder of its own, and stopped, killed or frozen at will."""

import os
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Self

DEBIAN = Path("/usr/lib/postgresql")
MISSING = (
    "These tests need PostgreSQL. Debian and Ubuntu have it in the package postgresql "
    "(apt-get install postgresql); or set DICETOWN_TEST_POSTGRES to the address of a server."
)


def programs() -> Path:
    """The folder of initdb and pg_ctl."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).resolve().parent
    newest = sorted(DEBIAN.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    assert newest, MISSING
    return newest[-1].parent


class Cluster:
    """A server that is reached through a socket in its folder."""

    def __init__(self, *settings: str) -> None:
        self._programs = programs()
        self._settings = settings
        # Not below pytest's folder, which only its owner may enter; and short, for the socket's sake.
        self.folder = Path(tempfile.mkdtemp(prefix="dicetown-pg-"))
        self._data = self.folder / "cluster"

    def __enter__(self) -> Self:
        try:
            if os.geteuid() == 0:
                shutil.chown(self.folder, "postgres")
            self._run("initdb", "-D", self._data, "-U", "dicetown", "-A", "trust", "-E", "UTF8", "-N")
            self.start()
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.thaw()
            self.stop("immediate")
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def address(self) -> str:
        """Where it is, for who can see its folder."""
        return f"postgresql://dicetown@/postgres?host={self.folder}"

    @property
    def socket(self) -> Path:
        """The file through which it is reached."""
        return self.folder / ".s.PGSQL.5432"

    def start(self) -> None:
        """Start it, and wait until it can be used."""
        settings = ("listen_addresses=''", f"unix_socket_directories='{self.folder}'", *self._settings)
        options = " ".join(f"-c {setting}" for setting in settings)
        self._run("pg_ctl", "-D", self._data, "-w", "-l", self.folder / "log", "-o", options, "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop it: ``fast`` sends everybody away, ``immediate`` is a crash."""
        self._run("pg_ctl", "-D", self._data, "-w", "-m", mode, "stop")

    # ----------------------------------------------------------------------------- faults

    @property
    def processes(self) -> list[int]:
        """The server's process, and after it those that serve connections and write."""
        first = int((self._data / "postmaster.pid").read_text().split()[0])
        return [first, *(child for child in _processes() if _parent(child) == first)]

    def freeze(self) -> None:
        """Let all of it stand still, as a machine does whose disk does not answer."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)

    def fill_the_disk(self) -> None:
        """Let what serves now fail to write: the server crashes over it, and recovers by itself."""
        for process in self.processes[1:]:
            self._as_server("prlimit", "--pid", process, "--fsize=8192:", check=False)  # some end meanwhile

    def _signal(self, number: signal.Signals) -> None:
        if (self._data / "postmaster.pid").exists():
            for process in self.processes:
                with suppress(ProcessLookupError):
                    os.kill(process, number)

    def _run(self, program: str, *arguments: object) -> None:
        """Run a program of PostgreSQL."""
        self._as_server(self._programs / program, *arguments)

    def _as_server(self, *command: object, check: bool = True) -> None:
        """Run a command as the server's user: PostgreSQL refuses to be run by root."""
        words = [str(word) for word in command]
        if os.geteuid() == 0:
            words = ["runuser", "-u", "postgres", "--", *words]
        done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=self.folder)
        assert done.returncode == 0 or not check, done.stdout + done.stderr


def _processes() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def _parent(process: int) -> int | None:
    try:
        return int((Path("/proc") / str(process) / "stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, ValueError):
        return None
