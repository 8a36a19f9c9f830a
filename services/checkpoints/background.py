"""The sequencer of a server process: a thread that works whenever this process has the lease."""

from __future__ import annotations

from threading import Event, Thread

import structlog
from sqlalchemy.exc import SQLAlchemyError

from domain.errors import Corruption, Refusal
from services.checkpoints.sequencing import Sequencer
from services.errors import reason_of
from services.store.db.leases import lease

TRY_AGAIN = 5.0
"""Seconds until the lease is asked for again, and until what failed is tried again."""

_log = structlog.get_logger()


def start(sequencer: Sequencer, interval: float, stopping: Event) -> Thread:
    """Start the thread; it ends soon after ``stopping`` is set."""
    thread = Thread(
        target=_work, args=(sequencer, interval, stopping), name="checkpoints", daemon=True
    )
    thread.start()
    return thread


def _work(sequencer: Sequencer, interval: float, stopping: Event) -> None:
    told = ""
    while not stopping.is_set():
        try:
            with lease(sequencer.database) as still:
                if still is not None:
                    sequencer.follow(interval, stopping, still)
        except (Refusal, Corruption, SQLAlchemyError, OSError) as error:
            # It says so once, not every few seconds for as long as it lasts.
            reason = f"{type(error).__name__}: {reason_of(error)}".partition("\n")[0]
            if reason != told:
                _log.warning("no checkpoints", reason=reason)
            told = reason
        stopping.wait(TRY_AGAIN)
