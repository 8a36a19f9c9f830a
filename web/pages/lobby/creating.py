"""Starting a match: first the game, then everything else, with good defaults."""

from __future__ import annotations

from flask import Response, request, url_for

from domain.errors import InvalidOptions, InvalidPace, InvalidSettings, Refusal
from domain.game.game import AnyGame
from services.errors import InvalidRequest, UnknownOpponent
from services.matches.access import PUBLIC, VISIBILITIES
from services.matches.requests import NewMatch
from web.http.problems_of_web import PROBLEMS
from web.pages.common.answers import answer_page
from web.pages.common.fields import fields, given
from web.pages.common.forms import answer_command, carry_out, fresh_key, text
from web.pages.common.visitors import LONGEST, the_player
from web.pages.lobby.invitations import answer_invitation
from web.pages.lobby.paces import asked_pace, field_of, pace_fields
from web.site import this_site
from web.texts import N_, _

SEATS = {"random": None, "1": 1, "2": 2}
"""What the form calls the seats; None: by chance."""

ANYBODY, BY_NAME, BY_LINK = "anybody", "player", "link"
OPPONENTS = {
    ANYBODY: N_("Whoever joins first"),
    BY_NAME: N_("A player whom you challenge"),
    BY_LINK: N_("Somebody to whom you send a link"),
}
"""Who may take the other seat, and how the form says it."""

_MEMBERS = {"invalid-options": "options.", "invalid-settings": "settings."}
"""What stands before the name of a field that one of these refusals is about."""


def show_new_match() -> Response:
    """Show the games to choose from, or the form for the one that was chosen."""
    the_player()
    slug = request.args.get("game")
    if slug is None:
        opponent = request.args.get("opponent", "").replace("\0", "")[:LONGEST]
        return answer_page("new_match.html", game=None, opponent=opponent)
    return _form(this_site().house.games.get(slug))


def create_match() -> Response:
    """Create a match, and lead to it; or show the link to it, if somebody is to be invited."""
    matches, games = this_site().house.matches, this_site().house.games
    game = games.get(text("game"))
    try:
        new = _new_match(game)
        if not new.invitation:
            return answer_command(lambda request: matches.create(request, new), _address)
        done = carry_out(lambda request: matches.create(request, new), _invitations)
    except (
        InvalidOptions,
        InvalidPace,
        InvalidSettings,
        UnknownOpponent,
        InvalidRequest,
    ) as refusal:
        return _form(game, PROBLEMS[refusal.code].status, _at_its_field(refusal))
    return answer_invitation(done.shown.view.id)


def _new_match(game: AnyGame) -> NewMatch:
    seat, visibility = text("seat") or "random", text("visibility") or PUBLIC
    if seat not in SEATS:
        raise InvalidRequest(_("Choose one of the seats."), pointer="/seat")
    if visibility not in VISIBILITIES:
        raise InvalidRequest(_("Choose who may see the match."), pointer="/visibility")
    return NewMatch(
        game.slug,
        given(game.options, "options"),
        given(game.settings, "settings"),
        SEATS[seat],
        _opponent(),
        visibility,
        pace=asked_pace(),
        invitation=text("with") == BY_LINK,
    )


def _opponent() -> str | None:
    """Return the name of who is challenged; a name that was typed is meant. None: nobody."""
    chosen, name = text("with") or ANYBODY, text("opponent")
    if chosen not in OPPONENTS:
        raise InvalidRequest(_("Choose who takes the other seat."), pointer="/with")
    if chosen == BY_NAME and not name:
        raise InvalidRequest(_("Whom do you challenge? Type a player's name."), pointer="/opponent")
    if chosen == BY_LINK and name:
        raise InvalidRequest(
            _("Leave the name empty to invite by a link, or choose to challenge this player."),
            pointer="/opponent",
        )
    return name or None


def _form(game: AnyGame, status: int = 200, errors: dict[str, str] | None = None) -> Response:
    opponent = text("opponent") or request.args.get("opponent", "").replace("\0", "\ufffd")
    return answer_page(
        "new_match.html",
        status=status,
        game=game,
        options=fields(game.options, "options"),
        settings=fields(game.settings, "settings"),
        seat=text("seat") or "random",
        opponent=opponent[:LONGEST],
        opponents=OPPONENTS,
        chosen=text("with") or (BY_NAME if opponent else ANYBODY),
        visibility=text("visibility") or PUBLIC,
        errors=errors or {},
        key=fresh_key(),
        **pace_fields(),
    )


def _at_its_field(refusal: Refusal) -> dict[str, str]:
    if isinstance(refusal, InvalidPace):
        return {field_of(refusal): refusal.detail}
    field = _MEMBERS.get(refusal.code, "") + (refusal.pointer or "").strip("/")
    return {field: refusal.detail}


def _address(match_id: str) -> str:
    return url_for("pages.match", match_id=match_id)


def _invitations(match_id: str) -> str:
    return url_for("pages.invitations", match_id=match_id)
