"""Answers in fewer bytes: who gets them so, and that all that is said about them stays true."""

from __future__ import annotations

import gzip
from collections.abc import Callable

import brotli  # type: ignore[import-untyped]
import pytest

from tests.web.people import Answer, Person

UNPACKED: dict[str | None, Callable[[bytes], bytes]] = {
    None: bytes,
    "br": brotli.decompress,
    "gzip": gzip.decompress,
}

ASKED = [
    (None, None),
    ("", None),
    ("identity", None),
    ("deflate", None),
    ("gzip", "gzip"),
    ("br", "br"),
    ("gzip, deflate, br, zstd", "br"),
    ("br;q=0", None),
    ("br; q=0, gzip", "gzip"),
    ("gzip;q=0, br;q=0", None),
    ("br;q=0.1, gzip;q=0.2", "gzip"),
    ("identity, br;q=0.5", None),
    ("*", "br"),
    ("br;q=0, *", "gzip"),
    ("*;q=0", None),
]
"""What a client may say, and in what it gets an answer."""


def headers(accepted: str | None, **more: str) -> dict[str, str]:
    named = {name.replace("_", "-"): text for name, text in more.items()}
    return named if accepted is None else {"Accept-Encoding": accepted, **named}


def tag_of(answer: Answer) -> str:
    return answer.headers["ETag"].removeprefix("W/")


def test_an_answer_comes_as_the_client_likes_it_best(ada: Person, bob: Person) -> None:
    path = f"/matches/{ada.start(bob, 'grid-power')['id']}/legal-moves"
    plain = ada.get(path)
    for accepted, encoding in ASKED:
        got = ada.get(path, headers(accepted))
        assert got.headers.get("Content-Encoding") == encoding, accepted
        assert UNPACKED[encoding](got.data) == plain.data
        assert got.headers["Content-Length"] == str(len(got.data))
        assert tag_of(got) == tag_of(plain)
        assert got.headers["ETag"].startswith("W/") == (encoding is not None)
        # As every answer here: also one that came as it is depends on what was asked for.
        assert "Accept-Encoding" in got.headers["Vary"].split(", ")
        assert len(got.data) < len(plain.data) or encoding is None
        head = ada.ask("HEAD", path, headers(accepted))
        assert head.data == b""
        about = ("Content-Encoding", "Content-Length", "ETag", "Vary", "Content-Type")
        assert [head.headers.get(one) for one in about] == [got.headers.get(one) for one in about]


@pytest.mark.parametrize("before", [None, "gzip", "br"])
@pytest.mark.parametrize("after", [None, "gzip", "br"])
def test_what_is_known_is_not_sent_again_whatever_it_came_in(
    ada: Person, bob: Person, before: str | None, after: str | None
) -> None:
    match = ada.start(bob, "grid-power")
    path = f"/matches/{match['id']}/legal-moves"
    tag = ada.get(path, headers(before)).headers["ETag"]
    for method in ("GET", "HEAD"):
        again = ada.ask(method, path, headers(after, If_None_Match=tag))
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["ETag"] == ada.get(path, headers(after)).headers["ETag"]
        assert "Content-Encoding" not in again.headers
    ada.move(match)
    assert ada.get(path, headers(after, If_None_Match=tag)).status_code == 200


@pytest.mark.parametrize("accepted", [None, "gzip", "br"])
def test_a_move_is_decided_on_the_tag_of_whatever_encoding(
    ada: Person, bob: Person, accepted: str | None
) -> None:
    match = ada.start(bob, "grid-power")
    path = f"/matches/{match['id']}"
    tag = ada.get(path, headers(accepted)).headers["ETag"]
    assert tag_of(ada.get(path)).startswith(f'"{match["version"]}.')
    body = {"move": ada.legal(match)[0]["move"]}
    answer = ada.ask("POST", f"{path}/moves", headers(accepted, If_Match=tag), json=body)
    assert answer.status_code == 201
    assert tag_of(answer).startswith(f'"{match["version"] + 1}.')
    stale = ada.ask("POST", f"{path}/moves", headers(accepted, If_Match=tag), json=body)
    assert stale.status_code == 412


def test_a_stored_answer_is_given_again_in_any_encoding(ada: Person, bob: Person) -> None:
    match = ada.start(bob, "grid-power")
    path, body = f"/matches/{match['id']}/moves", {"move": ada.legal(match)[0]["move"]}
    given = {"If_Match": f'"{match["version"]}"', "Idempotency_Key": "once"}
    packed = ada.ask("POST", path, headers("br", **given), json=body)
    again = ada.ask("POST", path, headers(None, **given), json=body)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert packed.headers["Content-Encoding"] == "br"
    assert brotli.decompress(packed.data) == again.data


def test_small_answers_refusals_and_pictures_of_dots_come_as_they_are(
    ada: Person, bob: Person
) -> None:
    match = ada.start(bob)
    for path in ("/nowhere", f"/matches/{match['id']}/picture?format=png", "/players/me"):
        answer = ada.get(path, headers("br, gzip"))
        assert "Content-Encoding" not in answer.headers, path
        assert answer.headers["Content-Length"] == str(len(answer.data))
