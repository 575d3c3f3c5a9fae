"""What is told after choices that a champion would not make, beside how games came out: `docs/strength.md`.

    python bench/oddities.py --players 4 --games 20480
    python bench/oddities.py --players 4 --games 20480 --rounds 1 --each --tables "Deluxe, all sets"

Champions play. Once in each game, in one of its first rounds, somebody who could build does anything but what
they like best, everything else being as likely. At the next choice of anybody the chance to win of who did it
is told; then champions play on to the end. If what is told comes true, it does so for each action by itself.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from strength import tables_of

from dicetown.bots.learning.champion import champion_at
from dicetown.envs.core.batch import Batch, Table
from dicetown.envs.core.steps import IS_OVER, STAY
from dicetown.intervals import Z
from dicetown.rules.ruleset import Ruleset

#: So many games at a time; and what was done less often says too little.
AT_ONCE, OFTEN = 1024, 100
NOT_YET = -1


class Oddity(NamedTuple):
    """One odd choice: what it was, the chance told after it, and whether who made it won."""

    action: str
    told: float
    won: bool


def play_oddly(ruleset: Ruleset, players: int, rounds: int, luck: np.random.Generator) -> Iterator[Oddity]:
    """Many games with one odd choice each, in a turn drawn from so many rounds."""
    table, champion = Table.of(ruleset, players), champion_at(ruleset, players)
    names = table.spec.action_names
    builds = np.array([name.startswith("build ") for name in names])
    batch = Batch(table, AT_ONCE, int(luck.integers(2**31)))
    batch.reset()
    due = luck.integers(0, rounds * players, AT_ONCE)
    action, who = np.full((2, AT_ONCE), NOT_YET)
    told = np.full(AT_ONCE, np.nan)
    on = np.arange(AT_ONCE)
    while len(on):
        sheets, masks, seats = batch.observations[on], batch.masks[on], batch.seats[on]
        fresh = (action[on] != NOT_YET) & np.isnan(told[on])
        if fresh.any():
            places = (who[on[fresh]] - seats[fresh]) % players  # clockwise from who is to choose
            told[on[fresh]] = champion.chances(sheets[fresh])[np.arange(fresh.sum()), places]
        wanted = np.full(AT_ONCE, STAY)
        wanted[on] = champion.choose(sheets, masks)
        is_due = (batch._states["turns"][on] >= due[on]) & (action[on] == NOT_YET)
        for row in np.flatnonzero(is_due & (masks[:, builds] > 0).any(axis=1)).tolist():
            game, allowed = on[row], np.flatnonzero(masks[row])
            wanted[game] = luck.choice(allowed[allowed != wanted[game]])
            action[game], who[game] = wanted[game], seats[row]
        batch.step_some(wanted, wanted != STAY)
        for game in on[(batch.ends[on] == IS_OVER) & ~np.isnan(told[on])].tolist():
            if batch.payoffs[game].max() > 0.5:
                won = bool(batch.payoffs[game, who[game]] > 0.5)
                yield Oddity(names[action[game]], float(told[game]), won)
        on = on[batch.ends[on] == 0]
    batch.close()


def main() -> None:
    """Play what is asked."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=20480, help="at each table, at least")
    parser.add_argument("--rounds", type=int, default=4, help="in which the odd choice is made")
    parser.add_argument("--each", action="store_true", help="tell every action, not all together")
    parser.add_argument("--tables", default="", help="names of tables, with semicolons; all if none")
    parser.add_argument("--players", type=int, default=0, help="how many, if not as in the table")
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    what = (
        "action | games | told | came true | 95 %" if asked.each else "games | actions | off by | on average"
    )
    print(f"| table | players | {what} |\n|---|--:|{'--:|' * (what.count('|') + 1)}")
    for name, ruleset, players in tables_of(asked):
        luck, of_action = np.random.default_rng(asked.seed), defaultdict(list)
        for _ in range(-(-asked.games // AT_ONCE)):
            for odd in play_oddly(ruleset, players, asked.rounds, luck):
                of_action[odd.action].append((odd.told, odd.won))
        known = {action: np.array(seen) for action, seen in of_action.items() if len(seen) >= OFTEN}
        games = np.array([len(seen) for seen in known.values()])
        told, true = np.array([seen.mean(axis=0) for seen in known.values()]).T
        noise = true * (1 - true) / games
        if asked.each:
            for row in np.argsort(told - true).tolist():
                figures = f"{games[row]} | {told[row]:.1%} | {true[row]:.1%} | ± {Z * noise[row] ** 0.5:.1%}"
                print(f"| {name} | {players} | {list(known)[row]} | {figures} |", flush=True)
        else:
            off = np.average((told - true) ** 2 - noise, weights=games)
            mean = np.average(told - true, weights=games)
            figures = f"{games.sum()} | {len(known)} | {max(0, off) ** 0.5:.1%} | {mean:+.1%}"
            print(f"| {name} | {players} | {figures} |", flush=True)


if __name__ == "__main__":
    main()
