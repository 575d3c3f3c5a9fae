"""A program that plays badly on purpose: its argument says how. Run by tests, never imported."""

import json
import os
import signal
import socket
import subprocess
import sys
import time


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def misbehave(how: str, position: dict) -> None:
    legal = position["legal"]
    match how:
        case "illegal":
            say('{"type": "choice", "action": "build the_moon"}')
        case "no-text":
            say('{"type": "choice", "action": 7}')
        case "garbage":
            say("I think I will \x1b[2J build a café")
        case "list":
            say("[1, 2]")
        case "nested":
            say("[" * 50_000)
        case "bytes":
            sys.stdout.buffer.write(b"\xff\xfe\x00\n")
            sys.stdout.flush()
        case "other":
            say('{"type": "bestmove", "action": "pass"}')
        case "endless-line":
            while True:
                sys.stdout.write("x" * 65_536)
        case "floods":
            while True:
                say('{"type": "info", "text": "still thinking"}')
        case "dies":
            print("ValueError: no idea", file=sys.stderr)
            sys.exit(3)
        case "kills-itself":
            os.kill(os.getpid(), signal.SIGKILL)
        case "closes":
            os.close(sys.stdout.fileno())
            time.sleep(3600)
        case "hangs" | "hangs-with-child":
            time.sleep(3600)
        case "stderr":
            while True:
                sys.stderr.write("e" * 65_536)
        case "talks":
            say(json.dumps({"type": "choice", "action": legal[0]}))
            say(json.dumps({"type": "choice", "action": legal[0]}))
        case "thinks":
            say('{"type": "info", "text": "hm"}')
            print("hm", file=sys.stderr)
            say(json.dumps({"type": "choice", "action": legal[-1]}))


def hold_on(port: str) -> socket.socket:
    """A line to who wants to know how long this program lives."""
    return socket.create_connection(("127.0.0.1", int(port)))


def bear_child(port: str) -> None:
    """Start a program that outlives its parent unless somebody stops it; wait until it holds on."""
    child = subprocess.Popen([sys.executable, "-I", __file__, "child", port], stdout=subprocess.PIPE)
    assert child.stdout is not None
    child.stdout.readline()


def main(how: str, *port: str) -> None:
    tether = hold_on(*port) if port and how == "child" else None
    if how == "child":
        say("here")
        time.sleep(3600)
    if how == "hangs-with-child" and port:
        bear_child(*port)
    if how == "no-start":
        sys.exit("ImportError: no module named brain")
    if how == "deaf":
        time.sleep(3600)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            wanted = {"asks": {"budget": 0.4}, "greedy-asks": {"budget": 1e9}}.get(how, {})
            say(json.dumps({"type": "hello", **wanted}))
        elif message["type"] == "position":
            position = message
        elif message["type"] == "go":
            if how == "hangs" and port:
                tether = hold_on(*port)
            misbehave(how, position)
    if tether is not None:
        tether.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
