"""Pages in fewer bytes, but none that is for one reader where another site asks; and no streams."""

from __future__ import annotations

import gzip

import brotli  # type: ignore[import-untyped]
import httpx
import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.support.servers import serving
from tests.web.pages.browsing import Browser, Pair
from tests.web.pages.conftest import Players

PACKED = {"Accept-Encoding": "br, gzip"}
FROM_ELSEWHERE = ("same-site", "cross-site")


def test_pages_come_packed_and_are_known_again(players: Players, visitor: FlaskClient) -> None:
    for address in ("/", f"/m/{players.start('grid-power')}", "/games/grid-power"):
        plain, got = visitor.get(address), visitor.get(address, headers=PACKED)
        assert brotli.decompress(got.data) == plain.data
        assert len(got.data) < len(plain.data) / 2
        assert got.headers["Vary"] == "Cookie, Accept-Encoding"
        for one in (plain, got):
            known = {**PACKED, "If-None-Match": one.headers["ETag"]}
            assert visitor.get(address, headers=known).status_code == 304


@pytest.mark.parametrize("site", [None, "none", "same-origin", *FROM_ELSEWHERE])
def test_what_is_for_one_reader_is_not_packed_where_another_site_asks_for_it(
    pair: Pair, somebody: Browser, site: str | None
) -> None:
    match = pair.start("grid-power")
    said = {} if site is None else {"Sec-Fetch-Site": site}
    own = pair.acting.client.get(match, headers={**PACKED, **said})
    assert ("Content-Encoding" in own.headers) == (site not in FROM_ELSEWHERE)
    assert own.headers["Content-Length"] == str(len(own.data))
    anybodys = somebody.client.get(match, headers={**PACKED, **said})
    assert anybodys.headers["Content-Encoding"] == "br"


def test_streams_are_neither_packed_nor_held_back(app: Flask, players: Players) -> None:
    match = players.start("path-capture")
    with (
        serving(app) as url,
        httpx.stream("GET", f"{url}/api/v1/matches/{match}/stream", headers=PACKED) as answer,
    ):
        assert "Content-Encoding" not in answer.headers
        lines = (one for one in answer.iter_lines() if one.startswith("data:"))
        told = [next(lines) for _ in range(4)]
        assert "match-started" in told[-1]
        players.play(match, {"steps": 1})
        assert "move-made" in next(lines)


def test_an_export_of_many_matches_stays_a_stream(app: Flask, players: Players) -> None:
    for _ in range(3):
        players.start("path-capture", {"steps": 3})
    answer = app.test_client().get("/api/v1/export?format=ndjson", headers=PACKED, buffered=False)
    assert answer.is_streamed
    assert "Content-Length" not in answer.headers
    assert answer.headers["Content-Encoding"] == "gzip"
    plain = app.test_client().get("/api/v1/export?format=ndjson")
    assert gzip.decompress(answer.data) == plain.data
