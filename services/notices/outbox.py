"""The outbox: takes what waits to be told, and sends it until it has arrived or is given up.

Several may do so at once, in several processes. Each claims a channel, sends what is due there in
order, and then notes what came of it. Who dies in between has claimed the channel for a while only;
what was sent and not noted is sent once more, under the same id. So may be what a power cut undoes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic, sleep
from typing import NamedTuple

from domain.match.clock import format_instant
from domain.match.notices import LOW_MOST, compute_low_number, find_low_instant, make_low_notice
from services.matches.repository import Repository
from services.notices.emails import CONFIRMED_IN
from services.notices.messages import GONE, REJECTED, Outcome
from services.notices.senders import ChannelSession, Mailer, Sender
from services.runtime.clock import Now
from services.runtime.low_priority import make_thinker
from services.store import accounts, matches
from services.store.db.engine import Database
from services.store.log import events
from services.store.notices import channels, deliveries, mail_links
from services.store.notices.channels import MAIL, ChannelRow, Wanted
from services.store.notices.deliveries import FAILED, OFF, SENT, DeliveryRow, LowOnTime

LOOK_EVERY = 1.0
"""Seconds between two looks for what is to be sent, where nothing was."""

LANES = 4
"""How many channels are sent to at the same time by one worker."""

AT_ONCE = 64
"""Deliveries that are sent to a channel, and noted by one statement, before it is another one's
turn."""

PACE = 0.04
"""Seconds from one notice to the next of a channel, at least: the last of a thousand may take its
time, and moves are made by the same processors."""

MOST_IN_A_MAIL = 500
"""The same of mail, of which many may go in one."""

ROUND = 5.0
"""Seconds after which no further one of them is begun with: somebody who takes long to answer
holds up others for no longer than it takes them once."""

CLAIMED_FROM = 50
"""So many channels are looked up at a time, to claim one after the other."""

CLAIMED_FOR = timedelta(minutes=2)
"""How long a channel is held by whoever has claimed it: longer than a round can take."""

WAITS = (5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""Seconds until a delivery is tried again after its first attempt, its second, ...; all of it takes
three days and a half. After the last one it is given up."""

LONGEST_HOLD = 600
"""Seconds for which a channel is left alone at most when an attempt has failed."""

HELD_MOST = timedelta(seconds=2 * LONGEST_HOLD)
"""Nothing is held for longer. What says so was held by a clock that has been put right since."""

FORMER_FOR = timedelta(days=4)
"""So long an address that was given up is kept at most, to be told so."""

FAILING_FOR = timedelta(days=3)
"""A channel at which nothing has arrived for so long is turned off, with the next failure."""

FAILING = "failing"
"""Why a channel was turned off, beside ``FOR_GOOD``."""

SUSPENDED = "suspended"
"""Why a delivery is given up whose player's account is suspended."""

FOR_GOOD = (GONE, REJECTED)
"""What nobody tries again: the channel is turned off at once."""

CLEARED_AT_ONCE = 500
LISTED_AT_ONCE = 100


class Round(NamedTuple):
    """What came of one claim: the channel as it is now, and its deliveries that were tried.

    ``settled``: those that were put off, or are not to be sent.
    """

    channel: ChannelRow
    tried: list[DeliveryRow]
    settled: Sequence[DeliveryRow]


