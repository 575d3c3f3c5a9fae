"""A bot in a program of its own: it needs nothing but Python, and could be written in any language.

Let it play: dicetown arena --bots "pipe:python3 examples/pipe_bot.py" --bots greedy --games 100
"""

import json
import random
import sys
from typing import Any

WANTED = ["bakery", "ranch", "convenience_store", "cafe", "forest"]


def choose(position: dict[str, Any], rng: random.Random) -> str:
    """The dearest landmark it can build, else the wanted card it has fewest of, else what chance says."""
    legal, prices = position["legal"], position["prices"]
    own = position["players"][position["seat"]]["cards"]
    builds = [action.removeprefix("build ") for action in legal if action.startswith("build ")]
    landmarks = [thing for thing in builds if thing in position["landmarks"]]
    cards = [thing for thing in builds if thing in WANTED]
    if landmarks:
        return f"build {max(landmarks, key=prices.get)}"
    if cards:
        return f"build {min(cards, key=lambda card: own.get(card, 0))}"
    return str(rng.choice(legal))


def say(**message: str) -> None:
    """One line for each message, at once."""
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say(type="hello", protocol="dicetown-bot/1", name="example")
    elif message["type"] == "position":
        position = message
    elif message["type"] == "go":
        say(type="choice", action=choose(position, random.Random(message["seed"])))
