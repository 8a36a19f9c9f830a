"""Many clients of one server, in a process of its own: ``python -m tests.support.crowd``.

Opens connections of three kinds and keeps them: event streams, requests of which half the body
was sent, and connections on which nothing is said. Prints a line of JSON when all are open, and
another when the server has closed all but the streams.
"""

from __future__ import annotations

import asyncio
import resource
import sys
from collections.abc import Coroutine
from contextlib import suppress

import orjson

PATIENCE = 240.0
AT_ONCE = 200


class Crowd:
    """The connections, and what became of them."""

    def __init__(self, port: int, path: str, to_close: int) -> None:
        self.port = port
        self.path = path
        self.to_close = to_close
        self.all_closed = asyncio.Event()
        self.streams = 0
        self.cut = 0
        self.closed = 0
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
        reader = await self._say(head.encode())
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
                await self._say(
                    b"POST /api/v1/players HTTP/1.1\r\nHost: here\r\nContent-Length: 100\r\n"
                    b'Content-Type: application/json\r\n\r\n{"name":'
                )
            )
        )

    async def silent(self) -> None:
        """Say nothing."""
        self._keep(self._until_closed(await self._say(b"")))

    def _keep(self, work: Coroutine[None, None, None]) -> None:
        # The loop alone would let a task be collected that nobody else refers to.
        self._tasks.append(asyncio.create_task(work))

    async def _until_closed(self, reader: asyncio.StreamReader) -> None:
        with suppress(ConnectionError):
            await reader.read()
        self.closed += 1
        if self.closed == self.to_close:
            self.all_closed.set()

    async def _say(self, what: bytes) -> asyncio.StreamReader:
        async with self._turns:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        self._kept.append(writer)
        writer.write(what)
        await writer.drain()
        return reader


async def main(port: int, path: str, streams: int, halves: int, silent: int) -> None:
    """Open so many of each, then wait until the server has closed those that it should."""
    crowd = Crowd(port, path, halves + silent)
    await asyncio.gather(*(crowd.silent() for _ in range(silent)))
    await asyncio.gather(*(crowd.half() for _ in range(halves)))
    await asyncio.gather(*(crowd.stream(number) for number in range(streams)))
    _print(streams=crowd.streams, closed=crowd.closed)
    async with asyncio.timeout(PATIENCE):
        await crowd.all_closed.wait()
    _print(closed=crowd.closed, cut=crowd.cut, told=crowd.told)


def _print(**told: object) -> None:
    sys.stdout.write(orjson.dumps(told).decode() + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    port, path, *numbers = sys.argv[1:]
    asyncio.run(main(int(port), path, *map(int, numbers)))
