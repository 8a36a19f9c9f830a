"""What of a match can be taken to other places: files, a frame in another page, a preview."""

from __future__ import annotations

from typing import Any

from flask import request, url_for

from domain.i18n import say
from domain.match.state import ABORTED
from domain.match.views import MatchView
from services.exchange.formats import PICTURES
from services.matches.match_json import ShownMatch
from services.replays.replay import Frame, tell_frame
from web.http.requests import make_public_url
from web.i18n import N_, _, translate
from web.pages.common.words import ending, moves, name_of

# A bundle is not among them: it is to be had only once a checkpoint covers the match.
_NAMES = {
    "ndjson": N_("Events, one a line (NDJSON): to verify and to import"),
    "json": N_("The match as one document (JSON)"),
    "csv": N_("Moves as a table (CSV)"),
    "text": N_("Transcript (text)"),
    "svg": N_("This step as a drawing (SVG)"),
    "png": N_("This step as a picture (PNG)"),
}


def is_for_everybody(view: MatchView) -> bool:
    """Whether whoever has the address of a match may see it, without being logged in."""
    return view.visibility != "private"


def list_downloads(view: MatchView, frame: Frame, asked: str | None) -> list[tuple[str, str]]:
    """Return names and addresses of the files of a match, none of a private one."""
    if not is_for_everybody(view):
        return []
    found = []
    for name, words in _NAMES.items():
        more: dict[str, Any] = {"as": asked} if asked else {}
        if name in PICTURES:
            more["at"] = frame.version
        found.append((words, url_for("api.export_match", match_id=view.id, format=name, **more)))
    return found


def make_preview(shown: ShownMatch, frame: Frame) -> dict[str, str] | None:
    """Return what other sites show of a match, where it has begun and is public."""
    view = shown.view
    if view.visibility != "public" or frame.view.sight is None or view.status == ABORTED:
        return None
    first, second = (translate(name_of(shown, seat) or say("a free seat")) for seat in (1, 2))
    at: dict[str, Any] = {"at": frame.version} if "at" in request.args else {}
    image = url_for("api.export_match", match_id=view.id, format="png", at=frame.version)
    return {
        "title": _("%(game)s: %(first)s against %(second)s")
        % {"game": view.game.name, "first": first, "second": second},
        "description": _("%(ending)s %(moves)s, every one on record.")
        % {"ending": ending(shown), "moves": moves(view.ply)},
        "alt": translate(tell_frame(frame)),
        "url": make_public_url(url_for("pages.match", match_id=view.id, **at)),
        "image": make_public_url(image),
    }


def make_embed_url(view: MatchView) -> str | None:
    """Return the whole address of the page that other pages may frame, or None."""
    if not is_for_everybody(view):
        return None
    return make_public_url(url_for("pages.embed", match_id=view.id))
