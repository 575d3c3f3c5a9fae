"""Two versions side by side: workers are replaced by the next version's, and pages notice a pause at most."""

import os
import re
import shutil
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from sqlalchemy import Engine, select, text
from tests.patience import PATIENCE
from tests.server.test_cluster import QUICKLY, Player, Several, playing, wait_until
from tests.server.test_deployed import SERVE, Started, environment, started

import dicetown
from dicetown import __version__
from dicetown.server.store import migrations
from dicetown.server.store.database_url import open_engine
from dicetown.server.store.migrations import migrate
from dicetown.server.store.schema import entries, schema, tables
from dicetown.server.wire.between import PROTOCOL

#: The version after this one, and the change of the database that it brings: it only adds.
NEXT = "99.0.0"
_SHAPE = "9999"
_MIGRATION = f'''"""A later version's own."""

import sqlalchemy as sa
from alembic import op

revision, down_revision, branch_labels, depends_on = "{_SHAPE}", "{{before}}", None, None


def upgrade() -> None:
    """Something new everywhere."""
    op.create_table("tomorrow", sa.Column("id", sa.Integer, primary_key=True))
    for name in {sorted(schema.tables)}:
        op.add_column(name, sa.Column("tomorrow", sa.Text, nullable=False, server_default="yet to come"))
'''
_GATEWAY = ("--role", "gateway")
_WORKER = ("--role", "game")


def install(folder: Path, version: str = __version__, protocol: int = PROTOCOL) -> Path:
    """A folder with the package, as this or another version; what is imported from it is its own."""
    here = Path(dicetown.__file__).parent
    shutil.copytree(here, folder / "dicetown")  # with what is compiled, which holds as long as a file does
    change(folder / "dicetown/__init__.py", r'(__version__ = ")[^"]*', rf"\g<1>{version}")
    change(folder / "dicetown/server/wire/between.py", r"(PROTOCOL = )\d+", rf"\g<1>{protocol}")
    if version != __version__:
        history = folder / "dicetown/server/store/migrations/versions"
        before = max(path.name for path in history.glob("[0-9]*_*.py")).partition("_")[0]
        (history / f"{_SHAPE}_tomorrow.py").write_text(_MIGRATION.format(before=before))
    return folder


def change(file: Path, pattern: str, new: str) -> None:
    """Change one place of a file."""
    changed, times = re.subn(pattern, new, file.read_text(encoding="utf-8"))
    assert times == 1
    file.write_text(changed, encoding="utf-8")


