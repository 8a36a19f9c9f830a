"""The log of a server process: one event a line on standard error, as text or as JSON.

Nothing that a player sends or is shown belongs in it: no token, no password, no move. So
tracebacks are written without the values of variables, and of what an exception says only the
first line: a database goes on with the statement's values, or with the whole row.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, BinaryIO

import orjson
import structlog
from structlog.typing import EventDict, Processor

from services.runtime.settings import Settings

LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}


def configure_logs(settings: Settings) -> None:
    """Set the process's log up. Raises ``ValueError`` for a level or format there is not."""
    level = LEVELS.get(settings.log_level)
    if level is None:
        raise ValueError(f"PLYBOOK_LOG_LEVEL is one of {', '.join(LEVELS)}.")
    as_json = structlog.processors.JSONRenderer(serializer=_dump_json)
    renderers: dict[str, Processor] = {"text": _as_text, "json": as_json}
    if settings.log_format not in renderers:
        raise ValueError("PLYBOOK_LOG_FORMAT is text or json.")
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.ExceptionRenderer(
                lambda exc_info: "".join(_iter_traceback(exc_info[1]))
            ),
            renderers[settings.log_format],
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *_: LineWriter(sys.stderr.buffer),
    )
    logging.basicConfig(stream=sys.stderr, level=max(level, logging.WARNING))


class LineWriter:
    """Writes lines, each in one go: the system keeps apart what several threads write so.

    (In a pipe it promises that for 4 KiB; a longer line is a traceback, which may be broken.)

    structlog's own logger holds a lock meanwhile. Whoever writes lets go of the interpreter, and
    all the others that log would wait for whoever has that lock to get it back.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._write: Callable[[bytes], int | None] = getattr(file, "raw", file).write
        self._ended = True

    def msg(self, line: bytes) -> None:
        """Write a line, as far as it can be written.

        Where the disk is full, or whoever reads has gone, the rest is lost, and nothing else is:
        what comes behind a line without an end begins a line of its own.
        """
        rest = line + b"\n" if self._ended else b"\n" + line + b"\n"
        with suppress(OSError):
            while rest:
                # Less than all only when a signal came between, or the disk is full just now.
                rest = rest[self._write(rest) or len(rest) :]
                self._ended = not rest

    debug = info = warning = error = critical = msg


def _iter_traceback(error: BaseException) -> Iterator[str]:
    """Yield the traceback of an exception, behind those of the exceptions that led to it."""
    earlier = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if earlier is not None:
        yield from _iter_traceback(earlier)
        yield "\nThat led to:\n\n"
    yield "Traceback (most recent call last):\n"
    yield from traceback.format_tb(error.__traceback__)
    said = str(error).partition("\n")[0]
    yield f"{type(error).__module__}.{type(error).__qualname__}: {said}\n"


def _dump_json(event: Any, **_: Any) -> bytes:  # noqa: ANN401 - structlog gives what it was given
    return orjson.dumps(event, default=repr)


def _as_text(_: object, __: str, event: EventDict) -> bytes:
    """Write the instant, the level, what happened, and the rest as name=value."""
    fault = event.pop("exception", None)
    first = f"{event.pop('timestamp')} {event.pop('level'):7} {event.pop('event')}"
    line = " ".join([first, *[f"{name}={value}" for name, value in event.items()]])
    line = line if fault is None else f"{line}\n{fault}"
    return line.encode("utf-8", "backslashreplace")
