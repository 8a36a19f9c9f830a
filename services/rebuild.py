"""Caches made anew: lists, snapshots, the tree's nodes, ratings, records; from events and leaves.

The service may run meanwhile. A match is folded first, and then its row is held while it is made
sure that nothing was appended since; whoever appends comes before that or behind it. How far it
has come is kept in the database, so a rebuild that was stopped goes on where it was.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

from sqlalchemy import Connection

from domain.errors import Corruption
from domain.log.merkle import LeafSpan, NodePlace, cover, grow
from services.matches.repository import (
    SNAPSHOT_EVERY,
    Anew,
    Repository,
    is_same,
    row_of,
    snapshot_of,
)
from services.ratings.rated_matches import RatedMatches
from services.store import checkpoints, conditional_moves
from services.store import matches as readmodels
from services.store.checkpoints import LEAVES_AT_ONCE
from services.store.db.engine import Database
from services.store.lobby import records
from services.store.log import audits, events, rebuild, snapshots

AT_ONCE = 50
"""Matches of one transaction: on SQLite a move may have to wait for it."""

SAMPLE = 200
"""How many matches, and nodes of the tree, are compared unless somebody wants more."""

AGAIN = 3
"""How often a match is looked at, since somebody may move in it meanwhile."""

BEHIND = "The caches are not all made from the events yet. Run: plybook db rebuild"


class RebuildProgress(NamedTuple):
    """What a part of a rebuild came to.

    ``matches``: how many were made anew, up to ``after``. ``changed``: how many of their rows, of
    the tree's nodes, of the players' ratings or records were wrong or missing. ``broken``: matches
    that cannot be folded, which are left as they are, and why.
    """

    matches: int
    changed: int
    broken: list[tuple[str, str]]
    after: str


@dataclass(frozen=True, slots=True)
class Rebuilding:
    """Makes caches anew, and compares them."""

    database: Database
    repository: Repository
    rated_matches: RatedMatches

    def find_waiting(self) -> str | None:
        """Return the match behind which a rebuild has to go on; None: there is none to be done."""
        with self.database.read() as connection:
            return rebuild.find_progress(connection)

    def run(self, *, anew: bool = False) -> Iterator[RebuildProgress]:
        """Make all caches anew, and yield what each part came to.

        ``anew``: from the first match on, also where one was stopped. Raises ``Corruption`` when
        the tree's leaves are not those that were signed.
        """
        with self.database.write() as connection:
            after = (None if anew else rebuild.find_progress(connection)) or rebuild.FIRST
            rebuild.save(connection, after)
        while True:
            folded, broken = dict[str, Anew | None](), list[tuple[str, str]]()
            with self.database.read() as connection:
                ids = rebuild.list_matches_behind(connection, after, AT_ONCE)
                for match_id in ids:
                    try:
                        folded[match_id] = self._fold_anew(connection, match_id)
                    except Corruption as error:
                        broken.append((match_id, str(error)))
            if not ids:
                break
            after = ids[-1]
            yield self._write(folded, broken, after)
        yield RebuildProgress(0, self._remake_nodes(), [], after)
        yield RebuildProgress(0, self.rated_matches.rate_anew(), [], after)
        with self.database.write() as connection:
            changed = records.put_right(connection)
            rebuild.finish(connection)
        yield RebuildProgress(0, changed, [], after)

    def _fold_anew(self, connection: Connection, match_id: str) -> Anew | None:
        versions = count(SNAPSHOT_EVERY, SNAPSHOT_EVERY)
        return self.repository.fold_anew(connection, match_id, versions)

    def _write(
        self, folded: dict[str, Anew | None], broken: list[tuple[str, str]], after: str
    ) -> RebuildProgress:
        """Store what was folded; ``broken``: matches that could not be, and why."""
        changed, matches = 0, len(folded) + len(broken)
        with self.database.write() as connection:
            for match_id, made in folded.items():
                try:
                    changed += self._remake(connection, match_id, made)
                except Corruption as error:
                    broken.append((match_id, str(error)))
            rebuild.save(connection, after)
        return RebuildProgress(matches, changed, sorted(broken), after)

    def _remake(self, connection: Connection, match_id: str, made: Anew | None) -> bool:
        """Put what was folded in place of what there is; return whether the row was wrong."""
        before = readmodels.find(connection, match_id, lock=True)
        right = before is not None and _is_right_beside(connection, before)
        while (head := events.find_head(connection, match_id)) is not None:
            if made is None or (made.match.version, made.match.head) != head[:2]:
                made = self._fold_anew(connection, match_id)
                if made is None or made.match.version < head.version:
                    raise Corruption(f"match {match_id} has a gap before version {head.version}")
                continue
            readmodels.save(connection, row_of(made.match))
            if made.match.series is not None:
                readmodels.settle_series(connection, made.match.series["id"])
            # Where there was no row to be held, somebody may have come in between.
            if events.find_head(connection, match_id) == head:
                conditional_moves.flag(connection, match_id)
                if made.match.over:
                    made.snapshots[made.match.version] = snapshot_of(made.match)
                snapshots.delete(connection, match_id)
                snapshots.save_all(connection, list(made.snapshots.values()))
                return before != row_of(made.match) or not right
        snapshots.delete(connection, match_id)
        return readmodels.delete(connection, match_id) > 0

    def _remake_nodes(self) -> int:
        """Make the tree's inner nodes anew; return how many were wrong, missing or too many."""
        size, changed, frontier = 0, 0, dict[NodePlace, bytes]()
        while True:
            with self.database.write() as connection:
                checkpoints.take_turns(connection)
                leaves = checkpoints.list_leaves(connection, size, LEAVES_AT_ONCE)
                if not leaves:
                    changed += checkpoints.remove_nodes_beyond(connection, size)
                    _compare_with_signed(connection)
                    return changed
                hashes = [leaf.hash() for leaf in leaves]
                nodes = list(grow(size, hashes, frontier.__getitem__))
                above = [(place, hashed) for place, hashed in nodes if place.level]
                changed += checkpoints.replace_nodes(connection, above)
            size += len(leaves)
            known = {**frontier, **dict(nodes)}
            frontier = {place: known[place] for place in cover(LeafSpan(0, size))}

    def iter_differences(
        self, sample: int = SAMPLE, told: Callable[[int], None] = lambda _: None
    ) -> Iterator[str]:
        """Compare the caches of some matches with the events, and tell what differs.

        All are compared if there are no more than ``sample``, otherwise as many, by lot.
        """
        if self.find_waiting() is not None:
            yield BEHIND
        for number, match_id in enumerate(self._draw_sample(sample), 1):
            yield from self._list_faults(match_id)
            told(number)
        with self.database.read() as connection:
            yield from _iter_tree_faults(connection, sample)
            for player, game in records.list_wrong(connection):
                yield f"The record of the player {player} in {game} is another one."

    def _draw_sample(self, size: int) -> list[str]:
        with self.database.read() as connection:
            every = rebuild.list_matches_behind(connection, rebuild.FIRST, size + 1)
            if len(every) <= size:
                return every
            chosen = set[str]()
            for _ in range(size):
                lot = self.repository.randomness.make_match_id()
                chosen.update(rebuild.list_matches_behind(connection, lot, 1) or every[:1])
            return sorted(chosen)

    def _list_faults(self, match_id: str) -> list[str]:
        found: list[str] = []
        for _ in range(AGAIN):
            with self.database.read() as connection:
                found = list(self._iter_cache_faults(connection, match_id))
                found += self.rated_matches.iter_faults(connection, match_id)
            if not found:
                break
        return found

    def _iter_cache_faults(self, connection: Connection, match_id: str) -> Iterator[str]:
        kept = audits.list_snapshots(connection, match_id, self.repository.formats)
        try:
            made = self.repository.fold_anew(connection, match_id, [one.version for one in kept])
        except Corruption as error:
            yield f"The events of the match {match_id} cannot be read: {error}."
            return
        row = readmodels.find(connection, match_id)
        if made is None:
            yield f"There are lists or snapshots of the match {match_id}, and no events."
        elif row is None:
            yield f"The lists do not have the match {match_id}."
        else:
            expected = row_of(made.match)
            names = [name for name in row._fields if getattr(row, name) != getattr(expected, name)]
            if not conditional_moves.is_flagged(connection, match_id):
                names.append("conditional")
            if not readmodels.is_settled(connection, match_id):
                names.append("series_status")
            if names:
                yield f"The lists have the match {match_id} otherwise: {', '.join(names)}."
            yield from _iter_snapshot_faults(match_id, kept, made)


