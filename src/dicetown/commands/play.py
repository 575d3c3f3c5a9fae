"""``dicetown play``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dicetown.commands.inputs import UsageProblem, read_language, read_ruleset
from dicetown.game import Game
from dicetown.terminal.play import is_interactive, play, set_up
from dicetown.terminal.saves import load_game
from dicetown.terminal.seats import Seat, name_of_user, read_players
from dicetown.terminal.setup import Plan
from dicetown.terminal.views import SPEEDS
from dicetown.words import catalogue_for


def run(
    edition: str | None,
    sets: str | None,
    house: Sequence[str],
    players: str | None,
    language: str | None,
    seed: int | None,
    resume: Path | None,
    save_to: Path | None,
    speed: str,
    plain: bool,
) -> int:
    """Play what the options say; without any, ask first."""
    if speed not in SPEEDS:
        raise UsageProblem(f'There is no speed "{speed}"; known: {", ".join(SPEEDS)}.')
    spoken = read_language(language)
    what = (edition, sets, players)
    if resume is not None and (house or any(option is not None for option in what)):
        raise UsageProblem(
            "A saved game has its edition, sets, house rules and players; give --resume alone."
        )
    if resume is not None:
        game, seats = load_game(resume, seed)
    elif house or any(option is not None for option in what) or not is_interactive():
        game, seats = begin(edition or "deluxe", sets, house, players, spoken, seed)
    else:
        plan = set_up(Plan.first_game(spoken))
        if plan is None:
            return 0
        game, seats = plan.begin(seed)
        spoken, resume = plan.language, plan.resume
    return play(game, seats, spoken, speed, save_to, resume, plain)


def begin(
    edition: str, sets: str | None, house: Sequence[str], players: str | None, language: str, seed: int | None
) -> tuple[Game, list[Seat]]:
    """A new game; without players, you and a bot."""
    you = name_of_user(catalogue_for(language).say("setup.you"))
    seats = read_players(players or "2", you)
    return Game(read_ruleset(edition, sets, house), names=[seat.name for seat in seats], seed=seed), seats
