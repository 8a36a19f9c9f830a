"""What a checkpoint that was kept elsewhere finds, whatever was made anew in the database."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import text

from domain.errors import Corruption
from services.checkpoints.documents import hash_key
from services.checkpoints.keys import Signer
from services.checkpoints.verification import (
    Mismatch,
    check_signature,
    compare_database,
    compare_export,
    compare_match,
)
from services.container import Services
from services.matches.queries import Asker
from services.store.checkpoints import Checkpoint, Key
from services.store.log import events as log
from tests.services.checkpoints.attacks import heads_now, leaves, plant, remove, rewrite, unguarded
from tests.services.people import Table, table

FORGED_AT = (b'"at":"2026-11-27T22', b'"at":"2026-11-27T23')


@pytest.fixture
def tables(house: Services) -> list[Table]:
    """Give three matches, one of them over, each at two heads of the tree."""
    made = [table(house).start() for _ in range(3)]
    made[0].act(1, "resign")
    house.sequencer.run()
    made[1].act(2, "resign")
    house.sequencer.run()
    return made


@pytest.fixture
def kept(house: Services, tables: list[Table]) -> Checkpoint:
    """Give a checkpoint that was kept, after which the tree has grown."""
    checkpoint = house.checkpoints.get()
    tables[2].act(1, "resign")
    house.sequencer.run()
    assert house.checkpoints.get().size > checkpoint.size == 4
    return checkpoint


def found(house: Services, kept: Checkpoint) -> list[Mismatch]:
    return list(compare_database(house.database, kept))


def checks(mismatches: list[Mismatch]) -> set[tuple[str, str | None]]:
    return {(one.check, one.match) for one in mismatches}


def test_an_honest_database_goes_with_every_checkpoint(house: Services, kept: Checkpoint) -> None:
    assert found(house, kept) == []
    for checkpoint in house.checkpoints.list_page(None, 10).listed:
        assert found(house, checkpoint) == []


def test_the_progress_is_told(house: Services, kept: Checkpoint) -> None:
    told: list[int] = []
    assert list(compare_database(house.database, kept, told=told.append)) == []
    assert told == [1, 2, 3, 4]


def test_a_rewritten_match_is_found_though_its_chain_was_made_anew(
    house: Services, tables: list[Table], kept: Checkpoint
) -> None:
    with unguarded(house.database) as connection:
        rewrite(connection, tables[0].match, [FORGED_AT])
    [fault] = found(house, kept)
    assert (fault.check, fault.match) == ("history", tables[0].match)
    assert "rewritten" in fault.detail
    coverage = compare_match(house.database, kept, tables[0].match)
    assert (coverage.version, checks(coverage.mismatches)) == (
        None, {("history", tables[0].match)},
    )  # fmt: skip


def test_a_rewritten_match_is_found_though_the_whole_tree_was_made_anew(
    house: Services, tables: list[Table], kept: Checkpoint
) -> None:
    with unguarded(house.database) as connection:
        rewrite(connection, tables[0].match, [FORGED_AT])
        plant(connection, heads_now(connection, leaves(connection)))
    assert checks(found(house, kept)) == {("tree", None)}
    assert checks(compare_match(house.database, kept, tables[0].match).mismatches) == {
        ("tree", None)
    }


def test_a_match_that_vanished_is_found(
    house: Services, tables: list[Table], kept: Checkpoint
) -> None:
    with unguarded(house.database) as connection:
        remove(connection, tables[1].match)
    [fault] = found(house, kept)
    assert fault == Mismatch("history", "The match has vanished.", tables[1].match)
    [fault] = compare_match(house.database, kept, tables[1].match).mismatches
    assert fault.detail == "The match has vanished."


def test_a_match_that_vanished_with_its_leaves_is_found(
    house: Services, tables: list[Table], kept: Checkpoint
) -> None:
    with unguarded(house.database) as connection:
        remove(connection, tables[1].match)
        plant(connection, [one for one in leaves(connection) if one.match != tables[1].match])
    assert ("tree", None) in checks(found(house, kept))
    assert checks(compare_match(house.database, kept, tables[1].match).mismatches) == {
        ("tree", None)
    }


def test_a_cut_tail_is_found(house: Services, tables: list[Table], kept: Checkpoint) -> None:
    version = tables[0].version
    with unguarded(house.database) as connection:
        connection.execute(
            text('DELETE FROM events WHERE "match" = :m AND version = :v'),
            {"m": tables[0].match, "v": version},
        )
    [fault] = found(house, kept)
    assert (fault.check, fault.match, fault.version) == ("history", tables[0].match, version)


@pytest.mark.parametrize("number", [0, 1, 3])
def test_a_removed_leaf_is_found(house: Services, kept: Checkpoint, number: int) -> None:
    with unguarded(house.database) as connection:
        connection.execute(text("DELETE FROM checkpoint_leaves WHERE number = :n"), {"n": number})
    details = [one.detail for one in found(house, kept)]
    # Of the last one, only the root tells.
    assert (f"Leaf {number} of the tree is missing." in details) == (number < 3)
    assert any("not those that were signed" in one for one in details)


def test_a_changed_leaf_is_found(house: Services, kept: Checkpoint) -> None:
    with unguarded(house.database) as connection:
        connection.execute(text("UPDATE checkpoint_leaves SET version = 1 WHERE number = 2"))
    assert "Leaf 2 was changed." in [one.detail for one in found(house, kept)]


def test_a_tree_that_was_cut_short_is_found(house: Services, kept: Checkpoint) -> None:
    with unguarded(house.database) as connection:
        plant(connection, leaves(connection)[:2])
    details = [one.detail for one in found(house, kept)]
    assert "2 leaves, and the checkpoint was made of 4" in details[0]


def test_two_trees_of_one_size_are_found(
    house: Services, tables: list[Table], kept: Checkpoint
) -> None:
    with unguarded(house.database) as connection:
        other = heads_now(connection, leaves(connection))
        plant(connection, [other[0]._replace(version=1), *other[1:]])
        connection.execute(text("DELETE FROM checkpoints"))
    house.sequencer.run()
    proof = house.checkpoints.prove_inclusion(Asker(local=True), tables[2].match)
    assert proof.checkpoint.size == 5
    later = Checkpoint(*house.checkpoints.get())
    again = kept._replace(size=later.size)
    assert "Two different trees of 5 leaves were signed." in [
        one.detail for one in found(house, again)
    ]


@pytest.mark.usefixtures("kept")
def test_the_service_signs_no_tree_that_does_not_continue_the_last_one(house: Services) -> None:
    with unguarded(house.database) as connection:
        other = leaves(connection)
        plant(connection, [other[1], other[0], *other[2:]])
    table(house).start()
    with pytest.raises(Corruption, match="not the one that was signed at 5"):
        house.sequencer.run()


def other_key(**changes: str) -> Key:
    public = Signer(Ed25519PrivateKey.generate()).public_key
    return Key(hash_key(public), public, "2026-01-01T00:00:00.000000Z", None)._replace(**changes)


def test_a_checkpoint_of_an_unknown_key_is_found(house: Services, kept: Checkpoint) -> None:
    [fault] = check_signature(kept, [other_key()])
    assert "none of the known ones" in fault.detail
    [fault] = compare_database(house.database, kept, [other_key()])
    assert fault.check == "signature"


@pytest.mark.parametrize(
    "changes",
    [
        {"size": 3},
        {"root": "0" * 64},
        {"at": "2026-11-27T22:00:00.000001Z"},
        {"origin": "elsewhere"},
        {"signature": "0" * 128},
    ],
    ids=str,
)
def test_a_changed_checkpoint_is_found(
    house: Services, kept: Checkpoint, changes: dict[str, object]
) -> None:
    keys = house.signing_keys.list_all()
    assert list(check_signature(kept, keys)) == []
    [fault] = check_signature(kept._replace(**changes), keys)  # type: ignore[arg-type]
    assert "not what its key has signed" in fault.detail


def test_a_signature_from_outside_the_keys_time_is_found(house: Services, kept: Checkpoint) -> None:
    [key] = house.signing_keys.list_all()
    for changed in (
        key._replace(valid_from="2026-11-28T00:00:00.000000Z"),
        key._replace(valid_until="2026-11-27T00:00:00.000000Z"),
    ):
        [fault] = check_signature(kept, [changed])
        assert "not valid at the time" in fault.detail


def hashes(house: Services, match: str) -> dict[int, str]:
    with house.database.read() as connection:
        return {event.version: event.hash for event in log.load(connection, match)}


def test_an_export_goes_with_the_checkpoint_that_its_proof_is_for(
    house: Services, tables: list[Table], kept: Checkpoint
) -> None:
    match = tables[0].match
    proof = house.checkpoints.prove_inclusion(Asker(), match, kept.size)
    exported = hashes(house, match)
    keys = house.signing_keys.list_all()
    assert compare_export(kept, match, exported, proof, keys=keys) == (len(exported), [])
    changed = {**exported, len(exported): "0" * 64}
    [fault] = compare_export(kept, match, changed, proof, keys=keys).mismatches
    assert (fault.check, fault.version) == ("history", len(exported))
    del exported[len(exported)]
    [fault] = compare_export(kept, match, exported, proof, keys=keys).mismatches
    assert "it was cut" in fault.detail
    other = house.checkpoints.prove_inclusion(Asker(), tables[1].match, kept.size)
    [fault] = compare_export(kept, match, exported, other, keys=keys).mismatches
    assert "proof is of the match" in fault.detail
    forged = proof._replace(path=proof.path[::-1])
    [fault] = compare_export(kept, match, exported, forged, keys=keys).mismatches
    assert "does not lead to the root" in fault.detail
    [fault] = compare_export(kept, match, exported, None, keys=keys).mismatches
    assert fault.check == "undecided"
    assert f"inclusion?size={kept.size}" in fault.detail


def test_an_export_with_a_later_proof_needs_a_link_to_the_checkpoint(
    house: Services, tables: list[Table], kept: Checkpoint
) -> None:
    match, keys = tables[0].match, house.signing_keys.list_all()
    exported, proof = hashes(house, match), house.checkpoints.prove_inclusion(Asker(), match)
    [fault] = compare_export(kept, match, exported, proof, keys=keys).mismatches
    assert fault.check == "undecided"
    assert "/consistency?from=4&to=5" in fault.detail
    link = house.checkpoints.prove_consistency(kept.size)
    coverage = compare_export(kept, match, exported, proof, keys=keys, consistency=link)
    assert coverage == (len(exported), [])
    forged = link._replace(path=("0" * 64,))
    [fault] = compare_export(kept, match, exported, proof, keys=keys, consistency=forged).mismatches
    assert fault.check == "tree"


def test_a_leaf_that_came_after_the_checkpoint_says_nothing_for_it(
    house: Services, tables: list[Table], kept: Checkpoint
) -> None:
    match, keys = tables[2].match, house.signing_keys.list_all()
    proof, link = (
        house.checkpoints.prove_inclusion(Asker(), match),
        house.checkpoints.prove_consistency(4),
    )
    coverage = compare_export(kept, match, hashes(house, match), proof, keys=keys, consistency=link)
    assert coverage.version is None
    assert coverage.mismatches[0].check == "undecided"
    assert "only after the checkpoint" in coverage.mismatches[0].detail
    earlier = house.checkpoints.prove_inclusion(Asker(), match, kept.size)
    coverage = compare_export(kept, match, hashes(house, match), earlier, keys=keys)
    assert coverage == (earlier.leaf.version, [])
    assert earlier.leaf.version < max(hashes(house, match))


def test_a_proof_for_another_tree_of_the_same_size_is_found(
    house: Services, tables: list[Table], kept: Checkpoint
) -> None:
    match, keys = tables[0].match, house.signing_keys.list_all()
    proof = house.checkpoints.prove_inclusion(Asker(), match, kept.size)
    signer = house.signing_keys.get_signer()
    other = kept._replace(root="1" * 64)
    other = other._replace(signature=signer.sign(other.dump_for_signing()))
    coverage = compare_export(other, match, hashes(house, match), proof, keys=keys)
    assert "Two different trees of 4" in coverage.mismatches[0].detail
