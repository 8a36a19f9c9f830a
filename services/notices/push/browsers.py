"""Browsers in which a player is told by web push.

A browser that is asked for it gives an address at its maker's push service, and a key for which
everything is encrypted that is sent there. The address belongs to the browser: whoever registers
there last has it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError
from webauthn.helpers import base64url_to_bytes

from domain.i18n import say
from domain.match.clock import format_instant
from domain.match.notices import TYPES
from services.accounts.accounts import hash_secret
from services.accounts.closing import must_be_open
from services.accounts.sessions import AGENT_LENGTH
from services.errors import InvalidRequest, NotFound, Unavailable
from services.notices.push.vapid_key import VapidKey
from services.notices.sent_lists import send_test
from services.notices.targets import check_url
from services.notices.webhooks import check_types
from services.runtime.clock import Now
from services.runtime.randomness import Randomness
from services.store import accounts
from services.store.db.engine import Database
from services.store.notices import channels
from services.store.notices.channels import PUSH, ChannelRow

MOST = 10
"""Browsers of one player."""

_POINT_BYTES, _AUTH_BYTES = 65, 16
_BASE64 = re.compile(r"[A-Za-z0-9_-]{1,100}={0,2}", re.ASCII)


class BrowserView(NamedTuple):
    """A browser. ``agent``: what it calls itself. ``host``: of its push service.

    ``off_reason``: None while it is told.
    """

    id: str
    agent: str | None
    host: str
    types: list[str]
    created_at: str
    off_reason: str | None
    failing_since: str | None


class Registration(NamedTuple):
    """What a browser gives: an address, its public key, and a secret that both sides know.

    ``agent``: what it calls itself, for its player to recognise it by.
    """

    endpoint: str
    p256dh: str
    auth: str
    agent: str = ""


@dataclass(frozen=True, slots=True)
class Browsers:
    """Use cases around browsers. ``private``: push services may be anywhere."""

    database: Database
    now: Now
    randomness: Randomness
    key: VapidKey
    private: bool

    def list_by_player(self, player: str) -> list[BrowserView]:
        """List a player's browsers, the oldest first."""
        with self.database.read() as connection:
            return [_make_view(row) for row in channels.list_by_player(connection, player, PUSH)]

    def register(self, player: str, given: Registration) -> None:
        """Tell a player in a browser from now on; nobody else is told there any more.

        Raises ``InvalidWebhook`` for the address, ``InvalidRequest`` and ``Unavailable``.
        """
        _check_keys(given)
        now = format_instant(self.now())
        row = ChannelRow(
            self.randomness.make_channel_id(),
            player,
            PUSH,
            " ".join(TYPES),
            now,
            address=check_url(given.endpoint, private=self.private),
            secret=f"{given.p256dh} {given.auth} {self.key.load_public()}",
            digest=hash_secret(f"push {given.endpoint}"),
            held_until=now,
            name=given.agent[:AGENT_LENGTH] or None,
        )
        try:
            with self.database.write() as connection:
                self._put(connection, row)
        except IntegrityError:
            raise Unavailable(
                say("The same browser is just being registered. Try again.")
            ) from None

    def _put(self, connection: Connection, row: ChannelRow) -> None:
        accounts.hold_alone(connection, row.player)
        former = channels.find_by_digest(connection, row.digest or "")
        if former is not None and former.player == row.player:
            # What waits for it goes there all the same.
            channels.save(connection, row._replace(id=former.id, types=former.types))
            return
        if former is not None:
            channels.delete(connection, former.id)
        if len(channels.list_by_player(connection, row.player, PUSH)) >= MOST:
            raise InvalidRequest(say("You have {most} browsers already. Remove one.", most=MOST))
        must_be_open(connection, row.player)
        channels.insert(connection, row)

    def choose(self, player: str, browser: str, types: Sequence[str]) -> None:
        """Choose what is told in a browser. Raises ``NotFound`` and ``InvalidRequest``."""
        written = check_types(types)
        with self.database.write() as connection:
            row = _get_own(connection, player, browser)
            channels.save(connection, row._replace(types=written))

    def forget(self, player: str, browser: str) -> None:
        """Tell nothing in a browser any more, and forget what was. Raises ``NotFound``."""
        with self.database.write() as connection:
            channels.delete(connection, _get_own(connection, player, browser).id)

    def test(self, player: str, browser: str) -> None:
        """Send a notice that tells of nothing. Raises ``NotFound`` and ``TooOften``."""
        with self.database.write() as connection:
            row = _get_own(connection, player, browser)
            if row.off_at is not None:
                raise NotFound(say("Nothing is sent to this browser any more. Register it anew."))
            send_test(connection, row.id, self.randomness.make_notice_number(), self.now())


def _get_own(connection: Connection, player: str, browser: str) -> ChannelRow:
    row = channels.find(connection, browser, lock=True)
    if row is None or row.player != player or row.kind != PUSH:
        raise NotFound(say("You have registered no such browser."))
    return row


def _make_view(row: ChannelRow) -> BrowserView:
    return BrowserView(
        row.id,
        row.name,
        urlsplit(row.address or "").hostname or "",
        row.types.split(),
        row.created_at,
        row.off_reason,
        row.failing_since,
    )


def _check_keys(given: Registration) -> None:
    """Refuse what nothing can be encrypted for. Raises ``InvalidRequest``."""
    try:
        point = _read_bytes(given.p256dh, _POINT_BYTES)
        _read_bytes(given.auth, _AUTH_BYTES)
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), point)
    except ValueError:
        raise InvalidRequest(say("These are not the keys of a browser.")) from None


def _read_bytes(written: str, length: int) -> bytes:
    """Return bytes that a browser has written down. Raises ``ValueError``."""
    if _BASE64.fullmatch(written) is None:
        raise ValueError
    found = base64url_to_bytes(written)
    if len(found) != length:
        raise ValueError
    return found
