"""Pages as answers: rendered, with a tag by which a browser learns that nothing changed."""

from __future__ import annotations

from typing import Any

from flask import Response, make_response, render_template, request

POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""What a page may load and do: our own style sheets and pictures, forms to ourselves."""


def answer_page(template: str, **values: Any) -> Response:  # noqa: ANN401 - a template takes anything
    """Return a page that a browser may keep, if it asks each time whether it is still good.

    The tag is taken from the page's bytes, so a new name of a player counts as a change.
    """
    response = make_response(render_template(template, **values))
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Content-Security-Policy"] = POLICY
    response.add_etag()
    response.make_conditional(request)
    return response
