"""The application: everything of this room put together around one set of services.

Two of its addresses are for those who run it: whether the process lives, and whether it can serve.
"""

from __future__ import annotations

from typing import Any

import structlog
from flask import Blueprint, Flask, Response, request
from typing_extensions import override
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import Map, UnicodeConverter

from services.container import Services
from services.errors import Unavailable
from services.store.schema import is_at_head
from web.api import resources  # noqa: F401 - registers the endpoints
from web.api.operations import api
from web.api.reference import reference
from web.capacity.clients import warn_of_forwarded
from web.failures import handle_failures
from web.http.answers import NO_STORE, answer_json, answer_no_content, compress_answers
from web.http.inputs import refuse_broken_body
from web.http.requests import NoSessions, Rooted, add_headers, get_route
from web.i18n import install_texts
from web.limits import limit_rates
from web.pages.blueprint import pages
from web.pages.common.assets import assets
from web.site import get_site, install_site, site_of

health = Blueprint("health", __name__)


@health.get("/healthz")
def alive() -> Response:
    """Answer at all."""
    return answer_json({"status": "alive"}, cache=NO_STORE)


@health.get("/readyz")
def ready() -> Response:
    """Answer 200 if the database answers and its schema is this release's, else 503.

    Without a worker requests are answered all the same, so that takes no server out of service.
    """
    house = get_site().house
    if not is_at_head(house.database):
        raise Unavailable("The schema of the database is not this release's.")
    worker = "there" if house.downtime.is_beating() else "missing"
    return answer_json({"status": "ready", "worker": worker}, cache=NO_STORE)


_log = structlog.get_logger(__name__)


class Name(UnicodeConverter):
    """Part of an address without a NUL: nothing is called so, and PostgreSQL cannot be asked."""

    def __init__(self, url_map: Map, *args: Any, **named: Any) -> None:  # noqa: ANN401 - werkzeug's
        super().__init__(url_map, *args, **named)
        self.regex = self.regex.replace("[^/]", r"[^/\0]")


class Plybook(Flask):
    """Flask, with an answer to OPTIONS that has no body and so claims no media type."""

    session_interface = NoSessions()

    @override
    def log_exception(self, exc_info: Any) -> None:
        """Log a fault that came up while another was answered."""
        _log.error("fault", method=request.method, path=get_route(), exc_info=exc_info)

    def stop(self) -> None:
        """Let streams end, since the process is about to."""
        site_of(self).stop()

    @override
    def make_default_options_response(self) -> Response:
        allowed = self.url_map.bind_to_environ(request.environ).allowed_methods()
        return answer_no_content({"Allow": ", ".join(sorted(allowed))})


def create_app(house: Services) -> Flask:
    """Return the application over these services."""
    settings = house.settings
    app = Plybook(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body_bytes
    # A doubled slash is another address, not one to be redirected from with a page of HTML.
    app.url_map.merge_slashes = False
    app.url_map.converters["default"] = app.url_map.converters["string"] = Name
    install_site(app, house)
    install_texts(app)
    for blueprint in (api, reference, health, assets, pages):
        app.register_blueprint(blueprint)
    warn_of_forwarded(app, settings)
    limit_rates(app, settings)
    app.before_request(refuse_broken_body)
    compress_answers(app)
    add_headers(app, settings)
    handle_failures(app)
    if settings.trusted_proxies:
        hops = settings.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign]
    trusting = settings.trusted_proxies > 0
    app.wsgi_app = Rooted(app.wsgi_app, settings.public_url, trusting=trusting)  # type: ignore[method-assign]
    return app
