"""What one application holds while it runs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from threading import BoundedSemaphore, Event, Lock

from flask import Flask, current_app

from services.settings import Settings
from services.wiring import House
from web.costs import Budget, Workshop

_KEY = "plybook"


class Tally:
    """Counts how often each name is in use; safe for threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._counts: Counter[str] = Counter()

    def take(self, name: str, most: int) -> bool:
        """Count one more, unless there are ``most`` already."""
        with self._lock:
            if self._counts[name] >= most:
                return False
            self._counts[name] += 1
            return True

    def give(self, name: str) -> None:
        """Count one less."""
        with self._lock:
            self._counts[name] -= 1
            if not self._counts[name]:
                del self._counts[name]


@dataclass(frozen=True, slots=True)
class Site:
    """The house behind the application, and what is counted in this process.

    ``streams`` is taken once by every open event stream, ``own_streams`` by every stream of a
    player's own matches, under the player's id. ``stopping`` is set when the
    process is about to end, so that streams end too and do not hold it up. ``workshop`` makes
    costly answers, and ``budget`` is what one client may have of the processor.
    """

    house: House
    settings: Settings
    streams: BoundedSemaphore
    stopping: Event = field(default_factory=Event)
    own_streams: Tally = field(default_factory=Tally)
    budget: Budget = field(init=False)
    workshop: Workshop = field(init=False)

    def __post_init__(self) -> None:
        """Put up what the settings ask for."""
        limit = self.settings.processor_limit if self.settings.rate_limit else 0
        object.__setattr__(self, "budget", Budget(limit))
        object.__setattr__(self, "workshop", Workshop(self.budget))


def install(app: Flask, site: Site) -> None:
    """Make ``site`` that of ``app``."""
    app.extensions[_KEY] = site


def site_of(app: Flask) -> Site:
    """Return the site of an application."""
    site: Site = app.extensions[_KEY]
    return site


def this_site() -> Site:
    """Return the site of the application that answers the present request."""
    return site_of(current_app)
