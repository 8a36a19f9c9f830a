"""Webhooks: addresses of a player's own programs, which are told of what happens.

A secret is shown when it is made and never again. It has to be stored as it is, since it signs
what is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from sqlalchemy import Connection

from domain.i18n import say
from domain.json_types import JsonObject
from domain.match.clock import format_instant, format_later
from domain.match.notices import TYPES
from services.accounts.closing import must_be_open
from services.accounts.tokens import LABEL_LENGTH
from services.accounts.user_texts import is_seen
from services.errors import InvalidRequest, NotFound, TooManyWebhooks, Unavailable, WebhookOff
from services.matches.requests import Repeatable, StoredAnswer, keep_answer, must_be_new_in
from services.notices.messages import format_message_id
from services.notices.sent_lists import send_test
from services.notices.targets import check_url
from services.runtime.clock import Now
from services.runtime.randomness import Randomness
from services.store import accounts
from services.store.db.engine import Database
from services.store.idempotency import KeyInUse
from services.store.notices import channels, deliveries
from services.store.notices.channels import WEBHOOK, ChannelRow
from services.store.notices.deliveries import OFF, WAITING, DeliveryRow

MOST = 10
"""Webhooks of one player."""

MOST_TESTS = 60
"""Tests of one webhook in an hour."""

ATTEMPTS = 3
"""How often a request is tried whose key somebody else is just using."""

BOTH_DAYS = 1
"""For so many days after a rotation the former secret signs, too."""

ASKED = "asked"
"""Why a webhook is off that its player has turned off."""

T = TypeVar("T")


class WebhookView(NamedTuple):
    """A webhook without its secret. ``name``: as its player calls it; may be empty.

    ``off_reason``: None while it is active. ``failing_since``: since when nothing has arrived.
    """

    id: str
    name: str
    url: str
    types: list[str]
    active: bool
    off_reason: str | None
    failing_since: str | None
    created_at: str


class WebhookWithSecret(NamedTuple):
    """A webhook with a secret that was just made."""

    webhook: WebhookView
    secret: str


class NewWebhook(NamedTuple):
    """A webhook to make."""

    url: str
    types: Sequence[str] = TYPES
    name: str = ""


class WebhookChange(NamedTuple):
    """What is to be otherwise; None: it stays."""

    url: str | None = None
    types: Sequence[str] | None = None
    active: bool | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Webhooks:
    """Use cases around webhooks. ``private``: they may lead anywhere."""

    database: Database
    now: Now
    randomness: Randomness
    private: bool

    def list_by_player(self, player: str) -> list[WebhookView]:
        """List a player's webhooks, the oldest first."""
        with self.database.read() as connection:
            return [_make_view(row) for row in channels.list_by_player(connection, player, WEBHOOK)]

    def get(self, player: str, webhook: str) -> WebhookView:
        """Return one of a player's webhooks. Raises ``NotFound``."""
        with self.database.read() as connection:
            return _make_view(_get_own(connection, player, webhook))

    def make(
        self,
        player: str,
        new: NewWebhook,
        record: Repeatable[WebhookWithSecret] | None = None,
    ) -> tuple[WebhookWithSecret, StoredAnswer | None]:
        """Make a webhook; with a ``record`` the answer, which has the secret, is kept and returned.

        Raises ``InvalidWebhook``, ``InvalidRequest`` and ``TooManyWebhooks``.
        """

        def make(connection: Connection) -> WebhookWithSecret:
            accounts.hold_alone(connection, player)
            there = channels.list_by_player(connection, player, WEBHOOK)
            if len(there) >= MOST:
                raise TooManyWebhooks(
                    say("You have {most} webhooks already. Delete one.", most=MOST)
                )
            now = format_instant(self.now())
            row = ChannelRow(
                self.randomness.make_channel_id(),
                player,
                WEBHOOK,
                check_types(new.types),
                now,
                address=check_url(new.url, private=self.private),
                secret=self.randomness.make_webhook_secret(),
                held_until=now,
                name=_clean_name(new.name),
            )
            must_be_open(connection, player)
            channels.insert(connection, row)
            return _make_with_secret(row)

        return self._do_once(player, record, make)

    def change(self, player: str, webhook: str, change: WebhookChange) -> WebhookView:
        """Change a webhook; one that is turned on is tried anew, without what it has missed.

        Raises ``NotFound``, ``InvalidWebhook`` and ``InvalidRequest``.
        """
        with self.database.write() as connection:
            row = _get_own(connection, player, webhook, lock=True)
            if change.url is not None:
                address = check_url(change.url, private=self.private)
                row = row.start_anew(format_instant(self.now()))._replace(address=address)
            if change.types is not None:
                row = row._replace(types=check_types(change.types))
            if change.name is not None:
                row = row._replace(name=_clean_name(change.name))
            if change.active is not None and change.active != (row.off_at is None):
                row = self._turn(connection, row, on=change.active)
            channels.save(connection, row)
        return _make_view(row)

    def _turn(self, connection: Connection, row: ChannelRow, *, on: bool) -> ChannelRow:
        now = format_instant(self.now())
        if on:
            return row.start_anew(now)._replace(off_at=None, off_reason=None)
        deliveries.drop(connection, row.id, OFF)
        return row._replace(off_at=now, off_reason=ASKED)

    def delete(self, player: str, webhook: str) -> None:
        """Remove a webhook, and what was sent there. Raises ``NotFound``."""
        with self.database.write() as connection:
            channels.delete(connection, _get_own(connection, player, webhook, lock=True).id)

    def rotate(
        self, player: str, webhook: str, record: Repeatable[WebhookWithSecret] | None = None
    ) -> tuple[WebhookWithSecret, StoredAnswer | None]:
        """Give a webhook another secret; for a day the former one signs, too.

        Raises ``NotFound``.
        """

        def rotate(connection: Connection) -> WebhookWithSecret:
            row = _get_own(connection, player, webhook, lock=True)
            row = row._replace(
                secret=self.randomness.make_webhook_secret(),
                former_secret=row.secret,
                former_until=format_later(self.now(), days=BOTH_DAYS),
            )
            channels.save(connection, row)
            return _make_with_secret(row)

        return self._do_once(player, record, rotate)

    def test(
        self, player: str, webhook: str, record: Repeatable[DeliveryRow] | None = None
    ) -> tuple[DeliveryRow, StoredAnswer | None]:
        """Send a notice that tells of nothing.

        Raises ``NotFound``, ``WebhookOff`` and ``TooOften``.
        """

        def send(connection: Connection) -> DeliveryRow:
            channel = _get_active(connection, player, webhook)
            number = self.randomness.make_notice_number()
            return send_test(connection, channel.id, number, self.now(), MOST_TESTS)

        return self._do_once(player, record, send)

    def redeliver(
        self, player: str, webhook: str, number: int, record: Repeatable[DeliveryRow] | None = None
    ) -> tuple[DeliveryRow, StoredAnswer | None]:
        """Send a notice once more, whatever has become of it.

        Raises ``NotFound`` and ``WebhookOff``.
        """

        def send(connection: Connection) -> DeliveryRow:
            channel = _get_active(connection, player, webhook)
            row = deliveries.find(connection, channel.id, number)
            if row is None:
                raise NotFound(say("This webhook was sent no such notice, or it is forgotten."))
            row = row._replace(state=WAITING, due_at=format_instant(self.now()), attempts=0)
            deliveries.save(connection, row)
            return row

        return self._do_once(player, record, send)

    def _do_once(
        self, player: str, record: Repeatable[T] | None, do: Callable[[Connection], T]
    ) -> tuple[T, StoredAnswer | None]:
        """Do something in a transaction, and keep its answer with it where that is asked for."""
        for _ in range(ATTEMPTS):
            with suppress(KeyInUse), self.database.write() as connection:
                must_be_new_in(connection, player, record)
                done = do(connection)
                return done, keep_answer(
                    connection, player, record, done, format_instant(self.now())
                )
        raise Unavailable(say("The same request is just being answered. Try again."))


