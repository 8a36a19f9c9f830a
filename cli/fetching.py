"""Fetching what a service exports, with bounds; it is read as it comes in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, cast

from cli.exits import Failure

LARGEST = 1 << 30
"""Bytes of the longest answer that is read."""
PATIENCE = 30
"""Seconds to wait for the next bytes."""


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
    """Give the export at a URL of http or https. Raises ``Failure``."""
    from http.client import HTTPException
    from urllib.error import HTTPError, URLError
    from urllib.request import Request, urlopen

    asked = Request(url, headers={"Accept": "application/x-ndjson"})  # noqa: S310 - see the caller
    try:
        with urlopen(asked, timeout=PATIENCE) as answer:  # noqa: S310
            yield cast("IO[bytes]", _Bounded(answer))
    except HTTPError as error:
        raise Failure(f"{url} answers {error.code} {error.reason}.") from error
    except URLError as error:
        raise Failure(f"{url} cannot be reached: {error.reason}.") from error
    except (HTTPException, OSError, ValueError) as error:
        raise Failure(f"{url} cannot be read: {error}.") from error
