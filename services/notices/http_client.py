"""Sending a notice to a webhook or a push service: one POST to somebody of whom nothing is known.

So there is one deadline for all of it, little of the answer is read, no redirect is followed, and
what is connected to is an address that was judged before.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from http import HTTPStatus
from threading import Thread
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

import httpcore
from typing_extensions import override

from services.notices.messages import (
    GONE,
    NO_ANSWER,
    NO_CONNECTION,
    PRIVATE,
    REDIRECT,
    REFUSED,
    UNKNOWN_HOST,
    Outcome,
    Parcel,
    Written,
)
from services.notices.targets import Resolve, is_public
from services.store.notices.channels import PUSH, ChannelRow
from services.store.notices.deliveries import DeliveryRow

MOST_TRIED = 3
"""Addresses of one name that are tried, one after the other."""

MOST_READ = 64 * 1024
"""Bytes of an answer that are read; nobody needs them."""

GONE_FOR_ALL, GONE_FOR_PUSH = {HTTPStatus.GONE}, {HTTPStatus.GONE, HTTPStatus.NOT_FOUND}
"""Answers after which nothing is sent there any more. Push services say either of a browser that
does not want to be told (RFC 8030); of a webhook 404 may be a mistake for a while."""

Write = Callable[[ChannelRow, DeliveryRow, datetime], Written]
"""Makes the request for a notice."""


@contextmanager
def connected(
    channel: ChannelRow, write: Write, *, private: bool, resolver: Resolve, patience: float
) -> Iterator[ChannelConnection]:
    """Give what sends to a channel, over one connection as far as the other side keeps it."""
    backend = _Backend(private, resolver)
    with httpcore.ConnectionPool(
        ssl_context=_make_ssl_context(), max_connections=1, network_backend=backend
    ) as pool:
        yield ChannelConnection(channel, write, pool, backend, patience)


@dataclass(frozen=True, slots=True)
class ChannelConnection:
    """The way to one channel."""

    channel: ChannelRow
    write: Write
    pool: httpcore.ConnectionPool
    backend: _Backend
    patience: float

    def send(self, parcel: Parcel, at: datetime) -> Outcome:
        """Send a notice, once; ``at``: the time that is signed with it."""
        [delivery] = parcel.deliveries
        written = self.write(self.channel, delivery, at)
        if isinstance(written, Outcome):
            return written
        headers, body = written
        self.backend.until = monotonic() + self.patience
        try:
            return self._post(body, headers)
        except PrivateTargetError:
            return Outcome(reason=PRIVATE)
        except UnknownHostError:
            return Outcome(reason=UNKNOWN_HOST)
        except (httpcore.ConnectError, httpcore.ConnectTimeout):
            return Outcome(reason=NO_CONNECTION)
        except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError):
            return Outcome(reason=NO_ANSWER)

    def _post(self, body: bytes, headers: dict[str, str]) -> Outcome:
        # Written as it was given: httpcore's own reading of addresses leaves out what stands behind
        # a semicolon, and the brackets of an address of IPv6.
        parts = urlsplit(self.channel.address or "")
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        url = httpcore.URL(
            scheme=parts.scheme, host=parts.hostname or "", port=parts.port, target=target
        )
        told = [("Host", parts.netloc), *headers.items()]
        with self.pool.stream("POST", url, headers=told, content=body) as answer:
            read = 0
            for chunk in answer.iter_stream():
                read += len(chunk)
                if read > MOST_READ:
                    break
            gone = GONE_FOR_PUSH if self.channel.kind == PUSH else GONE_FOR_ALL
            return Outcome(answer.status, _check_status(answer.status, gone))


def _check_status(status: int, gone: Collection[int]) -> str | None:
    if status in gone:
        return GONE
    return {2: None, 3: REDIRECT}.get(status // 100, REFUSED)


class PrivateTargetError(Exception):
    """A name leads to an address of an own network."""


class UnknownHostError(Exception):
    """Nobody has this name."""


@cache
def _make_ssl_context() -> ssl.SSLContext:
    # It takes long to read all the certificates of the world.
    return ssl.create_default_context()


@dataclass(slots=True)
class _Backend(httpcore.NetworkBackend):
    """Connects to what a name meant when it was judged; all of it before ``until``."""

    private: bool
    resolver: Resolve
    until: float = 0.0
    _sync: httpcore.NetworkBackend = field(default_factory=httpcore.SyncBackend)

    @override
    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        failed: Exception = UnknownHostError()
        for address in self._resolve_host(host, port)[:MOST_TRIED]:
            try:
                left = _measure_time_left(self.until)
                return _TimedStream(
                    self._sync.connect_tcp(address, port, left, local_address), self
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
        raise failed

    def _resolve_host(self, host: str, port: int) -> Sequence[str]:
        try:
            found = _look_up(self.resolver, host, port, _measure_time_left(self.until))
        except OSError:
            found = []
        if not self.private and not all(map(is_public, found)):
            raise PrivateTargetError
        return found


@dataclass(slots=True)
class _TimedStream(httpcore.NetworkStream):
    """A connection that ends at the deadline, however slowly something comes."""

    stream: httpcore.NetworkStream
    backend: _Backend

    @override
    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self.stream.read(max_bytes, _measure_time_left(self.backend.until))

    @override
    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self.stream.write(buffer, _measure_time_left(self.backend.until))

    @override
    def close(self) -> None:
        self.stream.close()

    @override
    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        left = _measure_time_left(self.backend.until)
        return _TimedStream(self.stream.start_tls(ssl_context, server_hostname, left), self.backend)

    @override
    def get_extra_info(self, info: str) -> Any:
        return self.stream.get_extra_info(info)


def _look_up(resolver: Resolve, host: str, port: int, patience: float) -> Sequence[str]:
    """Return the addresses of a host. Raises ``OSError``, also where that takes too long.

    The system's look-up cannot be broken off: whoever runs a slow server of names would hold us up
    for half a minute. It is left to end by itself.
    """
    found: Future[Sequence[str]] = Future()

    def look() -> None:
        try:
            found.set_result(resolver(host, port))
        except OSError as error:
            found.set_exception(error)

    Thread(target=look, daemon=True).start()
    return found.result(patience)


def _measure_time_left(until: float) -> float:
    """Return how many seconds are left. Raises ``httpcore.ReadTimeout`` where none are."""
    left = until - monotonic()
    if left <= 0:
        raise httpcore.ReadTimeout
    return left
