"""The command: what it refuses before it serves anything."""

import asyncio
import errno
import os
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from structlog.testing import capture_logs
from tests.running import Run

from dicetown.errors import DicetownError
from dicetown.server.web.guests import Guests, keep_secret
from dicetown.server.web.run import address_of, open_socket
from dicetown.server.wire.names import BOT_NAMES, check_name, name_bot, told_apart
from dicetown.server.wire.rate_limits import RateLimit
from dicetown.server.wire.refusals import Refused


def test_a_port_that_is_taken_is_said_in_one_sentence(dicetown: Run, tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        ran = dicetown("serve", "--port", port, "--db", tmp_path / "tables.db")
    assert ran.status == 2
    assert ran.err == (
        f"dicetown: Port {port} is taken by another program; choose one with --port, or --port 0 for any.\n"
    )


def test_a_thinker_whose_port_is_taken_says_with_which_option_to_choose_another(
    dicetown: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DICETOWN_SECRET", "a secret for tests")
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        ran = dicetown("serve", "--role", "thinker", "--listen", f"127.0.0.1:{port}")
    assert ran.status == 2
    assert ran.err.endswith("; choose one with --listen, or --listen HOST:0 for any.\n")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--log-level", "loud"], 'There is no log level "loud"; known: debug, info, warning, error.'),
        (["--host", "no.such.host.invalid"], 'There is no address "no.such.host.invalid" here'),
        (["--port", "70000"], "Invalid value for '--port'"),
        (["--db", "mysql://localhost/x"], "Tables can be kept in SQLite or PostgreSQL, not in mysql."),
        (["--db", "/dev/null/tables.db"], "/dev/null: the folder cannot be made"),
        (["--db", "postgresql://u:secret@127.0.0.1:1/x"], "u:***@127.0.0.1:1/x cannot be opened"),
        (["--grace", "-1"], "Invalid value for '--grace'"),
        (["--host-name", "https://table.example"], '"https://table.example" is no name of a host'),
        (["--thinkers", "10.0.0.7"], '"10.0.0.7" is no address of a thinker; one is 10.0.0.7:8100.'),
        (["--role", "cook"], 'There is no role "cook"; known: game, gateway, thinker.'),
        (["--role", "thinker", "--listen", "8100"], '"8100" is no address of a thinker'),
        (
            ["--role", "thinker", "--listen", "no.such.host.invalid:1"],
            'no address "no.such.host.invalid" here',
        ),
        (["--trusted-proxy", "proxy.example"], '"proxy.example" is no address of a proxy'),
    ],
)
def test_what_cannot_be_served_is_said_in_one_sentence(
    dicetown: Run, options: list[str], sentence: str
) -> None:
    ran = dicetown("serve", "--port", "0", *options)
    assert ran.status == 2
    assert sentence in ran.err
    assert ran.err.count("\n") == 1
    assert "secret" not in ran.err


@pytest.mark.parametrize("role", [[], ["--role", "thinker", "--listen", "127.0.0.1:0"]])
def test_what_is_no_database_is_neither_served_nor_touched(
    dicetown: Run, tmp_path: Path, role: list[str]
) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ana, this is no database, however long it may be.")
    letter.chmod(0o644)
    ran = dicetown("serve", "--port", "0", "--db", letter, *role)
    assert (ran.status, ran.err) == (2, f"dicetown: {letter}: file is not a database.\n")
    assert [(file, file.stat().st_mode & 0o777) for file in tmp_path.iterdir()] == [(letter, 0o644)]


