"""What a bot is, in a sentence of each language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dicetown.material.catalogue import in_all_languages


class Description(Mapping[str, str]):
    """The sentence about one of Dicetown's own bots, by language; looked up when somebody asks.

    >>> Description("random")["es"]
    'Juega cualquier cosa permitida.'
    """

    def __init__(self, bot: str) -> None:
        self.bot = bot

    def __getitem__(self, language: str) -> str:
        return in_all_languages("bots", self.bot)[language]

    def __iter__(self) -> Iterator[str]:
        return iter(in_all_languages("bots", self.bot))

    def __len__(self) -> int:
        return len(in_all_languages("bots", self.bot))
