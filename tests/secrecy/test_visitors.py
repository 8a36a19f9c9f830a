"""A visitor against the house learns nothing of its hand, whoever is to act, by any page.

Two worlds hold the same match but for what is hidden from the visitor's seat. The other player is
taken for a house player, so that the match can go any way that a script says.
"""

from __future__ import annotations

from typing import cast

import pytest
from sqlalchemy import update

from domain.game.game import Viewer
from services.accounts.accounts import hash_secret
from services.accounts.guests import key_of
from services.lobby import practice as practising
from services.store import accounts
from services.store.lobby import practice
from services.store.lobby.practice import PracticeRow
from tests.secrecy import outlets
from tests.secrecy.corners import FORMS, MATCH_PAGES, STEPS
from tests.secrecy.pairs import PAIRINGS
from tests.secrecy.test_twin_worlds import Comparison
from tests.secrecy.worlds import PLAYERS, Twins, World
from tests.web.people import Answer
from web.pages.common.visitors import mask_token, token_of

HOLDER = "the-cookie-of-a-visitor"
MOVES = {Viewer.SEAT_1: (4, 14), Viewer.SEAT_2: (9, 12)}
LATER = "2999-01-01T00:00:00.000000Z"


def make_visitor(world: World, match: str, name: str) -> None:
    """Let a browser hold a match as the visitor who sits in a seat of it."""
    key, held = key_of(HOLDER), hash_secret(HOLDER)
    with world.house.database.write() as connection:
        named = accounts.players.c.name == name
        connection.execute(update(accounts.players).where(named).values(key=key))
        created = world.truth(match).created_at
        practice.insert(connection, PracticeRow(match, held, created, LATER))


def asked(world: World, path: str, form: dict[str, str] | None = None) -> bytes:
    """Ask for a page as that browser does, or send a form."""
    browser = world.app.test_client(use_cookies=False)
    headers = {"Cookie": f"plybook-practice={HOLDER}; plybook=nobody"}
    if form is None:
        return outlets.everything(cast("Answer", browser.get(path, headers=headers)))
    data = {**form, "csrf": mask_token(token_of("nobody")), "key": "a-key"}
    return outlets.everything(cast("Answer", browser.post(path, data=data, headers=headers)))


def paths(match: str, version: int) -> list[str]:
    at = f"/m/{match}"
    return [
        "/",
        "/practice",
        at,
        f"{at}?at={version}",
        f"{at}?as=seat-1",
        f"{at}?as=seat-2",
        *(f"{at}?on={version}&path={step}" for step in STEPS),
        *(f"{at}/{more}" for more in MATCH_PAGES),
    ]


@pytest.mark.parametrize("viewer", [Viewer.SEAT_1, Viewer.SEAT_2])
def test_twins_answer_a_visitor_alike_on_every_page(
    worlds: Twins, viewer: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    number, most = MOVES[viewer]
    comparison = Comparison(worlds, PAIRINGS["power-lines"](viewer, number, most))
    comparison.begin()
    match, seat = comparison.match, viewer.seat or 1
    truth = worlds.first.truth(match)
    for world in worlds:
        make_visitor(world, match, PLAYERS[seat - 1])
    house = truth.seats[2 - seat]
    monkeypatch.setattr(practising, "level_of", lambda player: 1 if player == house else None)
    turns = set()
    for count, moves in enumerate(comparison.pair.moves()):
        truth = worlds.first.truth(match)
        turns.add(truth.to_act)
        if count % 5 == 0:
            for path in paths(match, truth.version):
                first, second = (asked(world, path) for world in worlds)
                assert first == second, path
            for form in FORMS:
                sent = {"version": str(truth.version), "move": "shuffle", "action": "accept_draw"}
                if form != "moves" or truth.to_act != seat:
                    first, second = (asked(world, f"/m/{match}/{form}", sent) for world in worlds)
                    assert first == second, form
            page = asked(worlds.first, f"/m/{match}")
            assert b"practising-title" in page, "the browser is known as the visitor"
            assert b"Your hand" in page
        for world, move in zip(worlds, moves, strict=True):
            world.play(match, move)
    assert turns >= {1, 2}
    assert any(world.log(match) for world in worlds)


def test_the_twins_would_notice_a_page_that_acts_as_whoever_is_to_act(
    worlds: Twins, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As practice on both seats does: then the pages of the two worlds differ."""
    comparison = Comparison(worlds, PAIRINGS["power-lines"](Viewer.SEAT_1, 4, 12))
    comparison.begin()
    match = comparison.match
    for world in worlds:
        make_visitor(world, match, PLAYERS[0])
    monkeypatch.setattr(practising, "level_of", lambda _: None)
    differ = 0
    for moves in comparison.pair.moves():
        if worlds.first.truth(match).to_act == 2:
            first, second = (asked(world, f"/m/{match}") for world in worlds)
            differ += first != second
        for world, move in zip(worlds, moves, strict=True):
            world.play(match, move)
    assert differ
