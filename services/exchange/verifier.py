"""The verifier that comes with every export: one file that needs nothing but Python."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from services.errors import NotFound

NAME = "verify_match.py"


@cache
def verifier() -> bytes:
    """Return the program's source. Raises ``NotFound`` where an installation lacks it."""
    source = files("services.exchange") / NAME
    if not source.is_file():
        raise NotFound("This installation has no standalone verifier.")
    return source.read_bytes()
