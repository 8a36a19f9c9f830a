"""A player's webhooks: making and trying them, and what was sent there."""

from __future__ import annotations

from typing import Any

from flask import Response, request, url_for

from domain.match.notices import CHALLENGE, OVER, SERIES_OVER, TEST, TIME_LOW, TURN, TYPES
from services.errors import (
    CursorGone,
    InvalidRequest,
    InvalidWebhook,
    NotFound,
    TooManyWebhooks,
    WebhookOff,
)
from services.notices.targets import LONGEST
from services.notices.webhooks import WebhookChange, WebhookWithSecret
from web.http.problems import PROBLEMS
from web.i18n import N_, _
from web.pages.common.answers import answer_page, lead_to
from web.pages.common.forms import text
from web.pages.common.visitors import the_player
from web.site import this_site

TYPE_WORDS = {
    TURN: N_("It is your turn"),
    CHALLENGE: N_("You are challenged"),
    OVER: N_("A match of yours is over"),
    TIME_LOW: N_("You have little time left"),
    SERIES_OVER: N_("A series of yours is over"),
    TEST: N_("A test"),
}
"""What each type of notice tells, in words."""

OFF_WORDS = {
    "asked": N_("Off: you have turned it off."),
    "gone": N_("Off: it answered that it is gone for good (410)."),
    "failing": N_("Off: nothing has arrived there for three days."),
}
"""Why nothing is sent to a webhook, in words."""

REASON_WORDS = {
    "private": N_("the address leads into a network of this service's own"),
    "unknown-host": N_("nobody has this name"),
    "no-connection": N_("nobody takes the connection there"),
    "no-answer": N_("no whole answer came within ten seconds"),
    "redirect": N_("the answer leads elsewhere, and that is not followed"),
    "refused": N_("the answer says that it failed"),
    "gone": N_("the answer says that it is gone for good"),
    "off": N_("the webhook was turned off"),
}
"""Why an attempt has failed, in words."""

STATE_WORDS = {
    "waiting": N_("waits"),
    "sent": N_("has arrived"),
    "failed": N_("given up"),
}

PAGE = 25


def show_webhooks() -> Response:
    """Show a player their webhooks."""
    return _page(done=request.args.get("done", ""))


def make_webhook() -> Response:
    """Make a webhook, and show its secret, this once."""
    player, chosen = the_player().player, request.form.getlist("type")
    try:
        made, _ = this_site().house.webhooks.make(player, text("url"), chosen)
    except (InvalidWebhook, TooManyWebhooks) as refusal:
        return _page(PROBLEMS[refusal.code].status, {"url": refusal.detail})
    except InvalidRequest as refusal:
        return _page(422, {"types": refusal.detail})
    return _page(made=made)


def show_webhook(webhook_id: str) -> Response:
    """Show a webhook, and what was sent there."""
    return _page_of(webhook_id, done=request.args.get("done", ""))


def act_on_webhook(webhook_id: str) -> Response:
    """Do with a webhook what was asked for: ``do`` is the name of a button."""
    player, do = the_player().player, text("do")
    if do == "rotate":
        made, _ = this_site().house.webhooks.rotate(player, webhook_id)
        return _page_of(webhook_id, made=made)
    try:
        _do(player, webhook_id, do)
    except WebhookOff as refusal:
        return _page_of(webhook_id, PROBLEMS[refusal.code].status, error=refusal.detail)
    if do == "delete":
        return lead_to(url_for("pages.webhooks", done="deleted", _anchor="done"))
    return lead_to(url_for("pages.webhook", webhook_id=webhook_id, done=do, _anchor="done"))


def _do(player: str, webhook_id: str, do: str) -> None:
    webhooks = this_site().house.webhooks
    if do == "test":
        webhooks.test(player, webhook_id)
    elif do == "redeliver":
        typed = text("number")[:16]
        known = typed.isascii() and typed.isdecimal()
        webhooks.redeliver(player, webhook_id, int(typed) if known else 0)
    elif do in ("on", "off"):
        webhooks.change(player, webhook_id, WebhookChange(active=do == "on"))
    elif do == "delete":
        webhooks.delete(player, webhook_id)
    else:
        raise InvalidRequest(_("There is no such button on this page."))


def _page(
    status: int = 200,
    errors: dict[str, str] | None = None,
    made: WebhookWithSecret | None = None,
    done: str = "",
) -> Response:
    player = the_player().player
    return answer_page(
        "accounts/webhooks.html",
        status=status,
        errors=errors or {},
        webhooks=this_site().house.webhooks.of_player(player),
        types={name: TYPE_WORDS[name] for name in TYPES},
        chosen=request.form.getlist("type") if errors else TYPES,
        url=text("url") if errors else "",
        longest=LONGEST,
        off_words=OFF_WORDS,
        made=made,
        done=done,
    )


def _page_of(
    webhook_id: str,
    status: int = 200,
    **values: Any,  # noqa: ANN401 - for the template
) -> Response:
    player, webhooks = the_player().player, this_site().house.webhooks
    webhook = webhooks.get(player, webhook_id)
    try:
        sent, cursor = webhooks.deliveries(player, webhook_id, PAGE, request.args.get("cursor"))
    except (InvalidRequest, CursorGone):
        raise NotFound(_("This list does not go on there: begin with its first page.")) from None
    return answer_page(
        "accounts/webhook.html",
        status=status,
        webhook=webhook,
        sent=sent,
        cursor=cursor,
        type_words=TYPE_WORDS,
        off_words=OFF_WORDS,
        reason_words=REASON_WORDS,
        state_words=STATE_WORDS,
        **values,
    )
