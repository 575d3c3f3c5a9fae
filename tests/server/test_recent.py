"""What a table keeps of what it has told lately, for a page that was away for a moment."""

import msgspec

from dicetown.server import wire
from dicetown.server.table.recent import KEPT, RecentlyTold, without_question
from dicetown.server.table.table import encode

ASKED = wire.Asked(seat=1, control="roll", question="Roll the die.", choices=[])


def entry(number: int, said: str = "", asked: wire.Asked | None = ASKED) -> wire.Entry:
    return wire.Entry(number=number, kind="moved", at=1.0, said=said, asked=asked)


def test_nothing_but_the_question_is_cut_off_whatever_was_said() -> None:
    for said in ("", "plain", 'a trap: ","asked":{"seat":0}}', ',"asked":'):
        cut = without_question(encode(entry(7, said)))
        assert cut == encode(entry(7, said, asked=None))
        assert msgspec.json.decode(cut)["said"] == said
        assert without_question(cut) == cut


def test_who_missed_some_entries_is_told_them_and_what_is_asked_after_the_last() -> None:
    recent = RecentlyTold()
    for number in (3, 4, 5):
        recent.add(number, {"en": encode(entry(number)), "de": encode(entry(number))})
    told = [msgspec.json.decode(message) for message in recent.after(3, 5, "de")]
    assert [one["number"] for one in told] == [4, 5]
    assert [one["asked"] is None for one in told] == [True, False]
    assert recent.after(3, 5, "es") == []


def test_what_is_kept_is_bounded_in_bytes() -> None:
    recent = RecentlyTold()
    for number in range(1, 50):
        recent.add(number, {"en": encode(entry(number, "x" * 900))})
    kept = [message for number in range(50) for message in recent.after(number, 49, "en")[:1]]
    assert 0 < sum(map(len, kept)) <= KEPT
    assert recent.after(48, 49, "en") == [encode(entry(49, "x" * 900))]
