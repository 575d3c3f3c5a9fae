"""The service as a process: started, killed, paused, told what shall go wrong; its size, and what it logs."""

import asyncio
import json
import os
import re
import signal
import socket
import sys
import time
from collections import Counter
from pathlib import Path

import httpx
import msgspec
from tests.faults.hooked_service import Wrongs
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
_PROGRAM = ROOT / "tests" / "faults" / "hooked_service.py"
#: Seconds within which it must be there, or gone: whoever is still there hangs, on however busy a machine.
START = END = PATIENCE


class Served:
    """`dicetown serve` at a port that stays the same over its lives."""

    def __init__(self, folder: Path, place: str, *options: str, port: int | None = None) -> None:
        self._folder = folder
        self._place = place
        self._options = options
        self.port = port or free_port()
        self._process: asyncio.subprocess.Process | None = None
        self._wrongs = Wrongs()
        self.lives = 0
        #: Ends that nobody brought about, by how they look.
        self.crashes: Counter[str] = Counter()
        self.address = f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        """What all of its lives have logged."""
        return self._folder / "log"

    # ------------------------------------------------------------------------ its lives

    async def start(self) -> None:
        """Begin a life; returns when it can be asked things."""
        self._wrongs = Wrongs()
        self._tell_wrongs()
        self._process = await self._begin(self.port)
        self.lives += 1
        await self._until_there(self._process)

    async def _begin(self, port: int) -> asyncio.subprocess.Process:
        arguments = [str(self._folder / "wrongs"), "--port", str(port), "--secret", "of the fault program"]
        # Nobody asks for hints here, and to compile what they need would take most of the machine's time.
        arguments += ["--db", self._place, "--grace", "600", "--no-prepare", *self._options]
        with self.log.open("ab") as log:
            return await asyncio.create_subprocess_exec(
                sys.executable,
                str(_PROGRAM),
                *arguments,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=log,
                env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])},
            )

    async def _until_there(self, process: asyncio.subprocess.Process) -> None:
        if not await _is_there(process, self.port) and process.returncode is None:
            self.crashes["never there"] += 1

    async def kill(self) -> None:
        """End it as a power cut would."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> None:
        """End it as who runs it would; it has to obey, and in time."""
        await self._end(signal.SIGTERM)

    async def _end(self, number: signal.Signals) -> None:
        self.note_crash()
        process = self._process
        if process is None:
            return
        self._process = None  # from here on its end is no crash
        process.send_signal(signal.SIGCONT)
        process.send_signal(number)
        try:
            async with asyncio.timeout(END):
                status = await process.wait()
        except TimeoutError:
            self.crashes["did not end"] += 1
            process.send_signal(signal.SIGABRT)  # its log says then where each of its threads is
            await process.wait()
            return
        if number is signal.SIGTERM and status != 0:
            self.crashes[f"ended with {status}"] += 1

    def note_crash(self) -> bool:
        """Whether it has ended by itself; if so, that is counted."""
        if self._process is None or self._process.returncode is None:
            return False
        self.crashes[f"died with {self._process.returncode}"] += 1
        self._process = None
        return True

    async def revive(self) -> None:
        """Start it again, if it has died of what was done to it."""
        if self.note_crash() or self._process is None:
            await self.start()

    def pause(self) -> None:
        """Let it stand still."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)

    async def try_second(self) -> int | None:
        """Start another one on the same database; its exit status, or None if it was let in."""
        port = free_port()
        second = await self._begin(port)
        if await _is_there(second, port) or second.returncode is None:
            second.kill()
            await second.wait()
            return None
        return second.returncode

    # -------------------------------------------------------------------- what goes wrong

    def suffer(self, **changes: object) -> None:
        """Let something go wrong within it, from now on."""
        self._wrongs = msgspec.structs.replace(self._wrongs, **changes)
        self._tell_wrongs()
        self._signal(signal.SIGUSR1)

    def _tell_wrongs(self) -> None:
        file = self._folder / "wrongs"
        file.with_suffix(".new").write_bytes(msgspec.json.encode(self._wrongs))
        file.with_suffix(".new").replace(file)

    def _signal(self, number: signal.Signals) -> None:
        if self.process is not None:
            os.kill(self.process, number)

    @property
    def process(self) -> int | None:
        """The number of the process that lives, if one does."""
        alive = self._process is not None and self._process.returncode is None
        return self._process.pid if alive and self._process is not None else None

    # --------------------------------------------------------------------- how it is doing

    @property
    def megabytes(self) -> float:
        """How much memory it takes."""
        try:
            status = (Path("/proc") / str(self.process) / "status").read_text()
        except OSError:
            return 0.0
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        return int(found[1]) / 1024 if found else 0.0

    def complaints(self) -> Counter[str]:
        """The tracebacks it has logged, by what the line says, what was raised, and where."""
        found: Counter[str] = Counter()
        for line in self.log.read_text(errors="replace").splitlines():
            try:
                told = json.loads(line)
            except ValueError:
                found[line.strip()[:100]] += 1  # nothing of ours writes such lines
                continue
            if told.get("exception"):
                first = told["exception"][-1]  # what the others were raised over
                place = first["frames"][-1] if first.get("frames") else {}
                where = f"{Path(place.get('filename', '')).name}:{place.get('lineno')}"
                raised = " over ".join(one.get("exc_type", "") for one in told["exception"])
                found[f"{str(told.get('event')).strip()}: {raised} at {where}"] += 1
        return found


async def _is_there(process: asyncio.subprocess.Process, port: int) -> bool:
    """Wait until a service can be asked things; False if it ends before, or never can."""
    deadline = time.monotonic() + START
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=2.0) as client:
        while process.returncode is None and time.monotonic() < deadline:
            try:
                if (await client.get("/healthz")).is_success:
                    return True
            except httpx.TransportError:
                await asyncio.sleep(0.05)
    return False


def free_port() -> int:
    """A port of this machine that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port
