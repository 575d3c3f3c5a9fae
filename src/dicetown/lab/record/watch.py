"""Watching a game: what happened in it, gathered from what the engine tells, step by step.

The engine tells every payment and every card that changes hands to a log. After each step the log is read and
emptied; of what is told only sums are kept, until the game is over and its rows can be written.
"""

from __future__ import annotations

from dicetown.lab.record.rows import (
    LARGEST,
    NEVER,
    OPENING,
    GameRows,
    PlayerRows,
    Purchases,
    Watch,
    ints,
)
from dicetown.rules.city import landmarks_of
from dicetown.rules.codes import (
    BANK,
    CAUSE_HELP,
    EVENT_BUILD,
    EVENT_DEMOLISH,
    EVENT_HAND_OVER,
    EVENT_PAY,
    EVENT_RETURN,
    EVENT_TURN,
    LOAN,
    MAX_CARDS,
    MAX_PLAYERS,
    MAX_THINGS,
    NOBODY,
    OVER,
    POWER_SHARE,
    REROLL,
    ROLL,
    ROLL_AGAIN,
    ROLL_DICE,
    SHARE,
)
from dicetown.rules.kernel import kernel
from dicetown.rules.layout import Choices, Log, State, Tables


@kernel
def begin_watch(w: Watch, t: Tables, game: int) -> None:
    """A game is about to begin: nothing has happened yet."""
    w.game = game
    w.decisions = 0
    w.rows_before = w.rows
    w.overflow = 0
    w.roller = NOBODY
    w.turns_seen = NEVER
    w.nearly = 0 if t.landmarks_to_win <= 1 else NEVER
    for seat in range(int(t.players)):
        w.standing[seat] = 0
        w.earned[seat] = 0
        w.paid[seat] = 0
        w.rolls[seat] = 0
        w.own_turns[seat] = 0
        w.could_choose[seat] = 0
        w.two_dice[seat] = 0
        w.first_two_dice[seat] = 0
        w.first_landmark[seat] = NEVER
        w.first_landmark_turn[seat] = 0
        w.bought[seat] = 0
        w.landmarks[seat] = 0
        for k in range(OPENING):
            w.opening[seat, k] = NEVER
        for thing in range(MAX_THINGS):
            w.owned[seat, thing] = 0
            w.brought[seat, thing] = 0.0
        for card in range(int(t.cards)):
            w.owned[seat, card] = t.start_city[card]
            w.standing[seat] += int(t.start_city[card]) * int(t.cost[card])


@kernel
def watch_choice(w: Watch, s: State, choices: Choices, action: int) -> None:
    """Somebody decides; of interest is how they roll."""
    w.decisions += 1
    seat = int(s.turn)
    if s.phase == ROLL:
        w.rolls[seat] += 1
        w.own_turns[seat] += 1
        if choices.count > 1:
            w.could_choose[seat] += 1
            if action == ROLL_DICE + 1:
                w.two_dice[seat] += 1
                if w.first_two_dice[seat] == 0:
                    w.first_two_dice[seat] = w.own_turns[seat]
    elif s.phase == REROLL and action >= ROLL_AGAIN:
        w.rolls[seat] += 1


@kernel(apart=True)
def watch_step(w: Watch, t: Tables, s: State, log: Log, worths: ints, purchases: Purchases) -> None:
    """Read what the last step told, and empty the log for the next."""
    for k in range(int(log.count)):
        kind = int(log.rows[k, 0])
        a = int(log.rows[k, 1])
        b = int(log.rows[k, 2])
        c = int(log.rows[k, 3])
        if kind == EVENT_PAY:
            see_payment(w, t, a, b, c, int(log.rows[k, 4]))
        elif kind == EVENT_TURN:
            w.roller = a
        elif kind == EVENT_BUILD:
            see_purchase(w, t, a, b, c, purchases)
        elif kind == EVENT_HAND_OVER:
            lose_card(w, t, a, c)
            w.owned[b, c] += 1
            w.standing[b] += int(t.cost[c])
        elif kind == EVENT_RETURN:
            lose_card(w, t, a, b)
        elif kind == EVENT_DEMOLISH:
            w.owned[a, MAX_CARDS + b] = 0
            w.landmarks[a] -= 1
            w.standing[a] -= w.landmark_price[a, b]
    log.count = 0
    if s.turns != w.turns_seen:
        w.turns_seen = s.turns
        for seat in range(int(t.players)):
            worths[int(s.turns) * MAX_PLAYERS + seat] = int(s.coins[seat]) + w.standing[seat]


@kernel
def lose_card(w: Watch, t: Tables, seat: int, card: int) -> None:
    """A copy leaves a city."""
    w.owned[seat, card] -= 1
    w.standing[seat] -= int(t.cost[card])


# ----------------------------------------------------------------------- payments


@kernel
def see_payment(w: Watch, t: Tables, payer: int, receiver: int, coins: int, cause: int) -> None:
    """Coins have changed hands: who has earned, who has paid, and which copies have brought them."""
    if receiver != BANK and cause != CAUSE_HELP:
        w.earned[receiver] += coins
        if payer != BANK:
            w.paid[payer] += coins
    if cause < MAX_THINGS:
        if shares_out(t, cause):
            # Coins are pooled and split: what this brought its owner is what their own purse gained.
            if receiver == w.roller:
                bring(w, receiver, cause, coins)
            elif payer == w.roller:
                bring(w, payer, cause, -coins)
        elif receiver == BANK:
            bring(w, payer, cause, -coins)  # a Loan Office wants its coins back
        elif cause >= MAX_CARDS or t.effect[cause] != LOAN:
            bring(w, receiver, cause, coins)
        # What a Loan Office pays is its builder's at once, and was noted with the purchase.


