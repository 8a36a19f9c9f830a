"""Pages as answers: rendered, with what a browser may keep of them."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Response, make_response, render_template, request, url_for

from domain.json_types import Json
from web.http.answers import JSON, NO_STORE, SHARED
from web.i18n import format_vary
from web.pages.common.visitors import find_actor

_OURS = (
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; "
    "worker-src 'self'; manifest-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors "
)
POLICY = f"{_OURS}'none'"
"""What a page may load and do: our own scripts, style sheets and pictures, forms to ourselves."""

FRAMED = f"{_OURS}*"
"""The same of a page that is made to stand in a frame of others."""

NEVER_KEPT = "private, no-store"
"""Of what a player sees: it may show a hand, and the next one at this machine is not its owner."""


def lead_to(address: str) -> Response:
    """Lead a browser on to another page, which it is to look at."""
    return Response(status=303, headers={"Location": address, "Cache-Control": NO_STORE})


def lead_to_done(endpoint: str, done: str, **where: Any) -> Response:  # noqa: ANN401 - as addresses take them
    """Lead on to a page that says, by this name, what was done."""
    return lead_to(url_for(endpoint, done=done, _anchor="done", **where))


def answer_page(
    template: str,
    *,
    status: int = 200,
    own: bool = False,
    framed: bool = False,
    **values: Any,  # noqa: ANN401 - a template takes anything
) -> Response:
    """Return a page.

    One for everybody may be kept, if the browser asks each time whether it is still good: its
    tag is taken from its bytes, so a new name of a player counts as a change. What a player
    sees, and what is ``own`` to this browser (a form with its token), is never kept.
    """
    response = make_response(render_template(template, **values), status)
    response.headers["Content-Security-Policy"] = FRAMED if framed else POLICY
    return set_caching(response, own=own)


def answer_data(content: Json) -> Response:
    """Return JSON for a script of ours; what a player sees is never kept."""
    return set_caching(Response(orjson.dumps(content), content_type=JSON))


def set_caching(response: Response, *, own: bool = False) -> Response:
    """Say in an answer what a browser may keep of it."""
    response.headers["Vary"] = format_vary()
    if own or find_actor() is not None:
        response.headers["Cache-Control"] = NEVER_KEPT
        return response
    response.headers["Cache-Control"] = SHARED
    response.add_etag()
    response.make_conditional(request)
    return response
