"""What is to be told is told: after the commit, at least once, in order, until it is given up."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from threading import Barrier

import orjson
import pytest
from sqlalchemy import text
from standardwebhooks.webhooks import Webhook

from domain.match.notices import OVER, SERIES_OVER, TIME_LOW, TURN, TYPES
from services.container import Services
from services.errors import NotFound
from services.matches.requests import (
    ChangeRequest,
    CommandResult,
    NewMatch,
    Repeatable,
    StoredAnswer,
)
from services.notices import outbox
from services.notices.messages import Outcome, format_message_id
from services.notices.webhooks import NewWebhook, WebhookChange
from services.store.notices.channels import WEBHOOK
from services.store.notices.deliveries import DeliveryRow
from tests.services.conftest import ON_SQLITE_ALONE, Clock
from tests.services.people import Table, table
from tests.support.receiver import Receiver

ROOT = Path(__file__).parents[3]
ONE, TWO = {"steps": 1}, {"steps": 2}


@pytest.fixture
def there(house: Services) -> Table:
    return table(house)


def hook(there: Table, url: str, *types: str, player: str = "") -> str:
    """Let a player (the second) have a webhook; the settings of the tests allow no such address."""
    webhooks = replace(there.house.webhooks, private=True)
    made, _ = webhooks.make(player or there.second, NewWebhook(url, types or TYPES))
    return made.webhook.id


def sending(house: Services, patience: float = 10.0) -> outbox.Outbox:
    sender = replace(house.outbox.sender, private=True, patience=patience)
    return replace(house.outbox, sender=sender, spread=lambda seconds: seconds, pace=0)


def sent(there: Table, webhook: str, player: str = "") -> list[DeliveryRow]:
    """Return what a webhook was sent or is to be sent, the newest first."""
    whose = player or there.second
    return there.house.sent_lists.list_page(whose, WEBHOOK, 100, None, webhook).listed


def types(found: list[DeliveryRow]) -> list[str]:
    return [one.type for one in found]


def ids(receiver: Receiver) -> list[str]:
    return [one.headers["webhook-id"] for one in receiver.received]


# --- what is written ------------------------------------------------------------------------------


def test_nothing_is_written_where_nobody_wants_it(there: Table) -> None:
    hook(there, "http://127.0.0.1:9/", OVER, player=there.first)
    there.start().play(ONE, TWO, ONE)
    with there.house.database.read() as connection:
        assert connection.scalar(text("SELECT count(*) FROM notice_deliveries")) == 0


def test_moves_ends_and_series_are_told_to_those_who_want_it(there: Table, clock: Clock) -> None:
    mine, hers = hook(there, "http://127.0.0.1:9/"), hook(
        there, "http://127.0.0.1:9/", OVER, SERIES_OVER, player=there.first
    )  # fmt: skip
    there.start(series={"length": 2, "decided": "played-out"})
    clock.advance(seconds=1)
    there.play(ONE)
    [turn] = sent(there, mine)
    assert (turn.type, turn.match, turn.version) == (TURN, there.match, there.version)
    clock.advance(seconds=1)
    there.act(1, "leave_series")
    assert sorted(types(sent(there, mine))) == [OVER, TURN, SERIES_OVER][::1]
    assert sorted(types(sent(there, hers, there.first))) == [OVER, SERIES_OVER]


def test_a_challenge_is_told_and_in_a_series_the_next_match(there: Table, clock: Clock) -> None:
    webhook = hook(there, "http://127.0.0.1:9/")
    new = NewMatch("path-capture", opponent="brook", visibility="private")
    there.house.matches.create(ChangeRequest(there.first), new)
    assert types(sent(there, webhook)) == ["match.challenge"]
    clock.advance(seconds=1)
    there.start(series={"length": 3})
    there.act(1, "resign")
    found = sent(there, webhook)
    # In the next match the second player has seat 1, and begins.
    assert sorted(types(found)) == ["match.challenge", OVER, TURN]
    assert len({one.match for one in found}) == 3


def test_nothing_is_told_of_a_move_that_was_rolled_back(there: Table, receiver: Receiver) -> None:
    webhook = hook(there, f"{receiver.url}/ok")
    there.start()

    def power_cut(_: CommandResult) -> StoredAnswer:
        # Behind the last statement that writes events, before the commit.
        raise ConnectionResetError

    record = Repeatable("key", "f" * 64, power_cut)
    request = ChangeRequest(there.first, there.version, record=record)
    with pytest.raises(ConnectionResetError):
        there.house.matches.play(request, there.match, ONE)
    assert sent(there, webhook) == []
    assert sending(there.house).deliver()["sent"] == len(receiver.received) == 0
    there.play(TWO)
    assert types(sent(there, webhook)) == [TURN]


def test_of_two_who_move_at_once_one_is_told_of(there: Table) -> None:
    webhook = hook(there, "http://127.0.0.1:9/")
    there.start()
    version, gate = there.version, Barrier(4)

    def move(steps: int) -> None:
        gate.wait()
        with suppress(Exception):
            request = ChangeRequest(there.first, version)
            there.house.matches.play(request, there.match, {"steps": 1 + steps % 3})

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(move, range(4)))
    assert types(sent(there, webhook)) == [TURN]


def test_little_time_is_told_once_a_deadline(there: Table, clock: Clock) -> None:
    webhook = hook(there, "http://127.0.0.1:9/", TIME_LOW)
    there.start(pace={"days_per_move": 3})
    there.play(ONE)
    clock.advance(hours=53)
    assert there.house.sweeping.sweep().low_on_time == 0
    clock.advance(hours=2)
    assert there.house.sweeping.sweep().low_on_time == 1
    assert there.house.sweeping.sweep().low_on_time == 0
    there.act(2, "offer_draw")
    assert there.house.sweeping.sweep().low_on_time == 0
    [low] = sent(there, webhook)
    assert (low.type, low.kind, low.match) == (TIME_LOW, "move-made", there.match)
    # Of a turn that is over nobody is told, and of the next one in its time.
    there.play(TWO, ONE)
    clock.advance(hours=60)
    assert there.house.sweeping.sweep().low_on_time == 1
    assert len(sent(there, webhook)) == 2


# --- how it gets there ----------------------------------------------------------------------------


def test_a_notice_gets_there_signed_and_says_which_match_and_no_more(
    there: Table, receiver: Receiver, clock: Clock
) -> None:
    webhooks = replace(there.house.webhooks, private=True)
    made, _ = webhooks.make(there.second, NewWebhook(f"{receiver.url}/ok"))
    there.start()
    clock.advance(minutes=1)
    there.play(ONE)
    told = there.version
    clock.advance(seconds=7)
    assert sending(there.house).deliver() == {"sent": 1, "not_sent": 0}
    [got] = receiver.received
    assert orjson.loads(got.body) == {
        "type": "match.turn",
        "timestamp": "2026-11-27T22:01:00.000000Z",
        "data": {"match": there.match, "version": told, "kind": "move-made"},
    }
    assert got.headers["webhook-timestamp"] == str(int(clock.now.timestamp()))
    signed = Webhook(made.secret).sign(got.headers["webhook-id"], clock.now, got.body.decode())
    assert got.headers["webhook-signature"] == signed
    [delivery] = sent(there, made.webhook.id)
    assert (delivery.state, delivery.status, delivery.attempts) == ("sent", 200, 1)
    assert format_message_id(delivery) == got.headers["webhook-id"]
    assert sending(there.house).deliver() == {"sent": 0, "not_sent": 0}


@ON_SQLITE_ALONE
def test_for_a_day_after_a_rotation_both_secrets_sign(
    there: Table, receiver: Receiver, clock: Clock
) -> None:
    webhooks = replace(there.house.webhooks, private=True)
    made, _ = webhooks.make(there.second, NewWebhook(f"{receiver.url}/ok"))
    webhook = made.webhook.id
    fresh, _ = webhooks.rotate(there.second, webhook)
    assert fresh.secret != made.secret
    for hours in (23, 2):
        clock.advance(hours=hours)
        webhooks.test(there.second, webhook)
        sending(there.house).deliver()
    both, one = (got.headers["webhook-signature"].split(" ") for got in receiver.received)
    assert (len(both), len(one)) == (2, 1)
    for got, secrets in zip(
        receiver.received, ((fresh.secret, made.secret), (fresh.secret,)), strict=True
    ):
        at = clock.now if secrets == (fresh.secret,) else clock.now - timedelta(hours=2)
        for secret in secrets:
            signed = Webhook(secret).sign(got.headers["webhook-id"], at, got.body.decode())
            assert signed in got.headers["webhook-signature"].split(" ")


def test_two_workers_send_each_notice_once(
    houses: tuple[Services, Services], receiver: Receiver
) -> None:
    there = table(houses[0])
    for number in range(3):
        hook(there, f"{receiver.url}/{200 + number}")
    for _ in range(12):
        there.start().play(ONE)
    gate = Barrier(4)

    def deliver(house: Services) -> int:
        gate.wait()
        return sending(house).deliver()["sent"]

    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(deliver, [*houses, *houses]))
    assert sum(done) == len(receiver.received) == 36
    assert len(set(ids(receiver))) == 12
    assert len({(got.path, got.headers["webhook-id"]) for got in receiver.received}) == 36


def test_killed_between_sending_and_noting_it_is_sent_once_more_under_the_same_id(
    there: Table, receiver: Receiver, clock: Clock, migrated_url: str
) -> None:
    webhook = hook(there, f"{receiver.url}/ok")
    there.start().play(ONE)
    words = [sys.executable, "-m", "tests.services.notices.killed", migrated_url]
    ran = subprocess.run(
        [*words, clock.now.isoformat()], cwd=ROOT, capture_output=True, check=False
    )
    assert ran.returncode == -9, ran.stderr
    assert len(receiver.received) == 1
    assert sent(there, webhook)[0].state == "waiting"
    # Whoever has died holds the channel for a while.
    assert sending(there.house).deliver()["sent"] == 0
    clock.advance(seconds=outbox.CLAIMED_FOR.total_seconds())
    assert sending(there.house).deliver()["sent"] == 1
    one, other = ids(receiver)
    assert one == other
    assert receiver.received[0].body == receiver.received[1].body


@ON_SQLITE_ALONE
@pytest.mark.parametrize(
    ("how", "outcome"),
    [
        ("500", Outcome(500, "refused")),
        ("404", Outcome(404, "refused")),
        ("301", Outcome(301, "redirect")),
        ("slow", Outcome(None, "no-answer")),
        ("slow-head", Outcome(None, "no-answer")),
        ("hang-up", Outcome(None, "no-answer")),
    ],
)
def test_what_fails_is_told_and_tried_again_later(
    there: Table, receiver: Receiver, clock: Clock, how: str, outcome: Outcome
) -> None:
    webhook = hook(there, f"{receiver.url}/{how}")
    there.start().play(ONE)
    quick = sending(there.house, patience=0.3)
    assert quick.deliver() == {"sent": 0, "not_sent": 1}
    [delivery] = sent(there, webhook)
    told = (delivery.state, delivery.status, delivery.reason, delivery.attempts)
    assert told == ("waiting", *outcome, 1)
    assert quick.deliver() == {"sent": 0, "not_sent": 0}
    clock.advance(seconds=5)
    assert quick.deliver() == {"sent": 0, "not_sent": 1}
    assert sent(there, webhook)[0].attempts == 2
    assert {got.path for got in receiver.received} == {f"/{how}"}


@ON_SQLITE_ALONE
def test_of_an_answer_without_an_end_little_is_read(there: Table, receiver: Receiver) -> None:
    webhook = hook(there, f"{receiver.url}/huge")
    there.start().play(ONE)
    assert sending(there.house).deliver()["sent"] == 1
    assert sent(there, webhook)[0].state == "sent"


@ON_SQLITE_ALONE
def test_nobody_takes_the_connection(there: Table) -> None:
    webhook = hook(there, "http://127.0.0.1:9/")
    there.start().play(ONE)
    assert sending(there.house).deliver()["not_sent"] == 1
    assert sent(there, webhook)[0].reason == "no-connection"


def test_one_that_answers_gone_is_off_at_once(there: Table, receiver: Receiver) -> None:
    webhook = hook(there, f"{receiver.url}/410")
    for _ in range(3):
        there.start().play(ONE)
    assert sending(there.house).deliver() == {"sent": 0, "not_sent": 1}
    [view] = there.house.webhooks.list_by_player(there.second)
    assert (view.active, view.off_reason) == (False, "gone")
    assert sorted((one.state, one.reason) for one in sent(there, webhook)) == [
        ("failed", "gone"),
        ("failed", "off"),
        ("failed", "off"),
    ]
    there.play(ONE, TWO)
    assert len(sent(there, webhook)) == 3


def test_one_at_which_nothing_arrives_for_days_is_off_and_can_be_turned_on(
    there: Table, receiver: Receiver, clock: Clock
) -> None:
    webhook = hook(there, f"{receiver.url}/500")
    there.start().play(ONE)
    out, tries = sending(there.house), 0
    while there.house.webhooks.get(there.second, webhook).active:
        tries += out.deliver()["not_sent"]
        clock.advance(hours=8)
        assert tries < 12
    view = there.house.webhooks.get(there.second, webhook)
    assert (view.off_reason, tries) == ("failing", len(receiver.received))
    assert tries > 7
    assert view.failing_since == "2026-11-27T22:00:00.000000Z"
    assert clock.now - outbox.FAILING_FOR < timedelta(days=2) + Clock().now
    there.house.webhooks.change(there.second, webhook, WebhookChange(active=True))
    receiver.statuses["/500"] = 200
    there.play(ONE, TWO)
    assert out.deliver() == {"sent": 1, "not_sent": 0}
    assert there.house.webhooks.get(there.second, webhook).failing_since is None


def test_an_address_that_fails_holds_up_no_other(
    there: Table, receiver: Receiver, clock: Clock
) -> None:
    bad, good = hook(there, f"{receiver.url}/500"), hook(there, f"{receiver.url}/ok")
    for _ in range(3):
        there.start().play(ONE)
    assert sending(there.house).deliver() == {"sent": 3, "not_sent": 1}
    assert [one.state for one in sent(there, good)] == ["sent"] * 3
    # The others wait with it, and go in their order once it answers.
    receiver.statuses["/500"] = 200
    clock.advance(seconds=5)
    assert sending(there.house).deliver() == {"sent": 3, "not_sent": 0}
    assert {one.state for one in sent(there, bad)} == {"sent"}


def test_what_was_long_ago_is_forgotten(there: Table, receiver: Receiver, clock: Clock) -> None:
    webhook = hook(there, f"{receiver.url}/ok")
    there.start().play(ONE)
    sending(there.house).deliver()
    clock.advance(days=29, hours=23)
    assert there.house.sweeping.sweep().expired == 0
    assert len(sent(there, webhook)) == 1
    clock.advance(hours=2)
    assert there.house.sweeping.sweep().expired == 1
    assert sent(there, webhook) == []


def test_a_suspended_player_is_told_of_nothing_then_or_later(
    there: Table, receiver: Receiver, clock: Clock
) -> None:
    webhook, house = hook(there, f"{receiver.url}/ok"), there.house
    feed = house.subscriptions.make(there.second, "feed")
    there.start().play(ONE)
    house.moderation.suspend(None, "brook", "spam")
    assert sending(house).deliver() == {"sent": 0, "not_sent": 0}
    with pytest.raises(NotFound):
        house.subscriptions.get_feed(feed)
    house.moderation.lift(None, "brook", "a mistake")
    assert sending(house).deliver() == {"sent": 0, "not_sent": 0}
    assert [(one.state, one.reason) for one in sent(there, webhook)] == [("failed", "suspended")]
    clock.advance(seconds=1)
    there.play(ONE, TWO)
    assert sending(house).deliver()["sent"] == len(receiver.received) == 1
    assert house.subscriptions.get_feed(feed).entries


def test_what_several_channels_were_sent_is_one_list_in_pages(
    there: Table, receiver: Receiver
) -> None:
    hooks, lists = {hook(there, f"{receiver.url}/ok") for _ in range(2)}, there.house.sent_lists
    there.start().play(ONE)
    assert sending(there.house).deliver()["sent"] == 2
    first, cursor = lists.list_page(there.second, WEBHOOK, 1)
    second, end = lists.list_page(there.second, WEBHOOK, 1, cursor)
    assert {one.channel for one in (*first, *second)} == hooks
    assert end is None
    assert lists.list_last_sent(there.second).keys() == hooks
    assert lists.list_page(there.first, WEBHOOK, 1) == ([], None)


def test_a_closed_account_has_no_webhooks(there: Table, receiver: Receiver) -> None:
    hook(there, f"{receiver.url}/ok")
    there.start().play(ONE)
    there.house.closing.close("brook")
    assert sending(there.house).deliver() == {"sent": 0, "not_sent": 0}
    assert receiver.received == []
    with there.house.database.read() as connection:
        for name in ("notice_channels", "notice_deliveries"):
            assert connection.scalar(text(f"SELECT count(*) FROM {name}")) == 0
