"""A player's webhooks: making and trying them, and what was sent there."""

from __future__ import annotations

from flask import Response, request, url_for

from domain.errors import Refusal
from domain.match.notices import TYPES
from services.accounts.tokens import LABEL_LENGTH
from services.errors import InvalidRequest, InvalidWebhook, TooManyWebhooks, TooOften, WebhookOff
from services.notices.targets import LONGEST
from services.notices.webhooks import NewWebhook, WebhookChange, WebhookWithSecret
from services.store.notices.channels import WEBHOOK
from web.http.problems import PROBLEMS
from web.i18n import _
from web.pages.accounts.notices import OFF_WORDS, TYPE_WORDS, sent_to
from web.pages.common.answers import answer_page, lead_to
from web.pages.common.forms import text
from web.pages.common.visitors import the_player
from web.site import this_site


def make_webhook() -> Response:
    """Make a webhook, and show its secret, this once."""
    player, chosen = the_player().player, request.form.getlist("type")
    try:
        new = NewWebhook(text("url"), chosen, text("name"))
        made, _ = this_site().house.webhooks.make(player, new)
    except (InvalidWebhook, TooManyWebhooks, InvalidRequest) as refusal:
        return show_webhooks(*_at_field(refusal))
    return show_webhooks(made=made)


def act_on_webhook(webhook_id: str) -> Response:
    """Do with a webhook what was asked for: ``do`` is the name of a button."""
    player, do = the_player().player, text("do")
    if do == "rotate":
        made, _ = this_site().house.webhooks.rotate(player, webhook_id)
        return show_webhook(webhook_id, made=made)
    try:
        _do(player, webhook_id, do)
    except (TooOften, WebhookOff) as refusal:
        return show_webhook(webhook_id, PROBLEMS[refusal.code].status, {"": refusal.detail})
    except (InvalidWebhook, InvalidRequest) as refusal:
        if do != "change":
            raise
        return show_webhook(webhook_id, *_at_field(refusal))
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
    elif do == "change":
        types = request.form.getlist("type")
        webhooks.change(player, webhook_id, WebhookChange(text("url"), types, name=text("name")))
    elif do == "delete":
        webhooks.delete(player, webhook_id)
    else:
        raise InvalidRequest(_("There is no such button on this page."))


def _at_field(refusal: Refusal) -> tuple[int, dict[str, str]]:
    """Return the status of a refused form, and what to say at which field: of the address if any.

    What the API answers with 400 is 422 on pages: a form was filled in.
    """
    field = (refusal.pointer or "/url").strip("/")
    status = PROBLEMS[refusal.code].status
    return (422 if isinstance(refusal, InvalidRequest) else status), {field: refusal.detail}


def show_webhooks(
    status: int = 200,
    errors: dict[str, str] | None = None,
    made: WebhookWithSecret | None = None,
) -> Response:
    """Show a player their webhooks, and the secret of one that was just ``made``."""
    player = the_player().player
    return answer_page(
        "accounts/webhooks.html",
        status=status,
        errors=errors or {},
        webhooks=this_site().house.webhooks.of_player(player),
        types={name: TYPE_WORDS[name] for name in TYPES},
        chosen=request.form.getlist("type") if errors else TYPES,
        url=text("url") if errors else "",
        name=text("name") if errors else "",
        longest_name=LABEL_LENGTH,
        longest=LONGEST,
        off_words=OFF_WORDS[WEBHOOK],
        made=made,
        done=request.args.get("done", ""),
    )


def show_webhook(
    webhook_id: str,
    status: int = 200,
    errors: dict[str, str] | None = None,
    made: WebhookWithSecret | None = None,
) -> Response:
    """Show a webhook, and what was sent there."""
    webhook = this_site().house.webhooks.get(the_player().player, webhook_id)
    typed = request.form if errors and text("do") == "change" else None
    return answer_page(
        "accounts/webhook.html",
        status=status,
        errors=errors or {},
        webhook=webhook,
        name=webhook.name if typed is None else text("name"),
        url=webhook.url if typed is None else text("url"),
        chosen=webhook.types if typed is None else typed.getlist("type"),
        types={name: TYPE_WORDS[name] for name in TYPES},
        longest_name=LABEL_LENGTH,
        longest=LONGEST,
        off_words=OFF_WORDS[WEBHOOK],
        **sent_to(WEBHOOK, "pages.webhook", webhook_id, webhook_id=webhook_id),
        made=made,
        done=request.args.get("done", ""),
    )
