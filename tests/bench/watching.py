"""A move in a match that a thousand watch, against one that nobody watches; a stream's memory."""

from __future__ import annotations

import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from time import perf_counter, sleep

from tests.bench.databases import Bed
from tests.bench.posting import mover, served
from tests.bench.rounds import Ratio
from tests.support.servers import Server

WATCHERS = 1000
MOVES = 40
"""Moves of each of the two matches in a round, in turns."""
BETWEEN = 0.05
HEAVIEST = 115.0
"""kB a stream; it was 230."""


def watching(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure what a thousand spectators cost the players, and the process."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    times: tuple[list[float], list[float]] = [], []
    with ExitStack() as stack:
        server = stack.enter_context(served(bed.url, "ours_app", max_client_streams=WATCHERS))
        matches = [mover(server.url, bed.house, name) for name in ("quiet", "watched")]
        before = _resident(server)
        for _ in range(WATCHERS):
            stack.enter_context(_watch(server, matches[1][0]))
        each = (_resident(server) - before) / WATCHERS
        for number in range(MOVES * (rounds + 1)):
            for side, (_, move) in enumerate(matches):
                sleep(BETWEEN)
                began = perf_counter()
                move()
                if number >= MOVES:  # the first round only warms up
                    times[side].append(perf_counter() - began)
    quiet, watched = map(median, times)
    name = f"move that {WATCHERS} watch, {bed.name}"
    told = f"p50 {1000 * watched:.2f} ms against {1000 * quiet:.2f} ms in a match nobody watches"
    yield Ratio(name, watched / quiet, 1.3, told, at_most=True)
    yield Ratio(f"memory of a stream, {bed.name}", each, HEAVIEST, "kB resident", at_most=True)


def _watch(server: Server, match: str) -> socket.socket:
    """Open a stream, and wait until it has told what there is."""
    host, _, port = server.url.removeprefix("http://").partition(":")
    there = socket.create_connection((host, int(port)))
    there.sendall(f"GET /api/v1/matches/{match}/stream HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    raw = b""
    while b"match-started" not in raw:
        raw += there.recv(65536)
    return there


def _resident(server: Server) -> float:
    """Return the kB in memory of the process that serves, the one with most."""
    pid = server.process.pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
    sleep(1)
    return max(_kilobytes(Path(f"/proc/{one}/status")) for one in (str(pid), *children))


def _kilobytes(status: Path) -> float:
    lines = status.read_text(encoding="utf-8").splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith("VmRSS:")))
