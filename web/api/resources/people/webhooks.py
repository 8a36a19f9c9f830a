"""Webhooks: addresses that are told of what concerns a player, and what was sent there."""

from __future__ import annotations

from functools import partial
from typing import Any

from flask import Response
from marshmallow import Schema, validate

from domain.match.notices import TEST, TYPES
from services.accounts.tokens import LABEL_LENGTH
from services.matches.requests import StoredAnswer
from services.notices.targets import LONGEST
from services.notices.webhooks import NewWebhook, WebhookChange, WebhookWithSecret, delivery_json
from services.store.notices.channels import WEBHOOK
from services.store.notices.deliveries import STATES, DeliveryRow
from web.api import fields
from web.api.operations import WEBHOOK_MANAGERS, Call, asks, gives, reads, refuses, route, takes
from web.api.paging import PageQuerySchema, answer_json_page, make_list_schema, make_page_schema
from web.http.answers import NO_STORE, answer_json, answer_no_content, make_stored_json
from web.http.inputs import BodySchema, read_path_number


def _make_types_field(**others: Any) -> fields.Many:  # noqa: ANN401 - as Many takes them
    check = validate.Length(min=1, error="Name at least one type, or leave them out.")
    one = fields.Word(TYPES, required=True)
    return fields.Many(one, "What it is told.", validate=check, **others)


def _make_name_field(**others: Any) -> fields.Prose:  # noqa: ANN401 - as Prose takes them
    meaning = f"What you call it, at most {LABEL_LENGTH} characters; may be empty."
    return fields.Prose(meaning, form={"maxLength": LABEL_LENGTH}, **others)


class NewWebhookSchema(BodySchema):
    """A webhook to make."""

    url = fields.Prose(
        f"Where notices are sent to by POST: https, on the internet, at most {LONGEST} characters.",
        required=True,
        form={"maxLength": LONGEST},
        example="https://bot.example/plybook",
    )
    types = _make_types_field(load_default=lambda: list(TYPES), default=list(TYPES))
    name = _make_name_field(load_default="", default="")


class WebhookChangeSchema(BodySchema):
    """What is to be otherwise; what is left out stays as it is."""

    url = fields.Prose("Where notices are sent to.", form={"maxLength": LONGEST})
    types = _make_types_field()
    name = _make_name_field()
    active = fields.Flag("Whether anything is sent. One that is turned on is tried anew.")


class WebhookActionSchema(BodySchema):
    """There is nothing to say."""


class WebhookSchema(Schema):
    """A webhook, without its secret."""

    id = fields.text("To name it by.", example="w_7m2kq9x4tbw0ed5r")
    name = fields.text("What you call it; may be empty.")
    url = fields.text("Where notices are sent to.")
    types = fields.many(fields.words("", *TYPES), "What it is told.")
    active = fields.flag("Whether anything is sent.")
    off_reason = fields.text(
        "Why not: `asked` (you have turned it off), `gone` (it answered with 410), `failing` "
        "(nothing has arrived for three days), `new-password` (your password was set by a link, a "
        "code or the operator). Null: it is active.",
        null=True,
    )
    failing_since = fields.instant("Since when nothing has arrived, if that is so.", null=True)
    created_at = fields.instant("When it was made.")


class WebhookWithSecretSchema(WebhookSchema):
    """A webhook with its new secret."""

    secret = fields.text("What signs notices, shown this once.")


class DeliverySchema(Schema):
    """A notice, and what has become of it."""

    number = fields.whole("To name it by at this webhook.")
    id = fields.text("As the header `webhook-id` has it, each time that it is sent.")
    type = fields.words("What it tells of.", *TYPES, TEST)
    match = fields.text("The match's id; null in a test.", null=True)
    version = fields.whole("The version of the match that it tells of.", null=True)
    kind = fields.text("The kind of the event at that version.")
    at = fields.instant("When that was.")
    state = fields.words("`failed`: it is not tried again by itself.", *STATES)
    attempts = fields.whole("How often it was tried.")
    due_at = fields.instant("When it is tried next, if it is.", null=True)
    status = fields.whole("The status of the last answer, if one came.", null=True)
    reason = fields.text("In a word why the last attempt has failed, if it has.", null=True)
    tried_at = fields.instant("When that was.", null=True)


TAG = "Webhooks"


@route("GET", "/webhooks", TAG, WEBHOOK_MANAGERS)
@gives(200, make_list_schema(WebhookSchema, "webhooks"), "Your webhooks.")
def list_webhooks(call: Call) -> Response:
    """List your webhooks, and which of them are off, and why."""
    found = call.house.webhooks.list_by_player(call.player)
    return answer_json({"webhooks": [one._asdict() for one in found]})


