"""Many clients of one server, in a process of its own: ``python -m tests.support.crowd``.

Opens connections of three kinds and keeps them: event streams, requests of which half the body
was sent, and connections on which nothing is said. Prints a line of JSON when all have been opened,
and another when the server has closed all but the streams. ``early``: how many it has closed
before they were silent for as long as they may be.
"""

from __future__ import annotations

import asyncio
import resource
import sys
import time
from collections.abc import Coroutine
from contextlib import suppress
from operator import itemgetter

import orjson

PATIENCE = 240.0
AT_ONCE = 200


class Crowd:
    """The connections, and what became of them."""

    def __init__(self, port: int, path: str, idle_seconds: int, to_close: int) -> None:
        self.port = port
        self.path = path
        self.idle_seconds = idle_seconds
        self.to_close = to_close
        self.all_closed = asyncio.Event()
        self.streams = 0
        self.cut = 0
        self.closed = 0
        self.early = 0
        self.told = 0
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._tasks: list[asyncio.Task[None]] = []
        self._kept: list[asyncio.StreamWriter] = []

    async def stream(self, number: int) -> None:
        """Open a stream as somebody with an address of their own, and read until it ends."""
        head = (
            f"GET {self.path} HTTP/1.1\r\nHost: here\r\n"
            f"X-Forwarded-For: 10.{number // 250}.{number % 250}.7\r\n\r\n"
        )
        reader, _ = await self._say(head.encode())
        first = await reader.readline()
        if first.split()[1] == b"200":
            await reader.readuntil(b"retry:")
            self.streams += 1
            self._keep(self._listen(reader))

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        while line := await reader.readline():
            self.told += line.startswith(b"data:")
        self.cut += 1

    async def half(self) -> None:
        """Begin a request, and never end it."""
        self._keep(
            self._until_closed(
                *await self._say(
                    b"POST /api/v1/players HTTP/1.1\r\nHost: here\r\nContent-Length: 100\r\n"
                    b'Content-Type: application/json\r\n\r\n{"name":'
                )
            )
        )

    async def silent(self) -> None:
        """Say nothing."""
        self._keep(self._until_closed(*await self._say(b"")))

    def _keep(self, work: Coroutine[None, None, None]) -> None:
        # The loop alone would let a task be collected that nobody else refers to.
        self._tasks.append(asyncio.create_task(work))

    async def _until_closed(self, reader: asyncio.StreamReader, began: float) -> None:
        with suppress(ConnectionError):
            await reader.read()
        self.closed += 1
        self.early += time.monotonic() - began < self.idle_seconds
        if self.closed == self.to_close:
            self.all_closed.set()

    async def _say(self, what: bytes) -> tuple[asyncio.StreamReader, float]:
        """Connect and say something; return what reads the answer, and when that began."""
        async with self._turns:
            # The server cannot have counted from before this, however busy the machine is.
            began = time.monotonic()
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        self._kept.append(writer)
        writer.write(what)
        await writer.drain()
        return reader, began


async def main(port: int, path: str, idle_seconds: int, *numbers: int) -> None:
    """Open so many streams, halves and silent ones; wait until those are closed that should be."""
    streams, halves, silent = numbers
    crowd = Crowd(port, path, idle_seconds, halves + silent)
    opening = [
        *((number / streams, crowd.stream(number)) for number in range(streams)),
        *((number / halves, crowd.half()) for number in range(halves)),
        *((number / silent, crowd.silent()) for number in range(silent)),
    ]
    # All kinds side by side, so that each has to find its place among the others.
    await asyncio.gather(*(one for _, one in sorted(opening, key=itemgetter(0))))
    _print(streams=crowd.streams, early=crowd.early)
    async with asyncio.timeout(PATIENCE):
        await crowd.all_closed.wait()
    _print(closed=crowd.closed, early=crowd.early, cut=crowd.cut, told=crowd.told)


def _print(**told: object) -> None:
    sys.stdout.write(orjson.dumps(told).decode() + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    port, path, *numbers = sys.argv[1:]
    asyncio.run(main(int(port), path, *map(int, numbers)))
