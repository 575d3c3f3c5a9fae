#!/usr/bin/env python3
"""Whether `make play` plays: starts it without a browser, fetches the page, makes a table, ends it by Ctrl-C.

Only with what Python brings: there may be no .venv yet, and `make play` must make one by itself.
"""

import json
import os
import re
import signal
import subprocess
import threading
from http.cookiejar import CookieJar
from urllib.parse import urljoin
from urllib.request import HTTPCookieProcessor, Request, build_opener

PATIENCE = 15 * 60  # seconds; a slow network may take its time
TABLE = {"edition": "ciudad", "sets": ["base"], "seats": [{"kind": "me"}, {"kind": "bot"}], "start": True}


def main() -> None:
    """Play; whatever goes wrong is raised."""
    command = ["make", "play", "ARGS=--port 0"]
    env = os.environ | {"BROWSER": "true"}
    with subprocess.Popen(
        command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    ) as game:
        assert game.stdout is not None
        end = threading.Timer(PATIENCE, os.killpg, (game.pid, signal.SIGKILL))
        end.start()
        try:
            address = next(filter(None, map(find_address, game.stdout)), None)
            assert address, "make play ended before it said where the table is."
            visit(address)
            os.killpg(game.pid, signal.SIGINT)  # as a terminal does: to make, too
            rest = game.stdout.read()
            game.wait()
        finally:
            end.cancel()
            if game.poll() is None:
                os.killpg(game.pid, signal.SIGKILL)
    assert "Traceback" not in rest, rest
    print(f"make play: the page, the table and the end are as they should be ({address}).")


def find_address(line: str) -> str:
    """The address that a line gives, if any; the line itself is passed on."""
    print(line, end="", flush=True)
    found = re.search(r"Dicetown is at (\S+)", line)
    return found[1] if found else ""


def visit(address: str) -> str:
    """Do what a page does first, and tell the code of the table that was made."""
    visitor = build_opener(HTTPCookieProcessor(CookieJar()))

    def fetch(path: str, content: object = None) -> str:
        body = None if content is None else json.dumps(content).encode()
        asked = Request(urljoin(address, path), body, {"Content-Type": "application/json"})
        with visitor.open(asked, timeout=60) as answer:
            return str(answer.read().decode())

    assert '<script type="module"' in fetch("/"), "This is not the page."
    fetch("/healthz")
    fetch("/api/me")
    code = str(json.loads(fetch("/api/tables", TABLE))["code"])
    assert code in fetch(f"/api/tables/{code}")
    return code


if __name__ == "__main__":
    main()
