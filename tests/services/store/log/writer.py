"""A process that appends until it is killed: `python -m tests.services.store.log.writer URL MATCH`.

It prints a version once that version is acknowledged. Each append is of three events, so that a
half one would show.
"""

import sys

from services.store.db.engine import Database
from services.store.log import events as log
from tests.services.store.streams import moves, of_one_match


def main(url: str, match: str) -> None:
    """Append three events at a time, and say so each time."""
    database = Database(url)
    with database.read() as connection:
        seen = log.load(connection, match)
    last = seen[-1] if seen else None
    while True:
        events = moves(3, match=match, after=last)
        last = events[-1]
        with database.write() as connection:
            log.append(connection, of_one_match(events))
        sys.stdout.write(f"{last.version}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
