"""Signing up, logging in and out."""

from __future__ import annotations

from flask import Response, request, url_for

from services.accounts.passkeys import find_relying_party
from services.accounts.passwords import LONGEST, SHORTEST
from services.errors import InvalidPlayer, NameTaken, Suspended, Unauthenticated
from services.matches.house_players import DRAW_FROM
from web.http.requests import make_public_url
from web.pages.common import visitors
from web.pages.common.answers import answer_page, lead_to, lead_to_done
from web.pages.common.forms import (
    find_local_address,
    place_at,
    place_refusal,
    read_new_password,
    read_text,
)
from web.site import get_site


def show_sign_up() -> Response:
    """Show the form for a new player, or go on with one who is logged in."""
    return _show_form("accounts/sign_up.html")


def sign_up() -> Response:
    """Create a player, log them in, and lead on."""
    try:
        visitors.sign_up(read_text("name"), read_new_password())
    except (InvalidPlayer, NameTaken) as refusal:
        return _show_form("accounts/sign_up.html", *place_refusal(refusal))
    return lead_to(_read_following())


def show_log_in(status: int = 200, errors: dict[str, str] | None = None) -> Response:
    """Show the form to log in, or go on with one who is logged in."""
    return _show_form("accounts/log_in.html", status, errors)


def log_in() -> Response:
    """Log somebody in, and lead on."""
    return log_in_as(read_text("name"), request.form.get("password", ""), _read_following())


def log_in_as(name: str, password: str, following: str) -> Response:
    """Log a player in and lead on; say so where that keeps an account that was to be deleted."""
    try:
        stays = visitors.log_in(name, password)
    except (Suspended, Unauthenticated) as refusal:
        return show_log_in(*place_at("", refusal))
    return lead_to_done("pages.account", "stays") if stays else lead_to(following)


def log_out() -> Response:
    """Log out; lead to the first page."""
    visitors.log_out()
    return lead_to(url_for("pages.home"))


def _show_form(template: str, status: int = 200, errors: dict[str, str] | None = None) -> Response:
    if visitors.find_visitor() is not None:
        return lead_to(_read_following())
    asked = request.values.get("next", "")
    return answer_page(
        template,
        status=status,
        own=True,
        ended=bool(request.args.get("ended")),
        errors=errors or {},
        name=request.form.get("name", ""),
        next=find_local_address(asked) or "",
        lengths=(SHORTEST, LONGEST),
        passkeys_allowed=find_relying_party(make_public_url("/")) is not None,
        draw_from=DRAW_FROM,
        left_behind=_will_leave_matches(),
    )


def _will_leave_matches() -> bool:
    """Whether this browser has matches against the house that do not go with a log-in."""
    holder = visitors.find_practice_holder()
    return holder is not None and get_site().house.practice.holds_a_visitors(holder)


def _read_following() -> str:
    return find_local_address(request.values.get("next", "")) or url_for("pages.home")