def test_nothing_that_is_sent_waits_for_the_acknowledgement_of_what_was_sent_before() -> None:
    async def scene() -> int:
        delay: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            accepted = writer.get_extra_info("socket")
            delay.set_result(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        with open_socket("127.0.0.1", 0) as found:
            async with await asyncio.start_server(meet, sock=found):
                _, writer = await asyncio.open_connection(*found.getsockname())
                no_delay = await delay
                writer.close()
        return no_delay

    assert asyncio.run(scene()) == 1


def test_addresses_are_shown_as_a_browser_takes_them() -> None:
    with open_socket("0.0.0.0", 0) as found:
        assert address_of(found).startswith("http://127.0.0.1:")
    with open_socket("localhost", 0) as found:
        assert address_of(found).startswith("http://")


def test_the_key_of_the_cookies_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "new" / "tables.db.key"
    key = keep_secret(path)
    assert len(key) == 64
    assert keep_secret(path) == key
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("left", [b"", b"\n", bytes(64)])
def test_a_key_that_is_empty_is_made_anew_for_with_it_anybody_could_sign(tmp_path: Path, left: bytes) -> None:
    """As a full disk leaves it at the first start, or a power cut."""
    path = tmp_path / "tables.db.key"
    path.write_bytes(left)
    with capture_logs() as logs:
        key = keep_secret(path)
    assert len(key) == 64
    assert keep_secret(path) == key
    assert "is empty" in logs[-1]["event"]
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_full_disk_leaves_no_key_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "tables.db.key"

    def fail(file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", fail)
        with pytest.raises(DicetownError, match=r"cannot be kept there \(No space left on device\)"):
            keep_secret(path)
    assert list(tmp_path.iterdir()) == []
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(DicetownError, match="it is no text"):
        keep_secret(path)


@pytest.mark.parametrize("has_links", [True, False])
def test_all_who_start_at_once_have_the_same_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_links: bool
) -> None:
    path = tmp_path / "tables.db.key"
    if has_links:
        with ThreadPoolExecutor(8) as pool:
            keys = set(pool.map(keep_secret, [path] * 64))
    else:

        def refuse(source: Path, target: Path) -> None:
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

        monkeypatch.setattr("os.link", refuse)
        keys = {keep_secret(path) for _ in range(3)}
    assert [len(key) for key in keys] == [64]
    assert [file.name for file in tmp_path.iterdir()] == ["tables.db.key"]


def test_only_cookies_that_were_signed_here_are_believed() -> None:
    guests = Guests("one key")
    ana = guests.new()
    assert guests.read(guests.sign(ana)) == ana
    for forged in (
        None,
        "",
        ana,
        f"{ana}.x",
        Guests("another key").sign(ana),
        guests.sign(ana) + "x",
        "\udcff.x",
    ):
        assert guests.read(forged) is None
    assert "; Secure" in guests.cookie(ana, secure=True)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "  ",
        "a\tb",
        "a\x00",
        "\u200b",
        "x" * 25,
        "\u202ea",
        "\u3164",
        "\ud800",
        "\u200dAna",
        "Ana\u200c",
        "A\u200d\u200dna",
        "A \u200dna",
    ],
)
def test_names_that_cannot_be_seen_or_are_too_long_are_refused(name: str) -> None:
    with pytest.raises(Refused, match="bad_name"):
        check_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "A",
        "Ana María",
        "王小明",
        "🎲",
        "x" * 24,
        "<b>",
        "O'Neil",
        "…",
        "👨\u200d👩\u200d👧 Familie",
        "می\u200cنا",
    ],
)
def test_other_names_are_accepted_as_they_are(name: str) -> None:
    assert check_name(name) == name


def test_alike_names_get_numbers_that_fit() -> None:
    assert told_apart("x" * 24, ["X" * 24]) == "x" * 22 + " 2"
    assert name_bot(BOT_NAMES[1:]) == BOT_NAMES[0]


def test_names_that_differ_only_in_joiners_are_alike() -> None:
    assert told_apart("A\u200dna", ["Ana"]) == "A\u200dna 2"
    assert told_apart("Ana", ["A\u200cn\u200da"]) == "Ana 2"
    long = "x" * 21 + "👩\u200d🚀"
    assert told_apart(long, [long]) == "x" * 21 + "👩 2"  # no joiner is left without what it joined
    assert name_bot([BOT_NAMES[0][0] + "\u200d" + BOT_NAMES[0][1:], *BOT_NAMES[1:-1]]) == BOT_NAMES[-1]


def test_a_bucket_fills_up_again_and_forgets_the_longest_unheard() -> None:
    now = 0.0
    limit = RateLimit((1.0, 2), lambda: now)
    assert [limit.allows("a") for _ in range(3)] == [True, True, False]
    now = 1.0
    assert [limit.allows("a") for _ in range(2)] == [True, False]
    for client in range(10_000):
        limit.allows(str(client))
    assert limit.allows("a")
