"""What a decision needs at the table, measured: it is in the window, whole, and nothing covers it.

By the boxes of the page's elements, not by pictures. A thing is whole if no edge of the window and none of a
panel it lies in cuts it off; it is uncovered if a click into its middle and near its corners would hit it.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

_LOOK = Path(__file__).with_name("boxes.js").read_text(encoding="utf-8")


def complaints_of(page: Page) -> list[str]:
    """What is wrong with the table as it lies in the window, in words; nothing, if all is well."""
    found: list[str] = page.evaluate(_LOOK)
    return found
