"""How a service and a thinker elsewhere talk: messages of MessagePack over TCP, each behind its length.

First both prove that they know the secret, which itself is never sent, and that they are of one version:
positions travel as the engine's own bytes. What follows is not encrypted, so it belongs into a network of
one's own. Nothing that is heard can name a function or a program to run.
"""

from __future__ import annotations

import asyncio
import hmac
from secrets import token_bytes
from typing import Literal, TypeVar

import msgspec

from dicetown import __version__
from dicetown.errors import DicetownError
from dicetown.server.workers.jobs import AnyJob

#: Raised whenever what is said changes.
PROTOCOL = 1
#: Bytes of one message: before both know each other, and then. A game of a thousand moves has about 100,000.
SHORT, LONG = 4 * 1024, 16 * 1024 * 1024
#: Bytes that may wait to be read by the other side.
_UNREAD = 64 * 1024 * 1024
#: Seconds for both to get to know each other.
GREETING_SECONDS = 5.0
_LENGTH = 4  # bytes
_NONCE = 16

_Message = TypeVar("_Message")


class TalkError(DicetownError):
    """A conversation that cannot go on."""


class Unfit(TalkError):
    """Somebody with whom no conversation is begun, and why."""


# -------------------------------------------------------------------------- getting to know each other


class Greeting(msgspec.Struct, tag=True, frozen=True):
    """A thinker says who it is, and asks for a proof."""

    version: str
    protocol: int
    nonce: bytes


class Introduction(msgspec.Struct, tag=True, frozen=True):
    """A service proves that it knows the secret, and asks for the same."""

    version: str
    protocol: int
    nonce: bytes
    proof: bytes


class Welcome(msgspec.Struct, tag=True, frozen=True):
    """The thinker proves it, too, and names the bots that were brought along there."""

    proof: bytes
    bots: tuple[str, ...]
    preparing: bool


class Refusal(msgspec.Struct, tag=True, frozen=True):
    """Why the thinker does not think for this service."""

    sentence: str


# --------------------------------------------------------------------------------- from the service


class Ask(msgspec.Struct, tag=True, frozen=True):
    """A job, on somebody's behalf; the number is the service's."""

    number: int
    job: AnyJob
    address: str
    name: str


class Cancel(msgspec.Struct, tag=True, frozen=True):
    """Nobody waits for a job any longer."""

    number: int


class Ping(msgspec.Struct, tag=True, frozen=True):
    """Asks whether anybody is there."""


# --------------------------------------------------------------------------------- from the thinker


class Begun(msgspec.Struct, tag=True, frozen=True):
    """A job is under way."""

    number: int


class Answer(msgspec.Struct, tag=True, frozen=True):
    """What came of a job, as its structure says."""

    number: int
    body: bytes


class Failure(msgspec.Struct, tag=True, frozen=True):
    """A job was not done: it failed, it may be done elsewhere, or too much waits."""

    number: int
    why: Literal["failed", "lost", "busy"]
    sentence: str


class Pong(msgspec.Struct, tag=True, frozen=True):
    """Here I am: whether what thinks is still being compiled, and how far jobs are that tell it."""

    preparing: bool
    progress: dict[int, tuple[int, int]] = {}


from_stranger = msgspec.msgpack.Decoder(Introduction)
from_service: msgspec.msgpack.Decoder[Ask | Cancel | Ping] = msgspec.msgpack.Decoder(Ask | Cancel | Ping)
greeting = msgspec.msgpack.Decoder(Greeting)
reply: msgspec.msgpack.Decoder[Welcome | Refusal] = msgspec.msgpack.Decoder(Welcome | Refusal)
from_thinker: msgspec.msgpack.Decoder[Begun | Answer | Failure | Pong] = msgspec.msgpack.Decoder(
    Begun | Answer | Failure | Pong
)


