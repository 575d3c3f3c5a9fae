"""Write the perft tables anew: .venv/bin/python tests/perft/regenerate.py

Each table is a position and, for each depth, how many nodes its tree has (see dicetown.game.perft). A change
of the rules shows as a diff of editions.toml or positions.toml: look at it, and commit it with the change.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from dicetown import Game, Ruleset
from dicetown.game.perft import Nodes, perft
from dicetown.material import load
from dicetown.rules import codes as c
from dicetown.rules.rng import below, seeded

FOLDER = Path(__file__).parent
#: A table goes as deep as stays within so many nodes: compiled a tenth of a second, interpreted a minute.
MOST_NODES = 1_000_000
DEEPEST = 12
HEAD = """\
# Written by tests/perft/regenerate.py; not to be edited by hand.
# Each row of `nodes` is a depth (1, 2, …): leaves, decisions, chance, over. `phases` splits the last row.
"""

PHASES = {
    "roll": c.ROLL, "reroll": c.REROLL, "add_two": c.ADD_TWO, "order": c.ORDER, "player": c.PLAYER,
    "give": c.GIVE, "take": c.TAKE, "card": c.CARD, "landmark": c.LANDMARK, "build": c.BUILD,
    "invest": c.INVEST, "dice": c.DICE, "tuna": c.TUNA, "draw": c.DRAW, "over": c.OVER,
}  # fmt: skip


class Table(NamedTuple):
    """A position whose tree is counted, and the phases it is there for."""

    name: str
    position: str
    shows: tuple[str, ...] = ()


# ---------------------------------------------------------------------- every edition


def editions() -> Iterator[Table]:
    """The start of every edition with every combination of its sets and every number of players."""
    for edition in load().editions.values():
        base, *others = (part.id for part in edition.sets)
        for some in (some for size in range(len(others) + 1) for some in combinations(others, size)):
            ruleset = Ruleset(edition.id, sets=[base, *some])
            for players in range(ruleset.min_players, ruleset.max_players + 1):
                # Rows are dealt once with this seed; counting all ways to deal them would be the whole table.
                game = Game(ruleset, players=players, seed=1)
                yield Table(f"{edition.id} {'+'.join(ruleset.set_ids)}, {players} players", game.position())


def middle_games() -> Iterator[Table]:
    """A turn of every edition when towns have grown: random players with full purses have built."""
    for edition in load().editions.values():
        game, rng = Game(Ruleset(edition.id, house={"start_coins": 40}), players=3, seed=5), seeded(5)
        while len(game.moves) < 90 or game.phase != "roll":
            legal = game.legal_actions()
            game.play(legal[below(rng, len(legal))])
        yield Table(f"{edition.id} in the middle of a game", game.position())


# ------------------------------------------------------------------- every kind of choice


def stage(
    sets: str,
    *seats: str,
    edition: str = "deluxe",
    market: str = "",
    deck: str = "",
    now: str = "",
    **house: Any,
) -> str:
    """A position with the landmarks that are not built laid out for everybody."""
    rules = msgspec.json.encode(house, order="deterministic").decode()
    ruleset = Ruleset(edition, sets=sets.split("+"), house=house)
    if not ruleset.edition.shared_landmarks:
        for mark in ruleset.landmarks:
            unbuilt = sum(f"+{mark.id}" not in seat.split() for seat in seats)
            market += f" {mark.id}*{unbuilt}" if unbuilt else ""
    parts = [
        f"{edition} {sets} {rules}",
        *seats,
        f"market {market}",
        f"deck {deck}",
        now or "turn=0 phase=roll",
    ]
    game = Game.from_position(" | ".join(parts), chance="manual")
    return game.position()


def choices() -> Iterator[Table]:
    """Positions made to reach each choice and each special course of a turn."""
    everything = "base+harbor+millionaires_row+deluxe_extras"
    yield Table(
        "Business Center and TV Station on a six",
        stage(
            "base",
            "4 bakery ranch*2 business_center tv_station",
            "7 cafe forest",
            "9 mine",
            market="cafe*2 forest",
        ),
        ("player", "give", "take"),
    )
    yield Table(
        "Business Center that may be declined, among closed and open copies",
        stage(
            everything,
            "2 cafe*2~1 business_center",
            "3 forest*2~1 winery~1",
            "1 ranch",
            business_center_optional=True,
            market="wheat_field",
            now="turn=0 phase=dice dice=1",
        ),
        ("player", "give", "take"),
    )
    yield Table(
        "Radio Tower, then Harbor, then tuna boats of two owners",
        stage(
            "base+harbor",
            "6 tuna_boat +harbor +train_station +radio_tower",
            "6 tuna_boat*2 +harbor",
            market="cafe",
            now="turn=0 phase=dice dice=2",
        ),
        ("reroll", "add_two", "tuna"),
    )
    yield Table(
        "Radio Tower with another number of dice",
        stage(
            "base",
            "6 bakery +train_station +radio_tower",
            "6 cafe",
            reroll_may_change_dice=True,
            market="cafe",
        ),
        ("reroll",),
    )
    yield Table(
        "Moving Companies on nine and ten",
        stage(
            everything,
            "3 moving_company*2~1 bakery stadium +train_station",
            "3 cafe",
            "1 diamine",
            market="cafe",
            now="turn=0 phase=dice dice=2",
        ),
        ("give", "player"),
    )
    yield Table(
        "Demolition Company with Corn Field, Convenience Store and a Mall that may fall",
        stage(
            "base+millionaires_row",
            "1 demolition_company*2 corn_field convenience_store +train_station +shopping_mall",
            "4 corn_field",
            market="cafe ranch",
            now="turn=0 phase=dice dice=1",
        ),
        ("order", "landmark"),
    )
    yield Table(
        "Demolition Company, order fixed",
        stage(
            "base+millionaires_row",
            "1 demolition_company*2 corn_field convenience_store +train_station +shopping_mall",
            "4 corn_field",
            market="cafe ranch",
            now="turn=0 phase=dice dice=1",
            choose_order=False,
        ),
        ("landmark",),
    )
    yield Table(
        "A park demolished on the doubles that earned a turn by it",
        stage(
            "base+millionaires_row",
            "1 demolition_company +train_station +amusement_park",
            "4 ranch",
            market="cafe",
            now="turn=0 phase=dice dice=2",
            extra_turn_fixed_at_roll=False,
        ),
        ("landmark",),
    )
    for payer in ("owners", "bank"):
        yield Table(
            f"Tax Office and Renovation Company on an eight, paid by {payer}",
            stage(
                everything,
                "3 tax_office renovation_company cafe*2 +train_station",
                "21 cafe*3~1 forest",
                "2 bakery",
                market="cafe ranch",
                now="turn=0 phase=dice dice=2",
                renovation_payer=payer,
            ),
            ("order", "card"),
        )
    yield Table(
        "Convention Center for every kind of card",
        stage(
            everything,
            "3 convention_center cafe loan_office demolition_company moving_company winery~1 vineyard "
            "tuna_boat +train_station +harbor",
            "9 convention_center bakery",
            market="cafe ranch",
            now="turn=0 phase=dice dice=2",
        ),
        ("card", "landmark", "give", "tuna", "add_two"),
    )
    yield Table(
        "Two Convention Centers where two are allowed",
        stage(
            everything,
            "3 convention_center*2 moving_company bakery +train_station",
            "9 bakery",
            major_limit=2,
            major_copies=2,
            market="cafe",
            now="turn=0 phase=dice dice=2",
        ),
        ("card", "give"),
    )
    for first in (True, False):
        yield Table(
            f"Tech Startup and Airport, Airport {'first' if first else 'last'}",
            stage(
                everything,
                "1 tech_startup ranch +airport +train_station $2",
                "9 bakery tech_startup",
                market="cafe",
                airport_before_invest=first,
                city_hall=False,
            ),
            ("invest",),
        )
    yield Table(
        "Doubles at an Amusement Park, two extra turns allowed",
        stage(
            "base",
            "9 ranch +train_station +amusement_park",
            "5 cafe",
            max_extra_turns=2,
            market="cafe",
            now="turn=0 phase=dice dice=2 extra_left=1",
        ),
    )
    yield Table(
        "Start rounds in a classic game",
        stage(
            "base+millionaires_row",
            "3 wheat_field bakery",
            "3 wheat_field bakery",
            start_rounds=2,
            market="loan_office*2 cafe ranch general_store",
            deck="mine forest*2",
            now="turn=0 phase=build start_left=4",
        ),
        ("draw",),
    )
    yield Table(
        "Dead purple stacks and a deck that runs out",
        stage(
            "base+harbor",
            "30 wheat_field stadium",
            "30 bakery",
            major_copies=4,
            market="stadium*2 cafe ranch",
            deck="tax_office*2 publisher",
            now="turn=1 phase=build",
        ),
        ("draw",),
    )
    yield Table(
        "Three players who can win, and a turn limit",
        stage(
            "base",
            "30 ranch +train_station +shopping_mall +amusement_park",
            "30 cafe +train_station +radio_tower",
            "40 mine +shopping_mall +radio_tower +amusement_park",
            market="cafe mine",
            max_turns=3,
        ),
        ("over",),
    )


def second_choices() -> Iterator[Table]:
    """The same for Machi Koro 2."""
    yield Table(
        "Machi Koro 2: doubles with park, temple and Moving Company",
        stage(
            "base",
            "3 cafe business_center*2 +amusement_park",
            "2 mine +temple",
            "0 wheat_field +moving_company",
            edition="neue_stadt",
            market="cafe stadium",
            deck="forest mine charterhouse",
            now="turn=0 phase=dice dice=2",
        ),
        ("give", "player", "take", "draw"),
    )
    yield Table(
        "Machi Koro 2: landmarks that act at once, discounts and Launch Pad",
        stage(
            "base",
            "38 cafe +observatory",
            "40 mine wheat_field +loan_office +tech_startup",
            "16 forest",
            edition="neue_stadt",
            market="radio_tower exhibit_hall park publisher launch_pad cafe*2",
            deck="airport farmers_market mine",
            now="turn=1 phase=build total=5",
        ),
        ("over", "draw"),
    )
    yield Table(
        "Machi Koro 2: the last start round",
        stage(
            "base",
            "5",
            "3 cafe",
            edition="neue_stadt",
            market="bakery*2 forest stadium mine temple airport",
            deck="winery vineyard park",
            now="turn=0 phase=build start_left=2",
        ),
        ("draw",),
    )
    yield Table(
        "Machi Koro 2: Charterhouse and help for who has nothing",
        stage(
            "base",
            "0 cafe +charterhouse",
            "0 sushi_bar +airport",
            edition="neue_stadt",
            market="cafe bakery",
            deck="mine",
        ),
    )


FILES = {"editions": (editions, middle_games), "positions": (choices, second_choices)}


def tables_of(file: str) -> list[Table]:
    """The tables that belong into a file."""
    return [table for source in FILES[file] for table in source()]


# ----------------------------------------------------------------------------- writing


def count(table: Table) -> list[Nodes]:
    """The nodes for each depth, as deep as a table goes."""
    game = Game.from_position(table.position, chance="manual")
    counted: list[Nodes] = []
    while len(counted) < DEEPEST:
        nodes = perft(game, len(counted) + 1)
        if nodes.all > MOST_NODES:
            break
        counted.append(nodes)
    return counted


def row(nodes: Nodes) -> list[int]:
    """A row of a table."""
    return [nodes.leaves, nodes.decisions, nodes.chance, nodes.over]


def phases(nodes: Nodes) -> dict[str, int]:
    """The nodes of each phase, those reached."""
    return {name: nodes.by_phase[phase] for name, phase in PHASES.items() if nodes.by_phase[phase]}


def write(table: Table) -> str:
    """A table as TOML."""
    counted = count(table)
    rows = "".join(f"  {row(nodes)},\n" for nodes in counted)
    split = ", ".join(f"{name} = {nodes}" for name, nodes in phases(counted[-1]).items())
    return (
        f"[[table]]\nname = {msgspec.json.encode(table.name).decode()}\nposition = '{table.position}'\n"
        f"nodes = [\n{rows}]\nphases = {{ {split} }}\n"
    )


def main() -> None:
    """Write all files."""
    for file in FILES:
        tables = [write(table) for table in tables_of(file)]
        (FOLDER / f"{file}.toml").write_text("\n".join([HEAD, *tables]), encoding="utf-8")
        print(f"{file}.toml: {len(tables)} tables")


if __name__ == "__main__":
    main()
