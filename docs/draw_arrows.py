"""Draws which package imports which, as Mermaid, for docs/design.md: ``python docs/draw_arrows.py``.

What follows from other arrows is left out, and so is what everybody may use. ``make lint`` checks the order.
"""

from __future__ import annotations

from collections import defaultdict

import grimp

ROOT = "dicetown"
#: What everybody may use.
COMMON = {"cores", "errors", "extras", "intervals", "letters", "suggestions", "whole_files", "__main__"}


def find_arrows() -> dict[str, set[str]]:
    """For each package those that it imports."""
    graph = grimp.build_graph(ROOT)
    arrows: dict[str, set[str]] = defaultdict(set)
    for module in graph.modules:
        for imported in graph.find_modules_directly_imported_by(module):
            if ROOT not in (module, imported):
                arrows[_package(module)].add(_package(imported))
    return {one: others - {one} - COMMON for one, others in arrows.items() if one not in COMMON}


def _package(module: str) -> str:
    return module.split(".")[1]


def _leads_to(arrows: dict[str, set[str]], one: str, other: str) -> bool:
    return any(step == other or _leads_to(arrows, step, other) for step in arrows.get(one, ()))


def draw() -> str:
    """The drawing."""
    arrows = find_arrows()
    lines = ["```mermaid", "flowchart BT"]
    for one in sorted(arrows):
        for other in sorted(arrows[one]):
            if not any(_leads_to(arrows, step, other) for step in arrows[one] - {other}):
                lines.append(f"    {one} --> {other}")
    return "\n".join([*lines, "```"])


if __name__ == "__main__":
    print(draw())
