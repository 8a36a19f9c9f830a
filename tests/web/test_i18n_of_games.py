"""What games say can be said in another language: what is told, shown, refused, warned of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from gettext import NullTranslations, translation
from itertools import islice, pairwise
from pathlib import Path

import pytest

from domain.errors import MalformedMove
from domain.game.game import AnyGame, Move, Viewer
from domain.games import load_games
from domain.i18n import Said
from domain.match.fold import evolve
from domain.match.narration import tell
from domain.match.state import Match
from domain.match.views import build_scene, view
from tests.domain.almost_legal import neighbours
from tests.domain.playouts import Case, Playout, cases, playout
from tests.golden.transcript import parse, played
from tests.golden.wanted import Wanted, wanted
from tests.web.pages.made_up import LANGUAGE, in_latin, write_catalogue

GAMES = {game.slug: game for game in load_games()}
PLAYED = [case for case in cases() if case.slug in GAMES and case.number <= 6]
GOLDEN = [one for one in wanted() if one.slug in GAMES]
VIEWERS = (Viewer.SEAT_1, Viewer.SPECTATOR, Viewer.SERVER)
MEMBER = re.compile(r"'[a-z/~ ]+'")
"""Names of members of JSON, which are called so in every language."""

MOVES = 12
"""So many moves of a position are looked at, and near each some that may be refused."""


@pytest.fixture(scope="module")
def made_up(tmp_path_factory: pytest.TempPathFactory) -> NullTranslations:
    """Give the catalogue of the made-up language."""
    folder = tmp_path_factory.mktemp("translations")
    write_catalogue(folder)
    return translation("plybook", folder, [LANGUAGE])


def left(said: str, catalogue: NullTranslations) -> str | None:
    """Return a text that has Latin letters left in another language, or None."""
    text = said.tell_in(catalogue) if isinstance(said, Said) else said
    return text if in_latin(MEMBER.sub("", text)) else None


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda one: f"{one.slug}-{one.name}")
def test_every_event_of_every_end_is_told(golden: Wanted, made_up: NullTranslations) -> None:
    table = played(parse(Path(golden.path).read_text(encoding="utf-8")))
    match, moments = None, []
    for event in table.events:
        match = evolve(match, event, table.games)
        moments.append(match)
    found = {
        left(tell(view(before, viewer), event, view(after, viewer), {}), made_up)
        for (before, after), event in zip(pairwise(moments), table.events[1:], strict=True)
        for viewer in VIEWERS
    }
    assert found <= {None}


@pytest.mark.parametrize("case", PLAYED, ids=lambda one: f"{one.slug}-{one.number}")
def test_boards_warnings_and_refusals_are_told(case: Case, made_up: NullTranslations) -> None:
    game, match = GAMES[case.slug], playout(case)
    found = {left(text, made_up) for text in _said(match)}
    assert found <= {None}
    assert game.summary in {str(one) for one in _of_record(game)}
    assert {left(text, made_up) for text in _of_record(game)} <= {None}


def _said(match: Playout) -> Iterator[str]:
    for moment in match.acting:
        for viewer in VIEWERS:
            yield from _texts(build_scene(view(moment, viewer)))
        yield from _of_moves(moment)
    for viewer in VIEWERS:
        yield from _texts(build_scene(view(match.moments[-1], viewer)))


def _of_moves(moment: Match) -> Iterator[str]:
    game = moment.game
    if moment.to_act is None:
        return
    sight = view(moment, Viewer.from_seat(moment.to_act)).sight
    assert sight is not None
    listed = list(islice(game.iter_legal_moves(moment.started), MOVES))
    written = [game.dump_move(move) for move in listed]
    for move in listed:
        yield from (text for text in (game.warn(sight, move), game.reckon(sight, move)) if text)
    for near in (near for one in written for near in neighbours(one, written)):
        yield from _refused(game, moment, near)


def _refused(game: AnyGame, moment: Match, near: object) -> Iterator[str]:
    try:
        move: Move = game.parse_move(near)
    except MalformedMove as refusal:
        yield refusal.detail
    else:
        fault = game.check_move(moment.started, move)
        if fault is not None:
            yield fault


def _of_record(game: AnyGame) -> Iterator[str]:
    yield from (game.summary, game.notation.help)
    for one in (*game.options, *game.settings):
        yield from (one.meaning, *one.words.values())


def _texts(value: object) -> Iterator[str]:
    """Yield what a scene shows to people: titles, labels, notes and sentences on cards."""
    if is_dataclass(value):
        for one in fields(value):
            inside = getattr(value, one.name)
            if one.name in {"title", "label", "told"} or (one.name == "text" and "." in inside):
                yield inside
            elif not isinstance(inside, str):
                yield from _texts(inside)
    elif isinstance(value, tuple):
        for one in value:
            yield from _texts(one)
