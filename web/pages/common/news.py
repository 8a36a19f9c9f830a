"""What is new beside the match of a page: turns that wait, lists that changed, what was said.

A page that follows a match hears of it in the match's stream.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from domain.match.state import FINISHED
from services.container import Services
from services.errors import NotFound, Unavailable
from services.matches.match_json import ShownMatch
from services.matches.queries import Asker
from services.talk.chat import list_open_rooms
from web.http.streaming import KEEP_ALIVE
from web.site import get_site


def find_mark(house: Services, match: str, player: str | None) -> str | None:
    """Return a text that is another one whenever something has changed beside a match.

    That is what is said in the rooms that ``player`` (None: a visitor) may enter by now, and how a
    rematch of theirs stands. None: there is no such match for them to see.
    """
    try:
        shown = house.queries.show(Asker(player), match)
    except NotFound:
        return None
    return compute_mark(house, shown, player)


def compute_mark(house: Services, shown: ShownMatch, player: str | None) -> str:
    """Return the mark of a match that is shown to ``player``."""
    view = shown.view
    said = house.chat.make_mark(view.id, list_open_rooms(view, shown.you))
    if player is None or shown.you is None or view.status != FINISHED:
        return said
    again = house.rematches.find(player, view.id)
    return said if again is None else f"{said}-{again.view.id}.{again.view.status}"


class News:
    """Tells a stream what is new beside its match; called whenever something may be."""

    def __init__(self, match: str | None, player: str | None, here: Callable[[], bool]) -> None:
        """``match``: None where only the reader's turns are told.

        ``here``: whether ``player`` (None: a visitor) is still the one who looks.
        """
        self._house: Services = get_site().house
        self._match, self._player, self._here = match, player, here
        self._told: dict[str, str] = {}
        self._hint: tuple[int, int] | None = None
        self._again = 0.0

    def __call__(self) -> bytes | None:
        """Return what is to be told, perhaps nothing; None: the reader has logged out.

        Of what was said by other processes there is no hint, so it is looked for now and then. A
        move in the match alone is none: many may watch it, and it is told to all of them at once.
        """
        notifier = self._house.notifier
        hint = notifier.get_last_hint(self._match), notifier.get_last_hint(self._player)
        if hint == self._hint and monotonic() < self._again:
            return b""
        self._hint, self._again = hint, monotonic() + KEEP_ALIVE / 2
        try:
            return self._format_new() if self._here() else None
        except Unavailable:
            return None

    def _format_new(self) -> bytes:
        now = {}
        if self._player is not None:
            now["turns"] = str(self._house.agenda.count_turns(self._player))
            if self._match is None:
                # A page with a list of matches follows none of them.
                now["own"] = self._house.agenda.make_mark(self._player)
        if self._match and (mark := find_mark(self._house, self._match, self._player)):
            now["talk"] = mark
        new = [name for name, value in now.items() if self._told.get(name) != value]
        self._told = now
        return b"".join(
            b"event: %b\ndata: %b\n\n" % (one.encode(), now[one].encode()) for one in new
        )
