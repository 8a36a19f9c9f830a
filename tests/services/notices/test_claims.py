"""Who holds a channel and for how long, and what is sent of what waits there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count
from typing import ClassVar

import pytest
import structlog
from sqlalchemy import text
from typing_extensions import override

from domain.match.clock import format_instant
from domain.match.notices import TEST, TURN
from services.container import Services
from services.errors import NotFound, TooManyWebhooks, TooOften
from services.notices import webhooks
from services.notices.messages import Outcome, Plan, Sending
from services.notices.outbox import AT_ONCE, WAITS
from services.notices.senders import Sender
from services.notices.webhooks import NewWebhook, WebhookChange
from services.store.db.engine import fetch
from services.store.notices import channels, deliveries
from services.store.notices.channels import WEBHOOK, ChannelRow
from services.store.notices.deliveries import DeliveryRow
from tests.services.conftest import ON_SQLITE_ALONE, Clock
from tests.services.notices.test_outbox import ONE, hook, sending, sent
from tests.services.people import Table, table, together
from tests.support.receiver import Receiver, receiving


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as made:
        yield made


@pytest.fixture
def there(house: Services) -> Table:
    return table(house)


def test_a_clock_that_was_wrong_for_a_while_holds_nothing_up(
    there: Table, receiver: Receiver, clock: Clock
) -> None:
    webhook = hook(there, f"{receiver.url}/ok")
    there.house.webhooks.test(there.second, webhook)
    wrong: Callable[[], datetime] = lambda: clock.now + timedelta(days=400)  # noqa: E731
    assert replace(sending(there.house), now=wrong).deliver()["sent"] == 1
    there.start().play(ONE)
    assert sending(there.house).deliver()["sent"] == 1


def test_what_is_not_sent_yet_is_kept_however_old_it_is(
    there: Table, receiver: Receiver, clock: Clock
) -> None:
    webhook, off = hook(there, f"{receiver.url}/ok"), hook(there, f"{receiver.url}/off")
    there.start().play(ONE)
    with there.house.database.write() as connection:
        connection.execute(
            text("UPDATE notice_channels SET off_at = '2026' WHERE id = :id"), {"id": off}
        )
    clock.advance(days=40)
    there.house.outbox.clear()
    assert [one.state for one in sent(there, webhook)] == ["waiting"]
    assert sent(there, off) == []
    assert sending(there.house).deliver()["sent"] == 1
    there.house.outbox.clear()
    assert sent(there, webhook) == []


def test_a_webhook_that_is_led_elsewhere_while_it_is_sent_to_is_tried_there(
    there: Table, receiver: Receiver
) -> None:
    """What the former address answers turns nothing off any more."""
    webhook = hook(there, f"{receiver.url}/410")
    there.start().play(ONE)
    there.start().play(ONE)
    hooks = replace(there.house.webhooks, private=True)

    class Meanwhile(Sender):
        @override
        def open_way(self, channel: ChannelRow) -> AbstractContextManager[Sending]:
            hooks.change(there.second, webhook, WebhookChange(url=f"{receiver.url}/ok"))
            return super().open_way(channel)

    outbox = sending(there.house)
    claimed = replace(outbox, sender=private(Meanwhile, outbox.sender))
    assert claimed.deliver(iter((False, True, True)).__next__)["not_sent"] == 1
    assert hooks.get(there.second, webhook).active
    assert outbox.deliver()["sent"] == 1


def private(kind: type[Sender], usual: Sender) -> Sender:
    return kind(True, usual.key, usual.contact, usual.words)  # noqa: FBT003 - as the fields stand


class Faulty(Sender):
    """A sender with a mistake in it, somewhere."""

    where: ClassVar[str] = ""

    @override
    def plan(self, channel: ChannelRow, waiting: Sequence[DeliveryRow], now: datetime) -> Plan:
        if self.where == "plan":
            raise KeyError("a name that is in no log")
        if self.where == "one" and any(one.type == TEST for one in waiting):
            raise KeyError("a name that is in no log")
        return super().plan(channel, waiting, now)

    @override
    def open_way(self, channel: ChannelRow) -> AbstractContextManager[Sending]:
        if self.where == "open_way":
            raise KeyError("a name that is in no log")
        line = super().open_way(channel)
        return nullcontext(self) if self.where == "send" else line

    def send(self, *_: object) -> Outcome:
        raise KeyError("a name that is in no log")


@ON_SQLITE_ALONE
@pytest.mark.parametrize("where", ["plan", "open_way", "send"])
def test_an_error_that_nobody_expected_is_a_failed_attempt_and_given_up_in_the_end(
    there: Table, receiver: Receiver, clock: Clock, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    webhook = hook(there, f"{receiver.url}/ok")
    there.house.webhooks.test(there.second, webhook)
    monkeypatch.setattr(Faulty, "where", where)
    faulty = replace(sending(there.house), sender=private(Faulty, there.house.outbox.sender))
    with structlog.testing.capture_logs() as log:
        for wait in (0, *WAITS):
            clock.advance(seconds=wait)
            assert faulty.deliver() == {"sent": 0, "not_sent": 1}
            assert faulty.deliver() == {"sent": 0, "not_sent": 0}
    [delivery] = sent(there, webhook)
    told = (delivery.state, delivery.reason, delivery.attempts)
    assert told == ("failed", "unforeseen", len(WAITS) + 1)
    assert {one["event"] for one in log} == {"notice_failed"}
    assert all(f"KeyError in {where}" in one["reason"] for one in log)
    assert "a name" not in repr(log)


@ON_SQLITE_ALONE
def test_one_notice_with_an_error_holds_up_no_other(
    there: Table, receiver: Receiver, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    webhook = hook(there, f"{receiver.url}/ok")
    there.house.webhooks.test(there.second, webhook)
    there.start().play(ONE)
    monkeypatch.setattr(Faulty, "where", "one")
    faulty = replace(sending(there.house), sender=private(Faulty, there.house.outbox.sender))
    assert faulty.deliver() == {"sent": 0, "not_sent": 1}
    clock.advance(seconds=5)
    assert faulty.deliver() == {"sent": 0, "not_sent": 1}
    clock.advance(seconds=10)
    assert faulty.deliver() == {"sent": 1, "not_sent": 0}
    states = {one.type: one.state for one in sent(there, webhook)}
    assert states == {TURN: "sent", TEST: "waiting"}


def test_what_waits_for_later_is_not_gone_through(there: Table, clock: Clock) -> None:
    """As digests do by the thousand: work is looked for every second."""
    now, later = format_instant(clock.now), format_instant(clock.now + timedelta(hours=1))
    database, asked = there.house.database, [now, now, later, False, 9]
    explained = f"EXPLAIN {'QUERY PLAN' if database.sqlite else ''} {channels._DUE}"  # noqa: SLF001
    with database.write() as connection:
        for number in range(200):
            row = DeliveryRow(number, f"w_{number}", TURN, "m", 1, "move-made", now, due_at=later)
            deliveries.save(connection, row)
        if not database.sqlite:
            connection.execute(text("ANALYZE notice_deliveries"))
        plan = "\n".join(str(row[-1]) for row in fetch(connection, explained, asked))
    assert "ix_notice_deliveries_due_at_channel" in plan
    assert "SCAN notice_channels" not in plan


def test_of_many_webhooks_that_are_made_at_once_there_are_no_more_than_may_be(
    there: Table,
) -> None:
    hooks = replace(there.house.webhooks, private=True)
    new = NewWebhook("http://127.0.0.1:9/")
    made = together(*[lambda: hooks.make(there.second, new)] * 16)
    assert [type(one) for one in made].count(TooManyWebhooks) == 16 - webhooks.MOST
    assert len(hooks.list_by_player(there.second)) == webhooks.MOST


@ON_SQLITE_ALONE
def test_a_webhook_is_tried_so_often_in_an_hour(there: Table, clock: Clock) -> None:
    webhook = hook(there, "http://127.0.0.1:9/")
    for _ in range(webhooks.MOST_TESTS):
        there.house.webhooks.test(there.second, webhook)
    with pytest.raises(TooOften):
        there.house.webhooks.test(there.second, webhook)
    clock.advance(hours=1)
    there.house.webhooks.test(there.second, webhook)


@ON_SQLITE_ALONE
def test_an_address_is_asked_for_as_it_was_given(there: Table, receiver: Receiver) -> None:
    webhook = hook(there, f"{receiver.url}/ok;key=1?a=b;c")
    there.house.webhooks.test(there.second, webhook)
    sending(there.house).deliver()
    assert [one.path for one in receiver.received] == ["/ok;key=1?a=b;c"]
    assert receiver.received[0].headers["host"] == receiver.url.removeprefix("http://")


@ON_SQLITE_ALONE
def test_who_is_told_much_keeps_nobody_waiting_who_is_told_little(
    there: Table, receiver: Receiver, clock: Clock
) -> None:
    many = [hook(there, f"{receiver.url}/many") for _ in range(2)]
    now = format_instant(clock.now)
    with there.house.database.write() as connection:
        for number in range(3 * AT_ONCE):
            for webhook in many:
                row = DeliveryRow(number, webhook, TURN, "m", 1, "move-made", now, due_at=now)
                deliveries.save(connection, row)
    clock.advance(seconds=1)
    few = hook(there, f"{receiver.url}/few", player=there.first)
    there.house.webhooks.test(there.first, few)
    clock.advance(seconds=1)
    rounds = count()
    sending(there.house).deliver(lambda: next(rounds) >= 3)
    assert sorted({one.path for one in receiver.received}) == ["/few", "/many"]
    assert len(receiver.received) == 1 + 2 * AT_ONCE


@ON_SQLITE_ALONE
def test_nobody_else_reaches_a_channel_by_its_id(there: Table) -> None:
    house, other = there.house, there.first
    webhook = hook(there, "http://127.0.0.1:9/")
    house.webhooks.test(there.second, webhook)
    [delivery] = sent(there, webhook)
    for reach in (
        lambda: house.webhooks.test(other, webhook),
        lambda: house.webhooks.rotate(other, webhook),
        lambda: house.webhooks.redeliver(other, webhook, delivery.number),
        lambda: house.webhooks.change(other, webhook, WebhookChange(active=False)),
        lambda: house.webhooks.delete(other, webhook),
        lambda: house.sent_lists.list_page(other, WEBHOOK, 10, None, webhook),
        # Nor do its own players reach it as a channel of another kind.
        lambda: house.browsers.test(there.second, webhook),
        lambda: house.browsers.forget(there.second, webhook),
        lambda: house.browsers.choose(there.second, webhook, [TURN]),
        lambda: house.emails.forget(there.second, webhook),
    ):
        with pytest.raises(NotFound):
            reach()
    assert sent(there, webhook) == [delivery]
