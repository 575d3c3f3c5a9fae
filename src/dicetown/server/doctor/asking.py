"""Asking a service over the network, as a browser would, but with every header in our own hands."""

from __future__ import annotations

import http.client
import socket
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from dicetown.errors import DicetownError

_SECONDS = 10.0
_MOST = 4 * 1024 * 1024  # bytes of an answer that are read


class NoAnswer(DicetownError):
    """A service that does not answer; ``what`` says in which way, ``slots`` go with it."""

    def __init__(self, what: str, **slots: Any) -> None:
        super().__init__(what)
        self.what = what
        self.slots = slots


@dataclass(frozen=True)
class Answer:
    """What was answered, and when by our own clock."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes
    seconds: float
    at: float  # the middle between asking and being answered

    @property
    def text(self) -> str:
        """The body; what is no text is replaced."""
        return self.body.decode("utf-8", "replace")


@dataclass(frozen=True)
class Certificate:
    """What a TLS connection was made with."""

    version: str
    ends: float | None  # in seconds since 1970


class Address:
    """Where a service is."""

    def __init__(self, url: str) -> None:
        try:
            parts = urlsplit(url if "://" in url else f"http://{url}")
            host, port = parts.hostname, parts.port
        except ValueError:
            host = port = None
            parts = urlsplit("")
        if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment:
            raise DicetownError(f'"{url}" is no address of a service; one looks like https://table.example.')
        if parts.path.strip("/"):
            raise DicetownError(f'"{url}": a service lives at the root of its address; leave the path out.')
        self.is_secure = parts.scheme == "https"
        self.host: str = host
        self.port = port or (443 if self.is_secure else 80)
        self.netloc = parts.netloc.rpartition("@")[2]
        self.origin = f"{parts.scheme}://{self.netloc}"

    def is_public(self) -> bool:
        """Whether the whole world can come to it."""
        try:
            found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        except OSError:
            return False
        return any(ip_address(str(one[4][0]).partition("%")[0]).is_global for one in found)


class Asker:
    """Asks one service."""

    def __init__(self, address: Address, seconds: float = _SECONDS) -> None:
        self.address = address
        self.seconds = seconds
        self.certificate: Certificate | None = None
        self._trust = ssl.create_default_context()

    def ask(
        self,
        path: str,
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        host: str | None = None,
    ) -> Answer:
        """Ask for something; :class:`NoAnswer` if nothing comes back."""
        connection = self._connection()
        began, asked_at = time.monotonic(), time.time()
        try:
            connection.connect()
            self._look_at(connection.sock)
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in {"Host": host or self.address.netloc, **(headers or {})}.items():
                connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            read = answer.read(_MOST)
        except (OSError, http.client.HTTPException) as problem:
            raise self.why(problem) from None
        finally:
            connection.close()
        took = time.monotonic() - began
        return Answer(answer.status, answer.headers, read, took, asked_at + took / 2)

    def why(self, problem: Exception) -> NoAnswer:
        """Why there was no answer, in a word that there is a sentence for."""
        address = self.address
        if isinstance(problem, ssl.SSLCertVerificationError):
            return NoAnswer("untrusted", host=address.host, problem=problem.verify_message)
        if isinstance(problem, socket.gaierror):
            return NoAnswer("no_name", host=address.host)
        if isinstance(problem, ConnectionRefusedError):
            return NoAnswer("refused", host=address.host, port=address.port)
        if isinstance(problem, TimeoutError):
            return NoAnswer("late", url=address.origin, seconds=f"{self.seconds:g}")
        said = str(problem) or type(problem).__name__
        return NoAnswer("broken", url=address.origin, problem=said.rstrip("."))

    def _connection(self) -> http.client.HTTPConnection:
        host, port = self.address.host, self.address.port
        if self.address.is_secure:
            return http.client.HTTPSConnection(host, port, timeout=self.seconds, context=self._trust)
        return http.client.HTTPConnection(host, port, timeout=self.seconds)

    def _look_at(self, connected: Any) -> None:
        if isinstance(connected, ssl.SSLSocket):
            ends = (connected.getpeercert() or {}).get("notAfter")
            seconds = ssl.cert_time_to_seconds(str(ends)) if ends else None
            self.certificate = Certificate(connected.version() or "TLS", seconds)
