"""The rows that are written down, and what is remembered of a game while it is watched."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from dicetown.playout.whole_game import ENDLESS
from dicetown.rules.codes import MAX_LANDMARKS, MAX_PLAYERS, MAX_THINGS
from dicetown.rules.kernel import name_record

#: Things bought first that a player's row tells.
OPENING = 3
#: Where something never happened: no such thing, no winner, no end in sight.
NEVER = -1
#: The largest number in a column of two bytes.
LARGEST = 32767

#: How a game went. Half-time is after half of its turns, rounded down; who is worth how much then is their
#: coins and the prices of what stands in their city.
GAME_ROW = np.dtype(
    [
        ("game", "i8"),
        ("turns", "i4"),  # finished; the winner's last is not among them
        ("decisions", "i4"),
        ("endgame", "i4"),  # turns since somebody lacked but one landmark for the first time; or NEVER
        ("winner", "i1"),  # or NEVER
        ("endless", "i1"),  # given up: nobody would ever have won
        ("half_leader", "i1"),  # who was worth most at half-time; of several, the first in turn order
        ("half_rank_of_winner", "i1"),  # how many were worth more then; or NEVER
    ],
    align=True,
)

#: How it went for one player.
PLAYER_ROW = np.dtype(
    [
        ("game", "i8"),
        ("coins", "i4"),  # at the end
        ("earned", "i4"),  # received from bank and players, start coins and help aside
        ("paid", "i4"),  # to other players
        ("cards", "i2"),  # establishments in the city at the end
        ("rolls", "i2"),  # rolling again counts, too
        ("own_turns", "i2"),  # that began with a roll, extra ones too
        ("could_choose", "i2"),  # turns in which one die or two could be chosen
        ("two_dice", "i2"),  # of those, how many with two
        ("first_two_dice", "i2"),  # the own turn in which two dice were chosen first; 0 for never
        ("first_landmark_turn", "i2"),  # the own turn it was built in; 0 in start rounds or for never
        ("seat", "i1"),
        ("bot", "i1"),  # its place in the sample's line-up
        ("won", "i1"),
        ("landmarks", "i1"),  # at the end
        ("first_landmark", "i1"),  # its number; or NEVER
        ("first", "i1"),  # the thing bought first; or NEVER
        ("second", "i1"),
        ("third", "i1"),
    ],
    align=True,
)

#: A thing that somebody bought, and the coins it brought them until the end of the game.
PURCHASE_ROW = np.dtype(
    [
        ("game", "i8"),
        ("earned", "f8"),
        ("turn", "i2"),  # the own turn of its buyer; 0 in start rounds
        ("price", "i2"),
        ("seat", "i1"),
        ("thing", "i1"),
        ("copy", "i1"),  # which copy this is for its buyer, those from the start counted
        ("won", "i1"),
    ],
    align=True,
)

#: What is remembered while a game is watched.
WATCH = np.dtype(
    [
        ("game", "i8"),
        ("decisions", "i8"),
        ("rows", "i8"),  # of purchases, of all games so far
        ("rows_before", "i8"),  # of purchases, when this game began
        ("overflow", "i8"),  # a purchase found no room: the game must be watched anew
        ("roller", "i8"),
        ("turns_seen", "i8"),
        ("nearly", "i8"),  # turns finished when somebody lacked but one landmark first; or NEVER
        ("standing", "i8", MAX_PLAYERS),  # prices of what stands in a city
        ("earned", "i8", MAX_PLAYERS),
        ("paid", "i8", MAX_PLAYERS),
        ("rolls", "i8", MAX_PLAYERS),
        ("own_turns", "i8", MAX_PLAYERS),
        ("could_choose", "i8", MAX_PLAYERS),
        ("two_dice", "i8", MAX_PLAYERS),
        ("first_two_dice", "i8", MAX_PLAYERS),
        ("first_landmark", "i8", MAX_PLAYERS),
        ("first_landmark_turn", "i8", MAX_PLAYERS),
        ("bought", "i8", MAX_PLAYERS),
        ("landmarks", "i8", MAX_PLAYERS),
        ("opening", "i8", (MAX_PLAYERS, OPENING)),
        ("owned", "i8", (MAX_PLAYERS, MAX_THINGS)),
        ("landmark_price", "i8", (MAX_PLAYERS, MAX_LANDMARKS)),
        ("brought", "f8", (MAX_PLAYERS, MAX_THINGS)),  # coins per copy, from the beginning
    ],
    align=True,
)

#: Numbers for what everybody was worth after each turn of the longest possible game.
WORTHS = (ENDLESS + 1) * MAX_PLAYERS

Watch: TypeAlias = Any
GameRows: TypeAlias = Any
PlayerRows: TypeAlias = Any
Purchases: TypeAlias = Any
ints: TypeAlias = Any  # an array of integers, as kernels are told of one

name_record("Watch", WATCH)
name_record("GameRow", GAME_ROW)
name_record("PlayerRow", PLAYER_ROW)
name_record("Purchase", PURCHASE_ROW)
