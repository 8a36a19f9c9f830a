"""Scenes to draw: positions of real play, and made ones with a bit of everything."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from xml.etree.ElementTree import Element, fromstring

from domain.game.game import Viewer
from domain.game.scene import Link, Mark, Meter, Scene, Shape, Space, Token, Trail, Zone
from services.drawing.svg.picture import draw_zone
from tests.support.games import test_games
from tests.support.scenario import Table

SVG = "{http://www.w3.org/2000/svg}"
STEPS = 25


@cache
def played() -> tuple[Scene, ...]:
    """Return what a spectator and seat 1 see of every game along a match by chance."""
    return tuple(
        scene for game in test_games().iter_versions() for scene in _scenes(Table.started(game))
    )


def _scenes(table: Table) -> Iterator[Scene]:
    chance = random.Random(7)
    for step in range(STEPS):
        for viewer in (Viewer.SPECTATOR, Viewer.SEAT_1):
            seen = table.view(viewer)
            if seen.sight is not None and step % 4 == 0:
                yield seen.game.build_scene(seen.sight, seen.last)
        if table.match.over:
            return
        table.play(chance.choice(table.legal_moves()))


def token(owner: int | None = 1, kind: str = "piece", **more: object) -> Token:
    """Return a token."""
    whole = Token(f"{kind}:{owner}", kind, "T", f"a {kind}", owner)
    return replace(whole, **more)  # type: ignore[arg-type]


def zone(shape: Shape, *spaces: Space, **more: object) -> Zone:
    """Return a zone."""
    return replace(Zone("z", "Zone", shape, spaces), **more)  # type: ignore[arg-type]


def two_spaces(*tokens: Token, marks: frozenset[Mark] = frozenset()) -> tuple[Space, Space]:
    """Return a space with these tokens and marks, and an empty one beside it."""
    return (
        Space("s:0", 0, 0, "space 0", tokens, marks),
        Space("s:1", 1, 0, "space 1"),
    )


def full(shape: Shape, text: str = "T") -> Scene:
    """Return a scene of one zone with all there can be; every text in it is ``text``."""
    tokens = (
        Token("t:1", "card", text, text, 1, 3),
        Token("t:2", text, text, text, 2, 3, marks=frozenset({Mark.LOOSE})),
        Token("t:3", "base", text, text, 1, 12),
        Token("t:4", "energy", text, text, None, 4),
        Token("t:5", "piece", text, text, 2),
        Token("t:6", "card", text, text, 2, 5, face_down=True),
    )
    spaces = tuple(
        Space(f"s:{at}", at, 0, text, (one,), frozenset(Mark), (1, 2), 1 + at % 2)
        for at, one in enumerate(tokens)
    )
    return Scene(
        (Zone("z", text, shape, spaces, 1, 2),),
        links=(Link("s:0", "s:1", 1), Link("s:1", "s:2", 2), Link("s:1", "gone", 2)),
        trails=(Trail(1, ("s:0", "s:1")), Trail(2, ("s:2", "s:3")), Trail(2, ())),
        meters=(Meter(1, text, 3, 5), Meter(2, text, 3)),
        columns=(text,) * len(tokens),
        rows=(text,),
    )


def drawn(scene: Scene, at: int = 0, prefix: str = "p") -> str:
    """Return the picture of one zone of a scene."""
    return str(draw_zone(scene.zones[at], scene, prefix, "What it shows."))


def parsed(picture: str) -> Element:
    """Return a picture as XML."""
    return fromstring(picture)
