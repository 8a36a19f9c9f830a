"""Fetching what a service exports, with bounds; it is read as it comes in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, cast

from cli.terminal.exits import Failure

if TYPE_CHECKING:
    from urllib.error import HTTPError

LARGEST = 1 << 30
"""Bytes of the longest answer that is read."""
PATIENCE = 30
"""Seconds to wait for the next bytes."""
LONGEST_PROBLEM = 1 << 16
GZIP = b"\x1f\x8b"
PAGES = ("text/html", "application/xhtml+xml")


class _Bounded:
    """A file that ends with a failure instead of going on for ever."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._left = LARGEST

    def readline(self, limit: int) -> bytes:
        """Return the next line, at most ``limit`` bytes of it. Raises ``Failure``."""
        line = self._file.readline(limit)
        self._left -= len(line)
        if self._left < 0:
            raise Failure(f"The answer is longer than {LARGEST:,} bytes.")
        return line


@contextmanager
def fetched(url: str) -> Iterator[IO[bytes]]:
    """Give the export at a URL of http or https, unpacked if it is gzipped. Raises ``Failure``."""
    from gzip import GzipFile
    from http.client import HTTPException
    from urllib.error import HTTPError, URLError
    from urllib.request import Request, urlopen

    asked = Request(url, headers={"Accept": "application/x-ndjson"})  # noqa: S310 - see the caller
    try:
        with urlopen(asked, timeout=PATIENCE) as answer:  # noqa: S310
            if answer.headers.get_content_type() in PAGES:
                raise Failure(
                    f"{url} is a web page, and no export: the address of one ends in /export."
                )
            packed = answer.peek(len(GZIP)).startswith(GZIP)
            file = GzipFile(fileobj=answer) if packed else answer
            yield cast("IO[bytes]", _Bounded(cast("IO[bytes]", file)))
    except HTTPError as error:
        with error:
            told = f"{url} answers {error.code} {error.reason}{_detail(error)}."
        raise Failure(told) from error
    except URLError as error:
        raise Failure(f"{url} cannot be reached: {error.reason}.") from error
    except (HTTPException, OSError, ValueError) as error:
        raise Failure(f"{url} cannot be read: {error}.") from error


def _detail(error: HTTPError) -> str:
    """Return what a service says about a refusal (RFC 9457), or nothing."""
    import orjson

    if error.headers.get_content_type() != "application/problem+json":
        return ""
    try:
        detail = orjson.loads(error.read(LONGEST_PROBLEM))["detail"]
    except (orjson.JSONDecodeError, LookupError, TypeError, OSError):
        return ""
    return f": {detail}".rstrip(".")