def _is_right_beside(connection: Connection, row: readmodels.MatchRow) -> bool:
    """Say whether those columns are right that do not follow from this match's events alone."""
    of_series = {row.id, row.series or row.id}
    return conditional_moves.is_flagged(connection, row.id) and all(
        readmodels.is_settled(connection, match_id) for match_id in of_series
    )


def _iter_snapshot_faults(
    match_id: str, kept: Sequence[snapshots.Snapshot], made: Anew
) -> Iterator[str]:
    for one in kept:
        then = made.snapshots.get(one.version)
        if then is None or one._replace(state=b"") != then._replace(state=b""):
            yield f"A snapshot of the match {match_id}, at event {one.version}, is of another one."
        elif not is_same(one.state, then.state):
            yield f"A snapshot of the match {match_id} differs from event {one.version}."


def _compare_with_signed(connection: Connection) -> None:
    """Raise ``Corruption`` unless the newest checkpoint is of this tree."""
    last = checkpoints.find_latest(connection)
    if last is None:
        return
    try:
        [root] = checkpoints.hash_spans(connection, [LeafSpan(0, last.size)])
    except KeyError:
        root = b""
    if root.hex() != last.root:
        raise Corruption(f"the tree's first {last.size} leaves are not those that were signed")


def _iter_tree_faults(connection: Connection, sample: int) -> Iterator[str]:
    size = checkpoints.get_end(connection).size
    full = size - size.bit_count()
    stored = checkpoints.count_nodes(connection)
    if stored != full:
        yield f"The tree of checkpoints has {stored} inner nodes, and should have {full}."
    places = _draw_places(size, sample) if full else []
    for place in checkpoints.list_wrong_nodes(connection, places):
        yield f"The node {place.number} at level {place.level} of the tree of checkpoints is wrong."


def _draw_places(size: int, sample: int) -> list[NodePlace]:
    """Return places of full nodes above ``size`` leaves: all, or as many as are wanted, by lot."""
    if size <= sample:
        levels = range(1, size.bit_length())
        return [NodePlace(level, number) for level in levels for number in range(size >> level)]
    places = set[NodePlace]()
    for _ in range(sample):
        level = 1 + secrets.randbelow(size.bit_length() - 1)
        places.add(NodePlace(level, secrets.randbelow(size >> level)))
    return sorted(places)
