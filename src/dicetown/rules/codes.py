"""The numbers the engine speaks in: phases, actions, effects, events.

Kernels work on integers, so every word of the game has a number here, once. The words people and
files use for the same things are in :mod:`dicetown.game.notation` and :mod:`dicetown.game.events`.
"""

# How much fits into a state. Records have fixed shapes so that one compiled engine serves all editions.
MAX_PLAYERS = 5
MAX_CARDS = 48
MAX_LANDMARKS = 24
# A *thing* can lie in the market: an establishment (its number) or a landmark (MAX_CARDS + its number).
MAX_THINGS = MAX_CARDS + MAX_LANDMARKS
MAX_TOTAL = 14
MAX_AGENDA = 16  # different cards one total can activate
MAX_COUNTED = 24  # different cards one effect can count
MAX_COUNTERS = 8  # different cards that can count one and the same
MAX_ROWS = 4
MAX_CHOICES = 128
NO_LIMIT = 127

BANK = -1
NOBODY = -1
NOTHING = -1

# ------------------------------------------------------------------------- phases
# What a state waits for. Decisions of one player:
ROLL = 0  # one die or two
REROLL = 1  # keep the dice or roll again
ADD_TWO = 2  # raise the total (Harbor)
ORDER = 3  # which of several effects resolves first
PLAYER = 4  # whom to take from, or who receives
GIVE = 5  # which own card to hand over
TAKE = 6  # which card of the chosen player to take
CARD = 7  # a card type (Renovation Company, Convention Center)
LANDMARK = 8  # which own landmark to demolish
BUILD = 9
INVEST = 10  # a coin on the Tech Startup
# Chance:
DICE = 11
TUNA = 12
DRAW = 13
# The engine's own work between two waits; never seen from outside:
INCOME = 14
ACTIVATION = 15
AFTERMATH = 16
CONSTRUCTION = 17
REFILL = 18
CLOSING = 19
# The end:
OVER = 20

LAST_DECISION = INVEST

# ------------------------------------------------------------------------ actions
# One table of small integers for all rulesets; blocks are offset by a count, player or card.
ROLL_DICE = 0  # + dice - 1
KEEP = 2
ROLL_AGAIN = 3  # + dice - 1
ADD = 5
ADD_NOT = 6
DECLINE = 7
PASS = 8
PUT_COIN = 9
PUT_NONE = 10
CHOOSE_PLAYER = 11  # + seat
RESOLVE_FIRST = CHOOSE_PLAYER + MAX_PLAYERS  # + card
GIVE_OPEN = RESOLVE_FIRST + MAX_CARDS  # + card
GIVE_CLOSED = GIVE_OPEN + MAX_CARDS  # + card
TAKE_OPEN = GIVE_CLOSED + MAX_CARDS  # + card
TAKE_CLOSED = TAKE_OPEN + MAX_CARDS  # + card
CHOOSE_CARD = TAKE_CLOSED + MAX_CARDS  # + card
DEMOLISH_IT = CHOOSE_CARD + MAX_CARDS  # + landmark
BUILD_IT = DEMOLISH_IT + MAX_LANDMARKS  # + thing
N_ACTIONS = BUILD_IT + MAX_THINGS

# ------------------------------------------------------------------------- chance
# Outcomes are integers, too: dice read as digits (one die 3: 3; dice 3 and 4: 34), a draw is its thing.
TWO_DICE_BASE = 10

# ---------------------------------------------------------- effects of establishments
# In the order in which cards activated by one total resolve (docs/rules.md, "When order matters").
FEE = 0
LOAN = 1
DEMOLISH = 2
INCOME_EFFECT = 3
TUNA_EFFECT = 4
MOVE = 5
COLLECT_EACH = 6
COLLECT_ONE = 7
SWAP = 8
TAX = 9
RENOVATE = 10
STARTUP = 11
CONVENTION = 12
SHARE = 13

ALL_COINS = 32767  # a fee of everything (Member's Only Club)

BLUE = 0
GREEN = 1
RED = 2
PURPLE = 3

# Whose cards an effect counts.
PER_NONE = 0
PER_OWN = 1
PER_EVERYONE = 2
PER_THEIRS = 3
PER_THEIR_LANDMARKS = 4

# --------------------------------------------------------------- powers of landmarks
POWER_TWO_DICE = 0
POWER_BONUS = 1
POWER_DOUBLES_TURN = 2
POWER_REROLL = 3
POWER_ADD = 4
POWER_IDLE_PAY = 5
POWER_DOUBLES_COLLECT = 6
POWER_DOUBLES_GIVE = 7
POWER_TOTAL_PAY = 8
POWER_CONSOLE = 9
POWER_DISCOUNT = 10
POWER_WIN = 11
POWER_EXTRA_TURN = 12
POWER_COLLECT_EACH = 13
POWER_TAX = 14
POWER_SHARE = 15
N_POWERS = 16

REACH_OWN = 0
REACH_ALL = 1
REACH_ONCE = 2

# ------------------------------------------------------------------------- events
EVENT_FIELDS = 6
EVENT_TURN = 0  # seat, extra turn?
EVENT_DICE = 1  # seat, die, other die or 0
EVENT_TOTAL = 2  # seat, total, raised by
EVENT_TUNA = 3  # seat, die, die
EVENT_PAY = 4  # payer, receiver, coins, cause, copies, coins owed
EVENT_BUILD = 5  # seat, thing, price
EVENT_PASS = 6  # seat
EVENT_HAND_OVER = 7  # giver, receiver, card, closed?, cause
EVENT_CLOSE = 8  # owner, card, copies, cause
EVENT_REOPEN = 9  # owner, card, copies
EVENT_DEMOLISH = 10  # seat, landmark, cause
EVENT_DRAW = 11  # thing, row
EVENT_DISCARD = 12  # card, copies
EVENT_RETURN = 13  # seat, card
EVENT_INVEST = 14  # seat, coins now on the card
EVENT_EXTRA_TURN = 15  # seat, cause
EVENT_FORCED = 16  # seat, action
EVENT_WIN = 17  # seat
EVENT_DRAWN = 18  # (nothing)

# Causes of payments beyond things (establishments and landmarks):
CAUSE_PRICE = MAX_THINGS
CAUSE_HELP = MAX_THINGS + 1
