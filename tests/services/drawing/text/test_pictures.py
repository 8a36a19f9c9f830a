"""Every game's boards in the terminal: pictures on file, and laws for all positions.

To draw the pictures anew, and look at what has changed:
``python -m tests.services.drawing.text.test_pictures``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from domain.game.game import AnyGame, Move, Viewer
from domain.game.options import fill
from domain.game.registry import Games
from domain.game.scene import Scene, Shape
from domain.games import load_games
from domain.match import commands
from domain.match.decisions import decide
from domain.match.events import MatchCreated, Proposal
from domain.match.evolve import apply, begin_match
from domain.match.state import Match
from domain.match.views import view
from services.drawing.text.board import render

PICTURES = Path(__file__).with_name("pictures")
SHOWN_PLIES = (0, 1, 2, 7, 12)
GAMES = list(load_games())
VIEWERS = (Viewer.SEAT_1, Viewer.SEAT_2, Viewer.SPECTATOR)


def begun(game: AnyGame, options: dict[str, int]) -> Match:
    """Return a match of ``game`` between two, its dice fixed."""
    settings = fill(game.settings, {})
    create = commands.CreateMatch(
        "m", "5a" * 32, game, fill(game.options, options), settings, "p_a", seat=1
    )
    proposals = decide.create(create).proposals
    first = proposals[0].fact
    assert isinstance(first, MatchCreated)
    match = begin_match(
        "m", first, [secret.value for secret in proposals[0].secrets], Games([game])
    )
    follow(match, proposals[1:])
    follow(match, decide.decide(match, commands.JoinMatch("p_b", settings)).proposals)
    return match


def follow(match: Match, proposals: tuple[Proposal, ...]) -> None:
    for proposal in proposals:
        apply(match, proposal.fact, [secret.value for secret in proposal.secrets])


def playout(game: AnyGame, seed: int, **options: int) -> Iterator[tuple[Match, Random]]:
    """Yield a match after each of its random moves, 60 at most."""
    random = Random(seed)
    match = begun(game, options)
    yield match, random
    for _ in range(60):
        if match.to_act is None:
            return
        moves: list[Move] = list(game.iter_legal_moves(match.started))
        chosen = commands.PlayMove(match.to_act, random.choice(moves))
        follow(match, decide.decide(match, chosen).proposals)
        yield match, random


def scene_of(match: Match, viewer: Viewer) -> Scene:
    seen = view(match, viewer)
    assert seen.sight is not None
    return match.game.build_scene(seen.sight, seen.last)


def pictures(game: AnyGame) -> str:
    drawn = [
        f"After move {match.ply}, as {viewer} sees it:\n\n{render(scene_of(match, viewer)).plain}\n"
        for match, _ in playout(game, 7)
        if match.ply in SHOWN_PLIES or match.over
        for viewer in (VIEWERS if game.secrets else (Viewer.SPECTATOR,))
    ]
    return "\n".join(drawn)


@pytest.mark.parametrize("file", sorted(PICTURES.glob("*.txt")), ids=lambda file: file.stem)
def test_the_boards_look_as_they_did(file: Path) -> None:
    assert pictures(load_games().get(file.stem)) == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
@pytest.mark.parametrize("width", [40, 80])
def test_every_position_fits_the_terminal_and_shows_every_piece(game: AnyGame, width: int) -> None:
    for match, _ in playout(game, 11):
        scene = scene_of(match, Viewer.SPECTATOR)
        lines = render(scene, width).plain.splitlines()
        fits = all(zone.shape is not Shape.GRID for zone in scene.zones)
        assert max(map(len, lines)) <= (width if fits else 80)
        tokens = [token for zone in scene.zones for space in zone.spaces for token in space.tokens]
        assert all(any(token.text in line for line in lines) for token in tokens)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_the_last_move_is_seen_without_colours(game: AnyGame) -> None:
    frames = [render(scene_of(match, Viewer.SPECTATOR)).plain for match, _ in playout(game, 3)]
    assert "last move" not in frames[0]
    assert sum(">< last move" in frame for frame in frames) > len(frames) / 3


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    for one in GAMES:
        (PICTURES / f"{one.slug}.txt").write_text(pictures(one), encoding="utf-8")
