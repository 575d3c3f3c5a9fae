"""What the dice can bring: for each total its chance, and what everybody would gain or lose."""

from __future__ import annotations

from rich.text import Text

from dicetown.game import Game
from dicetown.text.paint import QUIET, STRONG, crop, ink
from dicetown.words import Speaker
from dicetown.words.actions import sign

_DIE = 6
_LABEL_WIDTH = 10


def odds_forms(speaker: Speaker, game: Game, width: int) -> list[list[Text]]:
    """The odds in ever more room: not at all; for the player to move; for everybody."""
    if not game.totals():
        return [[]]
    chances = _chance_rows(speaker, game, width)
    gains = _gain_rows(speaker, game, width)
    return [[], [*chances, gains[game.turn]], [*chances, *gains]]


def odds_rows(speaker: Speaker, game: Game, width: int) -> list[Text]:
    """All of the odds."""
    return odds_forms(speaker, game, width)[-1]


def _chance_rows(speaker: Speaker, game: Game, width: int) -> list[Text]:
    totals = game.totals()
    rows = [_row(speaker.say("screen.total"), [ink(str(total), style=STRONG) for total in totals], width)]
    rows.append(_row(speaker.say("screen.one_die"), [_percent(_with_one_die(t)) for t in totals], width))
    if len(totals) > _DIE:
        rows.append(
            _row(speaker.say("screen.two_dice"), [_percent(_with_two_dice(t)) for t in totals], width)
        )
    return rows


def _gain_rows(speaker: Speaker, game: Game, width: int) -> list[Text]:
    previews = [game.preview(total) for total in game.totals()]
    rows = []
    for seat, name in enumerate(speaker.names):
        cells = [_gain(view.gains[seat], view.choice, view.average) for view in previews]
        rows.append(_row(name, cells, width))
    return rows


def _gain(coins: int, choice: bool, average: bool) -> Text:
    """A gain or loss; ``~`` where it is an average, ``?`` where it depends on a choice."""
    if coins == 0:
        return ink("·", style=QUIET)
    mark = ("~" if average else "") + ("?" if choice else "")
    return ink(sign(coins) + mark, style="green" if coins > 0 else "bright_red")


def _row(label: str, cells: list[Text], width: int) -> Text:
    each = min((width - _LABEL_WIDTH) // max(len(cells), 1), 6)
    row = crop(ink(label, style=QUIET), _LABEL_WIDTH)
    for cell in cells:
        row.append(" " * (each - cell.cell_len)).append_text(cell)
    return row


def _percent(chance: float) -> Text:
    return ink(f"{chance:.0%}" if chance else "–", style=QUIET)


def _with_one_die(total: int) -> float:
    return 1 / _DIE if total <= _DIE else 0


def _with_two_dice(total: int) -> float:
    return max(_DIE - abs(total - _DIE - 1), 0) / _DIE**2
