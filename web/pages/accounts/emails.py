"""Notices by mail: the address and what is told there, its confirmation, and the end of it."""

from __future__ import annotations

from contextlib import suppress
from ipaddress import ip_address

from flask import Response, request

from services.errors import InvalidRequest, NotFound, TooOften, Unauthenticated, Unavailable
from services.notices.emails import HOURS, LONGEST
from services.store.notices.channels import EMAIL
from web.i18n import _
from web.pages.accounts.notices import OFF_WORDS, TYPES_TO_CHOOSE, list_sent
from web.pages.common import visitors
from web.pages.common.answers import answer_page, lead_to_done
from web.pages.common.forms import place_at, read_number, read_text
from web.pages.common.visitors import get_player
from web.site import get_site


def give_address() -> Response:
    """Send a link to an address, by which it is confirmed."""
    player, password = get_player(), request.form.get("password", "")
    try:
        get_site().house.emails.give(player.name, password, read_text("address"))
    except Unauthenticated:
        return show_email(401, {"password": _("This is not your password.")})
    except (InvalidRequest, TooOften, Unavailable) as refusal:
        return show_email(*place_at("address", refusal))
    visitors.remember_client(player.name)
    return lead_to_done("pages.email", "given")


def act_on_email() -> Response:
    """Do with an address what was asked for: ``do`` is the name of a button."""
    player, do = get_player().player, read_text("do")
    try:
        _do(player, do)
    except (InvalidRequest, TooOften) as refusal:
        return show_email(*place_at("", refusal))
    return lead_to_done("pages.email", do)


def _do(player: str, do: str) -> None:
    emails = get_site().house.emails
    if do == "choose":
        emails.choose(player, request.form.getlist("type"), read_number("hour"))
    elif do == "test":
        emails.test(player)
    elif do == "on":
        emails.turn_on(player)
    elif do == "forget":
        emails.forget(player, read_text("channel"))
    else:
        raise InvalidRequest(_("There is no such button on this page."))


def show_confirmation(secret: str) -> Response:
    """Ask whether an address is to be confirmed: programs follow links, and press no buttons."""
    return _answer_link("confirm", good=get_site().house.emails.awaits(secret))


def confirm_address(secret: str) -> Response:
    """Confirm an address."""
    try:
        get_site().house.emails.confirm(secret)
    except NotFound:
        return _answer_link("confirm", good=False)
    return _answer_link("confirm", done=True)


def show_unsubscribe(key: str) -> Response:
    """Ask whether no more mails are wanted."""
    return _answer_link("stop", good=get_site().house.emails.may_stop(key))


def stop_mails(key: str) -> Response:
    """Send no more notices; mail programs ask for it themselves, by RFC 8058."""
    try:
        get_site().house.emails.stop(key)
    except NotFound:
        return _answer_link("stop", good=False)
    return _answer_link("stop", done=True)


def show_demo_mails() -> Response:
    """Show the mails of a demo, which go nowhere, to whoever runs it: at the same machine.

    Raises ``NotFound`` for everybody else, and where mail is sent.
    """
    folder = get_site().house.outbox.mailer.folder
    if folder is None or not _is_here():
        raise NotFound(_("Mails cannot be read from here."))
    return answer_page("accounts/demo_mails.html", own=True, mails=folder.list_newest())


def _is_here() -> bool:
    """Tell whether somebody asks from this very machine, and not through a proxy on it."""
    through = {"X-Forwarded-For", "Forwarded", "Via"} & {name for name, _ in request.headers}
    with suppress(ValueError):
        return not through and ip_address(request.remote_addr or "").is_loopback
    return False


def _answer_link(about: str, *, good: bool = True, done: bool = False) -> Response:
    status = 200 if good else 404
    return answer_page(
        "accounts/mail_link.html", status=status, own=True, about=about, good=good, done=done
    )


def show_email(status: int = 200, errors: dict[str, str] | None = None) -> Response:
    """Show a player their address, what is told there, and what was."""
    player, emails = get_player().player, get_site().house.emails
    addresses = emails.list_by_player(player)
    return answer_page(
        "accounts/email.html",
        status=status,
        errors=errors or {},
        available=emails.available,
        confirmed=next((one for one in addresses if one.confirmed), None),
        unconfirmed=next((one for one in addresses if not one.confirmed), None),
        address=read_text("address") if errors else "",
        longest=LONGEST,
        types=TYPES_TO_CHOOSE,
        hours=HOURS,
        off_words=OFF_WORDS[EMAIL],
        done=request.args.get("done", ""),
        **list_sent(EMAIL, "pages.email"),
    )
