"""The form that asks for the analysis of a finished match, and how far that is by now."""

from __future__ import annotations

from flask import Response, url_for

from services.errors import AnalysisUnderWay, MatchNotOver, TooManyAnalyses
from services.matches.queries import Asker
from web.http.answers import NO_STORE, answer_no_content
from web.pages.common.answers import answer_page, lead_to
from web.pages.common.visitors import find_actor, find_visitor, player_of
from web.pages.matches.match import refused_at
from web.site import get_site


@refused_at("analysis", AnalysisUnderWay, TooManyAnalyses, MatchNotOver)
def ask_for_analysis(match_id: str) -> Response:
    """Ask for the analysis; it needs no account.

    Whoever has none asks as a visitor, even in a match of their own: the hands of practice matches
    are everybody's, and a player against the house is soon made.
    """
    get_site().house.analyses.ask(Asker(player_of(find_visitor())), match_id)
    return lead_to(url_for("pages.match", match_id=match_id, _anchor="analysis"))


def show_progress(match_id: str) -> Response:
    """Show how far an analysis is, for a page that waits for it; 204: it is over.

    Raises ``NotFound``, ``MatchNotOver`` and ``NoAnalysis``.
    """
    report = get_site().house.analyses.show(Asker(player_of(find_actor())), match_id)
    if report.over:
        return answer_no_content({"Cache-Control": NO_STORE})
    return answer_page("replays/progress.html", own=True, report=report)
