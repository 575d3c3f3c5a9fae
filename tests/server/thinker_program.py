"""A thinker that a test steers, as a program: its secret, its version, and the bots brought along there."""

import sys

from tests.server.thoughts import STEERED

from dicetown import __version__
from dicetown.commands.thinking import Thinker, think
from dicetown.server.common.logs import set_up_logs
from dicetown.server.common.settings import Limits
from dicetown.server.workers import talk, thinkers

if __name__ == "__main__":
    secret, version, *bots = sys.argv[1:]
    set_up_logs("info")
    vars(talk)["__version__"] = version or __version__
    for name, steered in STEERED.items():
        setattr(thinkers, name, steered)
    think("127.0.0.1:0", Thinker(secret, dict.fromkeys(bots, "master"), Limits(), 1, prepare=False))
