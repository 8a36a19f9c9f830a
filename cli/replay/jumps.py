"""Where words lead in a replay: a search, the number of an event, a time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from services.replays.replays import Frame
from services.runtime.clock import instant


def search(frames: Sequence[Frame], words: str) -> list[int]:
    """Return the frames that say ``words``, in whatever case; kinds and hashes count as said."""
    wanted = words.casefold()
    return [index for index, frame in enumerate(frames) if wanted in _said(frame).casefold()]


def _said(frame: Frame) -> str:
    event = frame.event or {"kind": "", "hash": ""}
    return f"{frame.text} {event['kind']} {event['hash']}"


def at_version(frames: Sequence[Frame], version: int) -> int | None:
    """Return the frame after an event, before the first move the first; None for no such event."""
    if not 1 <= version <= frames[-1].version:
        return None
    return max([0, *(index for index, one in enumerate(frames) if one.version <= version)])


def at_time(frames: Sequence[Frame], here: int, typed: str) -> int | None:
    """Return the last frame at or before a time in UTC; None for what is no time.

    A time without a day is one of the day of the frame ``here``.
    """
    typed = typed.strip()
    if "-" not in typed:
        event = frames[here].event or (frames[1].event if len(frames) > 1 else None)
        typed = f"{event['at'][:10]} {typed}" if event else typed
    try:
        when = datetime.fromisoformat(typed)
    except ValueError:
        return None
    limit = instant(when if when.tzinfo else when.replace(tzinfo=UTC))
    earlier = (i for i, one in enumerate(frames) if one.event and one.event["at"] <= limit)
    return max([0, *earlier])
