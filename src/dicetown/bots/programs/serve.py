"""A Python bot, spoken to over a pipe: ``python -m dicetown.bots.programs.serve NAME[:option=value]``.

It speaks the protocol of docs/bots.md. So the bots of other packages play in a process of their own, and any
of Dicetown's can play wherever that protocol is understood.
"""

from __future__ import annotations

import sys
from random import Random
from typing import BinaryIO

from dicetown.bots.bot import Bot
from dicetown.bots.programs import protocol
from dicetown.bots.roster import make_bot
from dicetown.bots.view import View
from dicetown.errors import DicetownError


def serve(bot: Bot, lines: BinaryIO, out: BinaryIO) -> None:
    """Answer until there is nothing more to answer."""
    seen: View | None = None
    for line in lines:
        message = protocol.decode(line)
        match message["type"]:
            case "hello":
                budget = {} if bot.budget is None else {"budget": bot.budget}
                answer = {"type": "hello", "protocol": protocol.PROTOCOL, "name": bot.name, **budget}
                _say(out, answer)
            case "position":
                seen = View.from_position(message["position"])
            case "go" if seen is not None:
                if bot.budget is not None:
                    bot.budget = message["budget"]
                action = bot.choose(seen, Random(message.get("seed")))
                _say(out, protocol.choice(str(action)))
            case "quit":
                return


def _say(out: BinaryIO, message: protocol.Message) -> None:
    out.write(protocol.encode(message))
    out.flush()


def main(spec: str) -> int:
    """Serve the bot of a text; what it prints goes where it disturbs nobody."""
    out, sys.stdout = sys.stdout.buffer, sys.stderr
    try:
        bot = make_bot(spec)
    except DicetownError as problem:
        print(problem, file=sys.stderr)
        return 2
    serve(bot, sys.stdin.buffer, out)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
