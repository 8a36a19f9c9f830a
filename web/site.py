"""The site: the services of one application, and what its requests share while it runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Event

from flask import Flask, current_app, request

from services.container import Services
from services.errors import Unavailable
from services.runtime.gateway import LET_GO, WHEN_GONE
from services.runtime.notifier import Ear
from web.capacity.clients import Budget, Counted, Workshop, get_client, has_gone
from web.capacity.places import Places, Share, StreamPlace
from web.capacity.shared_portions import Shared

_KEY = "plybook"


@dataclass(frozen=True, slots=True)
class Site:
    """The services behind the application, and what is counted in this process.

    ``streams`` are the places for event streams, ``exports`` those for exports of many matches.
    ``told`` is what spectators were told last. ``stopping`` is set when the process is about to
    end, so that streams end too and do not hold it up. ``workshop`` makes costly answers, and
    ``budget`` is what one client may have of the processor.
    """

    house: Services
    streams: Places
    exports: Counted
    stopping: Event
    told: Shared
    budget: Budget
    workshop: Workshop

    def stop(self) -> None:
        """Let streams end."""
        self.stopping.set()
        self.house.notifier.wake_all()

    def take_place(
        self, player: str | None, ear: Ear, names: Sequence[str], *closest: Share
    ) -> StreamPlace:
        """Take a place for a stream of the present request; ``closest``: a share that is smaller.

        ``names``: the matches and players that the stream's ear hears of; if no place is free, it
        hears no more, and ``Unavailable`` is raised.
        """
        most = self.house.settings.max_client_streams
        of_account = [] if player is None else [Share(f"account {player}", most)]
        of_address = Share(f"address {get_client()}", most)
        # Tests' clients, and other servers, have neither this nor what tells who has gone.
        let_go: Callable[[], None] = request.environ.get(LET_GO, lambda: None)
        try:
            place = self.streams.take([*closest, *of_account, of_address], ear.ring, let_go)
        except Unavailable:
            self._hear_no_more(ear, names)
            raise
        when_gone: Callable[[Callable[[], None]], None] | None = request.environ.get(WHEN_GONE)
        if when_gone is not None:
            when_gone(place.doubt)
        return place

    def leave_place(self, place: StreamPlace, ear: Ear, names: Sequence[str]) -> None:
        """Give the place of a stream back, and hear no more."""
        self._hear_no_more(ear, names)
        self.streams.leave(place)

    def _hear_no_more(self, ear: Ear, names: Sequence[str]) -> None:
        for name in names:
            self.house.notifier.leave(name, ear)


def install_site(app: Flask, house: Services) -> None:
    """Make a site of these services that of ``app``."""
    settings = house.settings
    streams = Places(max(1, settings.max_streams))
    most = max(1, settings.max_exports)
    exports = Counted(most, (most + 1) // 2, "As many exports are under way as there may be.")
    budget = Budget(settings.processor_limit if settings.rate_limit else 0)
    workshop = Workshop(budget, has_gone)
    app.extensions[_KEY] = Site(house, streams, exports, Event(), Shared(), budget, workshop)


def site_of(app: Flask) -> Site:
    """Return the site of an application."""
    site: Site = app.extensions[_KEY]
    return site


def get_site() -> Site:
    """Return the site of the application that answers the present request."""
    return site_of(current_app)
