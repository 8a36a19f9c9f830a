"""A log to make checkpoints of, and the leaves that come about."""

from services.container import Services
from services.store.checkpoints import Leaf
from services.store.log import events
from tests.services.checkpoints.attacks import leaves
from tests.services.store.streams import moves, of_one_match


def stored(house: Services) -> list[Leaf]:
    with house.database.read() as connection:
        return leaves(connection)


def streams(house: Services, matches: int, each: int = 1, first: int = 0) -> None:
    """Put so many matches into the log, each of so many events."""
    with house.database.write() as connection:
        for number in range(first, first + matches):
            events.append(connection, of_one_match(moves(each, match=f"{number:016}")))
