"""Trees against the RFC's own definitions, written down as it gives them, and known roots."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.log.merkle import (
    EMPTY,
    LeafSpan,
    NodeAt,
    NodePlace,
    cover,
    grow,
    hash_leaf,
    hash_span,
    list_consistency_spans,
    list_inclusion_spans,
    proves_consistency,
    proves_inclusion,
)


def span_hash(span: LeafSpan, node_at: NodeAt) -> bytes:
    """Return the hash of a span; that of ``LeafSpan(0, size)`` is the root."""
    return hash_span([node_at(place) for place in cover(span)])


NO_NODES: dict[NodePlace, bytes] = {}
MOST = 64
LEAVES = [bytes([number]) * (number % 5) for number in range(MOST)]

# The inputs and roots that certificate transparency's implementations test each other with.
INPUTS = (
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
)  # fmt: skip
ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)


def split(size: int) -> int:
    power = 1
    while 2 * power < size:
        power *= 2
    return power


def tree(leaves: list[bytes]) -> bytes:
    """MTH of section 2.1."""
    if len(leaves) < 2:
        return sha256(b"\x00" + leaves[0]).digest() if leaves else sha256().digest()
    k = split(len(leaves))
    return sha256(b"\x01" + tree(leaves[:k]) + tree(leaves[k:])).digest()


def audit_path(m: int, leaves: list[bytes]) -> list[bytes]:
    """PATH of section 2.1.1."""
    if len(leaves) == 1:
        return []
    k = split(len(leaves))
    if m < k:
        return [*audit_path(m, leaves[:k]), tree(leaves[k:])]
    return [*audit_path(m - k, leaves[k:]), tree(leaves[:k])]


def subproof(m: int, leaves: list[bytes], *, whole: bool = True) -> list[bytes]:
    """SUBPROOF of section 2.1.2."""
    if m == len(leaves):
        return [] if whole else [tree(leaves)]
    k = split(len(leaves))
    if m <= k:
        return [*subproof(m, leaves[:k], whole=whole), tree(leaves[k:])]
    return [*subproof(m - k, leaves[k:], whole=False), tree(leaves[:k])]


def full_nodes(leaves: list[bytes]) -> dict[NodePlace, bytes]:
    return dict(grow(0, map(hash_leaf, leaves), NO_NODES.__getitem__))


NODES = full_nodes(LEAVES)


def hashes(spans: list[LeafSpan]) -> list[bytes]:
    return [span_hash(span, NODES.__getitem__) for span in spans]


def test_the_known_roots_come_out() -> None:
    leaves = [bytes.fromhex(one) for one in INPUTS]
    nodes = full_nodes(leaves)
    roots = [span_hash(LeafSpan(0, size), nodes.__getitem__).hex() for size in range(1, 9)]
    assert roots == list(ROOTS)


def test_the_root_of_nothing_is_the_hash_of_nothing() -> None:
    assert hash_span([]) == EMPTY == tree([])


@pytest.mark.parametrize("size", range(1, MOST + 1))
def test_roots_and_proofs_are_those_of_the_definition(size: int) -> None:
    leaves = LEAVES[:size]
    root = tree(leaves)
    assert hashes([LeafSpan(0, size)]) == [root]
    for index in range(size):
        path = hashes(list_inclusion_spans(index, size))
        assert path == audit_path(index, leaves)
        assert proves_inclusion(hash_leaf(leaves[index]), index, size, path, root)
    for old in range(1, size + 1):
        path = hashes(list_consistency_spans(old, size))
        assert path == subproof(old, leaves)
        assert proves_consistency(old, size, tree(leaves[:old]), root, path)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 13, 64])
def test_a_changed_proof_of_inclusion_proves_nothing(size: int) -> None:
    root = tree(LEAVES[:size])
    other = sha256(b"other").digest()
    for index in range(size):
        hashed = hash_leaf(LEAVES[index])
        path = hashes(list_inclusion_spans(index, size))
        assert not proves_inclusion(other, index, size, path, root)
        assert not proves_inclusion(hashed, index, size, path, other)
        assert not proves_inclusion(hashed, index, size, [*path, other], root)
        assert not proves_inclusion(hashed, size, size, path, root)
        assert not proves_inclusion(hashed, -1, size, path, root)
        for place in range(len(path)):
            changed = [*path[:place], other, *path[place + 1 :]]
            assert not proves_inclusion(hashed, index, size, changed, root)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 13, 64])
def test_a_changed_proof_of_consistency_proves_nothing(size: int) -> None:
    root = tree(LEAVES[:size])
    other = sha256(b"other").digest()
    for old in range(1, size + 1):
        before = tree(LEAVES[:old])
        path = hashes(list_consistency_spans(old, size))
        assert not proves_consistency(old, size, other, root, path)
        assert not proves_consistency(old, size, before, other, path)
        assert not proves_consistency(old, size, before, root, [*path, other])
        assert not proves_consistency(size + 1, size, before, root, path)
        assert not proves_consistency(0, size, before, root, path)
        for place in range(len(path)):
            changed = [*path[:place], other, *path[place + 1 :]]
            assert not proves_consistency(old, size, before, root, changed)


@given(st.lists(st.binary(max_size=8), max_size=80), st.data())
def test_a_tree_that_grows_in_steps_is_the_one_that_grew_at_once(
    leaves: list[bytes], data: st.DataObject
) -> None:
    nodes: dict[NodePlace, bytes] = {}
    size = 0
    while size < len(leaves):
        step = data.draw(st.integers(1, len(leaves) - size))
        frontier = {place: nodes[place] for place in cover(LeafSpan(0, size))}
        added = map(hash_leaf, leaves[size : size + step])
        nodes |= dict(grow(size, added, frontier.__getitem__))
        size += step
    assert nodes == full_nodes(leaves)
    assert span_hash(LeafSpan(0, size), nodes.__getitem__) == tree(leaves)


@given(st.integers(1, 2**40), st.data())
def test_a_proof_reads_about_as_many_nodes_as_the_tree_is_high(
    size: int, data: st.DataObject
) -> None:
    height = size.bit_length()
    index = data.draw(st.integers(0, size - 1))
    included = [place for span in list_inclusion_spans(index, size) for place in cover(span)]
    assert len(included) <= 2 * height
    old = data.draw(st.integers(1, size))
    consistent = [place for span in list_consistency_spans(old, size) for place in cover(span)]
    assert len(consistent) <= 2 * height


@given(st.integers(0, 2**40), st.integers(0, 2**20))
def test_a_cover_is_gapless_and_of_full_nodes(first: int, length: int) -> None:
    at = first
    for level, number in cover(LeafSpan(first, first + length)):
        assert number << level == at
        at += 1 << level
    assert at == first + length


def test_what_is_in_no_tree_has_no_proof() -> None:
    for index, size in ((0, 0), (3, 3), (-1, 3)):
        with pytest.raises(ValueError, match="has none at"):
            list_inclusion_spans(index, size)
    for old, new in ((0, 3), (4, 3)):
        with pytest.raises(ValueError, match="does not continue"):
            list_consistency_spans(old, new)
