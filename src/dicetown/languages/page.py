"""The page's words as TypeScript, made from the languages: a module for each area of the page.

    python src/dicetown/languages/page.py web/src/generated/words

It needs nothing but Python, so that the page can be built while all else is still being installed. Whether
every language has every text is checked by TypeScript, with the rest of the page.
"""

from __future__ import annotations

import json
import runpy
import sys
import tomllib
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent
_LIST = runpy.run_path(str(_HERE / "__init__.py"))  # the package around it would import all of Dicetown
_MADE = "// Made from src/dicetown/languages, where it is changed: `make page` makes it anew.\n"


def modules() -> dict[str, str]:
    """The text of each module, by the name of its file."""
    areas = sorted(file.stem for file in (_HERE / _LIST["REFERENCE"] / "page").glob("*.toml"))
    made = {area: _constant("words", _in_each(f"page/{area}")) for area in areas}
    facts = _in_each("language")
    made["languages"] = (
        _constant("LANGUAGES", _LIST["LANGUAGES"])
        + _constant("LANGUAGE_NAMES", {language: one["name"] for language, one in facts.items()})
        + _constant("FRIENDLY_NAMES", {language: one["friendly_names"] for language, one in facts.items()})
    )
    return {f"{name}.ts": _MADE + text for name, text in made.items()}


def _in_each(name: str) -> dict[str, dict[str, Any]]:
    """A file of every language, by language."""
    return {
        language: tomllib.loads((_HERE / language / f"{name}.toml").read_text(encoding="utf-8"))
        for language in _LIST["LANGUAGES"]
    }


def _constant(name: str, value: object) -> str:
    return f"export const {name} = {json.dumps(value, ensure_ascii=False, indent=2)} as const;\n"


def write_modules(folder: Path) -> None:
    """Write all modules into a folder, and leave nothing else there."""
    folder.mkdir(parents=True, exist_ok=True)
    made = modules()
    for file in folder.iterdir():
        if file.name not in made:
            file.unlink()
    for name, text in made.items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_modules(Path(sys.argv[1]))
