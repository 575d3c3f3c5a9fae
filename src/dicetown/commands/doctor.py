"""``dicetown doctor``: whether a running installation is well."""

from __future__ import annotations

from typing import Annotated

import typer

from dicetown.commands.databases import key_file
from dicetown.commands.figures import print_json
from dicetown.commands.inputs import read_language
from dicetown.commands.options import Json, Language, unset

_SIGNS = {"right": "✓", "wrong": "✗", "unknown": "·"}


def run(
    url: Annotated[
        str, typer.Argument(help="Where people open it: https://table.example.", metavar="URL")
    ] = "http://127.0.0.1:8000",
    db: Annotated[
        str | None,
        unset("Look at its database, too: a file, or postgresql://user@host/name.", "FILE|URL"),
    ] = None,
    timeout: Annotated[float, typer.Option(help="Seconds to wait for each answer.", min=0.1)] = 10.0,
    lang: Language = None,
    json: Json = False,
) -> None:
    """Check a running installation, and say what is right and what is wrong.

    Ask at the address that people use, for then the proxy is checked, too: names, TLS, WebSockets, cookies.
    Nothing is changed by it. Exits with 0 when all is well, and with 1 when something is wrong.

    For example: dicetown doctor https://table.example

    Or, on its own machine: dicetown doctor --db /var/lib/dicetown/tables.db
    """
    from dicetown.material.catalogue import catalogue
    from dicetown.server.doctor.asking import Address
    from dicetown.server.doctor.findings import FILE
    from dicetown.server.doctor.inside import look_inside
    from dicetown.server.doctor.outside import look_from_outside

    language, address = read_language(lang), Address(url)
    looks = [look_from_outside(address, timeout)]
    if db is not None:
        looks.append(look_inside(db, key_file(db)))
    findings = []
    for finding in (finding for look in looks for finding in look):
        findings.append(finding)
        if not json:
            print(f"{_SIGNS[finding.state]} {finding.sentence(language)}", flush=True)
    bad = sum(finding.state == "wrong" for finding in findings)
    if json:
        print_json({"well": not bad, "findings": [finding.as_data(language) for finding in findings]})
    else:
        words = catalogue(FILE, language)
        print(words.say("diagnosis.wrong", bad) if bad else words.say("diagnosis.right"))
    if bad:
        raise typer.Exit(1)
