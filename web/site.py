"""What one application holds while it runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import BoundedSemaphore, Event

from flask import Flask, current_app

from services.settings import Settings
from services.wiring import House

_KEY = "plybook"


@dataclass(frozen=True, slots=True)
class Site:
    """The house behind the application, and what is counted in this process.

    ``streams`` is taken once by every open event stream. ``stopping`` is set when the
    process is about to end, so that streams end too and do not hold it up.
    """

    house: House
    settings: Settings
    streams: BoundedSemaphore
    stopping: Event = field(default_factory=Event)


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
