"""``dicetown review``: a saved game looked back on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from dicetown.bots.search.think import ready
from dicetown.commands.figures import let_wrap, make_table, print_json, print_table, progress_bar
from dicetown.commands.inputs import UsageProblem, read_language
from dicetown.commands.options import Json, Language, PlayoutSeed, Thinker, unset
from dicetown.commands.written import check_place, write_text
from dicetown.console import make_console
from dicetown.readiness import say_aside
from dicetown.review.advice import make_thinker
from dicetown.review.chances import USUAL_BOT, USUAL_PLAYOUTS, estimate
from dicetown.review.moments import Decision
from dicetown.review.picture import Labels, curve, draw_picture, sparkline
from dicetown.review.replay import replay
from dicetown.review.review import Player, Review, check_reviewable, judge_moments
from dicetown.review.wording import percent, points, tell_moment, tell_turning_point
from dicetown.words import Speaker
from dicetown.words.actions import name_move

_PICTURE = "the picture"
_TEXTS = (1, 2, 6)  # columns of moments that are no figures: player, moment, alternative


def run(
    file: Annotated[Path, typer.Argument(help="A saved game.", metavar="SAVE", show_default=False)],
    bot: Thinker = None,
    seconds: Annotated[float | None, unset("To think about each position.", min=0.01)] = None,
    playouts: Annotated[
        int | None,
        typer.Option(
            help="For each position that needs thought, instead of seconds: the same review every time.",
            min=1,
            show_default=str(USUAL_PLAYOUTS),
        ),
    ] = None,
    seed: PlayoutSeed = 0,
    picture: Annotated[
        Path | None, unset("Draw the chances over the game into this file.", "FILE.svg")
    ] = None,
    player: Annotated[
        str | None, unset("Show the decisions of one player only; sums are everybody's still.", "NAME")
    ] = None,
    brief: Annotated[
        bool, typer.Option("--brief", help="Only the sums and the turning points, not every moment.")
    ] = False,
    lang: Language = None,
    json: Json = False,
) -> None:
    """Look back on a saved game: what every choice and every roll did to the chance to win.

    Luck is told apart from choice: for every player, the chance at the end is that at the beginning, plus
    luck, plus what own mistakes cost, plus what the others' mistakes brought.

    A choice is called a mistake only if another was better by more than the noise of the estimates. What a
    decision lost on average is graded in a word, and the result is told without luck, too.

    For example: dicetown review game.json

    Or: dicetown review game.json --brief --picture game.svg --lang de

    Or, only what somebody chose: dicetown review game.json --player Ana

    Or, more closely: dicetown review game.json --playouts 100000 --json
    """
    spoken = read_language(lang)
    replayed = replay(file)
    check_reviewable(replayed)
    only = _find_seat(player, replayed.game.names)
    _check_picture(picture)
    chosen = read_thinker(bot, seconds, playouts)
    ready(say_aside)
    with progress_bar("review") as progress:
        estimates = estimate(replayed, chosen, seed, progress)
    review = replace(judge_moments(replayed, estimates, chosen), only=only)
    speaker = Speaker(replayed.game.ruleset, replayed.game.names, spoken)
    if json:
        print_json(review.as_dict())
    else:
        _print(speaker, review, brief, with_curve=picture is None)
    if picture is not None:
        write_text(picture, draw_picture(review, speaker.names, _labels(speaker, review)), _PICTURE)
        say_aside(speaker.say("review.picture", file=picture))


def read_thinker(bot: str | None, seconds: float | None, playouts: int | None) -> str:
    """The bot with its options as one text; refused if there is no such bot, or it does not think.

    >>> read_thinker(None, None, None), read_thinker("search", 0.5, None)
    ('search:rounds=1:playouts=800', 'search:seconds=0.5')
    """
    if bot is None and seconds is None and playouts is None:
        playouts = USUAL_PLAYOUTS
    make_thinker(bot or USUAL_BOT, seconds=seconds, playouts=playouts)
    settings = {"seconds": seconds, "playouts": playouts}
    chosen = [f":{name}={value}" for name, value in settings.items() if value is not None]
    return (bot or USUAL_BOT) + "".join(chosen)


def _find_seat(player: str | None, names: Sequence[str]) -> int | None:
    """The seat of a player who is named as in the record."""
    if player is None:
        return None
    if player not in names:
        raise UsageProblem(f'Nobody in this game is called "{player}"; there are {", ".join(names)}.')
    return names.index(player)


def _check_picture(picture: Path | None) -> None:
    """The picture must not land on anything else, such as the saved game itself."""
    if picture is None:
        return
    if picture.suffix.lower() != ".svg":
        raise UsageProblem(f"{picture}: the picture is an SVG; name a file that ends in .svg.")
    check_place(picture, _PICTURE)


def _labels(speaker: Speaker, review: Review) -> Labels:
    told = [tell_turning_point(speaker, moment) for moment in review.turning_points()]
    say = speaker.say
    return Labels(say("review.title"), say("review.turn"), say("review.chance"), told)


# ------------------------------------------------------------------------ what is printed


def _print(speaker: Speaker, review: Review, brief: bool, with_curve: bool) -> None:
    console = make_console()
    if not brief:
        _print_moments(speaker, review)
    if with_curve:
        _print_curve(speaker, review)
    if told := [tell_turning_point(speaker, moment) for moment in review.turning_points()]:
        console.print(speaker.say("review.turning_points"), style="bold")
        for number, sentence in enumerate(told, start=1):
            console.print(f"  {number}. {sentence}", soft_wrap=True)
    _print_players(speaker, review)
    if not review.game.over:
        console.print(speaker.say("review.unfinished"), soft_wrap=True)


def _print_moments(speaker: Speaker, review: Review) -> None:
    """Every choice and every roll, with the chance of whose turn it is."""
    say = speaker.say
    names = [say("review.turn"), say("end.player"), say("review.moment")]
    table = make_table(names, [say("review.before"), say("review.after"), say("review.change")])
    table.add_column(say("review.alternative"), no_wrap=True)
    for moment in review.shown:
        chances = [percent(speaker, one[moment.seat]) for one in (moment.before, moment.after)]
        change = points(speaker, moment.change[moment.seat])
        row = [str(moment.turn), speaker.names[moment.seat], tell_moment(speaker, moment), *chances, change]
        table.add_row(*row, _tell_alternative(speaker, moment) if isinstance(moment, Decision) else "")
    let_wrap(table, *_TEXTS)
    print_table(table)
    make_console().print(say("review.how"), style="dim", soft_wrap=True)
    print()


def _tell_alternative(speaker: Speaker, moment: Decision) -> str:
    """The best that was not done, against what was: both as they were measured."""
    better = name_move(speaker, moment.alternative.action.text)
    gap = moment.alternative.chances[moment.seat] - moment.taken.chances[moment.seat]
    return f"{'✗ ' if moment.is_mistake else ''}{better} ({points(speaker, gap)})"


def _print_curve(speaker: Speaker, review: Review) -> None:
    """The chances over the game, a line of text for each player."""
    console = make_console()
    console.print(speaker.say("review.title"), style="bold")
    width = max(map(len, speaker.names))
    for seat, name in enumerate(speaker.names):
        bars = sparkline([chances[seat] for chances in curve(review)])
        console.print(f"  {name:<{width}}  {bars}  {percent(speaker, review.finish[seat])}", soft_wrap=True)
    print()


def _print_players(speaker: Speaker, review: Review) -> None:
    say = speaker.say
    _print_shares(speaker, review)
    names = ["review.mistakes", "review.average_loss"]
    table = make_table([say("end.player"), say("review.grade")], [say(key) for key in names])
    for name, player in zip(speaker.names, review.players, strict=True):
        table.add_row(name, *_choosing(speaker, player))
    print_table(table)
    ahead = review.ahead_without_luck
    if ahead is not None:
        sentence = say("review.ahead_without_luck", name=speaker.names[ahead])
        make_console().print(sentence, soft_wrap=True)


def _print_shares(speaker: Speaker, review: Review) -> None:
    """What luck and choices brought everybody, and what would be left without luck."""
    say = speaker.say
    parts = "review.luck", "review.choice", "review.others"
    heads = [say(key) for key in ("review.start", *parts, "review.finish", "review.adjusted")]
    table = make_table([say("end.player")], heads)
    for name, player in zip(speaker.names, review.players, strict=True):
        changes = [points(speaker, change) for change in (player.luck, player.choice, player.others)]
        start, *ends = [percent(speaker, one) for one in (player.start, player.finish, player.adjusted)]
        table.add_row(name, start, *changes, *ends)
    let_wrap(table, 0)
    print_table(table)
    make_console().print(say("review.shares"), style="dim", soft_wrap=True)


def _choosing(speaker: Speaker, player: Player) -> list[str]:
    """How well somebody chose: the grade, mistakes, and what a decision lost on average."""
    mistakes = speaker.say("review.of", mistakes=player.mistakes, decisions=player.decisions)
    if player.average_loss is None:
        return ["–", mistakes, "–"]
    return [speaker.say(f"grade.{player.grade}"), mistakes, points(speaker, -player.average_loss, digits=2)]
