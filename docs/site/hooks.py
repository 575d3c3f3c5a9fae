"""What the site adds to the pages that are written by hand; MkDocs calls the functions named ``on_…``.

Pages that follow from the code are made here at every build, so that they cannot be out of date: the commands
from what they declare, the wire from its OpenAPI document, the cards from what is in the boxes. Links from
a page to a file outside ``docs`` lead to the project's own address instead.
"""

from __future__ import annotations

import html
import posixpath
import re
import tomllib
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from rich.text import Text

from dicetown.languages import LANGUAGES
from dicetown.material import Establishment, load
from dicetown.rules.ruleset import Ruleset
from dicetown.words import Speaker

ROOT = Path(__file__).parents[2]
SOURCE = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]["Source"]
#: Pages that stand in the root of the project, where people look for them.
FROM_ROOT = ("CONTRIBUTING.md", "SECURITY.md")
TONGUES = {"en": "English", "es": "Español", "de": "Deutsch"}
ABOUT_THE_WIRE = """\
What a page and the service say to each other, from the OpenAPI document that every service hands out at
`/api/openapi.json`. A page asks over HTTP for what is there, and then plays over one WebSocket at
`/api/tables/CODE/live`: it sends the messages that have a `type`, and is told what happens as others. All of
it is JSON; a field that is not listed is refused.
"""
_LINK = re.compile(r"(!?\[[^\]]*\])\((?!\w+:|#)([^)\s]+)\)")
_MARKER = re.compile(r"^<!-- (?:not run|in tests): .* -->\n", re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what is made, and what stands outside ``docs``."""
    made = {name: (ROOT / name).read_text(encoding="utf-8") for name in FROM_ROOT}
    made |= {f"cards/{edition}.md": cards_page(edition) for edition in load().editions}
    made |= {"reference/commands.md": commands_page(), "reference/wire.md": wire_page()}
    for name, text in made.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Point links at where things are in the site, and leave out what is written for the tests."""
    place = page.file.src_uri
    folder = posixpath.dirname(place)

    def lead(link: re.Match[str]) -> str:
        label, target = link.groups()
        path, _, part = target.partition("#")
        base = "" if place in FROM_ROOT else posixpath.join("docs", folder)
        whole = posixpath.normpath(posixpath.join(base, path))  # from the root of the project
        inside = whole if whole in FROM_ROOT else whole.removeprefix("docs/")
        if whole != inside or whole in FROM_ROOT:
            if files.get_file_from_path(inside):
                return f"{label}({posixpath.relpath(inside, folder or '.')}{'#' + part if part else ''})"
        if not (ROOT / whole).exists():
            return link[0]  # MkDocs says so
        return f"{label}({SOURCE}/blob/HEAD/{whole})"

    return _MARKER.sub("", _LINK.sub(lead, markdown))


# ----------------------------------------------------------------------------------- cards


def cards_page(edition: str) -> str:
    """All cards of an edition, in every language."""
    ruleset = Ruleset(edition)
    parts = [f"# {ruleset.edition.name['en']}\n", f"{ruleset.edition.blurb['en']}\n"]
    for language in LANGUAGES:
        speaker = Speaker(ruleset, [], language)
        parts.append(f'=== "{TONGUES.get(language, language)}"\n')
        for one_set in ruleset.sets:
            cards = [card for card in _in_order(speaker) if card.set == one_set.id]
            if cards:
                parts.append(f"    **{one_set.name[language]}**\n")
                parts.append(
                    f'    <div class="cards">{"".join(_card(speaker, card.id) for card in cards)}</div>\n'
                )
    return "\n".join(parts)


def _in_order(speaker: Speaker) -> list[Any]:
    """By number, then price; landmarks last."""
    rolled = sorted(speaker.establishments.values(), key=lambda card: (card.rolls, card.cost))
    return [*rolled, *speaker.landmarks.values()]


def _card(speaker: Speaker, thing: str) -> str:
    card = speaker.card(thing)
    look: str
    icons = speaker.ruleset.game.icons
    if isinstance(card, Establishment):
        look, number, cost = card.colour, speaker.number(thing), str(card.cost)
        small = f"{icons[card.icon][speaker.language]} · <code>{card.id}</code>"
    else:
        look, number, cost = "landmark", "★", "/".join(map(str, card.cost)) or "0"
        small = f"<code>{card.id}</code>"
    return (
        f'<div class="card {look}"><header><span>{number}</span><span>{cost} ●</span></header>'
        f"<h4>{html.escape(speaker.thing(thing))}</h4><p>{html.escape(speaker.effect(thing))}</p>"
        f"<footer>{small}</footer></div>"
    )


# -------------------------------------------------------------------------------- commands


def commands_page() -> str:
    """Every command with what it takes, as ``--help`` says it."""
    from dicetown.cli import declared
    from dicetown.commands import COMMANDS

    parts = ["# Commands\n", "What `dicetown COMMAND --help` says, for all of them.\n"]
    found = [(name, declared(name)) for name in COMMANDS]
    for name, command in [part for one in found for part in _parts(*one)]:
        parts.append(f"## {name}\n\n{_plain(command.help or '')}\n")
        rows = [row for row in map(_parameter, command.params) if row]
        if rows:
            parts.append("| | what it is | if not given |\n|---|---|---|\n" + "\n".join(rows) + "\n")
    return "\n".join(parts)


def _parts(name: str, command: Any) -> list[tuple[str, Any]]:
    """A command, or those that it consists of."""
    parts = getattr(command, "commands", None)
    return [(f"{name} {part}", one) for part, one in parts.items()] if parts else [(name, command)]


def _parameter(parameter: Any) -> str:
    """One row of a command's table."""
    if getattr(parameter, "hidden", False):
        return ""
    names = " ".join(f"`{name}`" for name in [*parameter.opts, *parameter.secondary_opts])
    if parameter.param_type_name == "argument":
        names = f"`{parameter.metavar or parameter.name.upper()}`"
    shown = getattr(parameter, "show_default", None)
    default = shown if isinstance(shown, str) else parameter.default
    told = "" if default is None or default is False or callable(default) or default == () else f"`{default}`"
    if parameter.required:
        told = "*must be given*"
    return f"| {names} | {_cell(_plain(parameter.help or ''))} | {_cell(told)} |"


def _plain(text: str) -> str:
    """Without Rich's markup; angle brackets stay what they are."""
    return html.escape(Text.from_markup(text).plain, quote=False)


# -------------------------------------------------------------------------------- the wire


def wire_page() -> str:
    """The requests and messages between page and service."""
    from dicetown.server.web.api import api
    from dicetown.server.wire.schema import wire_schema

    document = openapi(api)
    parts = [
        "# The wire\n",
        ABOUT_THE_WIRE,
        "## Requests\n",
        "| | | answer |\n|---|---|---|",
    ]
    for path, ways in document["paths"].items():
        for way, request in ways.items():
            answers = [
                _type(answer.get("content", {}).get("application/json", {}).get("schema", {}))
                for code, answer in request["responses"].items()
                if code.startswith("2")
            ]
            told = _cell(" ".join((request.get("description") or request["summary"]).split()))
            parts.append(f"| `{way.upper()} {path}` | {told} | {', '.join(answers)} |")
    parts.append("\n## Messages\n")
    for name, schema in sorted(wire_schema()["components"]["schemas"].items()):
        parts.append(f"### {name}\n\n{html.escape(schema.get('description', ''), quote=False)}\n")
        if fields := schema.get("properties"):
            rows = [
                f"| `{field}` | {_type(kind)} | {_cell(kind.get('description', ''))} |"
                for field, kind in fields.items()
            ]
            parts.append("| field | what | |\n|---|---|---|\n" + "\n".join(rows) + "\n")
    return "\n".join(parts)


def openapi(api: Any) -> dict[str, Any]:
    """The document of a router, without a running service."""
    from fastapi.openapi.utils import get_openapi

    return get_openapi(title="Dicetown", version="1", routes=api.routes)


def _type(schema: dict[str, Any]) -> str:
    """A JSON schema in few words, with links to other messages."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "const" in schema:
        return f"`{schema['const']!r}`".replace("'", '"')
    if "enum" in schema:
        return " or ".join(f'`"{one}"`' for one in schema["enum"])
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(_type(one) for one in schema[key])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {})) or 'anything'}"
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"{_type(schema['additionalProperties'])} by name"
    plain = {"null": "nothing", "string": "text", "integer": "whole number", "boolean": "yes or no"}
    kind = str(schema.get("type", ""))
    return plain.get(kind, kind)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
