"""The log of a server process: one event a line on standard error, as text or as JSON.

Nothing that a player sends or is shown belongs in it: no token, no password, no move. So
tracebacks are written without the values of variables.
"""

from __future__ import annotations

import logging
import sys
from typing import Any

import orjson
import structlog
from structlog.typing import Processor

from services.settings import Settings

LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}


def configure_logs(settings: Settings) -> None:
    """Set the process's log up. Raises ``ValueError`` for a level or format there is not."""
    level = LEVELS.get(settings.log_level)
    if level is None:
        raise ValueError(f"PLYBOOK_LOG_LEVEL is one of {', '.join(LEVELS)}.")
    structlog.configure(
        processors=_processors(settings.log_format),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.BytesLoggerFactory(sys.stderr.buffer),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(stream=sys.stderr, level=max(level, logging.WARNING))


def _processors(log_format: str) -> list[Processor]:
    always: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    if log_format == "json":
        as_json = structlog.processors.JSONRenderer(serializer=_json)
        return [*always, structlog.processors.format_exc_info, as_json]
    if log_format == "text":
        as_text = structlog.dev.ConsoleRenderer(
            colors=False, exception_formatter=structlog.dev.plain_traceback
        )
        return [*always, as_text, _encoded]
    raise ValueError("PLYBOOK_LOG_FORMAT is text or json.")


def _json(event: Any, **_: Any) -> bytes:  # noqa: ANN401 - structlog gives what it was given
    return orjson.dumps(event, default=repr)


def _encoded(_: object, __: str, line: Any) -> bytes:  # noqa: ANN401 - a text by now
    return str(line).encode("utf-8", "backslashreplace")
