"""A match's rows judged by deciding everything again."""

from __future__ import annotations

from collections.abc import Sequence

from domain.match.state import Match, dump
from services.audits.decisions import Repeated, decide_again
from services.store.log import codec
from services.store.log.audits import StoredRow
from tests.support.games import test_games


def repeated(rows: Sequence[StoredRow], keep: frozenset[int] = frozenset()) -> Repeated:
    """Decide again all that rows say; ``keep``: the versions whose states are wanted as well."""
    stream = codec.decode(row[5:] for row in rows)
    return decide_again(stream, test_games(), keep)


def same(one: Match | None, other: Match | None) -> bool:
    """Whether there are two states, and they are one and the same."""
    return one is not None and other is not None and one == other and dump(one) == dump(other)
