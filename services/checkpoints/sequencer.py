"""The sequencer: reads what has happened, adds matches' heads to the tree, and signs.

It follows the feed of all events, at its own pace; no command knows of it. Any number of them
may run at once: leaves are added only at the very end that somebody has read up to, so one of
two finds that it was overtaken, and reads on from where the other one stopped.

Leaves and signatures are transactions of their own. Whoever is killed in between has lost
nothing: the next pass signs the tree as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from time import monotonic

from sqlalchemy import Connection

from domain.errors import Corruption
from domain.log.merkle import LeafSpan, list_consistency_spans, proves_consistency
from domain.match.clock import format_instant
from domain.match.kinds import ENDINGS
from services.checkpoints.keys import SigningKeys
from services.runtime.clock import Now
from services.store import checkpoints
from services.store.checkpoints import LEAVES_AT_ONCE, Checkpoint, Leaf, Overtaken, TreeEnd
from services.store.db.engine import Database
from services.store.log import feed

LOOK_EVERY = 1.0
"""Seconds between two looks at the feed: no ended match waits longer for its checkpoint."""


@dataclass(slots=True)
class Gathered:
    """Heads that were read behind the tree's end, and are not in the tree yet.

    ``cursor``: how far was read. ``ended``: a match's last event is among them.
    """

    known: TreeEnd
    cursor: str
    heads: dict[str, Leaf] = field(default_factory=dict)
    ended: bool = False


@dataclass(frozen=True, slots=True)
class Sequencer:
    """Adds leaves and signs checkpoints."""

    database: Database
    keys: SigningKeys
    now: Now

    def run(self, told: Callable[[int], None] = lambda _: None) -> Checkpoint | None:
        """Add all heads there are and sign; None: nothing was ever played.

        ``told`` is called with the tree's size now and then. Raises ``NoKey``, and
        ``Corruption`` if the stored tree is not the one that was signed before.
        """
        gathered = self.start()
        # Once more after the last ones: there may be more, or somebody else was quicker.
        while self.gather(gathered) or gathered.heads:
            gathered = self.add(gathered)
            told(gathered.known.size)
        return self.sign()

    def find_newest(self) -> Checkpoint | None:
        """Return the newest checkpoint there is."""
        with self.database.read() as connection:
            return checkpoints.find_latest(connection)

    def start(self) -> Gathered:
        """Begin to read behind the tree's end."""
        with self.database.read() as connection:
            known = checkpoints.get_end(connection)
        return Gathered(known, known.cursor)

    def gather(self, gathered: Gathered) -> bool:
        """Read on in the feed to its end; return whether it is time to add what was read."""
        while room := LEAVES_AT_ONCE - len(gathered.heads):
            with self.database.read() as connection:
                found = feed.list_marks(connection, gathered.cursor, room)
            for match, version, kind, hashed in found.events:
                # The newest head goes to the end: leaves stand in the order of their events.
                gathered.heads.pop(match, None)
                gathered.heads[match] = Leaf(match, version, hashed)
                # Behind an end no other event comes, so a checkpoint is due at once.
                gathered.ended = gathered.ended or kind in ENDINGS
            gathered.cursor = found.cursor
            if len(found.events) < room:
                return False
        return True

    def add(self, gathered: Gathered) -> Gathered:
        """Add what was read to the tree; return what to go on with."""
        if not gathered.heads:
            return gathered
        try:
            with self.database.write() as connection:
                checkpoints.append(
                    connection, gathered.known, list(gathered.heads.values()), gathered.cursor
                )
        except Overtaken:
            return self.start()
        known = TreeEnd(gathered.known.size + len(gathered.heads), gathered.cursor)
        return Gathered(known, gathered.cursor)

    def sign(self) -> Checkpoint | None:
        """Sign the tree as it is, unless that was done; return its newest checkpoint."""
        with self.database.read() as connection:
            size, last = checkpoints.get_end(connection).size, checkpoints.find_latest(connection)
            if last is not None and last.size >= size:
                return last
            if not size:
                return None
            root = _get_root(connection, last, size)
        signer = self.keys.get_signer()
        with self.database.write() as connection:
            checkpoints.take_turns(connection)
            last = checkpoints.find_latest(connection)
            if last is not None and last.size >= size:
                return last
            known = checkpoints.list_keys(connection)
            if known[-1].id == signer.id:
                at = max(format_instant(self.now()), known[-1].valid_from, last.at if last else "")
                # The tree is called after its first key, for ever.
                origin = f"plybook/{known[0].id[:32]}"
                unsigned = Checkpoint(origin, size, root, at, signer.id)
                made = unsigned._replace(signature=signer.sign(unsigned.dump_for_signing()))
                checkpoints.add(connection, made)
                return made
        # A new key has begun in between.
        return self.sign()


@dataclass(slots=True)
class Follower:
    """Follows what is played, look by look; signs every ``interval`` seconds, and behind each end.

    What was read stays in memory between two looks, since no checkpoint is due at most of them.
    With an ``interval`` of 0 nothing is signed, and the tree grows behind each end all the same:
    ratings go by its leaves.
    """

    sequencer: Sequencer
    interval: float
    _gathered: Gathered | None = field(default=None, init=False)
    _due: float = field(default_factory=monotonic, init=False)

    def look(self) -> int | None:
        """Read on; return the size of a checkpoint that was signed, None if none was due.

        Raises what ``Sequencer.run`` raises.
        """
        # After a failure all begins anew: what was read may be in the tree by now, or not.
        gathered, self._gathered = self._gathered or self.sequencer.start(), None
        due, self._due = self._due, monotonic()
        while self.sequencer.gather(gathered):
            gathered = self.sequencer.add(gathered)
        made = None
        if gathered.ended or monotonic() >= due:
            gathered, due = self.sequencer.add(gathered), monotonic() + (self.interval or inf)
            made = self._sign() if self.interval else None
        self._gathered, self._due = gathered, due
        return None if made is None else made.size

    def _sign(self) -> Checkpoint | None:
        """Sign; return the checkpoint if it is a new one."""
        before = self.sequencer.find_newest()
        made = self.sequencer.sign()
        return None if made == before else made


def _get_root(connection: Connection, last: Checkpoint | None, size: int) -> str:
    """Return the tree's root, if it goes on from the one that was signed last.

    To sign another past would be to vouch for it. Raises ``Corruption``.
    """
    try:
        [root] = checkpoints.hash_spans(connection, [LeafSpan(0, size)])
        if last is None:
            return root.hex()
        path = checkpoints.hash_spans(connection, list_consistency_spans(last.size, size))
    except KeyError as error:
        raise Corruption(f"the tree of checkpoints lacks the node {error}") from error
    if not proves_consistency(last.size, size, bytes.fromhex(last.root), root, path):
        raise Corruption(f"the tree of checkpoints is not the one that was signed at {last.size}")
    return root.hex()
