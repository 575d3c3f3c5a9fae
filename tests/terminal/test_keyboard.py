"""A real terminal, 80 by 24: the dialogue, the screen, Ctrl-C and Ctrl-D."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.patience import PATIENCE
from tests.terminal.tables import saved

from dicetown.terminal.saves import load_game

pty = pytest.importorskip("pty")
ROOT = Path(__file__).parents[2]
STYLE = re.compile(r"\x1b\[[0-9;]*m")


class Terminal:
    """A command at a keyboard that types itself."""

    def __init__(self, *arguments: str, **variables: str) -> None:
        import fcntl
        import struct
        import termios

        self.keyboard, screen = pty.openpty()
        fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "TERM": "xterm-256color", **variables}
        for name in ("LC_ALL", "LC_MESSAGES", "NO_COLOR", "COLUMNS", "LINES"):
            if name not in variables:
                environment.pop(name, None)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "dicetown", *arguments],
            env={"LANG": "C.UTF-8", **environment, **variables},
            stdin=screen, stdout=screen, stderr=screen, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - Ctrl-C needs it
        )  # fmt: skip
        os.close(screen)
        self.seen = ""

    def wait_for(self, words: str, times: int = 1) -> None:
        """Read until something has been shown so many times since the last key."""
        import select

        until = time.monotonic() + PATIENCE
        while self.seen.count(words) < times:
            ready, _, _ = select.select([self.keyboard], [], [], max(until - time.monotonic(), 0))
            assert ready, f"{words!r} did not come; seen: {self.seen[-2000:]!r}"
            try:
                self.seen += os.read(self.keyboard, 65536).decode(errors="replace")
            except OSError:
                raise AssertionError(f"ended before {words!r}; seen: {self.seen[-2000:]!r}") from None

    def type(self, keys: str) -> None:
        """Type something, as soon as a person could, and forget what was shown before."""
        time.sleep(0.3)  # between showing a prompt and listening, Python hears no Ctrl-C
        self.seen = ""
        os.write(self.keyboard, keys.encode())

    def end(self) -> int:
        """Wait until it is over."""
        status = self.process.wait(PATIENCE)
        os.close(self.keyboard)
        return status


@pytest.fixture
def sit_down(tmp_path: Path) -> Iterator[type[Terminal]]:
    started: list[Terminal] = []

    class Here(Terminal):
        def __init__(self, *arguments: str, **variables: str) -> None:
            super().__init__(*arguments, XDG_STATE_HOME=str(tmp_path), **variables)
            started.append(self)

    yield Here
    for terminal in started:
        if terminal.process.poll() is None:
            terminal.process.kill()
            terminal.end()


def test_two_enters_and_one_is_playing(sit_down: type[Terminal]) -> None:
    terminal = sit_down("play")
    terminal.wait_for("Enter starts the game")
    terminal.type("\n")
    terminal.wait_for("Your choice (h: help): ")
    assert "Deluxe Edition" in terminal.seen
    assert "Roll the die." in terminal.seen
    terminal.type("\n")
    terminal.wait_for("What do you build?")
    terminal.type("h\n")
    terminal.wait_for("Enter to go back: ")
    assert "Build 4 landmarks" in terminal.seen
    terminal.type("\n")
    terminal.wait_for("Your choice")
    terminal.type("q\n")
    terminal.wait_for("Save the game first? [Y/n] ")
    terminal.type("n\n")
    terminal.wait_for("See you!")
    assert terminal.end() == 0


def test_a_german_sees_german(sit_down: type[Terminal]) -> None:
    terminal = sit_down("play", LANG="de_DE.UTF-8")
    terminal.wait_for("Enter beginnt die Partie")
    terminal.type("q\n")
    assert terminal.end() == 0


def test_ctrl_c_in_the_dialogue_just_ends_it(sit_down: type[Terminal], tmp_path: Path) -> None:
    terminal = sit_down("play")
    terminal.wait_for("Enter starts the game")
    terminal.type("\x03")
    assert terminal.end() == 130
    assert saved(tmp_path) == []


def test_ctrl_c_keeps_the_game_even_while_bots_play(sit_down: type[Terminal], tmp_path: Path) -> None:
    terminal = sit_down("play", "--players", "Ana,greedy,greedy", "--seed", "3", "--speed", "slow")
    terminal.wait_for("Your choice")
    terminal.type("\n")
    terminal.wait_for("What do you build?")
    terminal.type("1\n")
    terminal.wait_for("Greedy is playing")
    terminal.type("\x03")
    terminal.wait_for("dicetown play --resume")
    assert terminal.end() == 130
    (file,) = saved(tmp_path)
    game, seats = load_game(file)
    assert [seat.bot for seat in seats] == [None, "greedy", "greedy"]
    assert game.turns == 1


def test_ctrl_d_keeps_the_game_too(sit_down: type[Terminal], tmp_path: Path) -> None:
    terminal = sit_down("play", "--players", "Ana,greedy", "--seed", "3")
    terminal.wait_for("Your choice")
    terminal.type("\n")
    terminal.wait_for("Your choice")
    terminal.type("\x04")
    terminal.wait_for("dicetown play --resume")
    assert terminal.end() == 0
    assert len(saved(tmp_path)) == 1


def test_no_color_means_no_styles(sit_down: type[Terminal]) -> None:
    coloured = sit_down("play", "--players", "Ana,greedy")
    coloured.wait_for("Your choice")
    assert STYLE.search(coloured.seen)
    plain = sit_down("play", "--players", "Ana,greedy", NO_COLOR="1")
    plain.wait_for("Your choice")
    assert not STYLE.search(plain.seen)


def test_plain_lines_at_a_terminal_for_those_who_want_them(sit_down: type[Terminal]) -> None:
    terminal = sit_down("play", "--players", "Ana,greedy", "--plain")
    terminal.wait_for("Your choice")
    assert "\x1b[2J" not in terminal.seen
    assert "  1  Roll one die" in terminal.seen


def test_a_file_is_asked_for_before_it_is_replaced(sit_down: type[Terminal], tmp_path: Path) -> None:
    file = tmp_path / "precious.json"
    file.write_text("precious", encoding="utf-8")
    terminal = sit_down("play", "--players", "Ana,greedy", "--save-to", str(file))
    terminal.wait_for("Replace it? [y/N] ")
    terminal.type("\n")
    assert terminal.end() == 1
    assert file.read_text(encoding="utf-8") == "precious"
