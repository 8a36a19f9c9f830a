"""The formats there are: names, media types, file names, and what each takes."""

from __future__ import annotations

from typing import NamedTuple


class Format(NamedTuple):
    """A format. ``steps``: it can be had of a single step. ``stream``: it is made on the way."""

    name: str
    kind: str
    ending: str
    steps: bool = False
    stream: bool = False


FORMATS = {
    form.name: form
    for form in (
        Format("ndjson", "application/x-ndjson", "ndjson", stream=True),
        Format("json", "application/json", "json"),
        Format("csv", "text/csv; charset=utf-8", "csv", stream=True),
        Format("text", "text/plain; charset=utf-8", "txt", steps=True),
        Format("svg", "image/svg+xml", "svg", steps=True),
        Format("png", "image/png", "png", steps=True),
        Format("bundle", "application/zip", "zip"),
    )
}
"""The formats of a single match, the default first."""

MANY = tuple(form.name for form in FORMATS.values() if form.stream)
"""The formats of many matches, the default first."""
