"""Somebody who resigns and is killed: `python -m tests.services.matches.killed URL MATCH PLAYER`.

The end and what follows on it are written then, and not committed.
"""

import os
import signal
import sys
from typing import Any

from services.container import Services
from services.matches.actions import Action
from services.matches.requests import ChangeRequest
from services.runtime.settings import Settings
from services.store.lobby import practice


def main(url: str, match: str, player: str) -> None:
    """Resign, and be killed behind the last statement."""
    work = practice.go_on

    def killed(*arguments: Any) -> None:  # noqa: ANN401 - whatever that function takes
        work(*arguments)
        os.kill(os.getpid(), signal.SIGKILL)

    practice.go_on = killed  # type: ignore[assignment]
    house = Services(Settings(database_url=url))
    house.matches.act(ChangeRequest(player, any_version=True), match, Action("resign"))


if __name__ == "__main__":
    main(*sys.argv[1:])
