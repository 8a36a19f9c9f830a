"""Matches to measure with: played by the service's own commands."""

from __future__ import annotations

from domain.json_types import JsonObject
from services.container import House
from services.matches.queries import Look
from services.matches.requests import NewMatch, Request


def two_players(house: House) -> tuple[str, str]:
    """Return the ids of two players."""
    return house.accounts.local_player("bench-1").id, house.accounts.local_player("bench-2").id


def start(
    house: House, game: str, options: JsonObject | None = None, settings: JsonObject | None = None
) -> str:
    """Start a match in which both seats are taken, with equal settings; return its id."""
    first, second = two_players(house)
    new = NewMatch(game, options, settings, seat=1)
    match = house.matches.create(Request(first), new).shown.view.id
    house.matches.join(Request(second), match, settings)
    return match


def play(house: House, match: str, move: JsonObject) -> int:
    """Make a move with whoever is to act; return the version afterwards."""
    view = house.looking.show(Look(local=True), match).view
    player = view.seats[(view.to_act or 1) - 1] or ""
    return house.matches.play(Request(player, view.version), match, move).shown.view.version


def play_long(house: House, match: str) -> int:
    """Play a match to its end by the first legal move, which makes it long; return its version.

    (The first legal moves are the cheapest, the shortest, a draw from the deck.)
    """
    while True:
        view = house.looking.show(Look(local=True), match).view
        if view.to_act is None:
            return view.version
        look = Look(asked=f"seat-{view.to_act}", local=True)
        play(house, match, house.looking.legal_moves(look, match, limit=1).moves[0]["move"])
