"""Verifying a block from its bytes, where those can be compared with what the rules give.

A match that holds is told so here, or not at all: whatever is odd is left to ``checking``, which
reads every line and says what is wrong. What holds here holds there; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain.errors import Corruption, Refusal
from domain.game.registry import Games
from services.audits.decisions import decided_again
from services.audits.plain import PlainMoves
from services.audits.reading import Reading
from services.audits.seals import opening_faults, seal_faults
from services.exchange.checking import Verified, compare
from services.exchange.forms import check_event, check_header
from services.exchange.lines import apart, are_instants
from services.exchange.reading import Block, Unreadable

_IMPOSSIBLE = (Unreadable, Corruption, Refusal, AttributeError, LookupError, TypeError, ValueError)
"""What comes of bytes that are no match: ``checking`` is to say why."""


def quickly(block: Block, games: Games, latest: str) -> Verified | None:
    """Verify a block; None where it does not hold, or cannot be told from its bytes.

    ``latest``: the instant after which nothing can have happened yet.
    """
    try:
        check_header(block.header)
        return _verified(block, games, latest)
    except _IMPOSSIBLE:
        return None


def _verified(block: Block, games: Games, latest: str) -> Verified | None:
    header = block.header
    lines = apart(block, header["match"])
    if lines is None or not are_instants(lines.instants, latest):
        return None
    rows = lines.rows(header["match"])
    plain = PlainMoves(rows, lines.read)
    stream = Reading(rows)
    match = decided_again(stream, games, plain=plain).match
    if match is None or match.version != len(rows):
        return None
    for index in _between(plain.made, len(rows)):
        line = lines.read.get(index) or block.event(index)
        check_event(line.value, line.number, latest)
    others = sorted({0, *lines.read})
    sealed = [stream[index] for index in others]
    openings = (rows[index] for index in others)
    if any(seal_faults(sealed)) or any(opening_faults(sealed, openings)):
        return None
    compare(header, match, len(rows))
    return Verified(match, [row[1:] for row in rows], header["names"])


def _between(made: Sequence[range], number: int) -> Iterator[int]:
    """Yield the indexes that are in none of these ranges, which stand in their order."""
    behind = 0
    for some in made:
        yield from range(behind, some.start)
        behind = some.stop
    yield from range(behind, number)
