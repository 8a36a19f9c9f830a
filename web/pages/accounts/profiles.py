"""A player's page: since when they are here, how they have played, their matches."""

from __future__ import annotations

from flask import Response

from domain.match.house_players import level_of
from services.lobby.lists import MatchFilter
from services.matches.queries import Asker
from web.pages.boards.cards import listed
from web.pages.common.answers import answer_page
from web.pages.common.visitors import LONGEST, visitor
from web.site import this_site


def show_player(name: str) -> Response:
    """Show a player. Raises ``NotFound``."""
    house, reader = this_site().house, visitor()
    profile = house.records.profile(name[:LONGEST])
    player, look = profile.player.name, Asker(None if reader is None else reader.player)
    return answer_page(
        "accounts/profiles.html",
        player=profile.player,
        level=level_of(profile.player.id),
        records=[(house.games.get(one.game), one) for one in profile.records],
        is_reader=reader is not None and reader.player == profile.player.id,
        running=listed(look, MatchFilter(status="active", player=player)),
        seeks=listed(look, MatchFilter(seeks=True, player=player)),
        over=listed(look, MatchFilter(status="finished", player=player)),
    )
