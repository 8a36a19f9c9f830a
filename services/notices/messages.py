"""What is sent and what may come of it; to webhooks by the Standard Webhooks specification."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from email.message import EmailMessage
from typing import NamedTuple, Protocol, TypeAlias

import orjson
from standardwebhooks.webhooks import Webhook

from services.store.notices.channels import ChannelRow
from services.store.notices.deliveries import DeliveryRow

PRIVATE, UNKNOWN_HOST, NO_CONNECTION = "private", "unknown-host", "no-connection"
NO_ANSWER, REDIRECT, REFUSED, GONE = "no-answer", "redirect", "refused", "gone"
REASONS = (PRIVATE, UNKNOWN_HOST, NO_CONNECTION, NO_ANSWER, REDIRECT, REFUSED, GONE)
"""Why an attempt has failed: the address is one of an own network; nobody has such a name; nobody
takes the connection, or not by TLS; no answer came in time, or it broke off; the answer leads
elsewhere; it is none of success; it is 410, Gone."""

NO_SERVER, DEFERRED, REJECTED = "no-server", "deferred", "rejected"
"""The same of mail: the server of the settings does not take mail from us, or is not there; an
address, or the mail, is not taken now; it is refused for good."""

OTHER_KEY = "other-key"
"""The same of web push: we have not the key any more that the browser was told of."""

UNFORESEEN = "unforeseen"
"""The same of any: an error of ours, of which the log has the place."""


class Outcome(NamedTuple):
    """What came of an attempt: the status of the answer, if one came, and why it has failed."""

    status: int | None = None
    reason: str | None = None


class Parcel(NamedTuple):
    """Deliveries that are sent together, and fail or arrive together; the ``letter`` of a mail.

    ``fault``: why they cannot even be written.
    """

    deliveries: Sequence[DeliveryRow]
    letter: EmailMessage | None = None
    fault: str | None = None


class Plan(NamedTuple):
    """What is sent now, in order, and deliveries that are not: put off, or not to be sent."""

    parcels: Sequence[Parcel]
    settled: Sequence[DeliveryRow] = ()


class Sending(Protocol):
    """An open way to one channel, by which one thing after the other is sent."""

    def send(self, parcel: Parcel, at: datetime) -> Outcome:
        """Send something, once; ``at``: the time that is signed with it."""


Written: TypeAlias = tuple[dict[str, str], bytes] | Outcome
"""The headers and the body of a request; or why there can be none."""


def write_request(channel: ChannelRow, delivery: DeliveryRow, at: datetime) -> Written:
    """Return what is sent to a webhook."""
    body = body_of(delivery)
    return make_headers(channel, delivery, body, at), body


def body_of(delivery: DeliveryRow) -> bytes:
    """Return what is sent: which match, which version, which kind of event, and no state."""
    about = {"match": delivery.match, "version": delivery.version, "kind": delivery.kind}
    return orjson.dumps({"type": delivery.type, "timestamp": delivery.at, "data": about})


def make_headers(
    channel: ChannelRow, delivery: DeliveryRow, body: bytes, at: datetime
) -> dict[str, str]:
    """Return the headers of the specification; the id is the same however often it is sent.

    For a while after a rotation there are two signatures: by the new secret and by the former one.
    """
    secrets = [channel.secret]
    if channel.former_until is not None and at < datetime.fromisoformat(channel.former_until):
        secrets.append(channel.former_secret)
    id_ = format_message_id(delivery)
    signed = (Webhook(one).sign(id_, at, body.decode()) for one in secrets if one is not None)
    return {
        "Content-Type": "application/json",
        "User-Agent": "Plybook",
        "webhook-id": id_,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(signed),
    }


def format_message_id(delivery: DeliveryRow) -> str:
    """Return the id of what is sent: it does not change, and no other notice has it."""
    return f"msg_{delivery.number}"
