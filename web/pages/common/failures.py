"""Pages for what went wrong: they say what, and lead back to something that works."""

from __future__ import annotations

from flask import Response, make_response, render_template, request
from werkzeug.exceptions import HTTPException

from domain.errors import Refusal
from services.errors import TooOften
from web.http.problems import PROBLEMS, RETRY_SECONDS
from web.i18n import N_
from web.pages.common.answers import POLICY
from web.pages.common.visitors import MadeForAnother, tell_caller

_TITLES = {
    400: N_("This address cannot be read"),
    403: N_("This is not for you to see"),
    404: N_("There is nothing here"),
    405: N_("This page can only be looked at"),
    429: N_("One moment, please"),
    500: N_("Something went wrong on our side"),
    503: N_("We cannot show this just now"),
}
_TITLES_OF_FORMS = {
    400: N_("This form cannot be read"),
    403: N_("This did not go through"),
    404: N_("There is nothing here"),
    413: N_("That is too much at once"),
    429: N_("One moment, please"),
    500: N_("Something went wrong on our side"),
    503: N_("We cannot do this just now"),
}
"""What was sent, not looked at, did not work."""

_HINTS = {
    400: N_(
        "A part of the address has a value that this page does not know. The links below work."
    ),
    403: N_("While a match runs, a seat's own sight belongs to that seat. Anybody may look on."),
    404: N_("The address may be mistyped, or the match may be private to its two players."),
    405: N_("Nothing can be sent to this address, or nothing can be seen at it."),
    429: N_(
        "You have asked for many pages in a short time. Wait a little, then load this page again."
    ),
    500: N_("It has been written down. Loading the page again may help; no move was lost."),
    503: N_("Load the page again in a moment; no move was lost."),
}


_HINTS_OF_FORMS = {
    403: N_(
        "The form was old, came from another page than ours, or is for somebody else to send. "
        "Nothing has changed. Go back, load that page again, and try once more."
    ),
    429: N_("There have been many tries in a short time. Wait a little, and try again."),
    503: N_("Go back and send it again in a moment: it will not count twice."),
}


def answer_failure(error: Exception) -> Response:
    """Return the page for a refusal, an error of HTTP, or a fault of our own."""
    if isinstance(error, Refusal):
        problem = PROBLEMS[error.code]
        if isinstance(error, TooOften):
            return _page(problem.status, error.detail, error.seconds)
        retry = RETRY_SECONDS if error.code == "unavailable" else None
        return _page(problem.status, "" if retry else error.detail, retry)
    if isinstance(error, HTTPException):
        told = error.description or "" if isinstance(error, MadeForAnother) else ""
        response = _page(error.code or 500, told, None)
        for name, value in error.get_headers():
            if name not in ("Content-Type", "Content-Length"):
                response.headers[name] = value
        return response
    return _page(500, "", None)


def _page(status: int, detail: str, retry_after: int | None) -> Response:
    sent = request.method == "POST"
    titles, hints = (_TITLES_OF_FORMS, _HINTS_OF_FORMS) if sent else (_TITLES, _HINTS)
    title = titles.get(status, N_("This did not work"))
    hint = hints.get(status) or _HINTS.get(status, N_("The links below lead to what there is."))
    match_id = (request.view_args or {}).get("match_id") if sent else None
    page = render_template(
        "common/failures.html",
        status=status,
        title=title,
        detail=detail,
        hint=hint,
        match_id=match_id,
    )
    response = make_response(page, status)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Content-Security-Policy"] = POLICY
    if retry_after is not None:
        response.headers["Retry-After"] = str(retry_after)
    return tell_caller(response)
