"""The stream of a player's own matches: what is told, again and again, and to whom."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from time import monotonic

import orjson
import pytest
from flask import Flask
from werkzeug.test import TestResponse

from domain.json_types import JsonObject
from services.store.log.feed import OWN_START, FeedPosition
from tests.web.people import Person, play_out, problem
from web.api.resources.people import player_stream
from web.site import site_of

BEYOND = FeedPosition(2**62, 999, "0" * 12)
"""Behind all that there is."""


ON_BOTH_DATABASES = True


@pytest.fixture
def quick(make_app: Callable[..., Flask]) -> Flask:
    """Give an application whose streams end at once."""
    return make_app(stream_seconds=0)


def lines(raw: bytes) -> list[JsonObject]:
    return [orjson.loads(line) for line in raw.splitlines()]


def told(app: Flask, person: Person, after: str | None = None) -> list[JsonObject]:
    """Read a stream to its end; leave out that all is well."""
    headers = {} if after is None else {"Last-Event-ID": after}
    reader = Person(app.test_client(), person.name, person.token)
    answer = reader.get("/me/stream", headers)
    assert (answer.status_code, answer.mimetype) == (200, "application/x-ndjson"), answer.text
    found = lines(answer.data)
    assert all(line["id"] for line in found)
    assert found[-1]["kind"] == "keep-alive"
    return found[:-1]


def kinds(found: list[JsonObject]) -> dict[str, str]:
    return {line["match"]["id"]: line["kind"] for line in found}


def last_id(app: Flask, person: Person) -> str:
    reader = Person(app.test_client(), person.name, person.token)
    return str(lines(reader.get("/me/stream").data)[-1]["id"])


def player_id(app: Flask, person: Person) -> str:
    found = site_of(app).house.accounts.find(person.name)
    assert found is not None
    return found.id


def id_at(app: Flask, person: Person, place: FeedPosition) -> str:
    return site_of(app).house.player_stream.make_id(player_id(app, person), place)


@contextmanager
def opened(app: Flask, person: Person) -> Iterator[Iterator[bytes]]:
    headers = {"Authorization": f"Bearer {person.token}"}
    answer: TestResponse = app.test_client().get(
        "/api/v1/me/stream", headers=headers, buffered=False
    )
    assert answer.status_code == 200
    yield iter(answer.iter_encoded())
    answer.close()


def test_what_is_present_is_told_again_on_every_opening(
    ada: Person, bob: Person, eve: Person, quick: Flask
) -> None:
    asked = ada.create(opponent="bob")["id"]
    own, other = ada.start(bob), bob.start(ada)
    ada.create(opponent="eve")
    ada.start(eve)
    present = {asked: "challenge", other["id"]: "turn"}
    for after in (None, None, last_id(quick, bob)):
        assert kinds(told(quick, bob, after)) == present
    assert own["id"] not in present


def test_a_line_shows_the_match_as_its_reader_may_see_it(
    ada: Person, bob: Person, quick: Flask
) -> None:
    match = ada.start(bob, "whisper")
    seats = {person.name: person for person in (ada, bob)}
    for person in seats.values():
        for line in told(quick, person):
            assert line["match"] == person.look(match)
    texts = [orjson.dumps(told(quick, person)) for person in (ada, bob)]
    hands = [person.look(match)["state"] for person in (ada, bob)]
    assert hands[0] != hands[1]
    assert orjson.dumps(hands[1]) not in texts[0]


def test_what_has_happened_since_a_line_is_told_once_each(
    ada: Person, bob: Person, quick: Flask
) -> None:
    match, ended = ada.start(bob), ada.start(bob)
    last = last_id(quick, bob)
    assert told(quick, bob, last) == []
    ada.move(match)
    ada.act(ended, "resign")
    found = told(quick, bob, last)
    assert kinds(found) == {match["id"]: "turn", ended["id"]: "over"}
    assert len(found) == 2
    # Who has had the first of these lines misses nothing of the others.
    assert kinds(told(quick, bob, found[0]["id"]))[ended["id"]] == "over"
    assert kinds(told(quick, bob, found[1]["id"])) == {match["id"]: "turn"}


def test_the_last_line_of_a_match_does_not_say_that_it_still_goes_on(
    ada: Person, bob: Person, quick: Flask
) -> None:
    match = ada.start(bob)
    start = last_id(quick, bob)
    ended = play_out(match, ada, bob)
    # However far back somebody begins, and though lines were about moves in between.
    (line,) = told(quick, bob, start)
    assert (line["kind"], line["match"]["status"]) == ("over", "finished")
    assert line["match"]["result"] == ended["result"]
    assert line["match"]["to_act"] is None
    (line,) = told(quick, bob, id_at(quick, bob, OWN_START))
    assert line["kind"] == "over"


def test_the_last_line_of_an_open_stream_says_that_the_match_is_over(
    ada: Person, bob: Person, app: Flask
) -> None:
    match = ada.start(bob)
    with opened(app, bob) as chunks:
        next(chunks)
        player = Thread(target=play_out, args=(match, ada, bob))
        player.start()
        found = lines(b"".join(chunks))
        player.join()
    own = [line for line in found if line["kind"] != "keep-alive"]
    assert own[-1]["kind"] == "over"
    versions = [line["match"]["version"] for line in own]
    assert versions == sorted(versions)


def test_the_end_of_a_match_of_a_series_is_told_with_what_follows(
    ada: Person, bob: Person, quick: Flask
) -> None:
    first = ada.start(bob, seat=1, series={"length": 3}, rated=True)
    last = last_id(quick, bob)
    ada.act(first, "resign")
    over, turn = told(quick, bob, last)
    assert (over["kind"], over["match"]["id"]) == ("over", first["id"])
    assert turn["kind"] == "turn"
    assert turn["match"]["series"]["number"] == 2
    assert turn["match"]["series"]["previous"]["match"] == first["id"]
    assert [one["before"]["rating"] for one in turn["match"]["ratings"]] == [150_000] * 2
    # A program that has been away hears of what waits for it.
    assert kinds(told(quick, bob)) == {turn["match"]["id"]: "turn"}


def test_a_challenge_that_is_withdrawn_is_told_to_be_over(
    ada: Person, bob: Person, quick: Flask
) -> None:
    match = ada.create(opponent="bob")
    (line,) = told(quick, bob)
    assert line["kind"] == "challenge"
    ada.act(match, "abort")
    (line,) = told(quick, bob, line["id"])
    assert (line["kind"], line["match"]["result"]["reason"]) == ("over", "withdrawn")


def test_an_open_stream_is_told_at_once(
    ada: Person, bob: Person, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player_stream, "LOOK_EVERY", 60.0)
    match = ada.start(bob)
    with opened(app, bob) as chunks:
        assert [line["kind"] for line in lines(next(chunks))] == ["keep-alive"]
        mover = Thread(target=ada.move, args=(match,))
        mover.start()
        (line,) = lines(next(chunks))
        mover.join()
    assert (line["kind"], line["match"]["version"]) == ("turn", 5)


def test_a_silent_stream_says_that_all_is_well(
    bob: Person, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player_stream, "SILENCE", 0.0)
    monkeypatch.setattr(player_stream, "LOOK_EVERY", 0.01)
    with opened(app, bob) as chunks:
        assert [lines(next(chunks))[0]["kind"] for _ in range(3)] == ["keep-alive"] * 3


def test_a_stream_needs_a_token_that_may_read(anyone: Person, bob: Person) -> None:
    problem(anyone.get("/me/stream"), 401, "unauthenticated")
    problem(bob.with_scopes("match:play").get("/me/stream"), 403, "missing-scope")


def test_an_id_that_is_none_is_malformed(bob: Person) -> None:
    for line in ("x", "5", "0.17", "A" * 107, "A" * 200):
        problem(bob.get(f"/me/stream?after={line}"), 400, "malformed-request")
        problem(bob.get("/me/stream", {"Last-Event-ID": line}), 400, "malformed-request")


def test_an_id_beyond_the_end_of_the_log_is_of_another_history(
    ada: Person, bob: Person, quick: Flask
) -> None:
    match = ada.start(bob)
    ada.move(match)
    gone = bob.get(f"/me/stream?after={id_at(quick, bob, BEYOND)}")
    problem(gone, 410, "cursor-gone")
    assert kinds(told(quick, bob)) == {match["id"]: "turn"}


def test_an_id_of_an_earlier_release_which_has_no_hash_goes_on(
    ada: Person, bob: Person, quick: Flask
) -> None:
    match = ada.start(bob)
    news, player = site_of(quick).house.player_stream, player_id(quick, bob)
    place = news.get_place(player, last_id(quick, bob))
    of_old = news.sealer.seal(f"line of {player}", f"{place.transaction}.{place.position}")
    ada.move(match)
    assert kinds(told(quick, bob, of_old)) == {match["id"]: "turn"}


def test_ids_do_not_tell_what_the_database_counts_and_are_good_for_one_player_only(
    ada: Person, bob: Person, quick: Flask
) -> None:
    """Numbers of transactions would tell that somebody has stored a line, or a note."""
    ada.start(bob)
    one, other = last_id(quick, bob), last_id(quick, bob)
    assert one != other
    news, player = site_of(quick).house.player_stream, player_id(quick, bob)
    assert news.get_place(player, one) == news.get_place(player, other)
    assert len(id_at(quick, bob, OWN_START)) == len(one) == len(id_at(quick, bob, BEYOND))
    problem(ada.get(f"/me/stream?after={one}"), 400, "malformed-request")


def test_a_player_has_only_so_many_streams(
    ada: Person, bob: Person, make_app: Callable[..., Flask]
) -> None:
    app = make_app(max_own_streams=2)
    with opened(app, bob) as one, opened(app, bob), opened(app, ada):
        next(one)
        with opened(app, bob):
            assert site_of(app).streams.taken == 3
            (line,) = lines(b"".join(one))
            assert line["kind"] == "replaced"
    assert site_of(app).streams.taken == 0


def test_a_stream_ends_with_the_process(bob: Person, make_app: Callable[..., Flask]) -> None:
    app = make_app(stream_seconds=60)
    with opened(app, bob) as chunks:
        next(chunks)
        site_of(app).stop()
        began = monotonic()
        assert list(chunks) == []
        assert monotonic() - began < 30


def test_a_stream_ends_with_its_account(ada: Person, bob: Person, app: Flask) -> None:
    ada.start(bob)
    with opened(app, bob) as chunks:
        next(chunks)
        site_of(app).house.closing.close("bob")
        assert list(chunks) == []


def test_head_opens_no_stream(bob: Person, make_app: Callable[..., Flask]) -> None:
    app = make_app(max_own_streams=1)
    reader = Person(app.test_client(), "bob", bob.token)
    for _ in range(2):
        assert reader.ask("HEAD", "/me/stream").status_code == 200


def test_moves_with_a_bots_token_say_so(ada: Person, bob: Person) -> None:
    match = ada.start(bob)
    bot = ada.with_scopes("match:read", "match:play", "bot")
    made = [bot.move(match), bob.move(match)]
    causes = [answer.json["events"][0]["data"]["cause"] for answer in made]
    assert causes == ["bot", "player"]