def _get_own(
    connection: Connection, player: str, webhook: str, *, lock: bool = False
) -> ChannelRow:
    row = channels.find(connection, webhook, lock=lock)
    if row is None or row.player != player or row.kind != WEBHOOK:
        raise NotFound(say("You have no such webhook."))
    return row


def _get_active(connection: Connection, player: str, webhook: str) -> ChannelRow:
    row = _get_own(connection, player, webhook, lock=True)
    if row.off_at is not None:
        raise WebhookOff(say("This webhook is off. Turn it on first."))
    return row


def check_types(types: Sequence[str]) -> str:
    """Return types as they are stored. Raises ``InvalidRequest`` for none, and for unknown ones."""
    if not types or not set(types) <= {*TYPES}:
        raise InvalidRequest(say("Choose at least one type of notice."), pointer="/types")
    return channels.format_types(types)


def _clean_name(name: str) -> str | None:
    """Return a name as it is stored, None for none. Raises ``InvalidRequest``."""
    if name and not (len(name) <= LABEL_LENGTH and name.isprintable() and is_seen(name)):
        raise InvalidRequest(
            say("A name has at most {most} printable characters.", most=LABEL_LENGTH),
            pointer="/name",
        )
    return name or None


def _make_view(row: ChannelRow) -> WebhookView:
    return WebhookView(
        row.id,
        row.name or "",
        row.address or "",
        row.types.split(),
        row.off_at is None,
        row.off_reason,
        row.failing_since,
        row.created_at,
    )


def _make_with_secret(row: ChannelRow) -> WebhookWithSecret:
    return WebhookWithSecret(_make_view(row), row.secret or "")


def delivery_json(row: DeliveryRow) -> JsonObject:
    """Return the contract's delivery object."""
    return {
        "number": row.number,
        "id": format_message_id(row),
        "type": row.type,
        "match": row.match,
        "version": row.version,
        "kind": row.kind,
        "at": row.at,
        "state": row.state,
        "attempts": row.attempts,
        "due_at": row.due_at,
        "status": row.status,
        "reason": row.reason,
        "tried_at": row.tried_at,
    }
