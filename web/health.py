"""Whether the process lives, and whether it can serve: for those who run it."""

from __future__ import annotations

import orjson
from flask import Blueprint, Response

from domain.json_types import JsonObject
from services.errors import Unavailable
from services.store.schema import is_at_head
from web.http.answers import JSON, NO_STORE
from web.site import this_site

health = Blueprint("health", __name__)


@health.get("/healthz")
def alive() -> Response:
    """Answer at all."""
    return _answer({"status": "alive"})


@health.get("/readyz")
def ready() -> Response:
    """Answer 200 if the database answers and its schema is this release's, else 503."""
    if not is_at_head(this_site().house.database):
        raise Unavailable("The schema of the database is not this release's.")
    return _answer({"status": "ready"})


def _answer(value: JsonObject) -> Response:
    return Response(orjson.dumps(value), headers={"Cache-Control": NO_STORE}, content_type=JSON)
