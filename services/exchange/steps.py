"""The formats that are made from a replay: all of it, or one of its steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from domain.json_types import JsonObject
from services.errors import NotFound
from services.exchange.document import document
from services.exchange.header import Subject
from services.exchange.picture import png, svg
from services.exchange.proofs_of_exports import Proved
from services.exchange.transcript import transcript
from services.matches.match_json import Shown
from services.matches.queries import Look
from services.replays.replay import Frame, Replays

PICTURES: dict[str, Callable[[Subject, Shown, Frame], bytes]] = {"svg": svg, "png": png}


@dataclass(frozen=True, slots=True)
class Steps:
    """Makes these formats of one match, for the one who looks."""

    replays: Replays
    look: Look
    subject: Subject
    shown: Shown

    def made(self, form: str, at: int | None, proved: Proved | None = None) -> bytes:
        """Return the match in a format; ``at``: the step after this event. Raises ``NotFound``."""
        count = self.subject.events
        if at is not None and not 1 <= at <= count:
            raise NotFound(f"This match has the events 1 to {count}.")
        last = count if at is None else at
        # Further events may have come since the export looked; they are not in it.
        frames = self.replays.replay(self.look, self.subject.match, last=last).frames
        if form in PICTURES:
            return PICTURES[form](self.subject, self.shown, frames[-1])
        if form == "text":
            return transcript(self.subject, self.shown, frames if at is None else frames[-1:])
        setup = self._setup(frames[0].version)
        return document(self.subject, self.shown, setup, frames, proved)

    def _setup(self, upto: int) -> list[JsonObject]:
        page = self.replays.looking.events(self.look, self.subject.match, limit=upto)
        return page.events
