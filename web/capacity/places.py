"""Places for long answers: so many in a process, and of these a share for each of who asks.

Who takes more than a share of streams loses the oldest of their own for the newest: it was
probably left behind by a line that broke. So a client that comes back never finds its own dead
streams in its way, and nobody can take the places of all others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from threading import Condition
from time import monotonic
from typing import NamedTuple

from services.errors import Unavailable

PROOF = 0.5
"""Seconds that are waited for dead streams to be found, when no place is free."""
RARELY = 1.0
"""Seconds between two times at which all streams have to show that somebody reads them."""


class Share(NamedTuple):
    """How many places there are for all who go by a name, such as one address."""

    name: str
    most: int


class StreamPlace:
    """A place that is taken by a stream, until the stream leaves it.

    ``replaced``: it belongs to a newer stream now. ``doubted``: whether somebody still reads is
    to be found out, by writing something. ``ring`` lets the stream look at this, and ``let_go``
    ends it though its client does not read.
    """

    __slots__ = ("doubted", "let_go", "names", "replaced", "ring")

    def __init__(
        self, names: Collection[str], ring: Callable[[], None], let_go: Callable[[], None]
    ) -> None:
        self.names = names
        self.ring = ring
        self.let_go = let_go
        self.replaced = self.doubted = False

    def doubt(self) -> None:
        """Let the stream write something, so that it ends if nobody reads it any more."""
        self.doubted = True
        self.ring()


class Places:
    """The places of a process."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._free = Condition()
        self._taken: dict[StreamPlace, None] = {}
        self._by_name: defaultdict[str, dict[StreamPlace, None]] = defaultdict(dict)
        self._doubted_at = -RARELY

    @property
    def taken(self) -> int:
        """How many places are taken."""
        return len(self._taken)

    def take(
        self,
        shares: Sequence[Share],
        ring: Callable[[], None],
        let_go: Callable[[], None] = lambda: None,
    ) -> StreamPlace:
        """Take a place; the shares are those of its stream, the closest first.

        Raises ``Unavailable`` if no place is free and the client has none to be replaced.
        """
        place = StreamPlace([share.name for share in shares], ring, let_go)
        with self._free:
            for name, most in shares:
                while len(self._by_name.get(name, ())) >= most:
                    self._replace(name, shares)
            if len(self._taken) >= self.most:
                self._make_room(shares)
            self._taken[place] = None
            for name in place.names:
                self._by_name[name][place] = None
        return place

    def leave(self, place: StreamPlace) -> None:
        """Give a place back; nothing happens if it is another stream's by now."""
        with self._free:
            if place in self._taken:
                self._drop(place)
                self._free.notify()

    def _make_room(self, shares: Sequence[Share]) -> None:
        own = next((share.name for share in shares if share.name in self._by_name), None)
        if own is not None:
            self._replace(own, shares)
            return
        self._doubt_all()
        if not self._free.wait_for(lambda: len(self._taken) < self.most, PROOF):
            raise Unavailable("As many streams are open as there may be.")

    def _replace(self, name: str, shares: Sequence[Share]) -> None:
        """Take the oldest place of a name, of those who have most in common with the newcomer."""
        names = {share.name for share in shares}
        oldest = max(self._by_name[name], key=lambda one: len(names.intersection(one.names)))
        oldest.replaced = True
        self._drop(oldest)
        oldest.ring()
        oldest.let_go()

    def _drop(self, place: StreamPlace) -> None:
        del self._taken[place]
        for name in place.names:
            del self._by_name[name][place]
            if not self._by_name[name]:
                del self._by_name[name]

    def _doubt_all(self) -> None:
        if monotonic() < self._doubted_at + RARELY:
            return
        self._doubted_at = monotonic()
        for place in self._taken:
            place.doubt()
