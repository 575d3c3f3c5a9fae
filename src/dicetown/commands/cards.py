"""``dicetown cards``: what is in the boxes, and what each card does."""

from __future__ import annotations

from collections.abc import Sequence

from dicetown.commands.inputs import UsageProblem, read_language, read_ruleset
from dicetown.terminal.pages import describe_card
from dicetown.terminal.play import make_console
from dicetown.terminal.typed import match_name
from dicetown.words import Speaker


def run(
    names: Sequence[str], edition: str, sets: str | None, house: Sequence[str], language: str | None
) -> None:
    """Print the cards named, or all of the ruleset."""
    speaker = Speaker(read_ruleset(edition, sets, house), [], read_language(language))
    things = [_find(name, speaker) for name in names] or [*speaker.establishments, *speaker.landmarks]
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
