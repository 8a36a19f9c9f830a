"""Checkpoints, keys and proofs over HTTP."""

import json
from pathlib import Path

import orjson
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from jsonschema import Draft202012Validator

from domain.log.event_format import write_canonical
from domain.log.merkle import hash_leaf, proves_consistency, proves_inclusion
from services.container import Services
from tests.web.people import Person, problem

DOCS = Path(__file__).parents[4] / "docs"


# Proofs are read by SQL of our own: these tests run on both.
ON_BOTH_DATABASES = True


def valid(name: str, document: object) -> None:
    schema = json.loads((DOCS / "schemas" / f"{name}.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(document)


def test_before_the_first_checkpoint_there_is_an_empty_list_and_no_latest(anyone: Person) -> None:
    assert anyone.get("/checkpoints").json == {"checkpoints": [], "next_cursor": None}
    assert anyone.get("/keys").json["keys"] == []
    problem(anyone.get("/checkpoints/latest"), 404, "not-found")
    problem(anyone.get("/checkpoints/1"), 404, "not-found")
    problem(anyone.get("/consistency?from=1"), 404, "not-found")


def test_a_stranger_can_check_a_match_with_nothing_but_answers(
    house: Services, anyone: Person, ada: Person, bob: Person
) -> None:
    match = ada.start(bob)
    house.sequencer.run()
    kept = anyone.get("/checkpoints/latest").json
    ada.move(match)
    house.sequencer.run()
    proof = anyone.get(f"/matches/{match['id']}/inclusion").json
    latest, keys = proof["checkpoint"], anyone.get("/keys").json
    link = anyone.get(f"/consistency?from={kept['size']}&to={latest['size']}").json
    for name, document in (
        ("checkpoint", kept), ("proof", proof), ("consistency", link), ("keys", keys),
    ):  # fmt: skip
        valid(name, document)
    [key] = keys["keys"]
    for one in (kept, latest):
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key["public_key"]))
        signed = {name: value for name, value in one.items() if name != "signature"}
        public.verify(bytes.fromhex(one["signature"]), write_canonical(signed))
    assert proves_inclusion(
        hash_leaf(write_canonical(proof["leaf"])),
        proof["index"],
        latest["size"],
        [bytes.fromhex(step) for step in proof["path"]],
        bytes.fromhex(latest["root"]),
    )
    assert (link["from"], link["to"]) == (kept, latest)
    assert proves_consistency(
        kept["size"],
        latest["size"],
        bytes.fromhex(kept["root"]),
        bytes.fromhex(latest["root"]),
        [bytes.fromhex(step) for step in link["path"]],
    )
    events = anyone.get(f"/matches/{match['id']}/events").json["events"]
    last = events[-1]
    assert proof["leaf"] == {
        "match": match["id"], "version": last["version"], "head": last["hash"]
    }  # fmt: skip


def test_the_proof_of_an_older_checkpoint_is_of_the_head_of_that_time(
    house: Services, ada: Person, bob: Person
) -> None:
    match = ada.start(bob)
    house.sequencer.run()
    ada.move(match)
    house.sequencer.run()
    old = ada.get(f"/matches/{match['id']}/inclusion?size=1").json
    new = ada.get(f"/matches/{match['id']}/inclusion?size=2").json
    assert (old["leaf"]["version"], old["index"]) == (match["version"], 0)
    assert (new["leaf"]["version"], new["index"]) == (ada.look(match)["version"], 1)


def test_a_private_match_is_proved_to_its_players_only(
    house: Services, anyone: Person, ada: Person, bob: Person, eve: Person
) -> None:
    match = ada.create(visibility="private", opponent="bob")
    house.sequencer.run()
    path = f"/matches/{match['id']}/inclusion"
    for player in (ada, bob):
        assert player.get(path).json["leaf"]["match"] == match["id"]
    hidden = problem(eve.get(path), 404, "not-found")
    nowhere = problem(eve.get("/matches/0000000000000000/inclusion"), 404, "not-found")
    assert hidden["detail"].replace(match["id"], "0000000000000000") == nowhere["detail"]
    problem(anyone.get(path), 404, "not-found")
    problem(anyone.get(f"{path}?size=x"), 404, "not-found")


def test_nothing_public_names_a_match(
    house: Services, anyone: Person, ada: Person, bob: Person
) -> None:
    private = ada.create(visibility="private", opponent="bob")
    public = ada.start(bob)
    house.sequencer.run()
    ada.move(public)
    house.sequencer.run()
    said = b"".join(
        anyone.get(path).data
        for path in ("/checkpoints", "/checkpoints/2", "/checkpoints/latest", "/keys",
                     "/consistency?from=2&to=3", f"/matches/{public['id']}/inclusion")
    )  # fmt: skip
    head = ada.get(f"/matches/{private['id']}/events").json["events"][-1]["hash"]
    assert private["id"].encode() not in said
    assert head.encode() not in said


