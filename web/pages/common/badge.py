"""How many matches wait for a player, told as it changes to a page that follows no match.

The visible page of a player holds such a stream, and tells it to that browser's other pages. Who is
refused one, or has to leave it to newer ones, asks now and then instead
(docs/decisions/0038-one-stream-where-a-match-goes-on.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from time import monotonic

from flask import Response, request

from web.capacity.places import Share
from web.http.answers import EVENT_STREAM, NO_STORE, answer_no_content
from web.http.streaming import HEADERS, REPLACED, RETRY_MS, OpenStream
from web.pages.common.news import News
from web.pages.common.visitors import find_visitor, make_visitor_check
from web.site import Site, get_site

KEEP_ALIVE = 30.0
"""Seconds until such a stream shows that it still stands, and looks whether its reader does."""

OWN = 2
"""So many of them a player may hold: one for each of two browsers."""


def follow_turns() -> Response:
    """Stream how many matches wait for who is logged in, until they log out; to nobody nothing.

    Raises ``Unavailable``.
    """
    site, found = get_site(), find_visitor()
    if found is None:
        return answer_no_content({"Cache-Control": NO_STORE})
    if request.method == "HEAD":
        return Response(headers=HEADERS, content_type=EVENT_STREAM)
    news = News(None, found.player, make_visitor_check())
    return Response(_Turns(site, found.player, news), headers=HEADERS, content_type=EVENT_STREAM)


class _Turns(OpenStream):
    """An open stream. It holds one of the process's places until it is closed."""

    __slots__ = ("_ear", "_news", "_place", "_site")

    def __init__(self, site: Site, player: str, news: News) -> None:
        """Take a place. All streams of this kind have half of them, matches the rest.

        Raises ``Unavailable`` if none is free.
        """
        self._site, self._news = site, news
        self._ear = ear = site.house.notifier.listen(player)
        own = Share(f"turns {player}", OWN)
        all_of_them = Share("turns", max(1, site.streams.most // 2))
        self._place = place = site.take_place(player, ear, [player], own, all_of_them)
        super().__init__(self._run(), partial(site.leave_place, place, ear, [player]))

    def _run(self) -> Iterator[bytes]:
        site, place = self._site, self._place
        end = monotonic() + site.house.settings.stream_seconds
        yield b"retry: %d\n\n" % RETRY_MS
        while not place.replaced:
            told = self._news()
            if told is None:
                return
            # Something at least, so that it is found out whether somebody still reads.
            yield told or b": still here\n\n"
            if monotonic() >= end or site.stopping.is_set():
                return
            self._ear.wait(min(KEEP_ALIVE, end - monotonic()))
        yield REPLACED