@route("POST", "/webhooks", TAG, WEBHOOK_MANAGERS)
@takes(NewWebhookSchema())
@reads("Idempotency-Key")
@gives(201, WebhookWithSecretSchema(), "Its secret is shown this once.", cache=NO_STORE)
@refuses("invalid-webhook", "too-many-webhooks")
def make_webhook(call: Call) -> Response:
    """Make a webhook.

    What concerns you is sent there from now on, signed by the Standard Webhooks specification.
    Only this answer has the secret, and the same answer to the same Idempotency-Key.
    """
    make = partial(call.house.webhooks.make, call.player)
    return call.do_once(
        lambda made: _render_secret(made, 201), partial(make, NewWebhook(**call.body))
    )


@route("PATCH", "/webhooks/<webhook_id>", TAG, WEBHOOK_MANAGERS)
@takes(WebhookChangeSchema())
@gives(200, WebhookSchema(), "The webhook.")
@refuses("invalid-webhook")
def change_webhook(call: Call, webhook_id: str) -> Response:
    """Change a webhook, turn it off, or on again.

    What happened while it was off is not sent.
    """
    change = WebhookChange(**call.body)
    return answer_json(call.house.webhooks.change(call.player, webhook_id, change)._asdict())


@route("DELETE", "/webhooks/<webhook_id>", TAG, WEBHOOK_MANAGERS)
@gives(204, None, "It is gone, and so is what was sent there.")
def delete_webhook(call: Call, webhook_id: str) -> Response:
    """Delete a webhook."""
    call.house.webhooks.delete(call.player, webhook_id)
    return answer_no_content()


@route("POST", "/webhooks/<webhook_id>/test", TAG, WEBHOOK_MANAGERS)
@takes(WebhookActionSchema(), required=False)
@reads("Idempotency-Key")
@gives(202, DeliverySchema(), "It is sent in a moment.", cache=NO_STORE)
@refuses("webhook-off")
def test_webhook(call: Call, webhook_id: str) -> Response:
    """Send a notice of the type `test`; its delivery tells what came of it."""
    return call.do_once(
        _render_delivery, partial(call.house.webhooks.test, call.player, webhook_id)
    )


@route("POST", "/webhooks/<webhook_id>/rotate", TAG, WEBHOOK_MANAGERS)
@takes(WebhookActionSchema(), required=False)
@reads("Idempotency-Key")
@gives(200, WebhookWithSecretSchema(), "Its new secret is shown this once.", cache=NO_STORE)
def rotate_secret(call: Call, webhook_id: str) -> Response:
    """Give a webhook another secret; for a day what is sent is signed by both."""
    return call.do_once(
        lambda made: _render_secret(made, 200),
        partial(call.house.webhooks.rotate, call.player, webhook_id),
    )


@route("GET", "/webhooks/<webhook_id>/deliveries", TAG, WEBHOOK_MANAGERS)
@asks(PageQuerySchema())
@gives(200, make_page_schema(DeliverySchema, "deliveries"), "A page of them, newest first.")
@refuses("cursor-gone")
def list_deliveries(call: Call, webhook_id: str) -> Response:
    """List what a webhook was sent, and what waits to be sent."""
    list_page = call.house.sent_lists.list_page
    page = list_page(call.player, WEBHOOK, channel=webhook_id, **call.paging)
    return answer_json_page("deliveries", page, delivery_json)


@route("POST", "/webhooks/<webhook_id>/deliveries/<delivery>/redeliver", TAG, WEBHOOK_MANAGERS)
@takes(WebhookActionSchema(), required=False)
@reads("Idempotency-Key")
@gives(202, DeliverySchema(), "It is sent in a moment, under the same id.", cache=NO_STORE)
@refuses("webhook-off")
def redeliver(call: Call, webhook_id: str, delivery: str) -> Response:
    """Send a notice once more, whatever has become of it."""
    send = partial(call.house.webhooks.redeliver, call.player, webhook_id)
    return call.do_once(_render_delivery, partial(send, read_path_number(delivery, digits=16)))


def _render_secret(made: WebhookWithSecret, status: int) -> StoredAnswer:
    return make_stored_json({**made.webhook._asdict(), "secret": made.secret}, status)


def _render_delivery(delivery: DeliveryRow) -> StoredAnswer:
    return make_stored_json(delivery_json(delivery), 202)