def test_a_match_that_began_after_a_checkpoint_is_not_in_it(
    house: Services, ada: Person, bob: Person
) -> None:
    ada.start(bob)
    house.sequencer.run()
    later = ada.start(bob)
    told = problem(ada.get(f"/matches/{later['id']}/inclusion"), 404, "not-found")
    assert "began later" in told["detail"]
    problem(ada.get(f"/matches/{later['id']}/inclusion?size=9"), 404, "not-found")


def test_checkpoints_are_listed_in_pages_newest_first(
    house: Services, anyone: Person, ada: Person, bob: Person
) -> None:
    for _ in range(5):
        ada.start(bob)
        house.sequencer.run()
    first = anyone.get("/checkpoints?limit=2")
    assert [one["size"] for one in first.json["checkpoints"]] == [5, 4]
    assert first.headers["Link"].startswith("</api/v1/checkpoints?limit=2&cursor=")
    sizes, cursor = [], first.json["next_cursor"]
    while cursor is not None:
        page = anyone.get(f"/checkpoints?limit=2&cursor={cursor}").json
        sizes += [one["size"] for one in page["checkpoints"]]
        cursor = page["next_cursor"]
    assert sizes == [3, 2, 1]


def test_what_never_changes_says_so_and_the_rest_is_asked_about(
    house: Services, anyone: Person, ada: Person, bob: Person
) -> None:
    match = ada.start(bob)
    house.sequencer.run()
    forever = anyone.get("/checkpoints/1")
    assert forever.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    for path in ("/checkpoints", "/checkpoints/latest", "/keys", "/consistency?from=1"):
        first = anyone.get(path)
        assert first.headers["Cache-Control"] == "no-cache"
        assert first.headers["Vary"] == "Accept-Encoding"
        again = anyone.get(path, {"If-None-Match": first.headers["ETag"]})
        assert (again.status_code, again.data) == (304, b"")
    own = ada.get(f"/matches/{match['id']}/inclusion")
    assert own.headers["Cache-Control"] == "private, no-cache"
    assert {"Authorization", "Cookie"} <= set(own.headers["Vary"].split(", "))


def test_sizes_that_make_no_sense_are_refused(
    house: Services, anyone: Person, ada: Person, bob: Person
) -> None:
    for _ in range(2):
        ada.start(bob)
        house.sequencer.run()
    told = problem(anyone.get("/consistency?from=2&to=1"), 400, "malformed-request")
    assert told["errors"][0]["parameter"] == "to"
    problem(anyone.get("/consistency"), 400, "malformed-request")
    problem(anyone.get("/consistency?from=0"), 400, "malformed-request")
    problem(anyone.get("/consistency?from=1&to=7"), 404, "not-found")
    problem(anyone.get("/checkpoints?cursor=x"), 400, "malformed-request")
    for size in ("0", "01", "-1", "x", "1.0", "9" * 30):
        problem(anyone.get(f"/checkpoints/{size}"), 404, "not-found")
    assert anyone.get("/consistency?from=1&to=1").json["path"] == []


def test_the_documentation_shows_documents_of_the_right_form() -> None:
    text = (DOCS / "checkpoints.md").read_text("utf-8")
    blocks = [block.partition("```")[0] for block in text.split("```json\n")[1:]]
    leaf, checkpoint = (
        orjson.loads(block.replace("<64 hex>", "a" * 64).replace("<128 hex>", "b" * 128)
                     .replace("<32 hex>", "c" * 32)) for block in blocks
    )  # fmt: skip
    valid("checkpoint", checkpoint)
    assert write_canonical(leaf).startswith(b'{"head":"aaa')


def test_an_export_brings_its_proof_if_that_is_wanted(
    house: Services, ada: Person, bob: Person
) -> None:
    match = ada.start(bob)
    path = f"/matches/{match['id']}/export"
    problem(ada.get(f"{path}?proof=true"), 404, "not-found")
    house.sequencer.run()
    proof = ada.get(f"/matches/{match['id']}/inclusion").data
    without, whole = ada.get(path), ada.get(f"{path}?proof=true")
    assert whole.data == without.data + write_canonical(orjson.loads(proof)) + b"\n"
    assert whole.headers["ETag"] != without.headers["ETag"]
    told = problem(ada.get(f"{path}?proof=true&format=csv"), 400, "malformed-request")
    assert told["errors"][0]["parameter"] == "proof"
