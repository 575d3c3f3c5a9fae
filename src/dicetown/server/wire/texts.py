"""What the service itself says; what games say comes from :mod:`dicetown.words`."""

from __future__ import annotations

from dicetown.languages import LANGUAGES, REFERENCE
from dicetown.letters import isolated
from dicetown.material.catalogue import catalogue

USUAL = REFERENCE
FILE = "service"
PHRASE = "phrase"


def say(language: str, key: str, **slots: object) -> str:
    """A sentence of the service.

    >>> say("de", "refuse.no_table")
    'Diesen Tisch gibt es nicht. Stimmt der Link?'
    """
    apart = {slot: isolated(value) if isinstance(value, str) else value for slot, value in slots.items()}
    return catalogue(FILE, language).say(key, None, **apart)


def phrases() -> list[str]:
    """The names of the phrases that can be said in a chat with one click."""
    keys = (key.partition(".") for key in catalogue(FILE, USUAL).templates)
    return [name for table, _, name in keys if table == PHRASE]


def choose_language(asked: str | None, accepted: str | None) -> str:
    """The language to speak: the one asked for, or the first of an ``Accept-Language`` that is known.

    >>> choose_language("es", None), choose_language(None, "fr-CH, de-AT;q=0.8, en;q=0.9")
    ('es', 'en')
    """
    if asked in LANGUAGES:
        return asked
    wishes: list[tuple[float, str]] = []
    for wish in (accepted or "").split(",")[:16]:
        name, _, quality = wish.partition(";q=")
        try:
            wishes.append((float(quality or 1), name.strip().partition("-")[0].lower()))
        except ValueError:
            continue
    known = [(weight, name) for weight, name in wishes if name in LANGUAGES and weight > 0]
    return max(known, key=lambda wish: wish[0])[1] if known else USUAL
