"""What is measured to test a claim: in some samples, one figure or one for each of several."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dicetown.errors import LabError
from dicetown.intervals import Z
from dicetown.lab.findings.clusters import Clustered, share_of_sums, summed
from dicetown.lab.findings.section import Estimate, Kind, mean_estimate
from dicetown.lab.findings.together import z_among
from dicetown.lab.record.folder import Recorded
from dicetown.lab.record.query import database
from dicetown.lab.studies.claims_plan import Measure
from dicetown.lab.studies.claims_rules import ALONE, Figures
from dicetown.lab.studies.openings import expect, openings

#: Samples of each plan that a trial names, in its order.
Groups = Sequence[Sequence[Recorded]]
_NO_GAMES = "A claim cannot be tested without its games; play them all, or fewer with --games."


@dataclass(frozen=True)
class Found:
    """Figures of one kind; how they are written follows from it."""

    figures: Figures
    kind: Kind


def measure(what: Measure, groups: Groups) -> Found:
    """Take a measure; without any games it cannot be taken."""
    if not all(any(one.count for one in group) for group in groups):
        raise LabError(_NO_GAMES)
    take, kind = MEASURES[what.kind]
    return Found(take(what, groups), kind)


# ------------------------------------------------------------------------------ who wins


def bot_shares(what: Measure, groups: Groups) -> Figures:
    """The share of games that each bot of the field won, of those it took part in; all hold together."""
    samples = groups[0]
    bots = dict.fromkeys(bot for one in samples for bot in one.bots)
    shares = {bot: share_of_sums(_wins(bot, samples), z_among(len(bots))) for bot in bots}
    return {bot: share for bot, share in shares.items() if share is not None}


def bot_share(what: Measure, groups: Groups) -> Figures:
    """The share of one bot."""
    share = share_of_sums(_wins(what.bot, groups[0]))
    if share is None:
        raise LabError(f'The bot "{what.bot}" does not play in the samples that test a claim about it.')
    return {ALONE: share}


def _wins(bot: str, samples: Sequence[Recorded]) -> Clustered:
    """Games and wins of a bot; games of the same number have the same dice everywhere, and go together."""
    taking_part = [(one, _by_number(one, "winner")) for one in samples if bot in one.bots]
    rounds = max((len(winners) for _, winners in taking_part), default=0)
    played, won = np.zeros(rounds), np.zeros(rounds)
    for one, winners in taking_part:
        seats = [seat for seat, name in enumerate(one.bots) if name == bot]
        played[: len(winners)] += ~np.isnan(winners)
        won[: len(winners)] += np.isin(winners, seats)
    return Clustered(
        played.sum(), won.sum(), (won * won).sum(), (won * played).sum(), (played * played).sum()
    )


def seat_worth(what: Measure, groups: Groups) -> Figures:
    """How much more a seat wins than the next one in turn order, on average: the slope of a line."""
    (sample,) = groups[0]
    winners = _by_number(sample, "winner")
    winners = winners[winners >= 0]
    middle = (sample.seats - 1) / 2
    spread = sum((seat - middle) ** 2 for seat in range(sample.seats))
    slopes = (middle - winners) / spread
    return {ALONE: _mean(slopes)}


# ----------------------------------------------------------------------------- how long


def turns(what: Measure, groups: Groups) -> Figures:
    """Turns of a game."""
    (sample,) = groups[0]
    return {ALONE: _mean(_by_number(sample, "turns"))}


def more_turns(what: Measure, groups: Groups) -> Figures:
    """How many turns more games of the first sample take than those of the second, with the same dice."""
    (long,), (short,) = groups
    one, other = _by_number(long, "turns"), _by_number(short, "turns")
    both = min(len(one), len(other))
    return {ALONE: _mean(one[:both] - other[:both])}


# -------------------------------------------------------------------------- what is bought


def first_purchases(what: Measure, groups: Groups) -> Figures:
    """How far ahead players are who bought each thing first."""
    (sample,) = groups[0]
    return {
        sample.things[opening.things[0]]: opening.ahead
        for opening in openings(sample, "first")
        if opening.things
    }


def first_landmark(what: Measure, groups: Groups) -> Figures:
    """The share of players who built a landmark before all others, of those who built any."""
    (sample,) = groups[0]
    number = [mark.id for mark in sample.ruleset.landmarks].index(what.landmark)
    with database() as connection:
        sums = summed(
            connection,
            """SELECT count(*) AS m, count_if(first_landmark = $2) AS x
               FROM read_parquet($1) WHERE first_landmark >= 0 GROUP BY game""",
            [sample.players, number],
        )
    share = share_of_sums(sums)
    if share is None:
        raise LabError("Nobody built a landmark in the games that test a claim about landmarks.")
    return {ALONE: share}


def early_red(what: Measure, groups: Groups) -> Figures:
    """How far ahead players are who have a restaurant among their first three purchases."""
    (sample,) = groups[0]
    red = [number for number, card in enumerate(sample.ruleset.cards) if card.colour == "red"]
    with database() as connection:
        expect(connection, sample, "third >= 0")
        ahead = summed(
            connection,
            """SELECT count(*) AS m, sum(won::INT - expected) AS x
               FROM read_parquet($1) JOIN expectations USING (seat, bot)
               WHERE third >= 0 AND list_has_any($2, [first::INT, second::INT, third::INT])
               GROUP BY game""",
            [sample.players, red],
        ).estimate
    if ahead is None:
        raise LabError("Nobody bought a restaurant early in the games that test a claim about it.")
    return {ALONE: ahead}


def early_red_gain(what: Measure, groups: Groups) -> Figures:
    """How much further ahead they are in the first sample than in the second."""
    one, other = (early_red(what, [group])[ALONE] for group in groups)
    error = float(np.hypot(one.high - one.low, other.high - other.low)) / (2 * Z)
    return {ALONE: Estimate.around(one.value - other.value, error)}


# -------------------------------------------------------------------------------- helpers


def _by_number(sample: Recorded, column: str) -> NDArray[np.float64]:
    """A column of the games, at the places of their numbers; nan where a game was not played."""
    with database() as connection:
        found = connection.execute(f"SELECT game, {column} FROM read_parquet(?)", [sample.games]).fetchnumpy()
    numbers = np.full(int(found["game"].max()) + 1, np.nan)
    numbers[found["game"]] = found[column]
    return numbers


def _mean(numbers: NDArray[np.float64]) -> Estimate:
    """The mean of what is there."""
    there = numbers[~np.isnan(numbers)]
    found = mean_estimate(len(there), float(there.sum()), float((there * there).sum()))
    if found is None:
        raise LabError(_NO_GAMES)
    return found


MEASURES: Mapping[str, tuple[Callable[[Measure, Groups], Figures], Kind]] = {
    "bot_shares": (bot_shares, "share"),
    "bot_share": (bot_share, "share"),
    "seat_worth": (seat_worth, "points"),
    "turns": (turns, "number"),
    "more_turns": (more_turns, "signed"),
    "first_purchases": (first_purchases, "points"),
    "first_landmark": (first_landmark, "share"),
    "early_red": (early_red, "points"),
    "early_red_gain": (early_red_gain, "points"),
}
