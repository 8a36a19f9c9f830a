"""Exports over HTTP: downloads with safe names, validators, and nothing for the wrong eyes."""

import csv
from gzip import decompress
from io import BytesIO
from zipfile import ZipFile

import orjson
import pytest

from domain.json_types import JsonObject
from services.container import Services
from services.exchange.formats import VERIFIER_NAME, read_verifier
from tests.web.people import Person, problem


@pytest.fixture
def over(ada: Person, bob: Person) -> JsonObject:
    match = ada.start(bob)
    ada.move(match, {"steps": 3})
    ada.act(match, "resign")
    return match


KINDS = {
    "ndjson": "application/x-ndjson",
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "csv-analysis": "text/csv; charset=utf-8",
    "text": "text/plain; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "bundle": "application/zip",
}


@pytest.mark.parametrize("form", KINDS)
def test_a_match_is_a_download_with_a_name_and_a_validator(
    over: JsonObject, anyone: Person, form: str
) -> None:
    path = f"/matches/{over['id']}/export?format={form}"
    answer = anyone.get(path)
    assert (answer.status_code, answer.content_type) == (200, KINDS[form])
    disposition = answer.headers["Content-Disposition"]
    assert disposition.startswith(f'attachment; filename="path-capture-{over["id"]}.')
    assert 'rel="describedby"' in answer.headers["Link"]
    again = anyone.get(path, {"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    packed = anyone.get(path, {"Accept-Encoding": "gzip"})
    if form in ("png", "bundle"):
        assert "Content-Encoding" not in packed.headers
    else:
        assert decompress(packed.data) == answer.data
        assert packed.headers["ETag"] != answer.headers["ETag"]


def test_the_format_may_be_asked_for_by_accept(over: JsonObject, anyone: Person) -> None:
    answer = anyone.get(f"/matches/{over['id']}/export", {"Accept": "image/svg+xml"})
    assert answer.content_type == "image/svg+xml"
    refused = anyone.get(f"/matches/{over['id']}/export", {"Accept": "image/gif"})
    problem(refused, 406, "not-acceptable")


def test_a_bundle_has_the_match_as_it_is_exported(over: JsonObject, anyone: Person) -> None:
    path = f"/matches/{over['id']}/export?format="
    archive = ZipFile(BytesIO(anyone.get(f"{path}bundle").data))
    assert archive.read(f"{over['id']}.ndjson").startswith(anyone.get(f"{path}ndjson").data)
    assert archive.read(VERIFIER_NAME) == anyone.get("/verifier").data == read_verifier()


def test_private_matches_are_nothing_to_others(ada: Person, bob: Person, anyone: Person) -> None:
    match = ada.create(opponent="bob", visibility="private")
    problem(anyone.get(f"/matches/{match['id']}/export"), 404, "not-found")
    assert anyone.get("/export").data == b""
    assert match["id"] in bob.get("/export").text


def test_many_matches_come_in_pages_that_lead_on(ada: Person, bob: Person, anyone: Person) -> None:
    for _ in range(3):
        ada.act(ada.start(bob), "resign")
    whole = anyone.get("/export")
    first = anyone.get("/export?limit=2")
    links = first.headers.getlist("Link")
    [following] = [link for link in links if 'rel="next"' in link]
    second = anyone.visit(following[1:].partition(">")[0])
    assert first.data + second.data == whole.data
    assert whole.text.count('{"count":') == 3
    problem(anyone.get("/export?player=nobody"), 404, "not-found")
    problem(anyone.get("/export?cursor=x"), 400, "malformed-request")


def test_who_asks_with_the_cursor_of_the_last_line_gets_what_is_new(
    ada: Person, bob: Person, anyone: Person
) -> None:
    over, running = ada.start(bob), ada.start(bob)
    ada.act(over, "resign")
    last = orjson.loads(anyone.get("/export").data.splitlines()[-1])
    cursor = f"{last['match']},{last['version']},{last['hash']}"
    assert last["match"] == over["id"]
    assert anyone.get(f"/export?cursor={cursor}").data == b""
    ada.act(running, "resign")
    new = anyone.get(f"/export?cursor={cursor}").data
    assert new == anyone.get(f"/matches/{running['id']}/export").data
    rows = list(csv.DictReader(anyone.get("/export?format=csv").text.splitlines()))
    of_csv = ",".join(rows[-1][name] for name in ("match", "version", "hash"))
    assert anyone.get(f"/export?cursor={of_csv}").data == b""


def test_the_cursor_of_another_history_is_gone(over: JsonObject, anyone: Person) -> None:
    version = anyone.get(f"/matches/{over['id']}").json["version"]
    for cursor in (
        f"{over['id']},{version},{'0' * 64}",
        f"2026-11-27T22:00:00.000000Z,{over['id']}",
    ):
        gone = problem(anyone.get(f"/export?cursor={cursor}"), 410, "cursor-gone")
        assert "anew" in gone["detail"]


def test_an_export_under_way_holds_a_place_and_gives_it_back(
    ada: Person, bob: Person, make_app: object
) -> None:
    ada.act(ada.start(bob), "resign")
    app = make_app(max_streams=1)  # type: ignore[operator]
    there = Person(app.test_client())
    for _ in range(3):
        assert b"plybook/match" in there.get("/export").data


def test_proofs_come_with_exports_for_whoever_asks(
    over: JsonObject, anyone: Person, house: Services
) -> None:
    problem(anyone.get("/export?proof=true"), 404, "not-found")
    house.sequencer.run()
    for path in (f"/matches/{over['id']}/export", "/export"):
        bare = anyone.get(path).data.splitlines()
        proved = anyone.get(f"{path}?proof=true&link=1").data.splitlines()
        assert proved[: len(bare)] == bare
        formats = [orjson.loads(line)["format"] for line in proved[len(bare) :]]
        assert formats == ["plybook/proof", "plybook/consistency"]
        problem(anyone.get(f"{path}?proof=true&link=9"), 404, "not-found")
        problem(anyone.get(f"{path}?link=1"), 400, "malformed-request")
        problem(anyone.get(f"{path}?proof=true&format=csv"), 400, "malformed-request")
