"""An event as it is recorded, for who wants to see it whole: hash, seals, and whether they hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

import orjson
from rich.text import Text

from domain.json_types import JsonObject
from domain.log.chain import body, canonical, commitment, digest

NAMES = 9
"""How much room the names of members take."""

_TITLE = "bold"
_SIMPLE = ("match", "schema", "actor", "at", "previous", "hash")


def inspection(events: Sequence[JsonObject], width: int) -> Iterator[Text]:
    """Yield the lines that tell the events of a step, as the viewer may see them."""
    if not events:
        yield from _plain("No event: this is the position before the first move.", width)
    elif len(events) > 1:
        yield from _plain(f"{len(events)} events led to the position before the first move.", width)
        yield Text()
    for number, event in enumerate(events):
        if number:
            yield Text()
        yield from _inspected(event, width)


def _inspected(event: JsonObject, width: int) -> Iterator[Text]:
    yield Text(f"Event {event['version']}: {event['kind']}", _TITLE)
    for name in _SIMPLE:
        yield from _member(name, str(event[name]), width)
    right = digest(body(event)) == event["hash"]
    verdict = "it is the SHA-256 of what is shown" if right else "IT IS NOT THAT OF WHAT IS SHOWN"
    yield from _member("", verdict, width)
    yield Text()
    yield Text("Data", _TITLE)
    yield from _json(event["data"], width)
    yield Text()
    yield from _seals(event["sealed"], width)
    yield Text("As it is hashed", _TITLE)
    yield from _broken(body(event).decode(), width)


def _seals(seals: list[JsonObject], width: int) -> Iterator[Text]:
    if not seals:
        yield Text("Nothing is sealed in it.")
        yield Text()
    for number, seal in enumerate(seals, 1):
        yield Text(f"Seal {number}, for {', '.join(seal['for'])}: {_state(seal)}", _TITLE)
        yield from _member("commits", str(seal["commitment"]), width)
        if "salt" in seal:
            yield from _member("salt", str(seal["salt"]), width)
            yield from _member("value", canonical(seal["value"]).decode(), width)
        yield Text()


def _state(seal: JsonObject) -> str:
    if "salt" not in seal:
        return "closed"
    right = commitment(seal["salt"], seal["value"]) == seal["commitment"]
    return "open, and what was sealed" if right else "open, and NOT WHAT WAS SEALED"


def _member(name: str, value: str, width: int) -> Iterator[Text]:
    room = max(8, width - NAMES)
    for number, line in enumerate(wrap(value, room, break_on_hyphens=False) or [""]):
        yield Text.assemble((f"{'' if number else name:<{NAMES}}", "dim"), line)


def _json(value: JsonObject, width: int) -> Iterator[Text]:
    pretty = orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS).decode()
    for line in pretty.splitlines():
        yield from _broken(line, width)


def _broken(line: str, width: int) -> Iterator[Text]:
    """Break where the width ends: no character is added or left out."""
    return (Text(line[at : at + width]) for at in range(0, len(line), max(1, width)))


def _plain(text: str, width: int) -> Iterator[Text]:
    return map(Text, wrap(text, max(8, width)))
