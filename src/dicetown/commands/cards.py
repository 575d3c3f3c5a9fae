"""``dicetown cards``: what is in the boxes, and what each card does."""

from __future__ import annotations

from typing import Annotated

import typer

from dicetown.commands.inputs import UsageProblem, read_language, read_ruleset
from dicetown.commands.options import Edition, HouseRules, Language, Sets
from dicetown.console import make_console
from dicetown.suggestions import match_name
from dicetown.text.cards import describe_card
from dicetown.words import Speaker


def run(
    house: HouseRules,
    names: Annotated[
        list[str] | None, typer.Argument(help="Cards by name; all if none is named.", show_default=False)
    ] = None,
    edition: Edition = "deluxe",
    sets: Sets = None,
    lang: Language = None,
) -> None:
    """List the cards of an edition and what they do.

    For example: dicetown cards cafe harbor

    Or: dicetown cards --edition neue_stadt --lang de
    """
    speaker = Speaker(read_ruleset(edition, sets, house), [], read_language(lang))
    things = [_find(name, speaker) for name in names or []] or [*speaker.establishments, *speaker.landmarks]
    console = make_console()
    for thing in things:
        for line in describe_card(speaker, thing):
            console.print(line, soft_wrap=not console.is_terminal)


def _find(name: str, speaker: Speaker) -> str:
    known = [*speaker.establishments, *speaker.landmarks]
    found = match_name(name, [(thing, (thing, speaker.thing(thing))) for thing in known])
    if found is None:
        where = speaker.ruleset.edition.id
        raise UsageProblem(
            f'There is no card "{name}" in {where} with these sets; known: {", ".join(known)}.'
        )
    return found
