"""Pages for what went wrong: they say what, and lead back to something that works."""

from __future__ import annotations

from http import HTTPStatus

from flask import Response, make_response, render_template, request
from werkzeug.exceptions import HTTPException

from domain.errors import Refusal
from services.errors import NoSuchStep, TooOften
from web.http.answers import NO_STORE
from web.http.problems import PROBLEMS, RETRY_SECONDS
from web.i18n import N_
from web.pages.common.answers import POLICY
from web.pages.common.visitors import MadeForAnother, tell_caller

_TITLES = {
    400: N_("This address cannot be read"),
    403: N_("This is not for you to see"),
    404: N_("There is nothing here"),
    405: N_("This page can only be viewed"),
    429: N_("One moment, please"),
    500: N_("Something went wrong on our side"),
    503: N_("We cannot show this right now"),
}
_TITLES_OF_FORMS = {
    400: N_("This form cannot be read"),
    403: N_("This did not go through"),
    404: N_("There is nothing here"),
    413: N_("That is too much at once"),
    429: N_("One moment, please"),
    500: N_("Something went wrong on our side"),
    503: N_("We cannot do this right now"),
}
"""What was sent, not looked at, did not work."""

_HINTS = {
    400: N_("Part of the address has a value that this page does not know. The links below work."),
    403: N_(
        "While a match runs, only the player in a seat sees what that seat sees. Anybody may watch."
    ),
    404: N_("The address may be mistyped, or the page may be gone."),
    405: N_("This address takes no forms, or it shows no page."),
    429: N_(
        "You have asked for many pages in a short time. Wait a little, then load this page again."
    ),
    500: N_("The error has been logged. Loading the page again may help; no move was lost."),
    503: N_("Load the page again in a moment; no move was lost."),
}

_NOT_FOUND = {
    "match_id": N_("The address may be mistyped, or the match may be private to its two players."),
    "series_id": N_(
        "The address may be mistyped, or the series may be private to its two players."
    ),
    "name": N_("The name may be mistyped, or the account may be closed."),
}
"""Why a page may not be there, by what its address names."""

_HINTS_OF_FORMS = {
    403: N_(
        "The form was too old, did not come from this site, or was not yours to send. "
        "Nothing has changed. Go back, load that page again, and try once more."
    ),
    429: N_("There were many tries in a short time. Wait a little, and try again."),
    503: N_("Go back and send it again in a moment: it will not count twice."),
}


def answer_failure(error: Exception) -> Response:
    """Return the page for a refusal, an error of HTTP, or a fault of our own."""
    if isinstance(error, Refusal):
        problem = PROBLEMS[error.code]
        if isinstance(error, TooOften):
            return _render_page(problem.status, error.detail, error.seconds)
        retry = RETRY_SECONDS if error.code == "unavailable" else None
        detail = "" if retry else error.detail
        return _render_page(problem.status, detail, retry, step=isinstance(error, NoSuchStep))
    if isinstance(error, HTTPException):
        told = error.description or "" if isinstance(error, MadeForAnother) else ""
        response = _render_page(error.code or 500, told, None)
        for name, value in error.get_headers():
            if name == "Allow":
                response.headers[name] = ", ".join(sorted(value.split(", ")))
            elif name not in ("Content-Type", "Content-Length"):
                response.headers[name] = value
        return response
    return _render_page(500, "", None)


def _render_page(
    status: int, detail: str, retry_after: int | None, *, step: bool = False
) -> Response:
    """Return the page of a failure. ``step``: a match lacks one, and is there itself."""
    sent = request.method == "POST"
    titles, hints = (_TITLES_OF_FORMS, _HINTS_OF_FORMS) if sent else (_TITLES, _HINTS)
    title = titles.get(status, N_("This did not work"))
    below = N_("The links below work.")
    hint = hints.get(status) or _HINTS.get(status, below)
    named = request.view_args or {}
    if step:
        hint = below
    elif status == HTTPStatus.NOT_FOUND:
        hint = next((words for name, words in _NOT_FOUND.items() if name in named), hint)
    page = render_template(
        "common/failures.html",
        status=status,
        title=title,
        detail=detail,
        hint=hint,
        match_id=named.get("match_id") if sent or step else None,
        players_only=not step and _may_be_for_its_players(status),
    )
    response = make_response(page, status)
    response.headers["Cache-Control"] = NO_STORE
    response.headers["Content-Security-Policy"] = POLICY
    if retry_after is not None:
        response.headers["Retry-After"] = str(retry_after)
    return tell_caller(response)


def _may_be_for_its_players(status: int) -> bool:
    """Tell whether logging in may help: a match or a series may be private to its players."""
    private = {"match_id", "series_id"} & set(request.view_args or ())
    return status == HTTPStatus.FORBIDDEN or (status == HTTPStatus.NOT_FOUND and bool(private))
