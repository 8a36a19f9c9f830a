"""Imported matches over HTTP: marked, and nobody's here, whatever ids stand in them."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from services.container import Services
from tests.web.importing import imported_as
from tests.web.people import Answer, Person, problem


class Write(NamedTuple):
    """Something that changes a match."""

    method: str
    path: str
    body: dict[str, Any]

    def to(self, match: str, person: Person) -> Answer:
        """Ask for it, on a version where it needs one."""
        headers = {"If-Match": '"7"'} if self.path in ("moves", "actions") else {}
        address = f"/matches/{match}/{self.path}"
        return person.ask(self.method, address, headers, json=self.body)


WRITES = [
    Write("POST", "join", {}),
    Write("POST", "moves", {"move": {"steps": 1}}),
    Write("POST", "actions", {"action": "resign"}),
    Write("POST", "actions", {"action": "accept_draw"}),
    Write("POST", "decline", {}),
    Write("POST", "invitations", {}),
    Write("POST", "rematch", {}),
    Write("POST", "chat/players", {"text": "well played"}),
    Write("PUT", "conditional-moves", {"lines": []}),
    Write("PUT", "notes/0", {"text": "mine"}),
]
READS = ("", "/events", "/replay", "/export", "/legal-moves", "/chat/players", "/notes")


def ids(*people: Person) -> tuple[str, str]:
    first, second = (person.get("/me").json["id"] for person in people)
    return first, second


@pytest.mark.parametrize("write", WRITES, ids=lambda write: write.path)
def test_a_private_imported_match_is_not_there_for_whose_id_stands_in_it(
    house: Services, ada: Person, bob: Person, write: Write
) -> None:
    match = imported_as(house, ids(ada, bob), "private")
    answer, missing = write.to(match, ada), write.to("0" * 16, ada)
    problem(missing, 404, "not-found")
    problem(answer, 404, "not-found")
    assert answer.json["detail"] == missing.json["detail"].replace("0" * 16, match)


@pytest.mark.parametrize("path", READS)
def test_a_private_imported_match_is_not_there_to_be_read(
    house: Services, ada: Person, bob: Person, path: str
) -> None:
    match = imported_as(house, ids(ada, bob), "private")
    problem(ada.get(f"/matches/{match}{path}"), 404, "not-found")


@pytest.mark.parametrize("write", WRITES[1:4], ids=lambda write: write.path)
def test_nobody_has_a_seat_in_a_public_imported_match(
    house: Services, ada: Person, bob: Person, write: Write
) -> None:
    match = imported_as(house, ids(ada, bob))
    problem(write.to(match, ada), 403, "not-your-seat")


def test_an_imported_match_is_marked_and_counts_for_nobody(
    house: Services, ada: Person, bob: Person
) -> None:
    match = imported_as(house, ids(ada, bob))
    ada.act(ada.start(bob), "resign")
    answer = ada.get(f"/matches/{match}")
    assert answer.headers["Plybook-Imported"] == answer.json["imported"]
    assert answer.json["seats"][0] == {"seat": 1, "player": "ada", "house": None}
    assert (answer.json["you"], answer.json["rated"]) == (None, False)
    listed = {one["id"]: one for one in ada.get("/matches").json["matches"]}
    assert listed[match]["imported"] == answer.json["imported"]
    assert [one for one in listed.values() if "imported" in one] == [listed[match]]
    for filters in ("player=ada", "mine=true", "rated=true"):
        mine = [one["id"] for one in ada.get(f"/matches?{filters}").json["matches"]]
        assert match not in mine
    unrated = [one["id"] for one in ada.get("/matches?rated=false").json["matches"]]
    assert match in unrated
