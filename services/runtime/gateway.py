"""A WSGI application behind an ASGI server: requests are taken in first, threads come after.

A connection on which nothing is asked, or half a body was sent, costs some kilobytes and no
thread. Once a request is whole, one of a few threads answers it. A thread whose answer turns out
to be a stream is replaced by another for as long as it streams.
"""

from __future__ import annotations

import asyncio
import io
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from contextlib import suppress
from enum import Enum, auto
from functools import partial
from queue import SimpleQueue
from threading import BoundedSemaphore, Semaphore, Thread
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import unquote_to_bytes

import structlog
from typing_extensions import override

Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Environ: TypeAlias = dict[str, Any]
Application: TypeAlias = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

BROKEN_BODY = "plybook.broken_body"
"""Stands in the environment of a request whose body did not come whole."""

WHEN_GONE = "plybook.when_gone"
"""Stands in the environment for what takes a call to be made when a stream's client has gone.

It is made in the event loop, so it may not wait; and perhaps twice.
"""

IS_GONE = "plybook.is_gone"
"""Stands in the environment for what tells whether the client has gone before its answer began.

It is asked for once an answer has been waited for ``QUICK`` seconds: most are there before.
"""

LET_GO = "plybook.let_go"
"""Stands in the environment for what ends a stream within ``GRACE`` seconds, read or not."""

GRACE = 2.0
"""Seconds in which a client may still take the end of a stream whose place is another's."""

QUICK = 0.1
"""Seconds after which it is worth looking whether somebody still waits for an answer."""

IN_FLIGHT = 4
"""Pieces of a stream that may wait for the client before the thread that makes them waits too."""

DISCARDED = 1 << 20
"""Bytes of a body beyond the longest that are taken in, so that its sender hears the answer."""


class StreamEnd(Enum):
    """What stands behind the pieces of a stream: it is whole, or was cut off."""

    WHOLE = auto()
    CUT = auto()


_Beginning: TypeAlias = tuple[int, list[tuple[bytes, bytes]], bytes | None]

_LOOKING = ("GET", "HEAD")
_BODILESS = (204, 304)
_REFUSED = (503, [(b"retry-after", b"2"), (b"content-type", b"text/plain")])
_FAILED = (500, [(b"content-type", b"text/plain")])

_log = structlog.get_logger(__name__)


class Limits(NamedTuple):
    """What one server process takes on.

    ``longest``: bytes of a body. ``seconds``: how long a whole body may take to arrive, and the
    client to take a piece of a stream.
    """

    threads: int
    streams: int
    longest: int
    seconds: float


