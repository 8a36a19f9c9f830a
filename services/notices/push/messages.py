"""What is sent to a browser: encrypted for it alone (RFC 8291), signed by our key (RFC 8292).

It goes by a push service, of which we know nothing but the address that the browser gave. Such a
service can neither read what it is nor see of which match it is: not by its length either.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from urllib.parse import urlsplit

import http_ece
import orjson
import structlog
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePrivateKey,
    generate_private_key,
)
from py_vapid.jwt import sign
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

from domain.i18n import N_, Catalogue
from domain.match.notices import CHALLENGE, OVER, SERIES_OVER, TEST, TIME_LOW, TURN
from services.notices.messages import OTHER_KEY, Outcome, Written
from services.notices.push.vapid_key import VapidKey, format_public_part
from services.runtime.key_file import NoKey
from services.store.notices.channels import ChannelRow
from services.store.notices.deliveries import DeliveryRow

SENTENCES = {
    TURN: N_("It is your turn."),
    CHALLENGE: N_("You are challenged."),
    OVER: N_("A match of yours is over."),
    TIME_LOW: N_("You have little time left."),
    SERIES_OVER: N_("A series of yours is over."),
    TEST: N_("Notices reach this browser."),
}
"""What a browser shows, by the types of notices."""

LENGTH = 512
"""Bytes of what is encrypted, filled with spaces: longer than any notice is."""

_DAY = 86_400
LASTS = {TEST: 600, TIME_LOW: _DAY}
"""Seconds for which a push service keeps a notice for a browser that is not there."""
LASTS_ELSE = 3 * _DAY

URGENCIES = {TEST: "high", TIME_LOW: "high", OVER: "low", SERIES_OVER: "low"}
"""Which notices may wake a device (RFC 8030); the others are ``normal``."""

SIGNED_FOR = timedelta(hours=12)

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class PushWriter:
    """Writes requests to push services. ``contact``: who to turn to, an address; may be empty.

    ``words``: the language of the browser's player.
    """

    key: VapidKey
    contact: str
    words: Catalogue

    def __call__(self, channel: ChannelRow, delivery: DeliveryRow, at: datetime) -> Written:
        """Return a notice as it is sent, or why it cannot be: the key is not that of then."""
        point, auth, bound_to = (channel.secret or "").split()
        try:
            key = self.key.load_private()
        except NoKey as why:
            _log.warning("push_key", why=str(why))
            return Outcome(reason=OTHER_KEY)
        if format_public_part(key) != bound_to:
            return Outcome(reason=OTHER_KEY)
        body = http_ece.encrypt(
            write_plain_body(delivery, self.words),
            private_key=generate_private_key(SECP256R1()),
            dh=base64url_to_bytes(point),
            auth_secret=base64url_to_bytes(auth),
            version="aes128gcm",
        )
        return make_headers(channel, delivery) | {
            "Authorization": f"vapid t={self._sign_token(channel, key, at)}, k={bound_to}"
        }, body

    def _sign_token(self, channel: ChannelRow, key: EllipticCurvePrivateKey, at: datetime) -> str:
        """Return who we are, for one push service and for some hours."""
        parts = urlsplit(channel.address or "")
        claims: dict[str, object] = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "exp": int((at + SIGNED_FOR).timestamp()),
        }
        if self.contact:
            claims["sub"] = self.contact
        token: str = sign(claims, key)
        return token


def write_plain_body(delivery: DeliveryRow, words: Catalogue) -> bytes:
    """Return what only the browser reads: what webhooks are told, and a sentence."""
    about = {
        "type": delivery.type,
        "match": delivery.match,
        "version": delivery.version,
        "kind": delivery.kind,
    }
    sentence = SENTENCES[delivery.type]
    body = orjson.dumps({**about, "text": words.gettext(sentence)})
    # A longer one would tell by its length which it is.
    return (body if len(body) <= LENGTH else orjson.dumps({**about, "text": sentence})).ljust(
        LENGTH
    )


def make_headers(channel: ChannelRow, delivery: DeliveryRow) -> dict[str, str]:
    """Return what a push service reads; of one match it keeps the last notice only."""
    about = sha256(f"{channel.id} {delivery.match}".encode()).digest()
    return {
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "User-Agent": "Plybook",
        "TTL": str(LASTS.get(delivery.type, LASTS_ELSE)),
        "Urgency": URGENCIES.get(delivery.type, "normal"),
        "Topic": bytes_to_base64url(about)[:32],
    }
