"""What the build adds: a README whose links work anywhere, and a look whether the browser client is there."""

import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)(\[[^\]]*\])\((?!\w+:|#)([^)]+)\)")


def with_whole_links(text: str, source: str) -> str:
    """Markdown whose links and pictures are whole addresses: a package index knows no file beside it."""

    def whole(link: re.Match[str]) -> str:
        picture, label, path = link.groups()
        return f"{picture}{label}({source}/{'raw' if picture else 'blob'}/HEAD/{path})"

    return _LINK.sub(whole, text)


class ReadmeForAnIndex(MetadataHookInterface):
    """The README as a package index shows it."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in what pyproject.toml calls dynamic."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        whole = with_whole_links(text, metadata["urls"]["Source"])
        metadata["readme"] = {"content-type": "text/markdown", "text": whole}


class PageWanted(BuildHookInterface[Any]):
    """Nothing is built for others without the browser client, which `dicetown serve` would miss."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Look before building; a checkout in use (`editable`) may get its page later."""
        if version != "editable" and not (Path(self.root) / "src/dicetown/server/static/index.html").exists():
            raise SystemExit("The browser client is not built yet: `make page` does that.")
