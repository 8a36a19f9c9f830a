"""Text: a match as a person reads it, step by step, with boards."""

from __future__ import annotations

from collections.abc import Sequence

from services.drawing.text.board import WIDTH
from services.drawing.text.frames import Names, board, heading, rule, standing
from services.exchange.header import Subject
from services.matches.match_json import Shown
from services.replays.replay import Frame


def transcript(subject: Subject, shown: Shown, frames: Sequence[Frame]) -> bytes:
    """Return the transcript of ``frames`` as UTF-8, in lines of about 80 characters."""
    view = shown.view
    names = Names(shown.names)
    about = (
        f"Rules version {subject.rules_version}, {subject.events} events, seen as "
        f"{subject.viewer.value}. Last hash:\n{subject.head}"
    )
    parts = [heading(view, names, WIDTH).plain, about]
    for frame in frames:
        at = "" if frame.event is None else f" ({frame.event['at'][:19].replace('T', ' ')} UTC)"
        parts += [rule().plain, f"Event {frame.version}{at}: {frame.text}"]
        parts += [board(frame.view, WIDTH).plain, standing(frame.view, names).plain]
    text = "\n\n".join(parts)
    return "".join(f"{line.rstrip()}\n" for line in text.split("\n")).encode()
