"""What is refused: a code for programs, a status for HTTP, and a sentence in the user's language."""

from __future__ import annotations

from math import ceil

from dicetown.server.wire import Refusal
from dicetown.server.wire.between import OWNER
from dicetown.server.wire.texts import say

#: The status of each refusal; each has its sentence in the catalogues.
STATUS = {
    "bad_json": 400,
    "not_your_seat": 403,
    "not_host": 403,
    "hosts_seat": 403,
    "not_yours_alone": 403,
    "wrong_origin": 403,
    "only_gateways": 403,
    "no_table": 404,
    "no_such_seat": 404,
    "no_moment": 404,
    "no_page": 404,
    "wrong_method": 405,
    "table_full": 409,
    "has_begun": 409,
    "not_begun": 409,
    "not_over": 409,
    "is_over": 409,
    "is_paused": 409,
    "is_closed": 409,
    "seat_taken": 409,
    "seats_open": 409,
    "not_frozen": 409,
    "own_seat": 409,
    "usual_bot": 409,
    "sits_already": 409,
    "not_your_turn": 409,
    "late": 409,
    "illegal": 409,
    "not_together": 409,
    "said_enough": 409,
    "nothing_to_undo": 409,
    "nothing_to_decide": 409,
    "one_option": 409,
    "no_name": 409,
    "thinking_already": 409,
    "no_chances": 409,
    "too_big": 413,
    "wrong_host": 421,
    "elsewhere": 421,
    "bad_request": 422,
    "bad_name": 422,
    "wrong_word": 422,
    "bad_house": 422,
    "few_landmarks": 422,
    "no_edition": 422,
    "no_set": 422,
    "no_base_set": 422,
    "player_count": 422,
    "no_bot": 422,
    "no_thing": 422,
    "too_many_me": 422,
    "friends_missing": 422,
    "nothing_said": 422,
    "no_phrase": 422,
    "garbage": 422,
    "too_quick": 429,
    "too_many_tables": 429,
    "too_many_tables_here": 429,
    "too_many_public": 429,
    "too_many_public_here": 429,
    "too_many_connections": 429,
    "too_many_pages": 429,
    "broken": 500,
    "unreadable": 500,
    "not_stored": 503,
    "unclear": 503,
    "not_ready": 503,
    "no_thinker": 503,
    "too_much_to_think": 503,
    "no_room": 503,
}

#: Statuses of who is told to come later.
LATER = (429, 503)
_USUAL_WAIT = 5.0  # seconds


class Refused(Exception):
    """Something is not done, and nothing has changed; but for ``unclear``, of which nobody knows.

    >>> problem = Refused("table_full")
    >>> problem.status, problem.sentence("es")
    (409, 'En esta mesa ya no queda ningún sitio libre.')
    """

    def __init__(
        self, code: str, *, sentence: str | None = None, wait: float | None = None, **slots: object
    ) -> None:
        super().__init__(code)
        self._wait = wait
        self.code = code
        self.slots = slots
        self._sentence = sentence  # already in the user's language, where the game has the words

    @property
    def status(self) -> int:
        """The status of an HTTP answer."""
        return STATUS[self.code]

    @property
    def headers(self) -> dict[str, str]:
        """The headers of an HTTP answer: when it may be worth to ask again, where that is all it takes."""
        if self.status not in LATER:
            return {}
        return {"Retry-After": str(max(1, ceil(self._wait or _USUAL_WAIT)))}

    def sentence(self, language: str) -> str:
        """Why, for the user."""
        return self._sentence or say(language, f"refuse.{self.code}", **self.slots)

    def as_wire(self, language: str) -> Refusal:
        """The refusal as a page reads it."""
        return Refusal(code=self.code, message=self.sentence(language))


class Elsewhere(Refused):
    """Another worker has the table; nothing has changed, and it can be asked for there."""

    def __init__(self, address: str = "") -> None:
        super().__init__("elsewhere")
        self.address = address  # empty if nobody knows

    @property
    def headers(self) -> dict[str, str]:
        """The headers of an HTTP answer: where it is."""
        return {OWNER: self.address}
