"""Merkle trees that only grow (RFC 6962, section 2.1), as pure functions over hashes.

A leaf's hash is SHA-256 of a zero byte and the leaf, a node's that of a one byte and its two
children. Nodes whose subtree is full never change again; they have a *place*: the level above
the leaves, and the number within the level. Everything else (roots, proofs) is hashes of *spans*
of leaves, and a span is covered by a few full nodes: so whoever keeps the full nodes reads
about as many of them as the tree is high, whatever they prove.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple

EMPTY = sha256().digest()
"""The root of the tree without leaves."""


class NodePlace(NamedTuple):
    """Where a full node stands: ``level`` 0 are the leaves, ``number`` counts from the left."""

    level: int
    number: int


class LeafSpan(NamedTuple):
    """The leaves from ``first`` up to, and without, ``end``."""

    first: int
    end: int


NodeAt = Callable[[NodePlace], bytes]
"""Gives the hash of a full node."""


def hash_leaf(leaf: bytes) -> bytes:
    """Hash a leaf's bytes."""
    return sha256(b"\x00" + leaf).digest()


def hash_node(left: bytes, right: bytes) -> bytes:
    """Hash two children."""
    return sha256(b"\x01" + left + right).digest()


def list_children(place: NodePlace) -> tuple[NodePlace, NodePlace]:
    """Return the places of the two nodes below one that is no leaf."""
    level, number = place
    return NodePlace(level - 1, 2 * number), NodePlace(level - 1, 2 * number + 1)


def cover(span: LeafSpan) -> list[NodePlace]:
    """Return the full nodes below which the leaves of a span stand, from the left.

    >>> cover(LeafSpan(0, 6))
    [NodePlace(level=2, number=0), NodePlace(level=1, number=2)]
    """
    places = []
    first = span.first
    while first < span.end:
        level = (span.end - first).bit_length() - 1
        if first:
            level = min(level, (first & -first).bit_length() - 1)
        places.append(NodePlace(level, first >> level))
        first += 1 << level
    return places


def hash_span(hashes: Sequence[bytes]) -> bytes:
    """Return the hash of a span from those of the nodes that cover it."""
    if not hashes:
        return EMPTY
    *others, hashed = hashes
    for left in reversed(others):
        hashed = hash_node(left, hashed)
    return hashed


def list_inclusion_spans(index: int, size: int) -> list[LeafSpan]:
    """Return the spans whose hashes prove that a leaf is in the tree, from the leaf upwards.

    Raises ``ValueError`` unless 0 <= ``index`` < ``size``.
    """
    if not 0 <= index < size:
        raise ValueError(f"A tree of {size} leaves has none at {index}.")
    spans = []
    first, end = 0, size
    while end - first > 1:
        middle = first + _split(end - first)
        if index < middle:
            spans.append(LeafSpan(middle, end))
            end = middle
        else:
            spans.append(LeafSpan(first, middle))
            first = middle
    return spans[::-1]


def list_consistency_spans(old: int, new: int) -> list[LeafSpan]:
    """Return the spans whose hashes prove that a tree continues a smaller one.

    Raises ``ValueError`` unless 0 < ``old`` <= ``new``.
    """
    if not 0 < old <= new:
        raise ValueError(f"A tree of {new} leaves does not continue one of {old}.")
    spans = []
    first, end = 0, new
    while old != end:
        middle = first + _split(end - first)
        if old <= middle:
            spans.append(LeafSpan(middle, end))
            end = middle
        else:
            spans.append(LeafSpan(first, middle))
            first = middle
    # A whole left part of the new tree is the old tree: its root is known to whoever asks.
    return [*([LeafSpan(first, end)] if first else []), *reversed(spans)]


def _split(size: int) -> int:
    """Return the largest power of two below ``size``."""
    return 1 << ((size - 1).bit_length() - 1)


def grow(size: int, leaves: Iterable[bytes], node_at: NodeAt) -> Iterator[tuple[NodePlace, bytes]]:
    """Yield the full nodes that come about, leaves included, when leaves' hashes are added.

    ``node_at`` is asked only for nodes of ``cover(Span(0, size))``. Each node comes after its
    children, and those of one level in their order.
    """
    peaks = [(place, node_at(place)) for place in cover(LeafSpan(0, size))]
    for number, hashed in enumerate(leaves, size):
        place = NodePlace(0, number)
        peaks.append((place, hashed))
        yield peaks[-1]
        while place.number % 2:
            (_, right), (_, left) = peaks.pop(), peaks.pop()
            place = NodePlace(place.level + 1, place.number // 2)
            peaks.append((place, hash_node(left, right)))
            yield peaks[-1]


def proves_inclusion(
    hashed: bytes, index: int, size: int, path: Sequence[bytes], root: bytes
) -> bool:
    """Say whether ``path`` proves that the leaf with this hash is in the tree with this root."""
    if not 0 <= index < size:
        return False
    spans = list_inclusion_spans(index, size)
    if len(spans) != len(path):
        return False
    for span, other in zip(spans, path, strict=True):
        on_the_left = span.end <= index
        hashed = hash_node(other, hashed) if on_the_left else hash_node(hashed, other)
    return hashed == root


def proves_consistency(
    old: int, new: int, old_root: bytes, new_root: bytes, path: Sequence[bytes]
) -> bool:
    """Say whether ``path`` proves that the second tree is the first with leaves added."""
    if not 0 < old <= new:
        return False
    spans = list_consistency_spans(old, new)
    if len(spans) != len(path):
        return False
    hashes = dict(zip(spans, path, strict=True))
    # Where the walk down ended: a part of both trees, from which both roots are built up.
    start = spans[0] if spans and spans[0].end == old else None
    then = now = hashes.pop(start) if start is not None else old_root
    for span, other in hashes.items():
        if span.end <= old:
            then, now = hash_node(other, then), hash_node(other, now)
        else:
            now = hash_node(now, other)
    return then == old_root and now == new_root
