"""``dicetown advise``: what a bot says about a position."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from dicetown.bots.search.think import ready
from dicetown.commands.figures import let_wrap, make_table, print_json, print_table, waiting
from dicetown.commands.inputs import UsageProblem, read_language
from dicetown.commands.options import Json, Language, PlayoutSeed, Thinker, unset
from dicetown.console import make_console
from dicetown.game import Game
from dicetown.readiness import say_aside
from dicetown.review.advice import Advice, advise, check_advisable, make_thinker
from dicetown.review.wording import percent, points, tell_line
from dicetown.words import Speaker, catalogue_for, label, question

STDIN = "-"
USUAL_BOT, USUAL_SECONDS = "search", 2.0


def run(
    source: Annotated[
        str,
        typer.Argument(
            help="A saved game, a position's text, or - for either of them on stdin.",
            metavar="SAVE|POSITION",
            show_default=False,
        ),
    ],
    move: Annotated[
        int | None,
        typer.Option(
            help="Look at a saved game as it stood before this move; dice and draws count, too.",
            min=1,
            metavar="NUMBER",
            show_default="as it stands",
        ),
    ] = None,
    bot: Thinker = None,
    seconds: Annotated[
        float | None, typer.Option(help="To think.", min=0.01, show_default="2, or the bot's own")
    ] = None,
    playouts: Annotated[int | None, unset("Instead of seconds: the same answer every time.", min=1)] = None,
    seed: PlayoutSeed = 0,
    lang: Language = None,
    json: Json = False,
) -> None:
    """Ask a bot what to do: everybody's chance to win after each legal action, and how play would go on.

    dicetown replay --position prints the position of a saved game; the game itself will do as well.

    For example: dicetown advise game.json

    Or: dicetown advise game.json --move 57 --bot search --seconds 10 --lang es

    Or: dicetown replay game.json --position | dicetown advise - --json
    """
    spoken = read_language(lang)
    game = find_game(source, move, spoken)
    check_advisable(game)
    if bot is None and seconds is None and playouts is None:
        seconds = USUAL_SECONDS
    thinker = make_thinker(bot or USUAL_BOT, seconds=seconds, playouts=playouts)
    ready(say_aside)
    with waiting(f"{thinker.name} …"):
        advice = advise(game, thinker, seed=seed)
    if json:
        print_json(advice.as_dict())
    else:
        _print(Speaker(game.ruleset, game.names, spoken), game, advice)


def find_game(source: str, move: int | None, language: str) -> Game:
    """The game of a file, of a position's text, or of what stands on stdin."""
    text = sys.stdin.read() if source == STDIN else source
    if not text.strip():
        where = "on stdin" if source == STDIN else "there"
        raise UsageProblem(f"Nothing stands {where}; give a saved game, or a position's text.")
    if not is_position(text):
        return _before_move(text, move)
    if move is not None:
        raise UsageProblem("--move counts the moves of a saved game; a position has none.")
    game = Game.from_position(text.strip(), chance="manual")
    say = catalogue_for(language).say
    game.names = [say("advise.player", number=seat + 1) for seat in range(game.players)]
    return game


def is_position(text: str) -> bool:
    """Whether a text is a position's rather than a saved game or the name of its file.

    >>> is_position("deluxe base {} | 3 bakery | 5 cafe"), is_position("game.json"), is_position('{"a": "|"}')
    (True, False, False)
    """
    return "|" in text and not text.lstrip().startswith("{")


def _before_move(source: str, move: int | None) -> Game:
    """A saved game as it stands, or as it stood before one of its moves."""
    moves = decided = 0
    for moves, (game, text) in enumerate(Game.retrace(source)):
        if moves + 1 == move:
            if game.waits_for_chance and decided and text is not None:
                raise UsageProblem(
                    f'Move {move} is chance ("{text}"); the decision before it is move {decided}.'
                )
            return game
        decided = decided if game.waits_for_chance else moves + 1
    if move is not None:
        raise UsageProblem(f"There is no move {move}; the game has {moves}.")
    return game


def _print(speaker: Speaker, game: Game, advice: Advice) -> None:
    say = speaker.say
    console = make_console()
    asked = say("screen.asks", name=speaker.names[advice.seat], question=question(speaker, game))
    console.print(asked, soft_wrap=True)
    if len(advice.options) == 1:
        console.print(say("advise.only_one", action=label(speaker, game, advice.best)), soft_wrap=True)
    table = make_table([say("advise.action")], [*speaker.names, "±", say("advise.visits")])
    for option in advice.options:
        chances = [percent(speaker, chance) for chance in option.chances]
        reach = points(speaker, (option.high - option.low) / 2).lstrip("+")
        table.add_row(label(speaker, game, option.action), *chances, reach, f"{option.visits}")
    let_wrap(table, 0)
    print_table(table)
    if line := tell_line(speaker, advice):
        console.print(say("advise.main_line"), style="bold")
        for sentence in line:
            console.print(f"  {sentence}", soft_wrap=True)
    seconds = f"{advice.seconds:.1f}".replace(".", say("part.decimal"))
    console.print(
        say("advise.effort", advice.playouts, seconds=seconds, bot=advice.bot), style="dim", soft_wrap=True
    )
