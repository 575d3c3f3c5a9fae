"""What pages say, however it is cut into frames and pieces: all of it is heard, in order."""

import json
import os
from pathlib import Path

import pytest
from tests.server.site import Line, site
from websockets.exceptions import ConnectionClosed

from dicetown.server.web.protocols import ReadersOnly

_FIN, _CONT, _TEXT, _PING = 0x80, 0x0, 0x1, 0x9
_MASKED, _SHORT = 0x80, 126


def frame(text: bytes, head: int = _FIN | _TEXT) -> bytes:
    """A frame as a page sends it."""
    mask, size = os.urandom(4), len(text)
    length = bytes([_MASKED | size]) if size < _SHORT else bytes([_MASKED | _SHORT]) + size.to_bytes(2, "big")
    return bytes([head]) + length + mask + bytes(byte ^ mask[k % 4] for k, byte in enumerate(text))


def say(key: str, action: str) -> bytes:
    """Something that is refused as soon as it is heard."""
    return json.dumps({"type": "act", "key": key, "seat": 0, "actions": [action] * 2}).encode()


def heard_keys(line: Line, wanted: int) -> list[str]:
    return [line.hear("refused")["key"] for _ in range(wanted)]


def send(line: Line, *pieces: bytes) -> None:
    for piece in pieces:
        line.socket.socket.sendall(piece)


def test_texts_are_heard_however_they_are_cut(tmp_path: Path) -> None:
    long = say("k2", "x" * 80)
    in_two = say("k3", "in two frames")
    with site(tmp_path) as here:
        ana = here.guest()
        code = ana.make("me", "here")
        with ana.live(code) as line:
            line.hear("welcome")
            send(line, frame(say("k1", "whole")), frame(long))
            assert heard_keys(line, 2) == ["k1", "k2"]
            send(line, frame(in_two[:9], _TEXT), frame(b"", _FIN | _PING), frame(in_two[9:], _FIN | _CONT))
            assert heard_keys(line, 1) == ["k3"]
            send(line, frame(say("k4", "one")) + frame(say("k5", "and another")))
            assert heard_keys(line, 2) == ["k4", "k5"]
            whole = frame(say("k6", "piece by piece"))
            send(line, *(whole[k : k + 1] for k in range(len(whole))))
            assert heard_keys(line, 1) == ["k6"]
            half = frame(say("k7", "half, and then the rest with the next"))
            send(line, half[:5])
            send(line, half[5:] + frame(say("k8", "the next")))
            assert heard_keys(line, 2) == ["k7", "k8"]
            send(line, frame(say("k9", "whole again")))
            assert heard_keys(line, 1) == ["k9"]


def test_most_texts_are_read_at_a_glance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    glanced: list[bytes] = []
    look = ReadersOnly._whole_text

    def watch(line: ReadersOnly, data: bytes) -> bytes | None:
        text = look(line, data)
        if text is not None:
            glanced.append(text)
        return text

    monkeypatch.setattr(ReadersOnly, "_whole_text", watch)
    with site(tmp_path) as here:
        ana = here.guest()
        with ana.live(ana.make("me", "here")) as line:
            line.hear("welcome")
            send(line, frame(say("k1", "short")))
            line.hear("refused")
            send(line, frame(say("k2", "x" * 80)))
            line.hear("refused")
    assert glanced == [say("k1", "short"), say("k2", "x" * 80)]


@pytest.mark.parametrize(
    "wrong",
    [
        frame(b"\xff\xfe"),
        bytes([_FIN | _TEXT, 2]) + b"{}",
        frame(b"{}", 0x40 | _FIN | _TEXT),
        frame(b"{}", _FIN | _CONT),
    ],
    ids=["no UTF-8", "not masked", "with a bit that nothing means", "the rest of nothing"],
)
def test_what_is_no_text_ends_the_connection(tmp_path: Path, wrong: bytes) -> None:
    with site(tmp_path) as here:
        ana = here.guest()
        with ana.live(ana.make("me", "here")) as line:
            line.hear("welcome")
            send(line, wrong)
            with pytest.raises(ConnectionClosed):
                line.hear("nothing of the kind")
