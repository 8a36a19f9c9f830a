"""Headers that every answer carries, so that a browser does no more with it than it should."""

from __future__ import annotations

from flask import Flask, Response, g

from services.settings import Settings

POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""For answers that bring no policy of their own: nothing may be loaded, nothing may frame it."""

ALWAYS = (
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
)

HTTPS_ONLY = ("Strict-Transport-Security", "max-age=31536000")


def add_headers(app: Flask, settings: Settings) -> None:
    """Add the headers to every answer of ``app``."""
    https = settings.public_url.startswith("https://")
    always = (*ALWAYS, HTTPS_ONLY) if https else ALWAYS

    @app.after_request
    def add(answer: Response) -> Response:
        headers = answer.headers
        if "Content-Security-Policy" not in headers:
            headers.add("Content-Security-Policy", POLICY)
        for name, value in always:
            headers.add(name, value)
        headers.add("X-Request-Id", g.request_id)
        return answer
