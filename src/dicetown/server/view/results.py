"""After a game: how everybody fared in figures, any moment of it again, and a review in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from dicetown.game import Game
from dicetown.game.events import Built, DiceRolled, Drawn, Event, Paid, TunaRolled, TurnBegan
from dicetown.game.history import as_it_stood, stages
from dicetown.game.notation import Outcome
from dicetown.game.preview import TWO_DICE, chance_with_one, chance_with_two
from dicetown.material import kind_of
from dicetown.rules import codes as c
from dicetown.server import wire
from dicetown.server.view.log_lines import lines_of, speaker_of
from dicetown.server.view.scene import scene_of
from dicetown.words import Speaker, narrate
from dicetown.words.actions import name_move

_PRICE, _HELP = "price", "help"


# --------------------------------------------------------------------------- one moment


def moment_of(game: Game, moves: int, language: str) -> wire.Moment:
    """A game as it stood after so many moves, and what led there: the last decision and its chance.

    Raises :class:`~dicetown.errors.IllegalAction` where there is no such moment.

    >>> moment = moment_of(Game(names=["Ana", "Ben"], seed=1, chance="manual"), 0, "en")
    >>> moment.scene.moves, moment.lines
    (0, [])
    """
    then = as_it_stood(game, moves)
    events = then.events[_told_before(game, moves) :]
    return wire.Moment(
        scene=scene_of(then),
        lines=lines_of(then, events, language, moves),
        events=events,
    )


def _told_before(game: Game, moves: int) -> int:
    """How many events there were before the decision that led to a moment."""
    at = moves - 1
    while at >= 0 and isinstance(game.moves[at], Outcome):
        at -= 1
    if at < 0:
        return 0  # the market is being dealt
    return game.past.events_before(at)


# ---------------------------------------------------------------------------- the result


def result_of(game: Game, seconds: float, fairness: wire.Fairness) -> wire.Result:
    """A game in figures: places, series over its turns, income by card, dice against expectation."""
    series = _Series(game)
    return wire.Result(
        winner=game.winner,
        won_with=_won_with(game),
        rounds=game.round,
        seconds=seconds,
        players=_players(game, series),
        turns=series.turns,
        coins=series.coins,
        landmarks=series.landmarks,
        wealth=series.wealth,
        dice=dice_of(game.events),
        fairness=fairness,
    )


def _won_with(game: Game) -> str | None:
    """The landmark whose building won the game by itself, whatever else the winner had built."""
    if game.winner is None:
        return None
    built = set(game.landmarks(game.winner))
    wins = (mark.id for mark in game.ruleset.landmarks if kind_of(mark.effect) == "win")
    return next((mark for mark in wins if mark in built), None)


class _Series:
    """Coins, landmarks and wealth of everybody at the end of every turn, and of the game."""

    def __init__(self, game: Game) -> None:
        self.turns: list[int] = []
        self.coins: list[list[int]] = [[] for _ in range(game.players)]
        self.landmarks: list[list[int]] = [[] for _ in range(game.players)]
        self.wealth: list[list[int]] = [[] for _ in range(game.players)]
        self._costs = [card.cost for card in game.ruleset.cards]
        self._paid = [[0] * len(game.ruleset.landmarks) for _ in range(game.players)]
        for stage in stages(game):
            for event in stage.events:
                if isinstance(event, Built) and game.notation.numbers[event.thing] >= c.MAX_CARDS:
                    landmark = game.notation.numbers[event.thing] - c.MAX_CARDS
                    self._paid[event.seat][landmark] = event.price
            began = any(isinstance(event, TurnBegan) for event in stage.events)
            if began or (stage.state.phase == c.OVER):
                self._mark(stage.moves, stage.state)

    def _mark(self, moves: int, state: Any) -> None:
        self.turns.append(moves)
        for seat, landmarks in enumerate(self._paid):
            built, coins = int(state.built[seat]), int(state.coins[seat])
            owned = state.owned[seat].tolist()
            cards = sum(copies * cost for copies, cost in zip(owned, self._costs, strict=False))
            stand = [price for bit, price in enumerate(landmarks) if built >> bit & 1]
            self.coins[seat].append(coins)
            self.landmarks[seat].append(len(stand))
            self.wealth[seat].append(coins + cards + sum(stand))


def _players(game: Game, series: _Series) -> list[wire.PlayerResult]:
    """Everybody, the winner first, then by landmarks, then by wealth; who has the same shares a place."""

    def rank(seat: int) -> tuple[bool, int, int]:
        return seat == game.winner, series.landmarks[seat][-1], series.wealth[seat][-1]

    order = sorted(range(game.players), key=lambda seat: (*rank(seat), -seat), reverse=True)
    places = [1 + sum(rank(other) > rank(seat) for other in order) for seat in order]
    return [_player(game, seat, place) for seat, place in zip(order, places, strict=True)]


def _player(game: Game, seat: int, place: int) -> wire.PlayerResult:
    paid = [event for event in game.events if isinstance(event, Paid)]
    among = [event for event in paid if event.payer is not None and event.receiver is not None]
    return wire.PlayerResult(
        seat=seat,
        name=game.names[seat],
        place=place,
        coins=game.coins(seat),
        landmarks=len(game.landmarks(seat)),
        income=_income(game, seat, paid),
        paid_to_others=sum(event.coins for event in among if event.payer == seat),
        taken_from_others=sum(event.coins for event in among if event.receiver == seat),
    )


def _income(game: Game, seat: int, paid: Sequence[Paid]) -> list[wire.CardIncome]:
    """What each card brought a player, or cost its owner, the most first; prices of buildings aside."""
    coins: Counter[str] = Counter()
    times: Counter[str] = Counter()
    for event in paid:
        thing = _thing(game, event.cause)
        if thing is None or seat not in (event.receiver, event.payer):
            continue
        if event.receiver == seat:
            coins[thing] += event.coins
        elif event.receiver is None:  # to the bank, for an own card; what goes to others is their card's
            coins[thing] -= event.coins
        else:
            continue
        times[thing] += 1
    listed = [wire.CardIncome(thing=thing, coins=coins[thing], times=times[thing]) for thing in times]
    return sorted(listed, key=lambda one: -one.coins)


def _thing(game: Game, cause: str) -> str | None:
    """The card behind a payment; the help for who is broke is City Hall's, where there is one."""
    if cause == _HELP:
        return game.ruleset.city_hall.id if game.ruleset.city_hall is not None else None
    return None if cause == _PRICE else cause