@kernel
def shares_out(t: Tables, thing: int) -> bool:
    """Whether a thing lets everybody share their coins (the Park)."""
    if thing >= MAX_CARDS:
        return int(t.power[thing - MAX_CARDS]) == POWER_SHARE
    return int(t.effect[thing]) == SHARE


@kernel
def bring(w: Watch, owner: int, thing: int, coins: int) -> None:
    """All copies that somebody owns have brought coins, each its part.

    A landmark that serves everybody brings coins to others, too; only its owner's are counted.
    """
    copies = w.owned[owner, thing]
    if copies > 0:
        w.brought[owner, thing] += coins / copies


# ---------------------------------------------------------------------- purchases


@kernel
def see_purchase(w: Watch, t: Tables, seat: int, thing: int, price: int, purchases: Purchases) -> None:
    """Something was built. What it will bring is known at the end; until then, what its kind has brought."""
    w.owned[seat, thing] += 1
    w.standing[seat] += price
    paid_back = 0
    if thing < MAX_CARDS:
        paid_back = int(t.on_build[thing])
    else:
        w.landmark_price[seat, thing - MAX_CARDS] = price
        w.landmarks[seat] += 1
        if w.nearly == NEVER and w.landmarks[seat] >= t.landmarks_to_win - 1:
            w.nearly = w.turns_seen
        if w.first_landmark[seat] == NEVER:
            w.first_landmark[seat] = thing - MAX_CARDS
            w.first_landmark_turn[seat] = w.own_turns[seat]
    if w.bought[seat] < OPENING:
        w.opening[seat, w.bought[seat]] = thing
    w.bought[seat] += 1
    at = w.rows
    if at >= len(purchases):
        w.overflow = 1
        return
    w.rows = at + 1
    purchases[at].game = w.game
    purchases[at].seat = seat
    purchases[at].thing = thing
    purchases[at].turn = short(w.own_turns[seat])
    purchases[at].copy = w.owned[seat, thing]
    purchases[at].price = price
    purchases[at].earned = w.brought[seat, thing] - paid_back


# --------------------------------------------------------------------------- rows


@kernel(apart=True)
def write_rows(
    w: Watch,
    t: Tables,
    s: State,
    worths: ints,
    games: GameRows,
    players: PlayerRows,
    purchases: Purchases,
    place: int,
) -> None:
    """The game is over: write its row, a row for each player, and what each purchase has brought."""
    winner = int(s.winner)
    write_game(w, t, s, worths, games, place)
    for seat in range(int(t.players)):
        write_player(w, t, s, players, place * int(t.players) + seat, seat)
    for k in range(w.rows_before, w.rows):
        seat = int(purchases[k].seat)
        purchases[k].earned = w.brought[seat, int(purchases[k].thing)] - purchases[k].earned
        purchases[k].won = int(seat == winner)


@kernel
def write_game(w: Watch, t: Tables, s: State, worths: ints, games: GameRows, place: int) -> None:
    """How the game went, and how it stood at half-time."""
    half = (int(s.turns) // 2) * MAX_PLAYERS
    winner = int(s.winner)
    leader = 0
    ahead = 0
    for seat in range(int(t.players)):
        if worths[half + seat] > worths[half + leader]:
            leader = seat
        if winner != NOBODY and worths[half + seat] > worths[half + winner]:
            ahead += 1
    games[place].game = w.game
    games[place].turns = s.turns
    games[place].decisions = w.decisions
    games[place].winner = winner
    games[place].endless = int(s.phase != OVER)
    games[place].half_leader = leader
    games[place].half_rank_of_winner = NEVER if winner == NOBODY else ahead
    games[place].endgame = NEVER if w.nearly == NEVER else int(s.turns) - w.nearly


@kernel
def write_player(w: Watch, t: Tables, s: State, players: PlayerRows, place: int, seat: int) -> None:
    """How the game went for one player."""
    cards = 0
    for card in range(int(t.cards)):
        cards += int(s.owned[seat, card])
    players[place].game = w.game
    players[place].seat = seat
    players[place].bot = seat
    players[place].won = int(seat == s.winner)
    players[place].coins = s.coins[seat]
    players[place].landmarks = landmarks_of(s, seat)
    players[place].cards = cards
    players[place].earned = w.earned[seat]
    players[place].paid = w.paid[seat]
    players[place].rolls = short(w.rolls[seat])
    players[place].own_turns = short(w.own_turns[seat])
    players[place].could_choose = short(w.could_choose[seat])
    players[place].two_dice = short(w.two_dice[seat])
    players[place].first_two_dice = short(w.first_two_dice[seat])
    players[place].first_landmark = w.first_landmark[seat]
    players[place].first_landmark_turn = short(w.first_landmark_turn[seat])
    players[place].first = w.opening[seat, 0]
    players[place].second = w.opening[seat, 1]
    players[place].third = w.opening[seat, 2]


@kernel
def short(number: int) -> int:
    """A number that fits a small column; only games without end have larger ones."""
    return number if number < LARGEST else LARGEST
