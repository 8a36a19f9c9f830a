"""All channels by which a player is told, on one page; and what those of one kind were sent."""

from __future__ import annotations

from typing import Any

import structlog
from flask import Response, request, url_for

from domain.match.notices import CHALLENGE, OVER, SERIES_OVER, TEST, TIME_LOW, TURN, TYPES
from services.errors import CursorGone, InvalidRequest, NotFound
from services.notices.push.browsers import BrowserView
from services.runtime.key_file import NoKey
from services.store.notices.channels import EMAIL, PUSH, WEBHOOK
from web.i18n import N_, _
from web.pages.accounts.account import describe_agent
from web.pages.common.answers import answer_page
from web.pages.common.visitors import get_player
from web.site import get_site

TYPE_WORDS = {
    TURN: N_("It is your turn"),
    CHALLENGE: N_("You are challenged"),
    OVER: N_("A match of yours is over"),
    TIME_LOW: N_("You have little time left"),
    SERIES_OVER: N_("A series of yours is over"),
    TEST: N_("A test"),
    "confirm": N_("A link to confirm the address"),
    "password": N_("A link to set a new password"),
    "password-changed": N_("Your password was changed"),
    "passkey-added": N_("You have a new passkey"),
    "codes-made": N_("You have new recovery codes"),
}
"""What each type of notice tells, in words."""

TYPES_TO_CHOOSE = {name: TYPE_WORDS[name] for name in TYPES}
"""What one may want to be told of: the confirmation of an address, say, always comes."""

OFF_WORDS = {
    EMAIL: {"rejected": N_("Off: its mail server refuses this address for good.")},
    PUSH: {
        "gone": N_("Off: the browser no longer takes notices. Turn it on again there."),
        "failing": N_("Off: nothing has arrived there for three days. Turn it on again there."),
        "new-password": N_(
            "Off since your password was reset. Turn it on again there if it is yours."
        ),
    },
    WEBHOOK: {
        "asked": N_("Off: you have turned it off."),
        "gone": N_("Off: it answered that it is gone for good (410)."),
        "failing": N_("Off: nothing has arrived there for three days."),
        "new-password": N_("Off since your password was reset. Turn it on again if it is yours."),
    },
}
"""Why nothing is sent to a channel, in words, by its kind."""

STATE_WORDS = {"waiting": N_("waiting"), "sent": N_("delivered"), "failed": N_("given up")}

REASON_WORDS = {
    "private": N_("the address leads into this service's own network"),
    "unknown-host": N_("there is no such host"),
    "no-connection": N_("no connection could be made"),
    "no-answer": N_("no complete answer came within ten seconds"),
    "redirect": N_("the answer leads elsewhere, which is not followed"),
    "refused": N_("the answer was an error"),
    "gone": N_("the answer was that it is gone for good"),
    "other-key": N_("this service's key has changed since the browser was turned on"),
    "no-server": N_("our mail server did not accept it"),
    "deferred": N_("its mail server does not accept it yet"),
    "rejected": N_("its mail server refuses it for good"),
    "unforeseen": N_("an error of this service"),
}
"""Why an attempt has failed, in words."""

UNSENT_WORDS = {
    "off": N_("not sent: it was turned off"),
    "seen": N_("not sent: you had seen it by then"),
    "stopped": N_("not sent: you had stopped the mails"),
    "suspended": N_("not sent: your account was suspended"),
}
"""Why nothing is tried any more, in words."""

PER_PAGE = 25

_log = structlog.get_logger(__name__)


def show_notices() -> Response:
    """Show a player all channels: which are on, or why not, and when something was sent last."""
    player, house = get_player().player, get_site().house
    return answer_page(
        "accounts/notices.html",
        available=house.emails.available,
        emails=house.emails.list_by_player(player),
        key=get_push_key(),
        browsers=list_named_browsers(),
        subscriptions=house.subscriptions.get_by_kind(player),
        webhooks=house.webhooks.list_by_player(player),
        last=house.sent_lists.list_last_sent(player),
        off_words=OFF_WORDS,
    )


def list_sent(kind: str, endpoint: str, channel: str | None = None, **where: Any) -> dict[str, Any]:  # noqa: ANN401 - as addresses take them
    """Return what a template lists of what channels of a kind, or one of them, were sent.

    ``endpoint``, ``where``: of the page that lists it. Raises ``NotFound``.
    """
    player, cursor = get_player().player, request.args.get("cursor")
    try:
        page = get_site().house.sent_lists.list_page(player, kind, PER_PAGE, cursor, channel)
    except (InvalidRequest, CursorGone):
        raise NotFound(_("This list does not go on there. Start at its first page.")) from None
    return {
        "sent": page.listed,
        "first": cursor and url_for(endpoint, _anchor="sent", **where),
        "following": page.next_cursor
        and url_for(endpoint, cursor=page.next_cursor, _anchor="sent", **where),
        "type_words": TYPE_WORDS,
        "state_words": STATE_WORDS,
        "reason_words": REASON_WORDS,
        "unsent_words": UNSENT_WORDS,
    }


def list_named_browsers() -> list[tuple[BrowserView, str]]:
    """Return a player's browsers, each with what it is called: no two are called alike."""
    found = get_site().house.browsers.list_by_player(get_player().player)
    words = [describe_agent(one.agent) for one in found]
    numbered = [
        _("%(agent)s, %(number)d") % {"agent": word, "number": number}
        for number, word in enumerate(words, 1)
    ]
    return [
        (one, word if words.count(word) == 1 else longer)
        for one, word, longer in zip(found, words, numbered, strict=True)
    ]


def get_push_key() -> str:
    """Return the public key that browsers are told of, empty if there is none."""
    try:
        return get_site().house.browsers.key.load_public()
    except NoKey as why:
        # Where the file is, and what is wrong with it, is for whoever runs the service.
        _log.warning("push_key", why=str(why))
        return ""
