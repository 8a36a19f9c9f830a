"""When the service was away, told by the gaps in its heartbeat.

A server beats when it starts, and from then on the worker, as long as a server answers; a gap that
is longer than the grace is kept. Whoever decides on a clock asks ``list_away`` for the times that
are not to count. That costs no query while the last beat that this process knows of is not older
than the grace: a gap that it does not know of would have begun after that beat and be longer.

A beat that lies later than the present by more than the grace was made by a clock that had jumped
ahead. Whoever beats next puts that right; until then, what ends in the future is ignored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import structlog

from domain.errors import Refusal
from domain.match.clock import DAY, NEVER, SECOND, add_span, format_instant
from domain.match.decisions import clock as decide_clock
from domain.match.state import ACTIVE, Match
from services.errors import reason_of
from services.runtime.clock import Now
from services.store.db import heartbeat
from services.store.db.engine import Database
from services.store.db.heartbeat import Away

SLOWEST = 60.0
"""Seconds between two beats at most."""

MISSED = 3
"""Beats that have not come when it is time to look for whoever makes them."""

LEFT_AFTER = 30 * DAY
"""How long after the last beat a database is the terminal's: no server comes back to it."""

_log = structlog.get_logger(__name__)


class _Known(NamedTuple):
    """What this process knows: ``away`` has all times that have ended before ``good_until``.

    ``last``: the last beat; None: there was none ever. ``asked_again``: when to look for another
    one, at the earliest, by the clock of this process.
    """

    away: Sequence[Away]
    last: str | None
    good_until: str
    asked_again: str


@dataclass(slots=True)
class Downtime:
    """The heartbeat. ``grace``: seconds without a beat that still count; 0: all time counts."""

    database: Database
    now: Now
    grace: int
    _known: _Known | None = field(default=None, init=False)

    def list_away(self, at: str) -> Sequence[Away]:
        """Return the times until ``at`` in which the service was away, in order.

        While nothing beats, that is so until ``at``: the service may be down while somebody
        works on its database from a terminal. Beyond ``LEFT_AFTER`` nobody waits for a server any
        more, and time counts. Reads at most; nothing is written.
        """
        if self.grace <= 0:
            return ()
        # An event may lie in the future, and what is decided behind it; not what is known.
        known, present = self._known, format_instant(self.now())
        if known is None or known.asked_again < present:
            known = self._known = self._read(present)
        until = self._compute_good_until(present)
        past = tuple(one for one in known.away if one.ended_at <= until)
        if known.last is not None and known.good_until < at:
            return (*past, Away(known.last, min(at, add_span(known.last, LEFT_AFTER))))
        return past

    def add_lost_time(self, match: Match, at: str) -> Match:
        """Return a match as it is shown at ``at``: time is counted that it will be given back."""
        if match.clock is None or match.status != ACTIVE:
            return match
        return decide_clock.add_lost_time(match, self.list_away(at), at)

    def beat(self) -> None:
        """Tell the database that a server lives, and keep for how long none did."""
        with self.database.write() as connection:
            last, now = heartbeat.hold_last_beat(connection), format_instant(self.now())
            if last is not None and last > self._compute_good_until(now):
                heartbeat.put_right(connection, now)
                _log.warning("clock_was_ahead", until=last, now=now)
                last = now
            if last is not None and self.grace > 0 and self._compute_good_until(last) < now:
                heartbeat.save(connection, Away(last, now))
                _log.warning("service_was_away", since=last, until=now)
            heartbeat.save_beat(connection, now)
            away, last = heartbeat.list_downtimes(connection), max(now, last or now)
        self._known = self._make_known(away, last, now)

    @property
    def interval(self) -> float:
        """How many seconds are to lie between two beats."""
        return min(SLOWEST, self.grace / 4) if self.grace > 0 else SLOWEST

    def is_beating(self) -> bool:
        """Tell whether somebody has beaten of late, and so will in time."""
        with self.database.read() as connection:
            last = heartbeat.find_last_beat(connection)
        until = add_span(last, round(MISSED * self.interval * SECOND)) if last else NEVER
        return format_instant(self.now()) <= until

    def try_to_beat(self) -> None:
        """Beat, or say why not: a process lives on, and answers 503 while its database is away."""
        try:
            self.beat()
        except Refusal as error:
            _log.warning("heartbeat_failed", reason=reason_of(error))
        except Exception:  # noqa: BLE001 - whatever it is, the next beat tells for how long
            _log.exception("heartbeat_failed")

    def _read(self, present: str) -> _Known:
        with self.database.read() as connection:
            last = heartbeat.find_last_beat(connection)
            away = heartbeat.list_downtimes(connection)
        if last is not None and away:
            # Between the two statements a server may have beaten, and so ended a gap.
            last = max(last, away[-1].ended_at)
        return self._make_known(away, last, present)

    def _make_known(self, away: Sequence[Away], last: str | None, present: str) -> _Known:
        # Where nothing has ever beaten, a gap begins with the first beat from now on.
        good_until = self._compute_good_until(last or present)
        again = min(good_until, self._compute_good_until(present))
        return _Known(away, last, good_until, max(again, add_span(present, SECOND)))

    def _compute_good_until(self, beat: str) -> str:
        return add_span(beat, self.grace * SECOND)
