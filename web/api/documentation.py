"""The documentation of the API for people: Swagger UI, served from here, nothing from outside."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from importlib.resources import files
from mimetypes import guess_type

from flask import Blueprint, Response, request

from services.errors import NotFound

documentation = Blueprint("documentation", __name__, url_prefix="/api/docs")

OURS = ("index.html", "init.js")
THEIRS = ("swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@documentation.get("")
def show_documentation() -> Response:
    """Show the page."""
    return _file("index.html")


@documentation.get("/<name>")
def documentation_file(name: str) -> Response:
    """Give a file of the page. Raises ``NotFound`` for any but the few that it uses."""
    if name not in (*OURS, *THEIRS) or name == "index.html":
        raise NotFound("There is no such file.")
    return _file(name)


def _file(name: str) -> Response:
    body, tag = _read(name)
    kind = guess_type(name)[0] or "application/octet-stream"
    answer = Response(body, content_type=f"{kind}; charset=utf-8" if "text/" in kind else kind)
    answer.headers["Content-Security-Policy"] = POLICY
    answer.headers["Cache-Control"] = "no-cache"
    answer.set_etag(tag)
    answer.make_conditional(request)
    return answer


@cache
def _read(name: str) -> tuple[bytes, str]:
    package, folder = (__package__, "docs") if name in OURS else ("flask_swagger_ui", "dist")
    body = files(package).joinpath(folder, name).read_bytes()
    return body, blake2b(body, digest_size=12).hexdigest()
