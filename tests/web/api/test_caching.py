"""Validators, and what caches may do."""

from tests.web.people import Person, play_out


def test_a_match_that_has_not_changed_is_not_sent_again(ada: Person, bob: Person) -> None:
    match = ada.start(bob)
    path = f"/matches/{match['id']}"
    first = ada.get(path)
    tag = first.headers["ETag"]
    assert tag.startswith(f'"{match["version"]}.')
    for given in (tag, f"W/{tag}", f'"x", {tag}', "*"):
        again = ada.get(path, {"If-None-Match": given})
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["ETag"] == tag
        assert again.headers["Cache-Control"] == first.headers["Cache-Control"]
        assert again.headers["Vary"] == first.headers["Vary"]
        assert "Content-Type" not in again.headers
    assert ada.ask("HEAD", path, {"If-None-Match": tag}).status_code == 304
    ada.move(match)
    changed = ada.get(path, {"If-None-Match": tag})
    assert changed.status_code == 200
    assert changed.headers["ETag"] != tag


def test_what_depends_on_the_viewer_is_private_and_says_on_what(ada: Person, bob: Person) -> None:
    match = ada.start(bob)
    for path in ("", "/legal-moves", "/replay", "/events"):
        answer = ada.get(f"/matches/{match['id']}{path}")
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert {"Authorization", "Cookie"} <= set(answer.headers["Vary"].split(", "))
    assert ada.get("/matches").headers["Cache-Control"] == "private, no-cache"
    assert ada.look(match)["you"] != bob.look(match)["you"]


def test_two_viewers_have_two_tags(ada: Person, bob: Person) -> None:
    path = f"/matches/{ada.start(bob)['id']}"
    assert ada.get(path).headers["ETag"] != bob.get(path).headers["ETag"]


def test_the_events_of_a_match_that_is_over_never_change(ada: Person, bob: Person) -> None:
    ended = play_out(ada.start(bob), ada, bob)
    answer = ada.get(f"/matches/{ended['id']}/events")
    assert "immutable" in answer.headers["Cache-Control"]
    assert "private" in answer.headers["Cache-Control"]
    assert answer.headers["Vary"] == "Accept, Authorization, Cookie, Accept-Encoding"
    shown = ada.get(f"/matches/{ended['id']}")
    assert "immutable" not in shown.headers["Cache-Control"]


def test_what_is_the_same_for_everybody_may_be_kept_and_asked_about(anyone: Person) -> None:
    for path in ("/games", "/games/power-line", "/openapi.json", "/problems"):
        first = anyone.get(path)
        assert first.headers["Cache-Control"] == "no-cache"
        assert first.headers["Vary"] == "Accept-Encoding"
        again = anyone.get(path, {"If-None-Match": first.headers["ETag"]})
        assert again.status_code == 304
