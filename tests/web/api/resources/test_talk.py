"""Notes and chat over HTTP: who may read and write what, and what a text may be."""

from __future__ import annotations

import pytest

from domain.json_types import JsonObject
from services.container import Services
from services.talk import chat, notes
from tests.web.people import Answer, Person, problem

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"


ON_BOTH_DATABASES = True


@pytest.fixture
def match(ada: Person, bob: Person) -> JsonObject:
    return ada.start(bob)


@pytest.fixture
def root(anyone: Person, house: Services) -> Person:
    """Give an administrator, with a token that says so."""
    made = anyone.sign_up("root")
    house.accounts.set_admin("root", admin=True)
    return made.with_scopes("match:read", "match:play", "admin")


def note(person: Person, match: JsonObject, version: int | str, text: str) -> Answer:
    return person.ask("PUT", f"/matches/{match['id']}/notes/{version}", json={"text": text})


def notes_of(person: Person, match: JsonObject) -> list[tuple[int, str]]:
    answer = person.get(f"/matches/{match['id']}/notes")
    assert answer.status_code == 200
    return [(one["version"], one["text"]) for one in answer.json["notes"]]


def say(
    person: Person, match: JsonObject, text: str, room: str = "players", key: str | None = None
) -> Answer:
    return person.post(f"/matches/{match['id']}/chat/{room}", {"text": text}, key=key)


def heard(person: Person, match: JsonObject, room: str = "players") -> list[tuple[str, str | None]]:
    answer = person.get(f"/matches/{match['id']}/chat/{room}")
    assert answer.status_code == 200, answer.text
    return [(one["player"], one["text"]) for one in answer.json["messages"]][::-1]


def test_notes_are_kept_by_version_and_seen_by_their_author_alone(
    match: JsonObject, ada: Person, bob: Person, eve: Person, anyone: Person
) -> None:
    assert note(ada, match, 2, "first").status_code == 200
    assert note(ada, match, 0, "of it all").json["text"] == "of it all"
    assert note(eve, match, 2, "I only watch").status_code == 200
    assert notes_of(ada, match) == [(0, "of it all"), (2, "first")]
    assert notes_of(eve, match) == [(2, "I only watch")]
    assert notes_of(bob, match) == []
    note(ada, match, 2, "second")
    assert notes_of(ada, match) == [(0, "of it all"), (2, "second")]
    gone = ada.ask("DELETE", f"/matches/{match['id']}/notes/2")
    assert (gone.status_code, gone.headers.get("Content-Type")) == (204, None)
    assert notes_of(ada, match) == [(0, "of it all")]
    problem(ada.ask("DELETE", f"/matches/{match['id']}/notes/2"), 404, "not-found")
    problem(bob.ask("DELETE", f"/matches/{match['id']}/notes/0"), 404, "not-found")
    problem(anyone.get(f"/matches/{match['id']}/notes"), 401, "unauthenticated")


def test_notes_need_a_version_that_there_is(match: JsonObject, ada: Person, eve: Person) -> None:
    for version in (match["version"] + 1, "x", "-1", "01", "9" * 30):
        problem(note(ada, match, version, "text"), 404, "not-found")
    problem(note(ada, {"id": "0" * 16}, 0, "text"), 404, "not-found")
    private = ada.create(visibility="private", opponent="bob")
    problem(note(eve, private, 0, "text"), 404, "not-found")
    problem(eve.get(f"/matches/{private['id']}/notes"), 404, "not-found")


def test_there_may_be_so_many_notes(
    match: JsonObject, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notes, "MOST", 2)
    assert [note(ada, match, version, "text").status_code for version in (0, 1, 2)] == [
        200, 200, 409,
    ]  # fmt: skip
    assert note(ada, match, 1, "again").status_code == 200


