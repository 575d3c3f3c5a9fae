"""``dicetown play``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from dicetown.commands.inputs import UsageProblem, read_language, read_ruleset
from dicetown.commands.options import HouseRules, Language, Sets, unset
from dicetown.game import Game
from dicetown.terminal.launch import is_interactive, play, set_up
from dicetown.terminal.saves import load_game
from dicetown.terminal.seats import Seat, name_of_user, read_players
from dicetown.terminal.setup_dialogue import Plan
from dicetown.terminal.views import SPEEDS
from dicetown.words import catalogue_for


def run(
    house: HouseRules,
    edition: Annotated[
        str | None,
        typer.Option(help="ciudad, deluxe, grossstadt or neue_stadt.", show_default="deluxe"),
    ] = None,
    sets: Sets = None,
    players: Annotated[
        str | None,
        typer.Option(
            help="Names with commas. A bot's name is that bot (greedy, random), name:bot a bot with a name; "
            "bots may have options (greedy:slips=50) or be programs (pipe:python3 my_bot.py). "
            "A number is you and bots.",
            show_default="2",
        ),
    ] = None,
    lang: Language = None,
    seed: Annotated[int | None, unset("The same seed, the same dice.")] = None,
    resume: Annotated[Path | None, unset("Go on with a saved game.", "FILE")] = None,
    save_to: Annotated[Path | None, unset("Keep the game in this file whenever play stops.", "FILE")] = None,
    speed: Annotated[
        str, typer.Option(help="How long bots' moves are shown: slow, normal or instant.")
    ] = "normal",
    plain: Annotated[
        bool, typer.Option("--plain", help="Plain lines instead of a screen, as over a pipe.")
    ] = False,
) -> int:
    """Play in the terminal, with people and bots.

    Without options it asks what to play. In the game, h shows what can be typed.

    Ctrl-C never loses a game: it is kept, and you are told how to go on.

    For example: dicetown play --edition deluxe --sets base,harbor --players Ana,Ben,greedy

    Or: dicetown play --edition neue_stadt --players 4 --lang de

    Or: dicetown play --resume game.json
    """
    if speed not in SPEEDS:
        raise UsageProblem(f'There is no speed "{speed}"; known: {", ".join(SPEEDS)}.')
    spoken = read_language(lang)
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
