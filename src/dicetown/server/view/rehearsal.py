"""A rehearsal: every box is opened and played with once, before anybody is there.

What cards, rulesets and sentences are made of is worked out when it is first needed, and then kept. The first
who came to a table of a box would wait for all of that, ten times as long as those who come later.
"""

from __future__ import annotations

from dicetown import fair
from dicetown.languages import LANGUAGES
from dicetown.material import load
from dicetown.rules.ruleset import Ruleset
from dicetown.server import wire
from dicetown.server.journal.entries import Chair, Entry, Made, Moved, Started, TableSettings
from dicetown.server.journal.fold import TableState
from dicetown.server.journal.played_game import PlayedGame, Step
from dicetown.server.journal.snapshots import go_on_from, pack, write_snapshot
from dicetown.server.view.announcements import info_of, welcome_of
from dicetown.server.view.scene import scene_of

_MOVES = 12  # some turns: dice have fallen, something was built
_CODE = "REHEARSAL"
_NOBODY = wire.You(seats=[], host=False)


def rehearse() -> None:
    """Play a little with every box, keep it, open it again, and tell it in every language."""
    for edition in load().editions:
        journal, table = _play(edition)
        _tell(go_on_from(pack(write_snapshot(table)), _CODE, journal[-1:]))


def _play(edition: str) -> tuple[list[Entry], TableState]:
    """The journal of a game that has begun, and where its table stands."""
    settings = TableSettings(edition, list(Ruleset(edition).set_ids), {}, "off", "normal", False)
    chairs = [Chair("bot", name) for name in ("A", "B")]
    made = Made(settings, chairs, "", fair.new_secret().hex())
    journal = [Entry(1, 0.0, made)]
    table = TableState(_CODE, journal[0])
    table.summary.words = [""] * len(chairs)
    play = table.play = PlayedGame(table.summary)

    def happen(body: Started | Moved, step: Step) -> None:
        journal.append(Entry(len(journal) + 1, 0.0, body))
        table.apply(journal[-1], step)

    step = play.open()
    happen(Started([""] * len(chairs), step.moves, table.summary.fair), step)
    while len(journal) < _MOVES and (seat := play.asked_seat) is not None:
        step = play.act(seat, [play.game.legal_actions()[-1].text])
        happen(Moved(seat, step.moves), step)
    return journal, table


def _tell(table: TableState) -> None:
    scene = None if table.play is None else scene_of(table.play.game)
    for language in LANGUAGES:
        welcome_of(table, language, _NOBODY, info_of(table.summary, language), scene, None, 0.0)
