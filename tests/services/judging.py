"""Both ways of an audit to judge a match's rows, side by side."""

from __future__ import annotations

from collections.abc import Sequence

from domain.match.state import Match, dump
from services.audits.chain import linked
from services.audits.decisions import Repeated, decided_again
from services.audits.plain import PlainMoves
from services.audits.reading import Reading
from services.store.log.audits import StoredRow
from services.store.log.codec import CODEC
from tests.support.games import test_games


def quickly(rows: Sequence[StoredRow], keep: frozenset[int] = frozenset()) -> Repeated | None:
    """Judge rows the quick way; None: their links do not even hold."""
    links = linked(rows, rows[0].match)
    if links.fault is not None:
        return None
    plain = PlainMoves(rows, links.others, keep)
    return decided_again(Reading(rows), test_games(), keep, plain)


def slowly(rows: Sequence[StoredRow], keep: frozenset[int] = frozenset()) -> Repeated:
    """Judge rows by deciding everything again."""
    stream = CODEC.decode(row[5:] for row in rows)
    return decided_again(stream, test_games(), keep)


def same(one: Match | None, other: Match | None) -> bool:
    """Whether both ways came to one state."""
    return one is not None and other is not None and one == other and dump(one) == dump(other)