def test_the_players_room_is_for_the_two_players_alone(
    match: JsonObject, ada: Person, bob: Person, eve: Person, anyone: Person
) -> None:
    answer = say(ada, match, "Good luck!")
    assert answer.status_code == 201
    assert (answer.json["number"], answer.json["player"]) == (1, "ada")
    say(bob, match, "You too!")
    assert heard(ada, match) == heard(bob, match) == [("ada", "Good luck!"), ("bob", "You too!")]
    room = f"/matches/{match['id']}/chat/players"
    ended = False
    for _ in range(2):
        problem(eve.get(room), 403, "not-your-seat")
        problem(anyone.get(room), 403, "not-your-seat")
        problem(say(eve, match, "Hello"), 403, "not-your-seat")
        ended = ended or ada.act(match, "resign").status_code == 201
    assert ended
    assert say(bob, match, "Thanks!").status_code == 201


def test_the_spectators_room_is_shut_to_the_players_until_the_end(
    match: JsonObject, ada: Person, bob: Person, eve: Person, anyone: Person
) -> None:
    assert say(eve, match, "ada should go 2", "spectators").status_code == 201
    assert heard(anyone, match, "spectators") == [("eve", "ada should go 2")]
    room = f"/matches/{match['id']}/chat/spectators"
    for player in (ada, bob):
        problem(player.get(room), 403, "spectators-only")
        problem(say(player, match, "Should I?", "spectators"), 403, "spectators-only")
    problem(say(anyone, match, "Hello", "spectators"), 401, "unauthenticated")
    ada.act(match, "resign")
    assert heard(ada, match, "spectators") == [("eve", "ada should go 2")]
    assert say(bob, match, "Good that she did not", "spectators").status_code == 201


def test_a_private_match_has_no_spectators(ada: Person, bob: Person, eve: Person) -> None:
    private = ada.start(bob, visibility="private", opponent="bob")
    assert say(ada, private, "Only we are here").status_code == 201
    problem(eve.get(f"/matches/{private['id']}/chat/players"), 404, "not-found")
    for person in (ada, bob, eve):
        problem(person.get(f"/matches/{private['id']}/chat/spectators"), 404, "not-found")
    problem(ada.get(f"/matches/{private['id']}/chat/kitchen"), 404, "not-found")


def test_an_administrator_who_plays_keeps_out_too(root: Person, bob: Person) -> None:
    match = root.start(bob)
    problem(root.get(f"/matches/{match['id']}/chat/spectators"), 403, "spectators-only")


def test_a_message_is_deleted_by_its_author_or_an_administrator(
    match: JsonObject, ada: Person, bob: Person, root: Person
) -> None:
    for text in ("one", "two", "three"):
        say(ada, match, text)
    room = f"/matches/{match['id']}/chat/players"
    problem(bob.ask("DELETE", f"{room}/1"), 403, "not-yours")
    problem(ada.ask("DELETE", f"{room}/4"), 404, "not-found")
    assert ada.ask("DELETE", f"{room}/1").status_code == 204
    assert root.ask("DELETE", f"{room}/3").status_code == 204
    assert ada.ask("DELETE", f"{room}/1").status_code == 204
    messages = bob.get(room).json["messages"]
    assert [(one["number"], one["text"]) for one in messages] == [(3, None), (2, "two"), (1, None)]
    assert say(ada, match, "four").json["number"] == 4


def test_of_what_was_said_nothing_stays_but_that_it_was_when_its_author_has_gone(
    match: JsonObject, ada: Person, bob: Person, house: Services
) -> None:
    say(bob, match, "Good luck!")
    house.closing.close("bob")
    ((name, text),) = heard(ada, match)
    assert text is None
    assert name == ada.look(match)["seats"][1]["player"] != "bob"


def test_a_chat_comes_in_pages_newest_first(match: JsonObject, ada: Person) -> None:
    for number in range(1, 8):
        say(ada, match, f"number {number}")
    room = f"/matches/{match['id']}/chat/players"
    seen: list[int] = []
    cursor: str | None = ""
    while cursor is not None:
        answer = ada.get(f"{room}?limit=3{cursor and f'&cursor={cursor}'}")
        seen += [one["number"] for one in answer.json["messages"]]
        cursor = answer.json["next_cursor"]
        assert ("Link" in answer.headers) == (cursor is not None)
    assert seen == [7, 6, 5, 4, 3, 2, 1]
    later = ada.get(f"{room}?after=5").json["messages"]
    assert [one["number"] for one in later] == [7, 6]
    assert ada.get(f"{room}?after=7").json["messages"] == []
    # Whoever has read further than there is has read what a backup took away.
    problem(ada.get(f"{room}?after=8"), 410, "cursor-gone")


