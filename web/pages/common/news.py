"""What is new beside the match of a page: how many matches wait for its reader, what was said.

A page that follows a match hears of it in the match's stream, others ask now and then (why not
all have a stream: docs/decisions/0038-one-stream-where-a-match-goes-on.md).
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from services.container import Services
from services.errors import Unavailable
from services.matches.match_json import ShownMatch
from services.talk.chat import open_rooms
from web.http.streaming import KEEP_ALIVE
from web.pages.common.visitors import still_here
from web.site import this_site


class News:
    """Tells a stream what is new beside its match; called whenever something may be."""

    def __init__(self, shown: ShownMatch, player: str | None) -> None:
        """``shown``: the match as ``player`` sees it, or a visitor (None)."""
        self._house: Services = this_site().house
        self._match, self._player = shown.view.id, player
        self._rooms = open_rooms(shown.view, shown.you)
        self._here: Callable[[], bool] = still_here()
        self._told: dict[str, str] = {}
        self._hint: tuple[int, int] | None = None
        self._again = 0.0

    def __call__(self) -> bytes | None:
        """Return what is to be told, perhaps nothing; None: the reader has logged out.

        Of what other processes did there is no hint, so it is looked for now and then. A move in
        the match alone is none: many may watch it, and it is told to all of them at once.
        """
        notifier = self._house.notifier
        hint = notifier.hinted(self._match), notifier.hinted(self._player)
        if hint == self._hint and monotonic() < self._again:
            return b""
        self._hint, self._again = hint, monotonic() + KEEP_ALIVE / 2
        try:
            return self._new() if self._here() else None
        except Unavailable:
            return None

    def _new(self) -> bytes:
        now = {}
        if self._player is not None:
            now["turns"] = str(self._house.agenda.turns(self._player))
        if self._rooms:
            now["talk"] = self._house.chat.mark(self._match, self._rooms)
        new = [name for name, value in now.items() if self._told.get(name) != value]
        self._told = now
        return b"".join(
            b"event: %b\ndata: %b\n\n" % (one.encode(), now[one].encode()) for one in new
        )