@dataclass(frozen=True, slots=True)
class Outbox:
    """Delivers. ``spread``: makes a length of time about as long. ``days``: how long rows stay.

    ``pace``: seconds from one notice to the next.
    """

    database: Database
    repository: Repository
    now: Now
    spread: Callable[[float], float]
    sender: Sender
    mailer: Mailer
    days: int
    pace: float = PACE

    def deliver(
        self, stopped: Callable[[], bool] = lambda: False, mail: Sequence[bool] = (False, True)
    ) -> Mapping[str, int]:
        """Send what is due, until nothing is; return how many were sent, and how many failed.

        ``mail``: whether by mail, or otherwise; or the one after the other.
        """
        sent = failed = 0
        with make_thinker("sending") as sending:
            for by_mail in mail:
                claims = self._iter_claims(by_mail)
                while not stopped() and (claimed := next(claims, None)) is not None:
                    tried = self._run_round(sending, claimed)
                    done = [one.state for one in tried].count(SENT)
                    sent, failed = sent + done, failed + len(tried) - done
        return {"sent": sent, "not_sent": failed}

    def _iter_claims(self, mail: bool) -> Iterator[ChannelRow]:  # noqa: FBT001
        """Claim one channel after the other, until nothing is due at any that is free.

        They are looked up now and then, and not for each one: that takes the longer the more wait.
        """
        while found := self._list_due(mail):
            end = monotonic() + LOOK_EVERY
            while (claimed := self._claim(found)) is not None:
                yield claimed
                found.remove(claimed.id)
                if not found or monotonic() >= end:
                    break
            else:
                return

    def _list_due(self, mail: bool) -> list[str]:  # noqa: FBT001
        with self.database.read() as connection:
            return channels.list_due(connection, self._make_wanted(), CLAIMED_FROM, mail=mail)

    def _claim(self, among: Sequence[str]) -> ChannelRow | None:
        wanted, until = self._make_wanted(), format_instant(self.now() + CLAIMED_FOR)
        with self.database.note() as connection:
            return channels.claim(connection, wanted, among, until)

    def _make_wanted(self) -> Wanted:
        now = self.now()
        return Wanted(format_instant(now), format_instant(now + HELD_MOST))

    def _run_round(self, sending: Executor, claimed: ChannelRow) -> list[DeliveryRow]:
        """Send what is due at a channel, and note it; return what was tried."""
        with self.database.read() as connection:
            most = MOST_IN_A_MAIL if claimed.kind in MAIL else AT_ONCE
            waiting = deliveries.list_due(connection, claimed.id, format_instant(self.now()), most)
            suspended = accounts.is_suspended(connection, claimed.player)
        done = Round(claimed._replace(held_until=format_instant(self.now())), [], ())
        if not suspended:
            done = sending.submit(self._send, claimed, waiting).result()
        with self.database.note() as connection:
            let_go = channels.finish(connection, claimed, done.channel)
            deliveries.note(connection, (*done.tried, *done.settled))
            if suspended or (let_go and done.channel.off_at is not None):
                deliveries.drop(connection, claimed.id, SUSPENDED if suspended else OFF)
            if claimed.kind in MAIL:
                mail_links.forget_secrets(connection, claimed.id)
        return done.tried

    def _send(self, channel: ChannelRow, waiting: list[DeliveryRow]) -> Round:
        """Send in order; where one fails the others wait, since they would fail too."""
        tried: list[DeliveryRow] = []
        end, after = monotonic() + ROUND, channel
        by = self.mailer if channel.kind in MAIL else self.sender
        with closing(ChannelSession(by, channel)) as way:
            plan = way.plan(waiting, self.now())
            for parcel in plan.parcels:
                at = self.now()
                outcome = way.send(parcel, at)
                tried += self._judge_deliveries(parcel.deliveries, outcome, at)
                after = self._judge_channel(after, outcome, at)
                if outcome.reason is not None or monotonic() >= end:
                    break
                sleep(self.pace)
        free = after.held_until if after.failures else format_instant(self.now())
        return Round(after._replace(held_until=free), tried, plan.settled)

    def _judge_deliveries(
        self, sent: Sequence[DeliveryRow], outcome: Outcome, at: datetime
    ) -> Iterator[DeliveryRow]:
        """Yield deliveries that were sent together after an attempt: they are tried together."""
        number = max(one.attempts for one in sent) + 1
        given_up = outcome.reason in FOR_GOOD or number > len(WAITS)
        done = outcome.reason is None or given_up
        due_at = None if done else format_instant(self._add_spread(at, WAITS[number - 1]))
        for delivery in sent:
            state = SENT if outcome.reason is None else FAILED if given_up else delivery.state
            yield delivery._replace(
                state=state,
                due_at=due_at,
                attempts=number,
                status=outcome.status,
                reason=outcome.reason,
                tried_at=format_instant(at),
            )

    def _judge_channel(self, channel: ChannelRow, outcome: Outcome, at: datetime) -> ChannelRow:
        """Return a channel after an attempt: as it was, held for a while, or turned off."""
        if outcome.reason is None:
            return channel._replace(failures=0, failing_since=None)
        since = channel.failing_since or format_instant(at)
        hold = min(LONGEST_HOLD, WAITS[0] * 2 ** min(channel.failures, 10))
        failing = channel._replace(
            failures=channel.failures + 1,
            failing_since=since,
            held_until=format_instant(self._add_spread(at, hold)),
        )
        if outcome.reason in FOR_GOOD:
            return failing._replace(off_at=format_instant(at), off_reason=outcome.reason)
        # Mail goes by a server of the service's own: that it is away says nothing of an address.
        if channel.kind not in MAIL and since <= format_instant(at - FAILING_FOR):
            return failing._replace(off_at=format_instant(at), off_reason=FAILING)
        return failing

    def _add_spread(self, at: datetime, seconds: float) -> datetime:
        return at + timedelta(seconds=self.spread(seconds))

    def tell_of_low_time(self) -> int:
        """Write what tells players that little time is left to them, once; return how much."""
        number, last = 0, None
        while True:
            now = self.now()
            until = now + timedelta(microseconds=LOW_MOST)
            with self.database.read() as connection:
                page = deliveries.list_low_on_time(
                    connection, format_instant(now), format_instant(until), last, LISTED_AT_ONCE
                )
                numbers = [compute_low_number(one.player, one.match, one.deadline) for one in page]
                known = deliveries.list_known(connection, numbers)
            for one, its in zip(page, numbers, strict=True):
                number += its not in known and self._tell_if_low(one)
            if len(page) < LISTED_AT_ONCE:
                return number
            last = page[-1]

    def _tell_if_low(self, low: LowOnTime) -> bool:
        """Tell a player, unless there is more time yet, or the match has gone on."""
        with self.database.read() as connection:
            match = self.repository.load(connection, low.match)
            last = [] if match is None else events.load(connection, match.id, match.version - 1)
        now = format_instant(self.now())
        if match is None or not last or last[0].hash != match.head:
            return False
        begins = find_low_instant(match)
        notice = make_low_notice(match, low.deadline, (match.version, last[0].kind))
        if notice is None or begins is None or begins > now:
            return False
        with self.database.write() as connection:
            row = matches.find(connection, match.id, lock=True)
            if row is None or row.head != match.head or row.deadline != low.deadline:
                return False
            deliveries.tell(connection, [notice._replace(at=now)])
        return True

    def clear(self) -> int:
        """Forget deliveries of what was long ago; return how many."""
        now = self.now()
        before, count = format_instant(now - timedelta(days=self.days)), 0
        with self.database.write() as connection:
            late = channels.list_unconfirmed_before(connection, format_instant(now - CONFIRMED_IN))
            former = channels.list_former_addresses(connection, format_instant(now - FORMER_FOR))
            for channel in (*late, *former):
                channels.delete(connection, channel)
        while True:
            with self.database.write() as connection:
                gone = deliveries.delete_older(connection, before, CLEARED_AT_ONCE)
            count += gone
            if gone < CLEARED_AT_ONCE:
                return count
