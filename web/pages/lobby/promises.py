"""What comes of a form for a new match, in one sentence."""

from __future__ import annotations

from domain.match.clock import format_pace
from domain.match.commands import CreateMatch
from domain.match.house_players import level_of
from web.i18n import N_, _, translate
from web.pages.common.words import list_unusual, series_terms

_ANYBODY = {
    "public": N_("You open a match of %(game)s that anybody can join"),
    "unlisted": N_("You open a match of %(game)s that anybody with its address can join"),
}
_SEATS = {
    None: N_("random seats"),
    1: N_("you take the first seat"),
    2: N_("you take the second seat"),
}
_SEEN = {
    "public": N_("everybody can watch"),
    "unlisted": N_("anybody with its address can watch"),
    "private": N_("only its two players can see it"),
}


def tell_promise(planned: CreateMatch, opponent: str | None, *, by_link: bool) -> str:
    """Say what will happen; ``opponent`` is the name of who is challenged."""
    terms = [
        series_terms(planned),
        str(translate(format_pace(planned.pace))),
        _(_SEATS[planned.seat]),
        *(f"{name}: {value}" for name, value in list_unusual(planned)),
        _("rated") if planned.rated else "",
        _(_SEEN[planned.visibility]),
    ]
    beginning, told = _tell_beginning(planned, opponent, by_link=by_link), filter(None, terms)
    return _("%(beginning)s: %(terms)s.") % {"beginning": beginning, "terms": ", ".join(told)}


def _tell_beginning(planned: CreateMatch, opponent: str | None, *, by_link: bool) -> str:
    game, level = planned.game.name, level_of(planned.opponent)
    if level is not None:
        return _("You start a match of %(game)s against the house at level %(level)s") % {
            "game": game,
            "level": level,
        }
    if opponent is not None:
        challenge = _("You challenge %(player)s to %(game)s, and nobody else can join")
        return challenge % {"player": opponent, "game": game}
    if by_link:
        return _(
            "You open a match of %(game)s and get a link to send: the first to use it plays"
        ) % {"game": game}
    return _(_ANYBODY[planned.visibility]) % {"game": game}