@pytest.fixture(scope="module")
def tomorrow(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The next version, which understands this one."""
    return install(tmp_path_factory.mktemp("tomorrow"), NEXT)


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A version that says other things to its neighbours, and has another database."""
    return install(tmp_path_factory.mktemp("stranger"), NEXT, PROTOCOL + 1)


def refusal(words: tuple[str, ...], place: str, folder: Path | None = None) -> str:
    """What is said by a process that does not start."""
    command, told = [*SERVE, *words, "--port", "0", "--db", place], environment(folder)
    ran = subprocess.run(command, capture_output=True, text=True, env=told, timeout=PATIENCE, check=False)
    assert ran.returncode == 2, ran.stderr
    assert ran.stdout == ""
    assert ran.stderr.count("\n") == 1
    return ran.stderr


def versions(running: Several) -> list[str]:
    """Of the workers that take tables."""
    return sorted(
        version
        for [version] in running.ask("SELECT version FROM workers WHERE role = 'game' AND NOT leaving")
    )


def ready(running: Several) -> int:
    """How many workers the gateway knows."""
    found: int = httpx.get(f"{running.address}readyz", timeout=PATIENCE).json().get("workers", 0)
    return found


def table_of(stack: ExitStack, gateway: Several, worker: Several, name: str) -> tuple[Player, str]:
    """Somebody who plays at a table that a certain worker has: where it is made depends on the address."""
    for number in range(100):
        with ExitStack() as there:
            player, code = there.enter_context(playing(gateway, name, f"192.0.2.{number}"))
            if gateway.owner(code) == worker.process.pid:
                stack.push(there.pop_all())
                return player, code
    raise AssertionError("That worker gets no table.")


def waits(engine: Engine) -> bool:
    """Whether somebody who changes the database waits for a table."""
    waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'ALTER%'"
    with engine.connect() as connection:
        return connection.execute(text(waiting)).first() is not None


def test_who_changes_the_database_gives_way_to_who_writes(
    postgres_place: str, tomorrow: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each waits for what the other has: PostgreSQL would end one of them, perhaps somebody's click."""
    engine = open_engine(postgres_place)
    migrate(engine)
    with ThreadPoolExecutor(1) as other, engine.connect() as writing:
        writing.exec_driver_sql("SET deadlock_timeout = '60s'")  # so it would be the other one
        writing.execute(select(tables).with_for_update())
        monkeypatch.setattr(migrations, "_FOLDER", tomorrow / "dicetown/server/store/migrations")
        migrating = other.submit(migrate, engine)
        wait_until(lambda: waits(engine))
        writing.execute(select(entries).with_for_update())
        assert not migrating.done()
        writing.commit()
        migrating.result(PATIENCE)
    assert migrations.is_current(engine)
    engine.dispose()


@pytest.mark.slow
def test_workers_are_replaced_by_those_of_the_next_version_and_no_page_notices(
    postgres_place: str, tomorrow: Path, stranger: Path
) -> None:
    with ExitStack() as parts:

        def start(*words: str, folder: Path | None = None, port: str = "0") -> Started:
            command = [*words, "--port", port, "--db", postgres_place]
            return parts.enter_context(started(command, postgres_place, folder))

        first, second, gateway = start(*_WORKER), start(*_WORKER), start(*_GATEWAY)
        wait_until(lambda: ready(gateway) == 2)
        pages = parts.enter_context(ExitStack())
        ana, _ = table_of(pages, gateway, first, "ana")
        ben, his = table_of(pages, gateway, second, "ben")
        everybody = [ana, ben]
        play(everybody, 2)

        # A stranger is refused, and has changed nothing: whoever is here could start again.
        said = refusal(("--workers", "2"), postgres_place, stranger)
        assert f"Dicetown {__version__} (process " in said
        assert f"this one ({NEXT}) cannot work beside it; end all of those first." in said
        assert not gateway.ask("SELECT 1 FROM pg_tables WHERE tablename = 'tomorrow'")

        # The first worker is stopped and started anew, as the next version.
        assert first.close() == 0
        third = start(*_WORKER, folder=tomorrow)
        wait_until(lambda: ready(gateway) == 2)
        assert versions(gateway) == [__version__, NEXT]
        for name, worker in (("cleo", third), ("dan", second)):  # both versions play at the same time
            everybody.append(table_of(pages, gateway, worker, name)[0])
        play(everybody, 3)
        said = refusal(_WORKER, postgres_place)
        assert "The database was made by a newer Dicetown" in said

        # Then the second; its tables go on with what the old version has stored.
        assert second.close() == 0
        play(everybody, 3)
        assert gateway.owner(his) == third.process.pid
        assert versions(gateway) == [NEXT]
        pages.close()

        # At last the gateway; pages come back to the same address.
        port = gateway.address.rpartition(":")[2].strip("/")
        assert gateway.close() == 0
        gateway = start(*_GATEWAY, folder=tomorrow, port=port)
        with playing(gateway, "fay") as (fay, _):
            fay.play(2)


def play(everybody: list[Player], decisions: int) -> None:
    """All of them decide so many times."""
    for player in everybody:
        player.play(decisions)


@pytest.mark.slow
def test_a_reload_after_an_update_replaces_all_workers_and_a_stranger_none(
    postgres_place: str, tmp_path: Path, tomorrow: Path, stranger: Path
) -> None:
    installed = tmp_path / "installed"
    installed.symlink_to(install(tmp_path / "today"))
    words = ["--workers", "2", "--port", "0", "--db", postgres_place, *QUICKLY]

    def update(to: Path) -> None:
        """As an operator does: the new version takes the place of the old one, then a reload."""
        installed.unlink()
        installed.symlink_to(to)
        running.process.send_signal(signal.SIGHUP)

    def told() -> str:
        return (tmp_path / "log").read_text()

    with (
        (tmp_path / "log").open("w") as log,
        started(words, postgres_place, installed, log) as running,
        playing(running, "eva") as (eva, code),
    ):
        before = running.workers()
        eva.play(2)
        update(stranger)
        wait_until(lambda: "worker not replaced" in told())
        assert told().count("cannot work beside it") == 1
        eva.play(2)
        assert running.workers() == before

        # Nor does anybody end with a worker that dies, and cannot start again as what is installed now.
        owner = running.owner(code)
        assert owner is not None
        os.kill(owner, signal.SIGKILL)
        wait_until(lambda: told().count("cannot work beside it") > 1)
        eva.play(2)
        assert running.workers() == before - {owner}

        update(tomorrow)
        seen = set()
        while (now := versions(running)) != [NEXT, NEXT]:
            seen.update(now)
            eva.play(1)
            time.sleep(0.01)  # or the game would be over first
        eva.play(2)
        assert seen == {__version__, NEXT}
        assert eva.welcomes >= 2