def dice_of(events: Sequence[Event]) -> list[wire.DiceCount]:
    """How often each total fell, and how often it was to be expected of as many dice as were rolled.

    >>> rolled = [DiceRolled(0, (1,)), DiceRolled(1, (3, 4))]
    >>> [(one.total, one.fell, round(one.expected, 2)) for one in dice_of(rolled)][:2]
    [(1, 1, 0.17), (2, 0, 0.19)]
    """
    rolls = [event.dice for event in events if isinstance(event, DiceRolled)]
    fell = Counter(sum(dice) for dice in rolls)
    ones = sum(len(dice) == 1 for dice in rolls)
    twos = len(rolls) - ones
    return [
        wire.DiceCount(
            total=total,
            fell=fell[total],
            expected=ones * chance_with_one(total) + twos * chance_with_two(total),
        )
        for total in range(1, TWO_DICE + 1)
    ]


# ---------------------------------------------------------------------------- the review


def review_of(game: Game, seen: Mapping[str, Any], language: str) -> wire.Review:
    """What a worker process found about a game, in words."""
    speaker = speaker_of(game, language)
    rounds = _rounds(game)
    moments = [_review_moment(speaker, one, rounds) for one in seen["moments"]]
    places = {one["move"]: place for place, one in enumerate(seen["moments"])}
    return wire.Review(
        ready=True,
        exact=seen["exact"],
        done=len(moments),
        total=len(moments),
        players=[_review_player(speaker, one) for one in seen["players"]],
        moments=moments,
        turning_points=[places[number] for number in seen["turning_points"]],
        ahead_without_luck=seen["ahead_without_luck"],
    )


def _review_player(speaker: Speaker, one: Mapping[str, Any]) -> wire.ReviewPlayer:
    told = {key: one[key] for key in wire.ReviewPlayer.__struct_fields__}
    grade = None if told["grade"] is None else speaker.say(f"grade.{told['grade']}")
    return wire.ReviewPlayer(**told | {"grade": grade})


def _rounds(game: Game) -> list[int]:
    """The round of each turn; extra turns belong to the round of the turn that earned them."""
    begun = [event for event in game.events if isinstance(event, TurnBegan)]
    begun = begun[game.ruleset.rules.start_rounds * game.players :]
    extra = accumulate(event.extra for event in begun)
    return [(turn - more) // game.players + 1 for turn, more in enumerate(extra)]


def _review_moment(speaker: Speaker, one: Mapping[str, Any], rounds: Sequence[int]) -> wire.ReviewMoment:
    chosen = one["kind"] == "choice"
    mistake = chosen and one["mistake"]
    moves = [one["action"]] if chosen else one["moves"]
    return wire.ReviewMoment(
        moves=one["move"] + len(moves) - 1,
        round=rounds[one["turn"] - 1] if one["turn"] <= len(rounds) else rounds[-1] if rounds else 1,
        seat=one["seat"],
        kind=one["kind"],
        text=name_move(speaker, one["action"]) if chosen else _tell_chance(speaker, one["seat"], moves),
        better=name_move(speaker, one["alternative"]["action"]) if mistake else None,
        loss=one["loss"] if mistake else 0.0,
        before=one["before"],
        after=one["after"],
    )


def _tell_chance(speaker: Speaker, seat: int, moves: Sequence[str]) -> str:
    """How the dice fell or what was drawn, in a sentence or two."""
    return " ".join(line.text for line in narrate(speaker, [_happened(seat, move) for move in moves]))


def _happened(seat: int, move: str) -> Event:
    """The event of a move that chance made."""
    word, *rest = move.split()
    if word == "draw":
        return Drawn(rest[0], 0)
    faces = tuple(map(int, rest))
    return TunaRolled(seat, faces) if word == "tuna" else DiceRolled(seat, faces)
