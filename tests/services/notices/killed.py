"""A worker that is killed: `python -m tests.services.notices.killed URL INSTANT [SMTP-URL]`.

What it has sent has arrived then, and is not noted.
"""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import replace
from datetime import datetime

from services.container import Services
from services.runtime.settings import Settings
from services.store.notices import channels


def main(url: str, now: str, smtp_url: str = "") -> None:
    """Deliver, and be killed before anything is noted."""

    def killed(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    channels.finish = killed  # type: ignore[assignment]
    settings = Settings(database_url=url, smtp_url=smtp_url, mail_from="notices@play.example")
    house = Services(settings, now=lambda: datetime.fromisoformat(now))
    replace(house.outbox, sender=replace(house.outbox.sender, private=True)).deliver()


if __name__ == "__main__":
    main(*sys.argv[1:])
