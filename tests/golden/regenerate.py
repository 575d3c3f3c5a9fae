"""Record the golden games anew: .venv/bin/python tests/golden/regenerate.py

One complete game per edition and number of players, as a saved game (NAME.json) and as a page to read
(NAME.txt: every turn with its moves, and all purses and landmarks after it). A change of the rules shows as a
diff of the pages: look at it, and commit it with the change.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from dicetown import Game, Ruleset
from dicetown.game.events import Event, Paid, TurnBegan
from dicetown.game.notation import Action
from dicetown.rules.rng import below, seeded

FOLDER = Path(__file__).parent
SEED = 2


def games_to_record() -> dict[str, tuple[Ruleset, int]]:
    """Name, ruleset and number of players of every golden game."""
    found = {}
    for edition, sets in (
        ("ciudad", None),
        ("deluxe", None),
        ("deluxe", ["base"]),
        ("grossstadt", None),
        ("neue_stadt", None),
    ):
        ruleset = Ruleset(edition, sets=sets)
        for players in range(ruleset.min_players, ruleset.max_players + 1):
            name = f"{edition}_base_{players}" if sets else f"{edition}_{players}"
            found[name] = (ruleset, players)
    return found


def record(ruleset: Ruleset, players: int) -> Game:
    """Play a game to its end: landmarks when they can be had, else anything but passing."""
    game, rng = Game(ruleset, players, seed=SEED), seeded(SEED, game=players)
    while not game.over:
        options = wanted(game)
        game.play(options[below(rng, len(options))])
    return game


def wanted(game: Game) -> list[Action]:
    """What the players of golden games choose among."""
    legal = game.legal_actions()
    marks = {f"build {mark.id}" for mark in game.ruleset.landmarks}
    landmarks = [action for action in legal if action.text in marks]
    builds = [action for action in legal if action.text.startswith("build")]
    return landmarks or builds or legal


# ------------------------------------------------------------------------------- pages


def page(game: Game) -> str:
    """A game to read: how it was dealt, its turns, how it ended."""
    replay = Game(game.ruleset, game.players, seed=0, chance="manual")
    lines = [f"{game.ruleset!r}, {game.players} players", ""]
    events, moves, seat = list(replay.events), [], replay.turn
    for move in game.moves:
        heard = replay.play(move)
        events += heard
        moves.append(move.text)
        if replay.over or any(isinstance(event, TurnBegan) for event in heard):
            lines.append(turn_line(replay, seat, moves))
            moves, seat = [], replay.turn
    return "\n".join([*lines, "", replay.position(), "", *sums(events)]) + "\n"


def turn_line(game: Game, seat: int, moves: list[str]) -> str:
    """The moves of a turn (in the first line: the deal), and what everybody has after it."""
    seats = range(game.players)
    coins = " ".join(str(game.coins(one)) for one in seats)
    marks = " ".join(str(len(game.landmarks(one))) for one in seats)
    return f"{game.turns:3} player {seat} | {', '.join(moves)} | coins {coins} | landmarks {marks}"


def sums(events: list[Event]) -> list[str]:
    """How often each thing happened, and what each card, landmark or rule moved in all."""
    kinds = Counter(type(event).__name__ for event in events)
    moved: Counter[str] = Counter()
    for event in events:
        if isinstance(event, Paid):
            moved[event.cause] += event.coins
    return [f"{kind}: {times}" for kind, times in sorted(kinds.items())] + [
        f"coins by {cause}: {coins}" for cause, coins in sorted(moved.items())
    ]


def main() -> None:
    """Record all games; files that belong to none are removed."""
    wanted_games = games_to_record()
    for old in [*FOLDER.glob("*.json"), *FOLDER.glob("*.txt")]:
        if old.stem not in wanted_games:
            old.unlink()
    for name, (ruleset, players) in wanted_games.items():
        game = record(ruleset, players)
        (FOLDER / f"{name}.json").write_text(game.save(), encoding="utf-8")
        (FOLDER / f"{name}.txt").write_text(page(game), encoding="utf-8")
        print(f"{name}: {game.turns} turns, {len(game.moves)} moves, player {game.winner} wins")


if __name__ == "__main__":
    main()