class Gateway:
    """An ASGI application that lets a WSGI application answer.

    ``stop`` is called as soon as the process is told to end.
    """

    def __init__(
        self, application: Application, limits: Limits, stop: Callable[[], None] | None
    ) -> None:
        self._application = application
        self._limits = limits
        self._stop = stop
        self._threads = Threads(limits.threads, limits.streams)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request, or live through the life of the server."""
        if scope["type"] == "lifespan":
            await self._serve_lifespan(receive, send)
            return
        environ = make_environ(scope)
        try:
            body = await self._take_in(environ, receive)
            environ["wsgi.input"] = io.BytesIO(body)
            # Now that it is whole, a body that came in chunks is one like any other.
            if environ.pop("HTTP_TRANSFER_ENCODING", None) is not None:
                environ["CONTENT_LENGTH"] = str(len(body))
        except (ConnectionError, TimeoutError):
            environ["wsgi.input"] = BrokenBody()
            # Else one of unknown length would pass for none, and never be read.
            environ["wsgi.input_terminated"] = True
            environ[BROKEN_BODY] = True
        answer = Answer(self._limits.seconds)
        environ[WHEN_GONE] = answer.call_when_gone
        environ[IS_GONE] = answer.is_gone
        environ[LET_GO] = answer.let_go
        self._threads.run(partial(answer.make, self._application, environ, self._threads))
        # Of a request that broke off the server says that its client has gone; it may still listen.
        await answer.relay(None if BROKEN_BODY in environ else receive, send)

    async def _serve_lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        if self._stop is not None:
            _call_at_the_end(self._stop)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})

    async def _take_in(self, environ: Environ, receive: Receive) -> bytes:
        """Return the body, or its beginning where it is longer than bodies may be.

        Raises ``ConnectionError`` if it ends too early, ``TimeoutError`` if it takes too long.
        """
        chunked = "HTTP_TRANSFER_ENCODING" in environ
        announced = environ.get("CONTENT_LENGTH", "0")
        longest = self._limits.longest
        # What is announced to be too long is refused unread.
        if not chunked and (announced == "0" or _parse_length(announced) > longest):
            return b""
        async with asyncio.timeout(self._limits.seconds):
            return await _read(receive, longest, None if chunked else _parse_length(announced))


async def _read(receive: Receive, longest: int, length: int | None) -> bytes:
    body = bytearray()
    discarded = 0
    while len(body) != length and discarded < DISCARDED:
        message = await receive()
        if message["type"] != "http.request":
            raise ConnectionError
        body += message.get("body", b"")
        # One byte too many is kept, by which whoever reads it sees that it is too long.
        discarded += len(body[longest + 1 :])
        del body[longest + 1 :]
        if not message.get("more_body"):
            break
    return bytes(body)


def _parse_length(announced: str) -> int:
    """Return an announced length; what is no number is as good as one that is too long."""
    return int(announced) if announced.isdecimal() and len(announced) < 16 else sys.maxsize  # noqa: PLR2004 - digits


class BrokenBody(io.RawIOBase):
    """A body that did not come whole: whoever reads it is told so."""

    @override
    def readable(self) -> bool:
        return True

    @override
    def readinto(self, buffer: Any, /) -> int:
        raise ConnectionError("The body did not come whole.")


class Threads:
    """Threads that answer requests, and further ones in the place of those that stream."""

    def __init__(self, number: int, streams: int) -> None:
        self._jobs: SimpleQueue[Callable[[], bool]] = SimpleQueue()
        self._streams = BoundedSemaphore(streams)
        for _ in range(number):
            self._start()

    def run(self, job: Callable[[], bool]) -> None:
        """Let a thread do ``job``, which says whether the thread was replaced meanwhile."""
        self._jobs.put(job)

    def replace(self) -> bool:
        """Start a thread in the place of the one that asks; False if too many stream already."""
        if not self._streams.acquire(blocking=False):
            return False
        try:
            self._start()
        except RuntimeError:
            # The system gives no further thread: the one that asks is needed where it is.
            self._streams.release()
            return False
        return True

    def _start(self) -> None:
        Thread(target=self._work, name="requests", daemon=True).start()

    def _work(self) -> None:
        while not self._jobs.get()():
            pass
        self._streams.release()


class Answer:
    """The answer to one request: a thread makes it, the event loop sends it."""

    def __init__(self, seconds: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._seconds = seconds
        self._head: tuple[int, list[tuple[bytes, bytes]]] | None = None
        # None: the client has gone before.
        self._begun: asyncio.Future[_Beginning | None] = self._loop.create_future()
        self._pieces: asyncio.Queue[bytes | StreamEnd] = asyncio.Queue()
        self._room = Semaphore(IN_FLIGHT)
        self._relaying: asyncio.Task[Any] | None = None
        self._watching: asyncio.Task[None] | None = None
        self._gone = self._stalled = False
        self._when_gone: list[Callable[[], None]] = []

    def make(self, application: Application, environ: Environ, threads: Threads) -> bool:
        """Let the application answer; return whether this thread was replaced meanwhile.

        What somebody wanted to look at who has gone is not made; what they wanted done is done.
        """
        if self._gone and environ["REQUEST_METHOD"] in _LOOKING:
            return False
        try:
            result = application(environ, self._start)
            body = self._find_body(result)
        except Exception as error:  # noqa: BLE001 - the thread lives on, and somebody waits
            self._begin(*_FAILED, b"")
            _log.error("fault", exc_info=error)
            return False
        if body is not None:
            self._begin(*(self._head or _FAILED), body)
            return False
        replaced = threads.replace()
        try:
            if replaced:
                self._stream(result)
            else:
                self._begin(*_REFUSED, b"Too many answers are under way; try again.\n")
        finally:
            with suppress(Exception):
                _close(result)
        return replaced

    def _find_body(self, result: Iterable[bytes]) -> bytes | None:
        """Return the body of an answer that is all there, or has none; None of a stream."""
        if isinstance(result, list):
            return b"".join(result)
        status, headers = self._head or _FAILED
        announced = any(name.lower() == b"content-length" for name, _ in headers)
        if not announced and status not in _BODILESS:
            return None
        try:
            return b"".join(result)
        finally:
            _close(result)

    def _start(self, status: str, headers: list[tuple[str, str]], *_: object) -> None:
        encoded = [(name.encode("latin-1"), text.encode("latin-1")) for name, text in headers]
        self._head = int(status[:3]), encoded

    def _stream(self, result: Iterable[bytes]) -> None:
        self._begin(*(self._head or _FAILED), None)
        try:
            for piece in result:
                if not piece:
                    continue
                if not self._room.acquire(timeout=self._seconds) or self._gone:
                    self._call_in_loop(self._cut)
                    return
                self._call_in_loop(self._pieces.put_nowait, piece)
        except Exception as error:  # noqa: BLE001 - as above; the client sees that it was cut
            self._call_in_loop(self._pieces.put_nowait, StreamEnd.CUT)
            _log.error("fault", exc_info=error)
        else:
            self._call_in_loop(self._pieces.put_nowait, StreamEnd.WHOLE)

    def _begin(self, status: int, headers: list[tuple[bytes, bytes]], body: bytes | None) -> None:
        self._call_in_loop(self._set_begun, (status, headers, body))

    def _set_begun(self, beginning: _Beginning | None) -> None:
        if not self._begun.done():
            self._begun.set_result(beginning)

    def _call_in_loop(self, call: Callable[..., object], *values: object) -> None:
        """Call something in the event loop, unless the process ends and the loop has gone."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(call, *values)

    def call_when_gone(self, call: Callable[[], None]) -> None:
        """Make a call as soon as the client of a stream has gone."""
        self._when_gone.append(call)
        if self._gone:
            call()

    def is_gone(self) -> bool:
        """Tell whether the client was seen to go."""
        return self._gone

    async def relay(self, receive: Receive | None, send: Send) -> None:
        """Send the answer as it is made, until ``receive`` says that nobody is there any more."""
        looking = receive and self._loop.call_later(QUICK, self._look, receive)
        try:
            beginning = await self._begun
            if beginning is not None:
                await self._send(beginning, receive, send)
        finally:
            if looking:
                looking.cancel()
            if self._watching:
                self._watching.cancel()

    async def _send(self, beginning: _Beginning, receive: Receive | None, send: Send) -> None:
        status, headers, body = beginning
        await send({"type": "http.response.start", "status": status, "headers": headers})
        if body is not None:
            await send({"type": "http.response.body", "body": body})
            return
        self._relaying = asyncio.current_task()
        if self._stalled:
            return
        if receive:
            self._look(receive)
        try:
            while (piece := await self._pieces.get()) is not StreamEnd.WHOLE:
                # Without its end, the server cuts it, and the client does not take it for whole.
                if piece is StreamEnd.CUT:
                    return
                await send({"type": "http.response.body", "body": piece, "more_body": True})
                self._room.release()
            await send({"type": "http.response.body", "body": b""})
        except asyncio.CancelledError:
            pass
        finally:
            # The connection lives on, and with it perhaps the task.
            self._relaying = None

    def _look(self, receive: Receive) -> None:
        """See to it that ``_gone`` is told; what is sent to nobody raises nothing."""
        if self._watching is None:
            self._watching = self._loop.create_task(self._watch(receive))

    async def _watch(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._give_up()
        for call in tuple(self._when_gone):
            call()
        self._set_begun(None)

    def let_go(self) -> None:
        """End a stream in a moment, also if its client does not read; any thread may ask."""
        self._call_in_loop(self._loop.call_later, GRACE, self._give_up)

    def _give_up(self) -> None:
        """Free the thread that makes the pieces, which may wait for room, and send no more."""
        self._gone = True
        self._room.release()
        self._cut()

    def _cut(self) -> None:
        self._stalled = True
        if self._relaying is not None:
            self._relaying.cancel()


def _close(result: Iterable[bytes]) -> None:
    getattr(result, "close", lambda: None)()


def make_environ(scope: Message) -> Environ:
    """Return the WSGI environment of a request, but for its body."""
    server, client = scope["server"], scope["client"]
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for header, value in scope["headers"]:
        # Written with "_" it would pass for another header, which a proxy may have set.
        if b"_" in header or (header == b"host" and not value):
            continue
        name, text = header.decode("latin-1").upper().replace("-", "_"), value.decode("latin-1")
        if name not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            name = f"HTTP_{name}"
        if name in environ:
            text = f"{environ[name]}{'; ' if name == 'HTTP_COOKIE' else ','}{text}"
        environ[name] = text
    return environ


def _call_at_the_end(stop: Callable[[], None]) -> None:
    """Call ``stop`` on the first signal that ends the process, before the server acts on it.

    The server ends when all answers have been given, so streams must know of it earlier. The
    handlers are the server's; the wake-up descriptor tells of signals whoever handles them.
    """
    loop = asyncio.get_running_loop()
    read, write = os.pipe()
    os.set_blocking(read, False)
    os.set_blocking(write, False)
    theirs = signal.set_wakeup_fd(write, warn_on_full_buffer=False)

    def pass_on() -> None:
        numbers = os.read(read, 64)
        if {signal.SIGTERM, signal.SIGINT} & set(numbers):
            stop()
        os.write(theirs, numbers)

    loop.add_reader(read, pass_on)
