"""A sequencer that kills itself: `python -m tests.services.checkpoints.killed URL WHERE`.

WHERE is `leaves` (they are written and not committed) or `signature` (leaves are committed, and
the signature is written and not committed).
"""

import os
import signal
import sys
from typing import Any

from services.container import Services
from services.runtime.settings import Settings
from services.store import checkpoints


def main(url: str, where: str) -> None:
    """Add leaves and sign, and be killed on the way."""
    module, name = {"leaves": (checkpoints, "append"), "signature": (checkpoints, "add")}[where]
    work = getattr(module, name)

    def killed(*arguments: Any) -> None:  # noqa: ANN401 - whatever that function takes
        work(*arguments)
        os.kill(os.getpid(), signal.SIGKILL)

    setattr(module, name, killed)
    Services(Settings(database_url=url)).sequencer.run()


if __name__ == "__main__":
    main(*sys.argv[1:])
