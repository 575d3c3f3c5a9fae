"""The tables at which the champion learns: every edition, every choice of sets, every number of players."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from dicetown.bots.rules.scripts import scripts_for
from dicetown.envs.core.batch import Table
from dicetown.errors import BotError
from dicetown.material import load
from dicetown.rules.ruleset import Ruleset
from dicetown.sight.spec import Spec, spec_for

# Against whom games are played.
ITSELF = "itself"
BOTS = "bots"
FORMER = "former selves"
#: A choice of sets that few make gets a part of the games.
_RARE = 4
_BLOCK = 128


def games() -> list[str]:
    """The games there are; each has a network of its own."""
    return list(load().games)


def specs_of(game: str) -> Iterator[Spec]:
    """All tables of a game: every edition with its first set and any others, for every number of players.

    >>> len(list(specs_of("second")))
    4
    """
    if game not in games():
        raise BotError(f'There is no game "{game}"; known: {", ".join(games())}.')
    for edition in load().editions.values():
        if edition.game != game:
            continue
        first, *others = (part.id for part in edition.sets)
        for number in range(len(others) + 1):
            for more in combinations(others, number):
                ruleset = Ruleset(edition.id, sets=[first, *more])
                for players in range(ruleset.min_players, ruleset.max_players + 1):
                    yield spec_for(ruleset, players)


@dataclass(frozen=True)
class Shares:
    """How many games of each table are played against whom at the same time."""

    itself: int = 1024
    planner: int = 512
    mixed: int = 128  # greedy, scripts and a planner together
    former: int = 384


def shares_for(game: str, games: int) -> Shares:
    """Shares of about so many games in all; on a GPU whole blocks are best, where there are enough.

    >>> shares_for("classic", 64_000)
    Shares(itself=1024, planner=512, mixed=128, former=384)
    """
    usual = Shares()
    parts = (usual.itself, usual.planner, usual.mixed, usual.former)
    all_of_them = sum(group.games for group in groups_of(list(specs_of(game)), usual))
    share = games / all_of_them
    block = _BLOCK if 2 * usual.mixed * share >= _BLOCK else 1
    return Shares(*(max(1, round(part * share / block)) * block for part in parts))


@dataclass(frozen=True)
class Group:
    """Games of one table, all against the same."""

    table: Table
    games: int
    against: str


def groups_of(specs: list[Spec], shares: Shares) -> list[Group]:
    """Who plays whom; games against former selves come last."""
    found = []
    common = [spec for spec in specs if is_common(spec)]
    for spec in specs:
        part = part_of(spec)
        planners = Table.of(spec.ruleset, spec.players, ["planner"])
        found.append(Group(Table.of(spec.ruleset, spec.players), shares.itself // part, ITSELF))
        found.append(Group(planners, shares.planner // part, BOTS))
    for spec in common:
        company = Table.of(spec.ruleset, spec.players, mixed_company(spec))
        found.append(Group(company, shares.mixed, BOTS))
    found += [Group(Table.of(spec.ruleset, spec.players), shares.former, FORMER) for spec in common]
    return [group for group in found if group.games]


def is_common(spec: Spec) -> bool:
    """Whether the sets are a usual choice: the first one, that with Harbor, or all."""
    _, *others = (part.id for part in spec.ruleset.edition.sets)
    more = spec.ruleset.set_ids[1:]
    return more in ((), ("harbor",), tuple(others))


def part_of(spec: Spec) -> int:
    """By how much fewer games of a table are played than of a usual one."""
    return 1 if is_common(spec) else _RARE


def mixed_company(spec: Spec) -> list[str]:
    """Opponents who all play differently."""
    scripts = list(scripts_for(spec.ruleset))
    script = scripts[spec.players % len(scripts)] if scripts else "random"
    return ["greedy", script, "planner", "greedy:slips=250"][: spec.players - 1]
