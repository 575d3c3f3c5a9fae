"""Fair dice that anybody can check: everybody promises something before a game, and shows it afterwards.

Who deals keeps a secret of 32 random bytes and publishes its *commitment* when a table is made. Every player
keeps a *word* with 32 random bytes of their own and publishes the commitment of that. When all commitments
lie on the table they are frozen, and only then the words are revealed. Secret and words give the *key*, and
every die and every draw of the game follows from the key: nobody knew all of it when they were bound to their
part. After the game the secret is revealed, too, and :func:`verify` recomputes everything.

There are two versions. :mod:`dicetown.fair.second` is how games are dealt now; :mod:`dicetown.fair.first` is
how they were dealt before words were committed to, so that such games can be finished, and checked as what
they were. docs/fairness.md says all of it for who writes it again in another language.
"""

from __future__ import annotations

from dicetown.fair.checking import Finding, Unchecked, Verdict, verify
from dicetown.fair.dealing import VERSION, Dice, dice_of
from dicetown.fair.promises import commit_to_word, commitment, has_forfeited, new_secret
from dicetown.game.record import Fair

__all__ = [
    "VERSION",
    "Dice",
    "Fair",
    "Finding",
    "Unchecked",
    "Verdict",
    "commit_to_word",
    "commitment",
    "dice_of",
    "has_forfeited",
    "new_secret",
    "verify",
]
