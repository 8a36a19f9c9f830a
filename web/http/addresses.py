"""Where this service is: the address that people reach it by may have a path of its own.

Behind a proxy that serves it at ``https://host/plybook`` every address that it gives begins with
``/plybook``: the root of the application, which WSGI calls its script name. Where the proxy takes
the root away before it asks, or does not, is the same here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from flask import request

from services.runtime.settings import ROOT, public_root
from web.http.requests import Environ
from web.site import this_site

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication


class Rooted:
    """An application under the path of its public address.

    Without one, and where proxies are trusted, ``X-Forwarded-Prefix`` of the nearest one counts.
    """

    def __init__(self, app: WSGIApplication, public_url: str, *, trusting: bool) -> None:
        """``trusting``: there are proxies whose headers are believed."""
        self._app = app
        self._root = public_root(public_url)
        self._trusting = trusting and not public_url

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request, whether it comes with the root or without."""
        root = self._root or self._forwarded(environ)
        if root:
            path = environ.get("PATH_INFO", "")
            if path == root or path.startswith(f"{root}/"):
                environ["PATH_INFO"] = path[len(root) :] or "/"
            environ["SCRIPT_NAME"] = root
        return self._app(environ, start_response)

    def _forwarded(self, environ: Environ) -> str:
        if not self._trusting:
            return ""
        given = environ.get("HTTP_X_FORWARDED_PREFIX", "").rpartition(",")[2].strip().rstrip("/")
        return given if ROOT.fullmatch(given) else ""


def here() -> str:
    """Return the path of the present request, with the root of the application."""
    return request.root_path + request.path


def rooted(path: str) -> str:
    """Return a path of ours with the root of the application."""
    return request.root_path + path


def whole(path: str) -> str:
    """Return the address of a path (one with the root) as people reach this service."""
    public = urlsplit(this_site().settings.public_url)
    origin = f"{public.scheme}://{public.netloc}/" if public.netloc else request.host_url
    return origin.rstrip("/") + path


def cookie_path() -> str:
    """Return the path under which cookies are sent back: to nobody else on the same host."""
    return request.root_path or "/"
