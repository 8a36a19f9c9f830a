"""A player's webhooks: making and trying them, and what was sent there."""

from __future__ import annotations

from flask import Response, request

from domain.errors import Refusal
from domain.match.notices import TYPES
from services.accounts.tokens import LABEL_LENGTH
from services.errors import InvalidRequest, InvalidWebhook, TooManyWebhooks, TooOften, WebhookOff
from services.notices.targets import LONGEST
from services.notices.webhooks import NewWebhook, WebhookChange, WebhookWithSecret
from services.store.notices.channels import WEBHOOK
from web.http.inputs import find_whole
from web.http.problems import PROBLEMS
from web.i18n import _
from web.pages.accounts.notices import OFF_WORDS, TYPES_TO_CHOOSE, list_sent
from web.pages.common.answers import answer_page, lead_to_done
from web.pages.common.forms import place_at, read_text
from web.pages.common.visitors import get_player
from web.site import get_site


def make_webhook() -> Response:
    """Make a webhook, and show its secret, this once."""
    player, chosen = get_player().player, request.form.getlist("type")
    try:
        new = NewWebhook(read_text("url"), chosen, read_text("name"))
        made, _ = get_site().house.webhooks.make(player, new)
    except (InvalidWebhook, TooManyWebhooks, InvalidRequest) as refusal:
        return show_webhooks(*_place_refusal(refusal))
    return show_webhooks(made=made)


def act_on_webhook(webhook_id: str) -> Response:
    """Do with a webhook what was asked for: ``do`` is the name of a button."""
    player, do = get_player().player, read_text("do")
    if do == "rotate":
        made, _ = get_site().house.webhooks.rotate(player, webhook_id)
        return show_webhook(webhook_id, made=made)
    try:
        _do(player, webhook_id, do)
    except (TooOften, WebhookOff) as refusal:
        return show_webhook(webhook_id, *place_at("", refusal))
    except (InvalidWebhook, InvalidRequest) as refusal:
        if do != "change":
            raise
        return show_webhook(webhook_id, *_place_refusal(refusal))
    if do == "delete":
        return lead_to_done("pages.webhooks", "deleted")
    return lead_to_done("pages.webhook", do, webhook_id=webhook_id)


def _do(player: str, webhook_id: str, do: str) -> None:
    webhooks = get_site().house.webhooks
    if do == "test":
        webhooks.test(player, webhook_id)
    elif do == "redeliver":
        webhooks.redeliver(player, webhook_id, find_whole(read_text("number")[:16]) or 0)
    elif do in ("on", "off"):
        webhooks.change(player, webhook_id, WebhookChange(active=do == "on"))
    elif do == "change":
        types = request.form.getlist("type")
        webhooks.change(
            player, webhook_id, WebhookChange(read_text("url"), types, name=read_text("name"))
        )
    elif do == "delete":
        webhooks.delete(player, webhook_id)
    else:
        raise InvalidRequest(_("There is no such button on this page."))


def _place_refusal(refusal: Refusal) -> tuple[int, dict[str, str]]:
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
    player = get_player().player
    return answer_page(
        "accounts/webhooks.html",
        status=status,
        errors=errors or {},
        webhooks=get_site().house.webhooks.list_by_player(player),
        types=TYPES_TO_CHOOSE,
        chosen=request.form.getlist("type") if errors else TYPES,
        url=read_text("url") if errors else "",
        name=read_text("name") if errors else "",
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
    webhook = get_site().house.webhooks.get(get_player().player, webhook_id)
    typed = request.form if errors and read_text("do") == "change" else None
    return answer_page(
        "accounts/webhook.html",
        status=status,
        errors=errors or {},
        webhook=webhook,
        name=webhook.name if typed is None else read_text("name"),
        url=webhook.url if typed is None else read_text("url"),
        chosen=webhook.types if typed is None else typed.getlist("type"),
        types=TYPES_TO_CHOOSE,
        longest_name=LABEL_LENGTH,
        longest=LONGEST,
        off_words=OFF_WORDS[WEBHOOK],
        **list_sent(WEBHOOK, "pages.webhook", webhook_id, webhook_id=webhook_id),
        made=made,
        done=request.args.get("done", ""),
    )
