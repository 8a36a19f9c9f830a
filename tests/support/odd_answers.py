"""A WSGI application that answers in odd ways, to be put behind the server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any

from typing_extensions import override

from services.runtime import gateway
from services.runtime.gateway import LET_GO, WHEN_GONE
from services.runtime.logs import configure_logs
from services.runtime.settings import Settings

Start = Callable[..., Any]


class Answers:
    """The application; it counts how many of its streams have ended, and whose client went."""

    def __init__(self) -> None:
        self.ended = 0
        self.gone = 0
        self.counted: list[str] = []

    def __call__(self, environ: dict[str, Any], start: Start) -> Any:  # noqa: ANN401 - WSGI
        """Answer by the path."""
        path = environ["PATH_INFO"]
        if path == "/raises":
            raise RuntimeError("on purpose")
        if path == "/announced":
            start("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "10")])
            return iter([b"piece", b"piece"])
        start("200 OK", [("Content-Type", "text/plain")])
        if path == "/counts":
            self.counted.append(environ["REQUEST_METHOD"])
        if path == "/hold":
            wait_for(Path(environ["QUERY_STRING"]))
        if path == "/no-thread":
            gateway.Thread = NoThread  # type: ignore[attr-defined]
            return iter([b"piece"])
        if path in ("/ticks", "/floods", "/fails"):
            environ[WHEN_GONE](self._count_gone)
            if environ["QUERY_STRING"] == "let-go":
                environ[LET_GO]()
            return Pieces(self, path)
        return [self._told(path, environ).encode()]

    def _told(self, path: str, environ: dict[str, Any]) -> str:
        if path == "/ended":
            return f"{self.ended} {self.gone}"
        if path == "/counted":
            return " ".join(self.counted)
        if path == "/headers":
            names = sorted(name for name in environ if name.startswith("HTTP_"))
            return " ".join(f"{name}={environ[name]}" for name in names)
        return "ready"

    def _count_gone(self) -> None:
        self.gone += 1


def wait_for(file: Path) -> None:
    """Wait until there is a file, but not for ever."""
    ends = monotonic() + 60
    while not file.exists() and monotonic() < ends:
        sleep(0.05)


class Pieces:
    """An answer in pieces."""

    def __init__(self, answers: Answers, path: str) -> None:
        self._answers = answers
        self._path = path

    def __iter__(self) -> Iterator[bytes]:
        """Give a piece now and then, or all the time, or one before it fails."""
        yield b"piece"
        while self._path != "/fails":
            if self._path == "/ticks":
                sleep(0.1)
                yield b"tick"
            else:
                yield b"flood" * 100_000
        raise RuntimeError("on purpose")

    def close(self) -> None:
        """Count that it has ended."""
        self._answers.ended += 1


class NoThread(Thread):
    """The next thread, which the system does not give; further ones it does."""

    @override
    def start(self) -> None:
        """Fail as the interpreter does."""
        gateway.Thread = Thread  # type: ignore[attr-defined]
        raise RuntimeError("can't start new thread")


configure_logs(Settings())
app = Answers()