def test_a_message_is_repeated_under_its_key_and_said_once(match: JsonObject, ada: Person) -> None:
    first, again = (say(ada, match, "Hello", key="k") for _ in range(2))
    assert first.status_code == again.status_code == 201
    assert again.data == first.data
    assert again.headers["Idempotent-Replayed"] == "true"
    assert len(heard(ada, match)) == 1
    problem(say(ada, match, "Goodbye", key="k"), 422, "idempotency-key-reused")


def test_nobody_talks_too_much(match: JsonObject, ada: Person, bob: Person) -> None:
    for number in range(chat.BURST):
        assert say(ada, match, f"number {number}").status_code == 201
    answer = say(ada, match, "one too many")
    problem(answer, 429, "rate-limited")
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    assert say(bob, match, "my turn").status_code == 201
    assert len(heard(bob, match)) == chat.BURST + 1


UNFIT = [
    "", " \n ", "a\x00b", "a\x07", "tab\there", "\u202eevil", "a\u2066b\u2069", "a\u2028b",
    "\u115f", "\u3164 \u1160", "\uffa0\u2800", "\U0001d159", "\U000e0001",
    "\u2065", "\ufff8", "a\ufffe", "\uffff", "a\ufdd0", "a\U0001fffe", "a\U0010ffff",
    "\u200d", "\ufeffa", "a" + "\u0301" * 10, "\ue000", "x" * 501,
]  # fmt: skip


def test_a_text_that_would_not_show_as_it_is_is_refused(match: JsonObject, ada: Person) -> None:
    for text in UNFIT:
        assert problem(say(ada, match, text), 422, "invalid-text"), ascii(text)
        if len(text) < chat.LONGEST:
            assert problem(note(ada, match, 0, text), 422, "invalid-text"), ascii(text)
        assert not heard(ada, match), ascii(text)
        assert not notes_of(ada, match), ascii(text)


def test_half_a_character_is_refused(match: JsonObject, ada: Person) -> None:
    path = f"/matches/{match['id']}/chat/players"
    for half in ("\\ud800", "\\udfff", "a\\udc00\\ud800"):
        raw = f'{{"text": "{half}"}}'
        answer = ada.ask("POST", path, {"Content-Type": "application/json"}, data=raw)
        problem(answer, 400, "malformed-request")
        assert heard(ada, match) == [], half


KEPT = [
    ("  two\r\nlines ", "two\nlines"),
    ("e\u0301", "\u00e9"),
    ("שלום \u200e(1)", "שלום \u200e(1)"),
    ("नमस्ते", "नमस्ते"),
    ("\u115f\u1161", "\u115f\u1161"),
    ("a\u2800b", "a\u2800b"),
    (FAMILY, FAMILY),
    ("<b>&amp;</b>", "<b>&amp;</b>"),
    ("x" * 500, "x" * 500),
]


def test_letters_of_every_script_are_kept(match: JsonObject, ada: Person) -> None:
    for text, kept in KEPT:
        assert say(ada, match, text).json["text"] == kept
        assert heard(ada, match)[-1] == ("ada", kept)
        assert note(ada, match, 0, text).json["text"] == kept


def test_nothing_that_is_said_or_noted_is_an_event(
    match: JsonObject, ada: Person, eve: Person
) -> None:
    paths = ("", "/events", "/replay")
    before = [eve.get(f"/matches/{match['id']}{path}").data for path in paths]
    say(ada, match, "Hello")
    note(ada, match, 1, "Hello")
    say(eve, match, "Hello", "spectators")
    assert [eve.get(f"/matches/{match['id']}{path}").data for path in paths] == before
