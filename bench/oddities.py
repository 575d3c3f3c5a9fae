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
from collections.abc import Iterator, Mapping, Sequence
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
EACH, TOGETHER = "action | games | told | came true | 95 %", "games | actions | off by | on average"


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


def rows_of(seen: Mapping[str, Sequence[Oddity]], each: bool) -> Iterator[str]:
    """The figures of a table: of every action, or of all of them together."""
    known = {action: odd for action, odd in seen.items() if len(odd) >= OFTEN}
    games = np.array([len(odd) for odd in known.values()])
    told, true = np.array([np.mean([(one.told, one.won) for one in odd], axis=0) for odd in known.values()]).T
    noise = true * (1 - true) / games
    if each:
        for row in np.argsort(told - true).tolist():
            reach = Z * noise[row] ** 0.5
            yield f"{list(known)[row]} | {games[row]} | {told[row]:.1%} | {true[row]:.1%} | ± {reach:.1%}"
    else:
        off = np.average((told - true) ** 2 - noise, weights=games)
        mean = np.average(told - true, weights=games)
        yield f"{games.sum()} | {len(known)} | {max(0, off) ** 0.5:.1%} | {mean:+.1%}"


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
    what = EACH if asked.each else TOGETHER
    print(f"| table | players | {what} |\n|---|--:|{'--:|' * (what.count('|') + 1)}")
    for name, ruleset, players in tables_of(asked):
        luck, seen = np.random.default_rng(asked.seed), defaultdict(list)
        for _ in range(-(-asked.games // AT_ONCE)):
            for odd in play_oddly(ruleset, players, asked.rounds, luck):
                seen[odd.action].append(odd)
        for row in rows_of(seen, asked.each):
            print(f"| {name} | {players} | {row} |", flush=True)


if __name__ == "__main__":
    main()