class Line:
    """One end of a connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    def send(self, message: msgspec.Struct) -> None:
        """Say something; who does not listen for long is given up, and who has gone is told nothing."""
        body = msgspec.msgpack.encode(message)
        if len(body) > LONG:
            raise TalkError(f"A message of {len(body)} bytes is too long to be sent.")
        if self._writer.transport.is_closing():  # who listens here notices; uvloop would not take a word
            return
        if self._writer.transport.get_write_buffer_size() > _UNREAD:
            self.hang_up()
        else:
            self._writer.write(len(body).to_bytes(_LENGTH) + body)

    async def hear(self, kind: msgspec.msgpack.Decoder[_Message], most: int = LONG) -> _Message:
        """The next message; an :class:`EOFError` or :class:`OSError` if there is none to come."""
        length = int.from_bytes(await self._reader.readexactly(_LENGTH))
        if length > most:
            raise TalkError(f"A message of {length} bytes is too long to be heard.")
        body = await self._reader.readexactly(length)
        try:
            return kind.decode(body)
        except msgspec.DecodeError:
            raise TalkError("Somebody speaks another language.") from None

    def say_farewell(self) -> None:
        """End it once what was said is sent."""
        self._writer.close()

    def hang_up(self) -> None:
        """End it now."""
        self._writer.transport.abort()


# ------------------------------------------------------------------------------------- greetings


def key_of(secret: str) -> bytes:
    """What both sides must know, made of the secret of the service."""
    return hmac.digest(secret.encode(), b"dicetown thinkers", "sha256")


async def greet_service(line: Line, key: bytes, bots: tuple[str, ...], preparing: bool) -> None:
    """As a thinker: get to know a service, or refuse it in a sentence."""
    ours = Greeting(__version__, PROTOCOL, token_bytes(_NONCE))
    line.send(ours)
    theirs = await line.hear(from_stranger, SHORT)
    try:
        _check_version("service", theirs.version, theirs.protocol)
        _check_proof("service", theirs.proof, _proof(key, "service", ours.nonce, theirs.nonce))
    except Unfit as problem:
        line.send(Refusal(str(problem)))
        raise
    line.send(Welcome(_proof(key, "thinker", theirs.nonce, ours.nonce), bots, preparing))


async def greet_thinker(line: Line, key: bytes) -> Welcome:
    """As a service: get to know a thinker, or refuse it in a sentence."""
    theirs = await line.hear(greeting, SHORT)
    _check_version("thinker", theirs.version, theirs.protocol)
    nonce = token_bytes(_NONCE)
    line.send(Introduction(__version__, PROTOCOL, nonce, _proof(key, "service", theirs.nonce, nonce)))
    answer = await line.hear(reply, SHORT)
    if isinstance(answer, Refusal):
        raise Unfit(answer.sentence)
    _check_proof("thinker", answer.proof, _proof(key, "thinker", nonce, theirs.nonce))
    return answer


def _proof(key: bytes, who: str, asked: bytes, own: bytes) -> bytes:
    """That somebody knows the key: nobody can use it a second time, or in the other one's place."""
    return hmac.digest(key, b"|".join((who.encode(), asked.hex().encode(), own.hex().encode())), "sha256")


def _check_version(who: str, version: str, protocol: int) -> None:
    if (version, protocol) != (__version__, PROTOCOL):
        raise Unfit(
            f"The {who} is of version {version} (protocol {protocol}), and this side of {__version__} "
            f"(protocol {PROTOCOL}): both must be the same."
        )


def _check_proof(who: str, proof: bytes, wanted: bytes) -> None:
    if not hmac.compare_digest(proof, wanted):
        raise Unfit(f"The {who} has another secret; give both sides the same one with --secret.")


def read_address(text: str) -> tuple[str, int]:
    """The host and the port of a text.

    >>> read_address("10.0.0.7:8100"), read_address("[::1]:8100")
    (('10.0.0.7', 8100), ('::1', 8100))
    >>> read_address("10.0.0.7")
    Traceback (most recent call last):
    dicetown.server.workers.talk.TalkError: "10.0.0.7" is no address of a thinker; one is 10.0.0.7:8100.
    """
    host, _, port = text.strip().rpartition(":")
    if not host or not port.isascii() or not port.isdecimal() or int(port) >= 1 << 16:
        raise TalkError(f'"{text}" is no address of a thinker; one is 10.0.0.7:8100.')
    return host.removeprefix("[").removesuffix("]"), int(port)
