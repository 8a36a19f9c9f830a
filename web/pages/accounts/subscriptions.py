"""A player's feed and calendar: their addresses, and what is read there.

What is read there is written by libraries that know the formats. Nothing in it changes from one
time to the next by itself, so that whoever has it already is told so (304).
"""

from __future__ import annotations

from datetime import datetime
from uuid import NAMESPACE_URL, uuid5

from flask import Response, request, url_for

from domain.match.notices import CHALLENGE, OVER, SERIES_OVER, TIME_LOW, TURN
from services.matches.match_json import ShownMatch
from services.notices.subscriptions import KINDS, Deadline, FeedOfNotices
from services.store.notices.channels import CALENDAR, FEED
from web.http.answers import answer_bytes
from web.http.requests import add_root, make_public_url
from web.i18n import N_, _, speak
from web.pages.common.answers import answer_page, lead_to_done
from web.pages.common.forms import check_choice, read_text
from web.pages.common.visitors import get_player
from web.site import get_site

ATOM, ICALENDAR = "application/atom+xml; charset=utf-8", "text/calendar; charset=utf-8"

TITLES = {
    TURN: N_("Your turn: %(game)s with %(player)s"),
    CHALLENGE: N_("A challenge: %(game)s with %(player)s"),
    OVER: N_("Finished: %(game)s with %(player)s"),
    TIME_LOW: N_("Little time is left: %(game)s with %(player)s"),
    SERIES_OVER: N_("The series is over: %(game)s with %(player)s"),
}
"""What the entries of a feed are called, by the types of notices."""

TO_MOVE = N_("Move due: %(game)s with %(player)s")
TO_ANSWER = N_("Answer to a challenge due: %(game)s with %(player)s")
"""What the entries of a calendar are called."""

ADDRESSES = {FEED: "pages.feed", CALENDAR: "pages.calendar"}


def change_subscription() -> Response:
    """Make an address, and show it, this once; or revoke one. Raises ``InvalidRequest``."""
    player, kind, do = get_player().player, read_text("kind"), read_text("do")
    subscriptions = get_site().house.subscriptions
    check_choice("do", do, ("make", "revoke"))
    if do == "revoke":
        subscriptions.revoke(player, kind)
        return lead_to_done("pages.subscriptions", "revoked")
    secret = subscriptions.make(player, kind)
    return show_subscriptions(
        made=kind, address=make_public_url(url_for(ADDRESSES[kind], secret=secret))
    )


def show_feed(secret: str) -> Response:
    """Answer with the feed at a secret address (Atom, RFC 4287)."""
    found = get_site().house.subscriptions.get_feed(secret)
    speak(get_site().house.subscriptions.find_language(secret))
    return answer_bytes(_format_atom(found), kind=ATOM)


def show_calendar(secret: str) -> Response:
    """Answer with the calendar at a secret address (iCalendar, RFC 5545)."""
    found = get_site().house.subscriptions.get_calendar(secret)
    speak(get_site().house.subscriptions.find_language(secret))
    return answer_bytes(_format_icalendar(found), kind=ICALENDAR)


def show_subscriptions(made: str = "", address: str = "") -> Response:
    """Show a player what they have, without its addresses but that of a kind just ``made``."""
    found = get_site().house.subscriptions.get_by_kind(get_player().player)
    return answer_page(
        "accounts/subscriptions.html",
        kinds=KINDS,
        found=found,
        made=made,
        address=address,
        done=request.args.get("done", ""),
    )


def _format_atom(found: FeedOfNotices) -> bytes:
    # Only who reads a feed needs it.
    from feedgenerator import Atom1Feed  # noqa: PLC0415

    feed = Atom1Feed(
        title=_("Plybook: your notices"),
        link=make_public_url(url_for("pages.home")),
        description=None,
        feed_url=make_public_url(add_root(request.path)),
        feed_guid=_make_urn(found.subscription.id),
        author_name="Plybook",
    )
    for entry in found.entries:
        feed.add_item(
            title=_format_title(TITLES[entry.type], entry.shown),
            link=_make_match_url(entry.shown),
            description=None,
            unique_id=_make_urn(f"{found.subscription.id}/{entry.number}"),
            updateddate=datetime.fromisoformat(entry.at),
        )
    feed.add_item(
        title=_("Your notices appear in this feed from now on."),
        link=make_public_url(url_for("pages.home")),
        description=None,
        unique_id=_make_urn(f"{found.subscription.id}/made"),
        updateddate=datetime.fromisoformat(found.subscription.created_at),
    )
    written: str = feed.writeString("utf-8")
    return written.encode()


def _format_icalendar(found: list[Deadline]) -> bytes:
    from icalendar import Calendar, Event  # noqa: PLC0415 - as above

    calendar = Calendar()
    calendar.add("prodid", "-//Plybook//Deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", _("Plybook: due moves"))
    for one in found:
        event = Event()
        event.add("uid", _make_urn(one.shown.view.id))
        event.add("dtstamp", datetime.fromisoformat(one.shown.view.updated_at))
        event.add("dtstart", datetime.fromisoformat(one.at))
        event.add("summary", _format_title(TO_ANSWER if one.challenge else TO_MOVE, one.shown))
        event.add("url", _make_match_url(one.shown))
        calendar.add_component(event)
    written: bytes = calendar.to_ical()
    return written


def _format_title(title: str, shown: ShownMatch) -> str:
    view = shown.view
    own = view.opponent if shown.you is None else view.seats[shown.you - 1]
    other = next((one for one in (*view.seats, view.opponent) if one not in (None, own)), None)
    return _(title) % {"game": view.game.name, "player": shown.tell_name(other) or _("nobody")}


def _make_match_url(shown: ShownMatch) -> str:
    return make_public_url(url_for("pages.match", match_id=shown.view.id))


def _make_urn(name: str) -> str:
    """Return an identity that does not change, whatever address the service has."""
    return uuid5(NAMESPACE_URL, f"plybook/{name}").urn
